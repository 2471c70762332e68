package render

import (
	"slices"
	"strings"

	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/release"
)

// LDName returns a rendered title, or the name of a venue or organizer, as a
// JSON-LD object shows it.
func LDName(title string) string { return escapeJS(title) }

// ldWords is how many words of a description a JSON-LD object shows.
const ldWords = 30

// LDDescription returns the description of a JSON-LD object: the stored
// excerpt, or, if there is none, the first words of the stored content. Text in
// brackets is left out. filter is the allowed-HTML filter for excerpts: it
// leaves only the elements a, b, strong, em, span, ul, ol and li.
func LDDescription(excerpt, content string, r release.Release, filter func(string) string) string {
	var s string
	if excerpt != "" && excerpt != "0" {
		s = filter(dropBracketed(excerptBlocks(excerpt, r, true)))
	} else {
		s = firstWords(filter(dropBracketed(excerptBlocks(content, r, false))), ldWords, " [&hellip;]")
	}
	return escapeJS(autop(s))
}

// LDEmail hides an e-mail address from programs that look for addresses in
// pages: every ASCII character becomes an entity.
func LDEmail(s string) string {
	const digits = "0123456789"
	b := make([]byte, 0, 6*len(s))
	for i := range len(s) {
		c := s[i]
		if c >= 0x80 {
			b = append(b, c)
			continue
		}
		b = append(b, '&', '#')
		if c >= 100 {
			b = append(b, '1')
		}
		if c >= 10 {
			b = append(b, digits[c/10%10])
		}
		b = append(b, digits[c%10], ';')
	}
	return string(b)
}

// dropBracketed drops every "[…]" of at least one character on one line.
func dropBracketed(s string) string {
	closing, newline := finder{s: s, needle: "]"}, finder{s: s, needle: "\n"}
	return replaceAt(s, '[', func(i int) (int, string) {
		if i+2 >= len(s) {
			return 0, ""
		}
		line, end := newline.next(i+1), closing.next(i+2)
		if end < 0 || line >= 0 && line < end {
			return 0, ""
		}
		return end + 1 - i, ""
	})
}

// excerptTexts are the blocks whose text may make an excerpt, excerptWrappers
// those of which only the blocks in them may.
var (
	excerptTexts = wp.NameSet(`core/freeform core/heading core/html core/list core/media-text core/paragraph
core/preformatted core/pullquote core/quote core/table core/verse`)
	excerptWrappers = wp.NameSet(`core/columns core/column core/group`)
)

func inExcerpt(b *block) bool { return b.name == "" || excerptTexts[b.name] }

// excerptBlocks returns the text of the blocks that may make an excerpt. A block with others in it
// is left out unless these are texts that hold no blocks: lists are, since their items are blocks.
// Hidden blocks are left out of a text that is an excerpt; of others too, but older releases show what
// is in hidden groups and columns.
func excerptBlocks(content string, r release.Release, isExcerpt bool) string {
	if !strings.Contains(content, "<!-- wp:") {
		return content
	}
	blocks := parseBlocks(content)
	if (isExcerpt || r.Has(release.HiddenInSummary)) && strings.Contains(content, "blockVisibility") {
		blocks = shownBlocks(blocks, r)
	}
	out := summary{release: r}
	for _, b := range blocks {
		switch {
		case excerptWrappers[b.name] && b.inner():
			out.writeWrapped(b)
		case excerptWrappers[b.name] || inExcerpt(b) && b.onlyTexts():
			out.writeText(b)
		}
	}
	return out.String()
}

// shownBlocks returns the blocks that are not hidden, without those in them that are.
func shownBlocks(blocks []*block, r release.Release) []*block {
	var shown []*block
	for _, b := range blocks {
		if hidden(b, r) {
			continue
		}
		shown = append(shown, b)
		var content []blockPart
		for _, p := range b.content {
			if p.inner == nil {
				content = append(content, p)
			} else if in := shownBlocks([]*block{p.inner}, r); in != nil {
				content = append(content, blockPart{inner: in[0]})
			}
		}
		b.content = content
	}
	return shown
}

// summary is the text of an excerpt.
type summary struct {
	strings.Builder

	release release.Release
}

// writeWrapped writes the texts in a block, however deep they are.
func (out *summary) writeWrapped(b *block) {
	for _, p := range b.content {
		switch in := p.inner; {
		case in == nil || !inExcerpt(in) && !excerptWrappers[in.name]:
		case in.inner():
			out.writeWrapped(in)
		default:
			out.writeText(in)
		}
	}
}

func (out *summary) writeText(b *block) {
	if hidden(b, out.release) {
		return
	}
	for _, p := range b.content {
		if p.inner != nil {
			out.writeText(p.inner)
		} else {
			out.WriteString(p.text)
		}
	}
}

// inner reports whether there are blocks in a block.
func (b *block) inner() bool {
	return slices.ContainsFunc(b.content, func(p blockPart) bool { return p.inner != nil })
}

// onlyTexts reports whether all blocks in a block are texts that hold none.
func (b *block) onlyTexts() bool {
	return !slices.ContainsFunc(b.content, func(p blockPart) bool {
		return p.inner != nil && (!inExcerpt(p.inner) || p.inner.inner())
	})
}
