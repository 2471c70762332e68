// Package kses is the allowed-HTML filter: what authors without the right to store any HTML may
// store. It changes the text byte for byte as the site's own software does, so that neither of the two
// programs on one database alters what the other has stored.
package kses

import (
	"slices"
	"strings"
)

// Filter removes from html what the list does not allow. Tags go, their content
// stays; nothing is balanced.
func Filter(html string, list *Allowed) string { return list.filter(Unfiltered(html, list), 0) }

// Unfiltered returns html as it is stored for authors who may store any: with the
// entities of old editors repaired, where the list is one of texts in which that
// is done.
func Unfiltered(html string, list *Allowed) string {
	if list.repair {
		return repairEntities(html)
	}
	return html
}

const (
	// maxDepth bounds comments in comments; what can be written has two levels.
	maxDepth = 4
	// maxRounds bounds how often the inside of a comment is filtered until it
	// no longer changes; two or three times are usual.
	maxRounds = 10
)

// filter applies all steps to the text. depth counts the comments around it.
func (a *Allowed) filter(s string, depth int) string {
	if harmless(s) {
		return s
	}
	return a.split(a.blocks(disarm(s), depth), depth)
}

// value filters a text from the attributes of a block, in which block delimiters
// mean nothing.
func (a *Allowed) value(s string, depth int) string {
	if harmless(s) {
		return s
	}
	return a.split(disarm(s), depth)
}

// disarm makes every "&" an entity and every "<" the start of something closed.
func disarm(s string) string { return EscapeUnclosed(normalizeEntities(dropControls(s)), escaped) }

// settled filters the inside of a comment until nothing changes any more. What
// keeps changing is hostile, and dropped.
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

// EscapeUnclosed calls escape for every "<" that another "<" or the end follows
// before any ">", with the text between: it starts no tag.
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

// space is the white space of markup.
const space = " \t\n\v\f\r"

func isSpace(c byte) bool { return c == ' ' || '\t' <= c && c <= '\r' }

func skipSpace(s string) string { return strings.TrimLeft(s, space) }

func isLetter(c byte) bool { return 'a' <= c|0x20 && c|0x20 <= 'z' }

func isDigit(c byte) bool { return '0' <= c && c <= '9' }
