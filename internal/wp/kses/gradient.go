package kses

import (
	"regexp"
	"strings"
)

// gradient matches a CSS gradient, with functions nested one level deep. function matches the beginning of a function
// call.
var (
	gradient = regexp.MustCompile(`(?:repeating-)?(?:linear|radial|conic)-gradient\((?:[^()]|\([^()]*\))*\)`)
	function = regexp.MustCompile(`[\w-]*\(`)
)

// withoutGradients removes all gradients from a value. The second result is false if one of them calls expression(),
// which old browsers execute as a script, or contains a URL that is not allowed. Some releases of WordPress keep such
// gradients; they are rejected here on all of them.
func withoutGradients(value string) (string, bool) {
	harmless := true
	rest := gradient.ReplaceAllStringFunc(value, func(found string) string {
		for _, called := range function.FindAllString(found, -1) {
			harmless = harmless && !strings.EqualFold(called, "expression(")
		}
		if strings.Contains(found, "url(") {
			_, allowed := withoutURLs(found)
			harmless = harmless && allowed
		}
		return ""
	})
	return rest, harmless
}
