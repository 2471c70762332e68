package collation

import (
	"slices"
	"strings"
	"sync/atomic"
	"unicode/utf8"
)

// defaultEscape escapes % and _ if a statement names no other character.
const defaultEscape = '\\'

// anyRun and anyOne are % and _ in a prepared pattern; no text contains a negative character.
const (
	anyRun rune = -1
	anyOne rune = -2
)

// pattern is a LIKE pattern, prepared.
type pattern struct {
	source string
	escape rune
	runes  []rune
}

// lastPattern caches the pattern of the previous row, since a statement has the same one for every row.
var lastPattern atomic.Pointer[pattern]

// like reports whether text matches a LIKE pattern, one character at a time: case and accents do not count, but a letter
// never matches two. An escape below 0 means that there is none.
func like(source, text string, escape rune) bool {
	p := lastPattern.Load()
	if p == nil || p.escape != escape || p.source != source {
		p = newPattern(strings.Clone(source), escape)
		lastPattern.Store(p)
	}
	return p.match(text)
}

func newPattern(source string, escape rune) *pattern {
	p := &pattern{source: source, escape: escape}
	for i := 0; i < len(source); {
		r, n := utf8.DecodeRuneInString(source[i:])
		i += n
		switch {
		case r == escape && i < len(source):
			r, n = utf8.DecodeRuneInString(source[i:])
			i += n
		case r == '%':
			if len(p.runes) > 0 && p.runes[len(p.runes)-1] == anyRun {
				continue
			}
			r = anyRun
		case r == '_':
			r = anyOne
		}
		p.runes = append(p.runes, r)
	}
	return p
}

// match backtracks to the last % only: what an earlier one matched never needs to change.
func (p *pattern) match(text string) bool {
	t := weights()
	at, retry, retryText := 0, -1, ""
	for text != "" {
		if at < len(p.runes) && p.runes[at] == anyRun {
			at++
			retry, retryText = at, text
			continue
		}
		r, n := utf8.DecodeRuneInString(text)
		if at < len(p.runes) && t.same(p.runes[at], r) {
			at, text = at+1, text[n:]
			continue
		}
		if retry < 0 {
			return false
		}
		_, n = utf8.DecodeRuneInString(retryText)
		retryText = retryText[n:]
		at, text = retry, retryText
	}
	for at < len(p.runes) && p.runes[at] == anyRun {
		at++
	}
	return at == len(p.runes)
}

// same reports whether the character r matches one of a pattern. Characters whose weight is their number match only
// themselves, even if a compatibility character is equal to one of them under =.
func (t *table) same(want, r rune) bool {
	switch {
	case want == r || want == anyOne:
		return true
	case want < 0:
		return false
	case want < utf8.RuneSelf && r < utf8.RuneSelf:
		return t.ascii[want] == t.ascii[r]
	case t.numbered(want) != 0 || t.numbered(r) != 0:
		return false
	}
	return slices.Equal(t.of(want), t.of(r))
}
