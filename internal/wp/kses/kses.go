// Package kses filters HTML that authors without the capability unfiltered_html store. Its results are byte for byte
// those of WordPress (wp_kses), so that neither program changes what the other one has stored.
package kses

import (
	"slices"
	"strings"
)

// Filter removes everything from html that the list does not allow. Of a tag that is not allowed, the content is kept.
// Tags are not balanced. It corresponds to WordPress's wp_kses.
func Filter(html string, list *Allowed) string { return list.filter(Unfiltered(html, list), 0) }

// Unfiltered returns html as it is stored for authors with the capability unfiltered_html. It only repairs entities of
// old editors, if the list says so.
func Unfiltered(html string, list *Allowed) string {
	if list.repair {
		return repairEntities(html)
	}
	return html
}

const (
	// maxDepth limits how deep comments in comments are filtered. Editors produce at most two levels.
	maxDepth = 4
	// maxRounds limits how often the inside of a comment is filtered until it no longer changes. Usually two or three
	// rounds suffice.
	maxRounds = 10
)

// filter applies all steps. depth is the number of comments around the text.
func (a *Allowed) filter(s string, depth int) string {
	if harmless(s) {
		return s
	}
	return a.split(a.blocks(disarm(s), depth), depth)
}

// value filters a string in a block's attributes, in which block delimiters have no meaning.
func (a *Allowed) value(s string, depth int) string {
	if harmless(s) {
		return s
	}
	return a.split(disarm(s), depth)
}

// disarm normalizes entities, and escapes every "<" that begins nothing closed.
func disarm(s string) string { return EscapeUnclosed(normalizeEntities(dropControls(s)), escaped) }

// settled filters the inside of a comment until it no longer changes. If it keeps changing, it is hostile and is
// removed.
func (a *Allowed) settled(s string, depth int) string {
	if depth >= maxDepth {
		return ""
	}
	for range maxRounds {
		next := a.filter(s, depth+1)
		if next == s {
			return s
		}
		s = next
	}
	return ""
}

// harmless reports whether no step would change the text.
func harmless(s string) bool {
	for i := range len(s) {
		if c := s[i]; c == '<' || c == '>' || c == '&' || isControl(c) {
			return false
		}
	}
	return true
}

func isControl(c byte) bool { return c < ' ' && c != '\t' && c != '\n' && c != '\r' }

func dropControls(s string) string {
	for i := range len(s) {
		if isControl(s[i]) {
			return string(slices.DeleteFunc([]byte(s), isControl))
		}
	}
	return s
}

// EscapeUnclosed calls escape for every "<" that begins no tag, since another "<" or the end of the text comes before a
// ">". escape gets the text from "<" up to there.
func EscapeUnclosed(s string, escape func(string) string) string {
	return rewrite(s, '<', 3, func(s string) (string, int) {
		end := bracket(s, 1)
		switch {
		case end < len(s) && s[end] == '>':
			return s[:end+1], end + 1
		case end == 1:
			return "&lt;", 1
		}
		return escape(s[:end]), end
	})
}

// space contains the characters that count as white space in markup.
const space = " \t\n\v\f\r"

func isSpace(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }

func skipSpace(s string) string { return strings.TrimLeft(s, space) }

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
