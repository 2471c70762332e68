package render

import (
	"slices"
	"strings"
	"sync"

	"github.com/agendahq/agenda/internal/wp/phpval"
)

// Marks are the typographic characters that replace typed ones, in the form in which they are written, usually as
// entities. A mark that equals what is typed changes nothing.
type Marks struct {
	OpenDouble, CloseDouble string // "…"
	OpenSingle, CloseSingle string // '…'
	Apostrophe              string // ' in a word or before a year
	Prime, DoublePrime      string // 6' and 12"
	EnDash, EmDash          string // - and --
	Ellipsis                string // ...
	Trademark               string // (tm) after a space
	// Words are words that begin with an apostrophe rather than a quote.
	Words []struct{ Typed, Shown string }
}

// EnglishMarks returns the marks of English, which are also used for languages without marks of their own.
func EnglishMarks() *Marks {
	m := &Marks{
		OpenDouble: "&#8220;", CloseDouble: "&#8221;",
		OpenSingle: "&#8216;", CloseSingle: "&#8217;",
		Apostrophe: "&#8217;",
		Prime:      "&#8242;", DoublePrime: "&#8243;",
		EnDash: "&#8211;", EmDash: "&#8212;",
		Ellipsis:  "&#8230;",
		Trademark: "&#8482;",
	}
	for w := range strings.FieldsSeq("'tain't 'twere 'twas 'tis 'twill 'til 'bout 'nuff 'round 'cause 'em") {
		m.Words = append(m.Words, struct{ Typed, Shown string }{w, strings.ReplaceAll(w, "'", "&#8217;")})
	}
	return m
}

// defaultMarks returns the English marks, which are never modified.
var defaultMarks = sync.OnceValue(EnglishMarks)

// typedMarks are characters of which every typed mark contains at least one.
const typedMarks = "'\"`-&.x("

// Title renders a stored title, or the name of a venue or organizer, like WordPress's filter the_title. Shortcodes are
// not replaced, but their tags are kept unchanged.
func Title(s string, m *Marks) string {
	s = phpval.Trim(escapeLoneAmpersands(texturize(s, m, contentShortcodes)))
	return strings.ReplaceAll(s, "Wordpress", "WordPress")
}

// texturize replaces typed marks by typographic ones, like WordPress's wptexturize. Tags, comments, tags of the given
// shortcodes, and the content of elements such as pre are not changed. Each text between them is processed separately.
// If m is nil, the English marks are used.
func texturize(s string, m *Marks, shortcodes []string) string {
	if s == "" || s == "0" || !strings.ContainsAny(s, typedMarks) {
		return s
	}
	if m == nil {
		m = defaultMarks()
	}
	t := texturizer{marks: m, names: shortcodes}
	t.out.Grow(len(s) + len(s)/8 + 8)
	from := 0
	for i := 0; i < len(s); {
		n := 0
		switch s[i] {
		case '<':
			n = markupLen(s[i:])
		case '[':
			n = shortcodeTagLen(s[i:], shortcodes)
		}
		if n == 0 {
			i++
			continue
		}
		t.writeText(s[from:i])
		t.delimiter(s[i : i+n])
		i += n
		from = i
	}
	t.writeText(s[from:])
	return t.out.String()
}

// texturizer collects the output. asIs and code are the open elements and shortcodes whose content is not changed.
type texturizer struct {
	marks      *Marks
	names      []string
	out        strings.Builder
	asIs, code []string
}

var (
	asIsElements   = []string{"pre", "code", "kbd", "style", "script", "tt"}
	asIsShortcodes = []string{"code"}
)

func (t *texturizer) writeText(s string) {
	if len(t.asIs) == 0 && len(t.code) == 0 && strings.ContainsAny(s, typedMarks) && phpval.Trim(s) != "" {
		s = t.marks.replaceMarks(s)
	}
	t.out.WriteString(s)
}

func (t *texturizer) delimiter(s string) {
	switch {
	case strings.HasPrefix(s, "<!--"):
	case s[0] == '<':
		s = escapeAmpersands(s)
		t.asIs = enterOrLeave(t.asIs, s, asIsElements)
	case !strings.HasPrefix(s, "[[") && !strings.HasSuffix(s, "]]"):
		t.code = enterOrLeave(t.code, s, asIsShortcodes)
	}
	t.out.WriteString(s)
}

// enterOrLeave updates the list of open elements by a tag. As in WordPress, the name of a tag ends at the first space
// or, if there is none, before the last character, so that "<pre\nclass=x>" does not count as pre.
func enterOrLeave(open []string, tag string, names []string) []string {
	start, closing := 1, false
	if len(tag) < 2 || tag[1] == '/' {
		start, closing = 2, true
	}
	end := strings.IndexByte(tag, ' ')
	if end < 0 {
		end = len(tag) - 1
	}
	if end < start || !slices.Contains(names, tag[start:end]) {
		return open
	}
	name := tag[start:end]
	switch {
	case !closing:
		return append(open, name)
	case len(open) > 0 && open[len(open)-1] == name:
		return open[:len(open)-1]
	}
	return open
}

// markupLen returns the length of the comment or tag at the beginning of s. If it is not closed, it ends with the text.
func markupLen(s string) int {
	from, end := 1, ">"
	if strings.HasPrefix(s, "<!--") {
		from, end = 2, "-->"
	}
	if n := strings.Index(s[from:], end); n >= 0 {
		return from + n + len(end)
	}
	return len(s)
}

// shortcodeTagLen returns the length of the shortcode tag at the beginning of s, 0 if there is none. It may contain
// complete HTML tags, but no other brackets.
func shortcodeTagLen(s string, names []string) int {
	i := 1
	if i < len(s) && (s[i] == '/' || s[i] == '[') {
		i++
	}
	n := shortcodeNameLen(s[i:], names)
	if n == 0 {
		return 0
	}
	for i += n; i < len(s); i++ {
		switch s[i] {
		case '[', '>':
			return 0
		case ']':
			if i+1 < len(s) && s[i+1] == ']' {
				i++
			}
			return i + 1
		case '<':
			for i++; i < len(s) && s[i] != '>'; i++ {
				if s[i] == '[' || s[i] == ']' {
					return 0
				}
			}
		}
	}
	return 0
}

// shortcodeNameLen returns the length of the name at the beginning of s if it is one of names, else 0.
func shortcodeNameLen(s string, names []string) int {
	for _, name := range names {
		if n := len(name); n > 0 && n < len(s) && s[:n] == name && (isSpace(s[n]) || s[n] == ']' || s[n] == '/') {
			return n
		}
	}
	return 0
}
