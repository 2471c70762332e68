package render

import (
	"slices"
	"strings"

	"github.com/agendahq/agenda/internal/wp"
)

// contentShortcodes are the names of the shortcodes that are rendered.
var contentShortcodes = []string{
	"caption", "wp_caption", "gallery", "playlist", "audio", "video", "embed",
	"tribe:event-details", "tec_event_qr",
}

// shortcode is a shortcode in a text: "[name attrs]", or with content and "[/name]".
type shortcode struct {
	start, end int
	name       string
	attrs      string
	content    string
	enclosing  bool // it has content, which may be empty
	tagEnd     int  // end of the opening tag
	doubled    bool // there is a second "[" before the name, which escapes the shortcode
	closed     bool // there is a second "]" at the end
}

// shortcodeScanner finds the shortcodes with the given names.
type shortcodeScanner struct {
	s       string
	names   []string
	tagEnd  finder
	closers map[string]*finder
}

func scanShortcodes(s string, names []string) *shortcodeScanner {
	return &shortcodeScanner{s: s, names: names, tagEnd: finder{s: s, needle: "]"}, closers: map[string]*finder{}}
}

// next finds the first shortcode at or after i.
func (c *shortcodeScanner) next(i int) (shortcode, bool) {
	for {
		n := strings.IndexByte(c.s[i:], '[')
		if n < 0 {
			return shortcode{}, false
		}
		i += n
		if t, ok := c.at(i); ok {
			return t, true
		}
		i++
	}
}

// at parses the shortcode that begins at i.
func (c *shortcodeScanner) at(i int) (shortcode, bool) {
	t := shortcode{start: i}
	p := i + 1
	if p < len(c.s) && c.s[p] == '[' {
		t.doubled = true
		p++
	}
	for _, name := range c.names {
		if strings.HasPrefix(c.s[p:], name) && !wordNext(c.s[p+len(name):]) {
			t.name = name
		}
	}
	if t.name == "" {
		return t, false
	}
	p += len(t.name)
	end := c.tagEnd.next(p)
	if end < 0 {
		return t, false
	}
	t.attrs, t.end = c.s[p:end], end+1
	if closed, ok := strings.CutSuffix(t.attrs, "/"); ok {
		t.attrs = closed
	} else if close := c.closer(t.name).next(end + 1); close >= 0 {
		t.content, t.enclosing = c.s[end+1:close], true
		t.end = close + len(t.name) + 3
	}
	t.tagEnd = end + 1
	if t.end < len(c.s) && c.s[t.end] == ']' {
		t.closed = true
		t.end++
	}
	return t, true
}

func (c *shortcodeScanner) closer(name string) *finder {
	f := c.closers[name]
	if f == nil {
		f = &finder{s: c.s, needle: "[/" + name + "]"}
		c.closers[name] = f
	}
	return f
}

// wordNext reports whether s begins with a character that can be part of a name.
func wordNext(s string) bool {
	return s != "" && (isLetter(s[0]) || wp.IsDigit(s[0], 10) || s[0] == '_' || s[0] == '-')
}

// usedShortcodes returns those of the names that occur after a "[".
func usedShortcodes(s string, names []string) []string {
	var used []string
	for i := 0; len(used) < len(names); {
		n := strings.IndexByte(s[i:], '[')
		if n < 0 {
			break
		}
		i += n + 1
		for _, name := range names {
			if strings.HasPrefix(s[i:], name) && nameEnds(s[i+len(name):]) && !slices.Contains(used, name) {
				used = append(used, name)
			}
		}
	}
	return used
}

// nameEnds reports whether the name of a shortcode can end before s.
func nameEnds(s string) bool {
	return s == "" || s[0] <= ' ' || strings.IndexByte("<>&/[]=", s[0]) >= 0
}

type shortcodeFunc func(t shortcode) string

// doShortcodes replaces shortcodes in a text. If rawTags is set, shortcodes inside tags are kept.
func doShortcodes(s string, names []string, rawTags bool, do shortcodeFunc) string {
	if strings.IndexByte(s, '[') < 0 {
		return s
	}
	if names = usedShortcodes(s, names); len(names) == 0 {
		return s
	}
	s = shortcodesInTags(s, names, rawTags, do)
	s = replaceShortcodes(s, names, do)
	return restoreBrackets.Replace(s)
}

func replaceShortcodes(s string, names []string, do shortcodeFunc) string {
	scan := scanShortcodes(s, names)
	var b strings.Builder
	last := 0
	for {
		t, ok := scan.next(last)
		if !ok {
			break
		}
		b.WriteString(s[last:t.start])
		last = t.end
		if t.doubled && t.closed {
			b.WriteString(s[t.start+1 : t.end-1])
			continue
		}
		if t.doubled {
			b.WriteByte('[')
		}
		b.WriteString(do(t))
		if t.closed {
			b.WriteByte(']')
		}
	}
	if last == 0 {
		return s
	}
	b.WriteString(s[last:])
	return b.String()
}

// unwrapShortcodes removes the paragraph around a shortcode that is alone in it, like WordPress's shortcode_unautop.
func unwrapShortcodes(s string) string {
	if strings.IndexByte(s, '[') < 0 {
		return s
	}
	scan := scanShortcodes(s, contentShortcodes)
	failed := -1 // several may have the same end
	return eachTag(s, func(g *tags, i int) (int, bool) {
		from := paragraph(s, i)
		if from == 0 {
			return 0, false
		}
		from = skipBlank(s, from)
		if from >= len(s) || s[from] != '[' || strings.HasPrefix(s[from:], "[[") {
			return 0, false
		}
		t, ok := scan.at(from)
		if !ok {
			return 0, false
		}
		end := t.end
		if t.closed {
			end--
		}
		for _, to := range []int{end, t.tagEnd} {
			if to == failed {
				continue
			}
			if after := skipBlank(s, to); strings.HasPrefix(s[after:], "</p>") {
				g.keep(i, from, to)
				g.skip(after + len("</p>"))
				return after + len("</p>"), true
			}
		}
		failed = end
		return 0, false
	})
}

// skipBlank skips white space, including no-break spaces.
func skipBlank(s string, i int) int {
	for gapAt(s, i) {
		i += gapLen(s[i:])
	}
	return i
}
