package wp

import (
	"regexp"
	"strings"
)

var (
	localPart   = regexp.MustCompile("^[a-zA-Z0-9!#$%&'*+/=?^_`{|}~.-]+$")
	domainLabel = regexp.MustCompile(`^[a-zA-Z0-9]([a-zA-Z0-9-]*[a-zA-Z0-9])?$`)
)

// IsEmail reports whether a string is an email address, by the rules of WordPress's is_email.
func IsEmail(s string) bool {
	local, domain, ok := strings.Cut(s, "@")
	const shortest = 6
	if !ok || len(s) < shortest || !localPart.MatchString(local) || !strings.Contains(domain, ".") {
		return false
	}
	for label := range strings.SplitSeq(domain, ".") {
		if !domainLabel.MatchString(label) {
			return false
		}
	}
	return true
}
