package wp

import (
	"html"
	"strings"

	"github.com/agendahq/agenda/internal/wp/phpval"
)

// StripToText removes all tags, script and style elements with their content, and surrounding white space. Entities are
// kept. It corresponds to WordPress's wp_strip_all_tags.
func StripToText(s string) string { return phpval.Trim(StripTags(dropScripts(s))) }

// PlainText returns the text content of HTML, without surrounding white space.
func PlainText(s string) string { return phpval.Trim(html.UnescapeString(StripToText(s))) }

// StripTags removes tags and comments like PHP's strip_tags: a "<" before white space is text, a ">" in quotes does not
// end a tag, a "<" inside a tag has to be closed as well, and whatever is never closed is removed up to the end.
func StripTags(s string) string {
	if !strings.ContainsAny(s, "<\x00") {
		return s
	}
	t := tagStripper{s: s}
	t.out.Grow(len(s))
	for t.i = 0; t.i < len(s); t.i++ {
		if s[t.i] == 0 && (t.in == inText || t.in == inTag) {
			continue
		}
		switch t.in {
		case inText:
			t.plainText(s[t.i])
		case inTag:
			t.tag(s[t.i])
		case inScript:
			t.script(s[t.i])
		case inDeclaration:
			t.declaration(s[t.i])
		case inComment:
			if s[t.i] == '>' && t.quote == 0 && t.before("--") {
				t.leave()
			}
		}
	}
	return t.out.String()
}

const (
	inText        = iota
	inTag         // <name …>
	inScript      // <? … ?>
	inDeclaration // <! … >
	inComment     // <!-- … -->
)

type tagStripper struct {
	s     string
	i     int
	out   strings.Builder
	in    int
	depth int  // number of unclosed "<" inside the tag
	quote byte // the open quote; 0 if there is none
	last  byte // in a script: the last bracket or quote
	calls int  // in a script: number of open brackets
	xml   bool // the tag begins with "<?xml"
}

// before reports whether the text before the current byte ends in w, in upper or lower case. w has to be in lower case.
func (t *tagStripper) before(w string) bool {
	return t.i >= len(w) && strings.EqualFold(t.s[t.i-len(w):t.i], w)
}

func (t *tagStripper) spaceNext() bool {
	return t.i+1 < len(t.s) && strings.IndexByte(" \t\n\v\f\r", t.s[t.i+1]) >= 0
}

func (t *tagStripper) leave() { t.in, t.quote, t.xml = inText, 0, false }

func (t *tagStripper) toggle(c byte) {
	switch t.quote {
	case 0:
		t.quote = c
	case c:
		t.quote = 0
	}
}

// closes reports whether a ">" ends the current markup. If it ends an inner "<" instead, closes decrements depth.
func (t *tagStripper) closes() bool {
	if t.depth > 0 {
		t.depth--
		return false
	}
	return t.quote == 0
}

func (t *tagStripper) plainText(c byte) {
	if c == '<' && !t.spaceNext() {
		t.in = inTag
		return
	}
	t.out.WriteByte(c)
}

func (t *tagStripper) tag(c byte) {
	switch c {
	case '<':
		if t.quote == 0 && !t.spaceNext() {
			t.depth++
		}
	case '>':
		if t.closes() && !(t.xml && t.before("-")) {
			t.leave()
		}
	case '"', '\'':
		t.toggle(c)
	case '!':
		if t.before("<") {
			t.in = inDeclaration
		}
	case '?':
		if t.before("<") {
			t.in, t.calls, t.last = inScript, 0, 0
		}
	}
}

func (t *tagStripper) script(c byte) {
	quoted := t.last == '"' || t.last == '\''
	switch c {
	case '(', ')':
		if quoted {
			return
		}
		t.last = c
		if c == '(' {
			t.calls++
		} else {
			t.calls--
		}
	case '>':
		if t.closes() && t.calls == 0 && t.last != '"' && t.before("?") {
			t.leave()
		}
	case '"', '\'':
		if t.before(`\`) {
			return
		}
		if t.last == c {
			t.last = 0
		} else {
			t.last = c
		}
		t.toggle(c)
	case 'l', 'L':
		if t.before("<?xm") {
			t.in, t.xml = inTag, true
		}
	}
}

func (t *tagStripper) declaration(c byte) {
	switch c {
	case '>':
		if t.closes() {
			t.leave()
		}
	case '"', '\'':
		if !t.before(`\`) {
			t.toggle(c)
		}
	case '-':
		if t.before("!-") {
			t.in = inComment
		}
	case 'e', 'E':
		if t.before("doctyp") {
			t.in = inTag
		}
	}
}
