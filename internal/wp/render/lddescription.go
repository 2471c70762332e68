package render

import (
	"slices"
	"strings"

	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/release"
)

// LDName returns a rendered title, or the name of a venue or organizer, escaped as The Events Calendar does in JSON-LD.
func LDName(title string) string { return escapeJS(title) }

// ldWords is the number of words of content in the description of a JSON-LD object.
const ldWords = 30

// LDDescription returns the description in a JSON-LD object: the stored excerpt or, if there is none, the first words
// of the content. Text in brackets is removed. filter is the HTML filter for excerpts, which allows the elements a, b,
// strong, em, span, ul, ol and li only.
func LDDescription(excerpt, content string, r release.Release, filter func(string) string) string {
	var s string
	if excerpt != "" && excerpt != "0" {
		s = filter(dropBracketed(excerptBlocks(excerpt, r, true)))
	} else {
		s = firstWords(filter(dropBracketed(excerptBlocks(content, r, false))), ldWords, " [&hellip;]")
	}
	return escapeJS(autop(s))
}

// LDEmail encodes every ASCII character of an email address as an entity, to hide it from simple harvesters.
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

// dropBracketed removes every "[…]" that contains at least one character and no line break.
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

// excerptTexts are the blocks whose text can be part of an excerpt. Of excerptWrappers, only the inner blocks can.
var (
	excerptTexts = wp.NameSet(`core/freeform core/heading core/html core/list core/media-text core/paragraph
core/preformatted core/pullquote core/quote core/table core/verse`)
	excerptWrappers = wp.NameSet(`core/columns core/column core/group`)
)

func inExcerpt(b *block) bool { return b.name == "" || excerptTexts[b.name] }

// excerptBlocks returns the text of the blocks that can be part of an excerpt. A block with inner blocks is left out
// unless all of these are text blocks without inner blocks; so lists are left out, since their items are blocks. Hidden
// blocks are left out, except that older releases include those in hidden groups and columns if the text is not an
// excerpt.
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

// shownBlocks returns the blocks that are not hidden, without hidden inner blocks.
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

// writeWrapped writes the text blocks in a wrapper, at any depth.
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

// inner reports whether a block has inner blocks.
func (b *block) inner() bool {
	return slices.ContainsFunc(b.content, func(p blockPart) bool { return p.inner != nil })
}

// onlyTexts reports whether all inner blocks are text blocks without inner blocks.
func (b *block) onlyTexts() bool {
	return !slices.ContainsFunc(b.content, func(p blockPart) bool {
		return p.inner != nil && (!inExcerpt(p.inner) || p.inner.inner())
	})
}
