package auth

import (
	"encoding/base64"
	"regexp"
	"strings"

	"github.com/agendahq/agenda/internal/wp"
)

// basicCredentials parses an Authorization header. A header without a name and a password, such as one of another
// scheme, does not count as an attempt to log in.
func basicCredentials(header string) (name, password string, ok bool) {
	const scheme = "Basic "
	if len(header) < len(scheme) || !strings.EqualFold(header[:len(scheme)], scheme) {
		return "", "", false
	}
	name, password, ok = strings.Cut(decoded(header[len(scheme):]), ":")
	return name, password, ok && password != ""
}

// decoded decodes base64 as leniently as PHP: invalid characters are skipped, and no padding is required.
func decoded(s string) string {
	digits := strings.Map(func(c rune) rune {
		if c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' || c >= '0' && c <= '9' || c == '+' || c == '/' {
			return c
		}
		return -1
	}, s)
	if len(digits)%4 == 1 {
		digits = digits[:len(digits)-1] // six bits do not make a byte
	}
	text, err := base64.RawStdEncoding.DecodeString(digits)
	if err != nil {
		return ""
	}
	return string(text)
}

var (
	octet  = regexp.MustCompile(`%[a-fA-F0-9]{2}`)
	entity = regexp.MustCompile(`&.+?;`)
)

// cleanLogin returns the login name for a name as it was typed, like WordPress's sanitize_user. spelling is that of the
// site's language.
func cleanLogin(name string, spelling *wp.Spelling) string {
	name = spelling.RemoveAccents(wp.StripToText(name))
	name = entity.ReplaceAllString(octet.ReplaceAllString(name, ""), "")
	return strings.Join(strings.FieldsFunc(name, func(c rune) bool { return strings.ContainsRune(" \t\n\v\f\r", c) }), " ")
}
