package kses

import (
	"regexp"
	"strings"
)

// gradient finds a gradient with functions one level deep in it. function finds those.
var (
	gradient = regexp.MustCompile(`(?:repeating-)?(?:linear|radial|conic)-gradient\((?:[^()]|\([^()]*\))*\)`)
	function = regexp.MustCompile(`[\w-]*\(`)
)

// withoutGradients cuts all gradients out of a value. The result is false if one calls what old browsers ran as a
// script, or has an address that is not allowed; releases that keep such a gradient keep it for browsers that do not.
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
