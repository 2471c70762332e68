package render

import (
	"strings"

	"github.com/agendahq/agenda/internal/wp/kses"
	"github.com/agendahq/agenda/internal/wp/phpval"
)

// block is a block or, without a name, text between blocks.
type block struct {
	name    string // with its namespace, such as "core/paragraph"
	raw     string // attributes as written; "" if there are none
	decoded bool
	list    *phpval.Array
	content []blockPart
}

// blockPart is text in a block, or an inner block.
type blockPart struct {
	text  string
	inner *block
}

// attrs returns the attributes of a block, nil if they are not valid JSON.
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

// html returns the text of a block without its inner blocks.
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

// blockFrame is an open block.
type blockFrame struct {
	*block
	start   int // position of its opening delimiter
	done    int // end of the content read so far
	leading int // beginning of the text before it; -1 if there is none
}

// openToEnd is the greatest number of blocks without a closing delimiter that each contain the rest of the text.
// WordPress renders all of them in this way, which multiplies the size of a damaged text.
const openToEnd = 8

type blockParser struct {
	s     string
	at    int
	out   []*block
	stack []blockFrame
}

// openTwice is the greatest number of blocks without a closing delimiter that are parsed twice. WordPress always does
// so, which also multiplies the rest of the text.
const openTwice = 4

func parseBlocks(s string) []*block {
	blocks, open := parseBlocksOnce(s)
	if 1 < open && open <= openTwice {
		var text strings.Builder
		writeBlocks(&text, blocks)
		blocks, _ = parseBlocksOnce(text.String())
	}
	return blocks
}

// writeBlocks writes blocks in the form in which posts store them.
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

// parseBlocksOnce parses a text into blocks. open is the number of blocks without a closing delimiter.
func parseBlocksOnce(s string) (blocks []*block, open int) {
	p := blockParser{s: s}
	for d := range kses.Delimiters(s) {
		if d.Closer && !d.Void && len(p.stack) == 0 {
			break // there is no block to close, so the rest is text
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
		p.addText(leading, d.Start)
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

func (p *blockParser) addText(from, to int) {
	if from >= 0 && from < to {
		p.out = append(p.out, &block{content: []blockPart{{text: p.s[from:to]}}})
	}
}

// nest adds a block to its parent, after the text before it.
func (p *blockParser) nest(b *block, start, end int) {
	f := &p.stack[len(p.stack)-1]
	f.addText(p.s[f.done:start])
	f.content = append(f.content, blockPart{inner: b})
	f.done = end
}

// addText adds text to a block. Like PHP's empty(), it ignores "0".
func (b *block) addText(text string) {
	if text != "" && text != "0" {
		b.content = append(b.content, blockPart{text: text})
	}
}

// close closes the innermost open block as one on the top level.
func (p *blockParser) close(end int) {
	f := p.pop()
	f.addText(p.s[f.done:end])
	p.addText(f.leading, f.start)
	p.out = append(p.out, f.block)
}

func (p *blockParser) finish() {
	if len(p.stack) == 0 {
		p.addText(p.at, len(p.s))
		return
	}
	for len(p.stack) > openToEnd {
		f := p.pop()
		f.addText(p.s[f.done:])
		p.nest(f.block, f.start, len(p.s))
	}
	for len(p.stack) > 0 {
		p.close(len(p.s))
	}
}
