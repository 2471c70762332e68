package render

import (
	"strings"

	"github.com/agendahq/agenda/internal/wp"
)

// blockTags are the elements that are no part of a paragraph, in lower case.
var blockTags = wp.NameSet(`table thead tfoot caption col colgroup tbody tr td th div dl dd dt ul ol
li pre form map area blockquote address style p h1 h2 h3 h4 h5 h6 hr fieldset legend section article
aside hgroup header footer nav figure figcaption details menu summary`)

// blockPrefixes are the names that the others start with, by first letter: they
// are enough to find what starts with any of the names.
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

// likeBlock reports whether s starts with the name of a block, whatever
// follows: "picture" and "link" do.
func likeBlock(s string) bool {
	if s == "" || s[0]-'a' > 25 {
		return false
	}
	return startsWithAny(s, blockPrefixes[s[0]-'a']...)
}

// loose returns the end of the tag at i, opening or closing, if its name starts
// with that of a block, else -1.
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

// blockName returns the length of the exact name of a block at the start of s.
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

// surroundBlocks puts blank lines before the opening tags of blocks and after
// the closing ones.
func surroundBlocks(s string) string {
	s = eachTag(s, func(g *tags, i int) (int, bool) {
		n := blockName(s[i+1:])
		if end := i + 1 + n; n > 0 && end < len(s) && (isSpace(s[end]) || s[end] == '/' || s[end] == '>') {
			g.put(i, "\n\n")
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
		g.put(end+1, "\n\n")
		return end + 1, true
	})
}

// fixParagraphs removes the paragraphs around blocks.
func fixParagraphs(s string) string {
	s = eachTag(s, func(g *tags, i int) (int, bool) { // empty ones
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

// looseBefore drops what, and the white space before it, after the tags of
// blocks.
func looseBefore(s, what string) string {
	failed := -1 // where a tag ends that what does not follow; others may end there too
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

// closeParagraphs ends a paragraph of plain text before the end of some blocks.
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
				g.put(from+n, "</p>")
				return from + n + len(t), true
			}
		}
		return 0, false
	})
}

// unwrapItems removes the paragraph in a list item of one line.
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
		g.put(i, "<blockquote")
		g.skip(from)
		g.put(end, "<p>")
		return end, true
	})
	return strings.ReplaceAll(s, "</blockquote></p>", "</p></blockquote>")
}
