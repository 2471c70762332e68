package render

import (
	"strings"

	"github.com/agendahq/agenda/internal/wp"
)

// blockTags are the elements that cannot be part of a paragraph, in lower case.
var blockTags = wp.NameSet(`table thead tfoot caption col colgroup tbody tr td th div dl dd dt ul ol
li pre form map area blockquote address style p h1 h2 h3 h4 h5 h6 hr fieldset legend section article
aside hgroup header footer nav figure figcaption details menu summary`)

// blockPrefixes are the names in blockTags with which all others begin, by first letter. They suffice to find anything
// that begins with a name in blockTags.
var blockPrefixes = func() (by [26][]string) {
	for name := range blockTags {
		shortest := true
		for n := 1; n < len(name); n++ {
			shortest = shortest && !blockTags[name[:n]]
		}
		if shortest {
			by[name[0]-'a'] = append(by[name[0]-'a'], name)
		}
	}
	return by
}()

// likeBlock reports whether s begins with the name of a block element, whatever follows. So it is true for "picture"
// and "link", as in wpautop.
func likeBlock(s string) bool {
	if s == "" || s[0]-'a' > 25 {
		return false
	}
	return startsWithAny(s, blockPrefixes[s[0]-'a']...)
}

// loose returns the end of the start or end tag at i if its name begins with that of a block element, else -1.
func (g *tags) loose(i int) int {
	if i >= len(g.s) || g.s[i] != '<' {
		return -1
	}
	i++
	if i < len(g.s) && g.s[i] == '/' {
		i++
	}
	if !likeBlock(g.s[i:]) {
		return -1
	}
	return g.end(i)
}

// blockName returns the length of the name of a block element at the beginning of s, 0 if there is none.
func blockName(s string) int {
	n := 0
	for n < len(s) && n <= len("blockquote") && (s[n]-'a' < 26 || s[n]-'1' < 6) {
		n++
	}
	if !blockTags[s[:n]] {
		return 0
	}
	return n
}

// surroundBlocks inserts blank lines before start tags of block elements and after their end tags.
func surroundBlocks(s string) string {
	s = eachTag(s, func(g *tags, i int) (int, bool) {
		n := blockName(s[i+1:])
		if end := i + 1 + n; n > 0 && end < len(s) && (isSpace(s[end]) || s[end] == '/' || s[end] == '>') {
			g.insert(i, "\n\n")
			return end + 1, true
		}
		return 0, false
	})
	return eachTag(s, func(g *tags, i int) (int, bool) {
		end := 0
		if strings.HasPrefix(s[i:], "</") {
			if n := blockName(s[i+2:]); n > 0 {
				end = i + 2 + n
			}
		} else if strings.HasPrefix(s[i:], "<hr") {
			end = skipSpace(s, i+3)
			if end < len(s) && s[end] == '/' {
				end++
			}
		}
		if end == 0 || end >= len(s) || s[end] != '>' {
			return 0, false
		}
		g.insert(end+1, "\n\n")
		return end + 1, true
	})
}

// fixParagraphs removes paragraphs around block elements.
func fixParagraphs(s string) string {
	s = eachTag(s, func(g *tags, i int) (int, bool) { // empty paragraphs
		if end := paragraph(s, i); end > 0 {
			if end = skipSpace(s, end); strings.HasPrefix(s[end:], "</p>") {
				g.keep(i, end+4, end+4)
				return end + 4, true
			}
		}
		return 0, false
	})
	s = closeParagraphs(s)
	s = eachTag(s, func(g *tags, i int) (int, bool) {
		if from := paragraph(s, i); from > 0 {
			from = skipSpace(s, from)
			if to := g.loose(from); to > 0 {
				if end := skipSpace(s, to); strings.HasPrefix(s[end:], "</p>") {
					g.keep(i, from, to)
					g.skip(end + 4)
					return end + 4, true
				}
			}
		}
		return 0, false
	})
	s = unwrapItems(s)
	s = moveIntoQuotes(s)
	s = eachTag(s, func(g *tags, i int) (int, bool) {
		if from := paragraph(s, i); from > 0 {
			from = skipSpace(s, from)
			if to := g.loose(from); to > 0 {
				g.keep(i, from, to)
				return to, true
			}
		}
		return 0, false
	})
	return looseBefore(s, "</p>")
}

// paragraph returns the end of the "<p>" at i, 0 if there is none.
func paragraph(s string, i int) int {
	if strings.HasPrefix(s[i:], "<p>") {
		return i + 3
	}
	return 0
}

// looseBefore removes what, and white space before it, after tags of block elements.
func looseBefore(s, what string) string {
	failed := -1 // end of a tag after which what was not found; several tags may end there
	return eachTag(s, func(g *tags, i int) (int, bool) {
		to := g.loose(i)
		if to < 0 || to == failed {
			return 0, false
		}
		end := skipSpace(s, to)
		if !strings.HasPrefix(s[end:], what) {
			failed = to
			return 0, false
		}
		g.keep(i, i, to)
		end += len(what)
		g.skip(end)
		return end, true
	})
}

// closeParagraphs closes a paragraph of plain text before the end tags of some block elements.
func closeParagraphs(s string) string {
	return eachTag(s, func(g *tags, i int) (int, bool) {
		from := paragraph(s, i)
		if from == 0 {
			return 0, false
		}
		n := strings.IndexByte(s[from:], '<')
		if n < 1 {
			return 0, false
		}
		for _, t := range []string{"</div>", "</address>", "</form>"} {
			if strings.HasPrefix(s[from+n:], t) {
				g.insert(from+n, "</p>")
				return from + n + len(t), true
			}
		}
		return 0, false
	})
}

// unwrapItems removes the paragraph from a list item that is a single line.
func unwrapItems(s string) string {
	closer, line := finder{s: s, needle: "</p>"}, finder{s: s, needle: "\n"}
	return eachTag(s, func(g *tags, i int) (int, bool) {
		const item = "<p><li"
		from := i + len(item) + 1
		if !strings.HasPrefix(s[i:], item) || from > len(s) {
			return 0, false
		}
		end := closer.next(from)
		if lf := line.next(from - 1); end < 0 || lf >= 0 && lf < end {
			return 0, false
		}
		g.keep(i, i+3, end)
		g.skip(end + 4)
		return end + 4, true
	})
}

func moveIntoQuotes(s string) string {
	const open = "<p><blockquote"
	s = eachTag(s, func(g *tags, i int) (int, bool) {
		from := i + len(open)
		if from > len(s) || !strings.EqualFold(s[i:from], open) {
			return 0, false
		}
		end := g.end(from)
		if end < 0 {
			return 0, false
		}
		g.insert(i, "<blockquote")
		g.skip(from)
		g.insert(end, "<p>")
		return end, true
	})
	return strings.ReplaceAll(s, "</blockquote></p>", "</p></blockquote>")
}
