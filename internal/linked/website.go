package linked

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/agendahq/agenda/internal/param"
)

// CheckWebsite accepts an absolute URL or an empty string.
func CheckWebsite(_ context.Context, v any) (string, error) {
	s, ok := v.(string)
	if !ok || s != "" && s != "0" && !absolute(s) {
		return "", param.Invalid("fault_website")
	}
	return s, nil
}

// scripts are URL schemes that run code.
var scripts = []string{"javascript", "data", "vbscript"}

// absolute reports whether a string is an absolute URL by WordPress's rules: ASCII without blanks, with a scheme and a
// host.
func absolute(s string) bool {
	if !consists(s, "$-_.+!*'(),{}|\\^~[]`<>#%\";/?:@&=") {
		return false
	}
	scheme, rest, found := strings.Cut(s, ":")
	scheme = strings.ToLower(scheme)
	if !found || !schemeName(scheme) || slices.Contains(scripts, scheme) {
		return false
	}
	authority, hasHost := strings.CutPrefix(rest, "//")
	if !hasHost {
		return rest != "" && (scheme == "mailto" || scheme == "news")
	}
	if end := strings.IndexAny(authority, "/?#"); end >= 0 {
		authority = authority[:end]
	}
	if at := strings.LastIndexByte(authority, '@'); at >= 0 {
		if strings.ContainsAny(authority[:at], "@[]<>{}|\\^`\"") {
			return false
		}
		authority = authority[at+1:]
	}
	host, ok := withoutPort(authority)
	if !ok || host == "" {
		return false
	}
	return scheme != "http" && scheme != "https" || hostName(host)
}

// consists reports whether a string has no other characters than ASCII letters, digits, and some more.
func consists(s, more string) bool {
	return !strings.ContainsFunc(s, func(c rune) bool {
		return !('a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.ContainsRune(more, c))
	})
}

func schemeName(s string) bool { return s != "" && consists(s[:1], "") && consists(s, "+-.") }

// withoutPort removes the port. ok is false if the port is invalid.
func withoutPort(authority string) (host string, ok bool) {
	i := strings.LastIndexByte(authority, ':')
	if i < 0 || i < strings.LastIndexByte(authority, ']') {
		return authority, true
	}
	if port := authority[i+1:]; port != "" {
		n, err := strconv.ParseUint(port, 10, 16)
		if err != nil || n == 0 {
			return "", false
		}
	}
	return authority[:i], true
}

// hostName reports whether a host is a name of letters, digits and hyphens, or an IP address.
func hostName(host string) bool {
	if inner, bracketed := strings.CutPrefix(host, "["); bracketed {
		inner, closed := strings.CutSuffix(inner, "]")
		return closed && inner != "" && strings.Trim(inner, "0123456789abcdefABCDEF:.") == "" && strings.Contains(inner, ":")
	}
	host = strings.TrimSuffix(host, ".")
	if len(host) > 253 {
		return false
	}
	for label := range strings.SplitSeq(host, ".") {
		n := len(label)
		if n == 0 || n > 63 || !consists(label, "-") || label[0] == '-' || label[n-1] == '-' {
			return false
		}
	}
	return true
}
