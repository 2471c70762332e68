package render

import (
	"strings"

	"github.com/agendahq/agenda/internal/wp/kses"
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

// attrs returns the attributes, nil if they are no valid JSON.
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

// html returns the text of a block without that of the blocks in it.
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

// blockFrame is a block that is open.
type blockFrame struct {
	*block
	start   int // of its opening delimiter
	done    int // the end of the content read so far
	leading int // where the text before it starts, -1 if there is none
}

// openToEnd bounds how many blocks that are not closed contain the rest of the
// text, each of them. The site's own software shows a damaged text so, but it multiplies
// the text.
const openToEnd = 8

type blockParser struct {
	s     string
	at    int
	out   []*block
	stack []blockFrame
}

// openTwice is how many blocks that are not closed are read twice, as the site's own software does with all. What the
// rest of the text is then shown in multiplies too.
const openTwice = 4

// parseBlocks cuts a text into blocks.
func parseBlocks(s string) []*block {
	blocks, open := parseBlocksOnce(s)
	if 1 < open && open <= openTwice {
		var text strings.Builder
		writeBlocks(&text, blocks)
		blocks, _ = parseBlocksOnce(text.String())
	}
	return blocks
}

// writeBlocks writes blocks as texts store them.
func writeBlocks(out *strings.Builder, blocks []*block) {
	for _, b := range blocks {
		name := strings.TrimPrefix(b.name, "core/")
		if name != "" {
			out.WriteString("<!-- wp:" + name + " ")
			if b.raw != "" {
				out.WriteString(b.raw + " ")
			}
			if len(b.content) == 0 {
				out.WriteString("/-->")
				continue
			}
			out.WriteString("-->")
		}
		for _, p := range b.content {
			if p.inner != nil {
				writeBlocks(out, []*block{p.inner})
			} else {
				out.WriteString(p.text)
			}
		}
		if name != "" {
			out.WriteString("<!-- /wp:" + name + " -->")
		}
	}
}

// parseBlocksOnce also returns how many blocks are not closed.
func parseBlocksOnce(s string) (blocks []*block, open int) {
	p := blockParser{s: s}
	for d := range kses.Delimiters(s) {
		if d.Closer && !d.Void && len(p.stack) == 0 {
			break // nothing to close: the rest is text
		}
		p.delimiter(d)
		p.at = d.End
	}
	open = len(p.stack)
	p.finish()
	return p.out, open
}

func (p *blockParser) delimiter(d kses.Delimiter) {
	leading := -1
	if d.Start > p.at {
		leading = p.at
	}
	depth := len(p.stack)
	switch {
	case d.Void && depth == 0:
		p.text(leading, d.Start)
		p.out = append(p.out, &block{name: d.Name, raw: d.Attrs})
	case d.Void:
		p.nest(&block{name: d.Name, raw: d.Attrs}, d.Start, d.End)
	case !d.Closer:
		p.stack = append(p.stack, blockFrame{&block{name: d.Name, raw: d.Attrs}, d.Start, d.End, leading})
	case depth == 1:
		p.close(d.Start)
	default:
		f := p.pop()
		f.content = append(f.content, blockPart{text: p.s[f.done:d.Start]})
		p.nest(f.block, f.start, d.End)
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

// close ends the innermost open block as one at the top level.
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
