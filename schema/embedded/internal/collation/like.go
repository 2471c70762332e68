package collation

import (
	"slices"
	"strings"
	"sync/atomic"
	"unicode/utf8"
)

// defaultEscape is the character that escapes % and _ if a statement has no ESCAPE.
const defaultEscape = '\\'

// anyRun and anyOne represent % and _ in a parsed pattern. They are negative, so they differ from all characters.
const (
	anyRun rune = -1
	anyOne rune = -2
)

// pattern is a parsed LIKE pattern.
type pattern struct {
	source string
	escape rune
	runes  []rune
}

// lastPattern caches the pattern of the previous row, because a statement usually has the same one for every row.
var lastPattern atomic.Pointer[pattern]

// like reports whether text matches a LIKE pattern. Case and accents are ignored, but one letter never matches two. A
// negative escape means that there is none.
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

// match backtracks only to the last %: the match of an earlier one never needs to change.
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

// same reports whether the character r matches want, a character of a pattern. Characters that are sorted by their code
// points match only themselves, even if a compatibility character is equal to one of them with the operator =.
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
	return slices.Equal(t.weights(want), t.weights(r))
}
