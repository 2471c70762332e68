package wp

import (
	"regexp"
	"strings"
)

// Title renders a stored title or name.
func Title(s string) string { return strings.TrimSpace(s) }

// Content renders a stored description: block delimiters are dropped, and text
// without paragraphs of its own is given some.
func Content(s string) string { return paragraphs(blockDelimiter.ReplaceAllString(s, "")) }

// Excerpt renders a stored excerpt.
func Excerpt(s string) string { return paragraphs(s) }

// Cost renders the stored costs of an event.
func Cost(rows []string) string { return EscapeHTML(strings.Join(CostValues(rows), " – ")) }

// CostValues are the stored costs that are not empty.
func CostValues(rows []string) []string {
	var values []string
	for _, row := range rows {
		if row = strings.TrimSpace(row); row != "" {
			values = append(values, row)
		}
	}
	return values
}

var (
	blockDelimiter = regexp.MustCompile(`<!--\s+/?wp:[^>]*-->`)
	blankLines     = regexp.MustCompile(`\n[ \t]*\n\s*`)
	lineBreaks     = strings.NewReplacer("\r\n", "\n", "\r", "\n")
)

func paragraphs(s string) string {
	s = strings.TrimSpace(lineBreaks.Replace(s))
	if s == "" || strings.Contains(s, "<p") {
		return s
	}
	parts := blankLines.Split(s, -1)
	for i, p := range parts {
		parts[i] = "<p>" + strings.ReplaceAll(p, "\n", "<br />\n") + "</p>"
	}
	return strings.Join(parts, "\n")
}
