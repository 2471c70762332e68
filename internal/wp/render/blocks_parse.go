package render

import (
	"strings"

	"github.com/agendahq/agenda/internal/wp/phpval"
)

// block is one block of a text, or, without a name, text between blocks.
type block struct {
	name    string // with its namespace
	raw     string // the attributes as they are written, "" if there are none
	decoded bool
	list    *phpval.Array
	content []blockPart
}

// blockPart is text of a block or one of the blocks in it.
type blockPart struct {
	text  string
	inner *block
}

// attrs are the attributes; nil if they are no valid JSON.
func (b *block) attrs() *phpval.Array {
	if !b.decoded {
		b.decoded = true
		if b.raw == "" {
			b.list = &phpval.Array{}
		} else {
			b.list = decodeBlockJSON(b.raw)
		}
	}
	return b.list
}

// html is the text of a block without that of the blocks in it.
func (b *block) html() string {
	if len(b.content) == 1 {
		return b.content[0].text
	}
	var s strings.Builder
	for _, p := range b.content {
		s.WriteString(p.text)
	}
	return s.String()
}

// blockToken is a block delimiter.
type blockToken struct {
	start, end  int
	name, attrs string
	closer      bool
	void        bool
}

// blockScanner finds the delimiters of a text.
type blockScanner struct {
	s       string
	closing int // where attributes can end next: the "}" before the end of a delimiter
	asked   bool
}

// next finds the first delimiter at or after i.
func (c *blockScanner) next(i int) (blockToken, bool) {
	for {
		n := strings.Index(c.s[i:], "<!--")
		if n < 0 {
			return blockToken{}, false
		}
		i += n
		if t, ok := c.at(i); ok {
			return t, true
		}
		i += len("<!--")
	}
}

// at reads the delimiter that starts at i.
func (c *blockScanner) at(i int) (blockToken, bool) {
	t := blockToken{start: i}
	s := c.s
	p := skipSpace(s, i+4)
	if p == i+4 {
		return t, false
	}
	if p < len(s) && s[p] == '/' {
		t.closer = true
		p++
	}
	if !strings.HasPrefix(s[p:], "wp:") {
		return t, false
	}
	p += 3
	n := blockWord(s[p:])
	if n == 0 {
		return t, false
	}
	t.name = "core/" + s[p:p+n]
	if p+n < len(s) && s[p+n] == '/' {
		m := blockWord(s[p+n+1:])
		if m == 0 {
			return t, false
		}
		n += 1 + m
		t.name = s[p : p+n]
	}
	p += n
	from := skipSpace(s, p)
	if from == p || from == len(s) {
		return t, false
	}
	p = from
	if s[p] == '{' {
		end := c.attrsEnd(p + 1)
		if end < 0 {
			return t, false
		}
		t.attrs = s[p : end+1]
		p = skipSpace(s, end+1)
	}
	if s[p] == '/' {
		t.void = true
		p++
	}
	t.end = p + 3
	return t, strings.HasPrefix(s[p:], "-->")
}

// attrsEnd is the place of the first "}" from i on that white space and the end
// of a delimiter follow, -1 if there is none.
func (c *blockScanner) attrsEnd(i int) int {
	if c.asked && (c.closing < 0 || c.closing >= i) {
		return c.closing
	}
	c.asked = true
	for p := i; ; p++ {
		n := strings.IndexByte(c.s[p:], '}')
		if n < 0 {
			c.closing = -1
			return -1
		}
		p += n
		end := skipSpace(c.s, p+1)
		if end > p+1 && (strings.HasPrefix(c.s[end:], "-->") || strings.HasPrefix(c.s[end:], "/-->")) {
			c.closing = p
			return p
		}
	}
}

// blockWord is the length of the namespace or name at the start of s.
func blockWord(s string) int {
	n := 0
	for n < len(s) && (s[n]-'a' < 26 || n > 0 && (s[n]-'0' < 10 || s[n] == '_' || s[n] == '-')) {
		n++
	}
	return n
}

// blockFrame is a block that is open.
type blockFrame struct {
	*block
	start   int // of its opening delimiter
	done    int // up to here its content is known
	leading int // where the text before it starts, -1 if there is none
}

// openToEnd bounds how many blocks are still open at the end of the text and
// nevertheless get all the rest each. That is what readers of a damaged text
// see, but it multiplies the text.
const openToEnd = 8

type blockParser struct {
	s     string
	at    int
	out   []*block
	stack []blockFrame
}

// parseBlocks cuts a text into blocks.
func parseBlocks(s string) []*block {
	p := blockParser{s: s}
	scan := blockScanner{s: s}
	for {
		t, ok := scan.next(p.at)
		if !ok {
			break
		}
		if t.closer && !t.void && len(p.stack) == 0 {
			break // a closer of nothing: the rest is text
		}
		p.token(t)
		p.at = t.end
	}
	p.finish()
	return p.out
}

func (p *blockParser) token(t blockToken) {
	leading := -1
	if t.start > p.at {
		leading = p.at
	}
	depth := len(p.stack)
	switch {
	case t.void && depth == 0:
		p.text(leading, t.start)
		p.out = append(p.out, &block{name: t.name, raw: t.attrs})
	case t.void:
		p.nest(&block{name: t.name, raw: t.attrs}, t.start, t.end)
	case !t.closer:
		p.stack = append(p.stack, blockFrame{&block{name: t.name, raw: t.attrs}, t.start, t.end, leading})
	case depth == 1:
		p.close(t.start)
	default:
		f := p.pop()
		f.content = append(f.content, blockPart{text: p.s[f.done:t.start]})
		p.nest(f.block, f.start, t.end)
	}
}

func (p *blockParser) pop() blockFrame {
	last := len(p.stack) - 1
	f := p.stack[last]
	p.stack = p.stack[:last]
	return f
}

// text adds text between blocks.
func (p *blockParser) text(from, to int) {
	if from >= 0 && from < to {
		p.out = append(p.out, &block{content: []blockPart{{text: p.s[from:to]}}})
	}
}

// nest adds a block to the one around it, with the text before it.
func (p *blockParser) nest(b *block, start, end int) {
	f := &p.stack[len(p.stack)-1]
	f.add(p.s[f.done:start])
	f.content = append(f.content, blockPart{inner: b})
	f.done = end
}

// add adds text; a lone zero counts as none.
func (b *block) add(text string) {
	if text != "" && text != "0" {
		b.content = append(b.content, blockPart{text: text})
	}
}

// close ends the innermost open block as one that nothing is around.
func (p *blockParser) close(end int) {
	f := p.pop()
	f.add(p.s[f.done:end])
	p.text(f.leading, f.start)
	p.out = append(p.out, f.block)
}

func (p *blockParser) finish() {
	if len(p.stack) == 0 {
		p.text(p.at, len(p.s))
		return
	}
	for len(p.stack) > openToEnd {
		f := p.pop()
		f.add(p.s[f.done:])
		p.nest(f.block, f.start, len(p.s))
	}
	for len(p.stack) > 0 {
		p.close(len(p.s))
	}
}
