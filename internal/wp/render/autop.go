package render

import (
	"slices"
	"strings"
)

// autop turns blank lines into paragraphs and single line breaks into "<br />", exactly as WordPress's wpautop. Each
// step goes through the whole text once. The order of the steps matters. Shortcomings of wpautop, such as unbalanced
// tags, are reproduced, because sites show them too.
func autop(s string) string {
	if strings.Trim(s, phpSpace) == "" {
		return ""
	}
	s, pre := cutPre(s + "\n")
	s = dropBreakPairs(s)
	s = surroundBlocks(s)
	s = unixLines.Replace(s)
	s = protectTagLines(s, lineInTag)
	s = tightenElements(s)
	s = wrapParagraphs(s)
	s = fixParagraphs(s)
	s = breakLines(s)
	s = dropBreaksAtBlocks(s)
	if strings.HasSuffix(s, "\n</p>") || strings.HasSuffix(s, "\n</p>\n") {
		i := strings.LastIndex(s, "\n</p>")
		s = s[:i] + s[i+1:]
	}
	return restoreTagLines(restorePre(s, pre))
}

const (
	phpSpace  = " \t\n\r\x00\v" // what PHP's trim removes
	lineInTag = " <!-- wpnl --> "
	keptLine  = "<WPPreserveNewline />"
	preMark   = "<pre wp-pre-tag-"
	preEnd    = "></pre>"
)

var unixLines = strings.NewReplacer("\r\n", "\n", "\r", "\n")

// wrapParagraphs makes each piece between blank lines a paragraph. A line of white space counts as blank.
func wrapParagraphs(s string) string {
	s = squeezeLines(s)
	var b strings.Builder
	b.Grow(len(s) + len(s)/8 + 16)
	add := func(piece string) {
		if piece != "" {
			b.WriteString("<p>")
			b.WriteString(strings.Trim(piece, "\n"))
			b.WriteString("</p>\n")
		}
	}
	last := 0
	for i := 0; ; {
		n := strings.IndexByte(s[i:], '\n')
		if n < 0 {
			break
		}
		i += n
		run := skipSpace(s, i)
		end := strings.LastIndexByte(s[i:run], '\n') + i
		if end > i {
			add(s[last:i])
			last = end + 1
		}
		i = run
	}
	add(s[last:])
	return b.String()
}

// squeezeLines reduces runs of line breaks to two.
func squeezeLines(s string) string {
	if !strings.Contains(s, "\n\n\n") {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for i, row := 0, 0; i < len(s); i++ {
		if s[i] != '\n' {
			row = 0
		} else if row++; row > 2 {
			continue
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// breakLines inserts "<br />" before each line break that has none, except in elements whose content is not HTML.
func breakLines(s string) string {
	s, kept := protectRawLines(s)
	s = shortBreaks.Replace(s)
	var b strings.Builder
	b.Grow(len(s) + len(s)/8 + 16)
	last := 0
	for i := 0; i < len(s); {
		if !isSpace(s[i]) {
			i++
			continue
		}
		run := skipSpace(s, i)
		from := i
		// After a "<br />" the search begins one byte later, so that only a second line break counts.
		if strings.HasSuffix(s[:from], "<br />") {
			from++
		}
		if n := strings.LastIndexByte(s[from:run], '\n'); n >= 0 {
			b.WriteString(s[last:from])
			b.WriteString("<br />\n")
			last = from + n + 1
		}
		i = run
	}
	b.WriteString(s[last:])
	if s = b.String(); kept {
		s = strings.ReplaceAll(s, keptLine, "\n")
	}
	return s
}

var shortBreaks = strings.NewReplacer("<br>", "<br />", "<br/>", "<br />")

// dropBreaksAtBlocks removes line breaks after tags of block elements, then those before tags of some block elements.
func dropBreaksAtBlocks(s string) string {
	s = looseBefore(s, "<br />")
	return eachTag(s, func(g *tags, i int) (int, bool) {
		rest := s[i:]
		if !strings.HasPrefix(rest, "<br />") {
			return 0, false
		}
		at := skipSpace(s, i+6)
		name := at + 1
		if name < len(s) && s[name] == '/' {
			name++
		}
		if at >= len(s) || s[at] != '<' || !breakless(s[name:]) {
			return 0, false
		}
		end := g.end(name)
		if end < 0 {
			return 0, false
		}
		g.keep(i, i+6, end)
		return end, true
	})
}

func breakless(s string) bool {
	return startsWithAny(s, "p", "li", "dl", "dd", "dt", "th", "td", "ul", "ol", "div")
}

func startsWithAny(s string, starts ...string) bool {
	return slices.ContainsFunc(starts, func(start string) bool { return strings.HasPrefix(s, start) })
}

// tightenElements removes white space around some elements that must not contain paragraphs.
func tightenElements(s string) string {
	if strings.Contains(s, "<option") {
		s = tighten(s, true, false, func(g *tags, i int) int { return literal(s, i, "<option") })
		s = tighten(s, false, true, func(g *tags, i int) int { return literal(g.s, i, "</option>") })
	}
	if strings.Contains(s, "</object>") {
		s = tighten(s, false, true, func(g *tags, i int) int { return g.named(i, "object") })
		s = tighten(s, true, false, func(g *tags, i int) int { return literal(g.s, i, "</object>") })
		s = tighten(s, true, true, func(g *tags, i int) int {
			if strings.HasPrefix(g.s[i:], "</") {
				i++
			}
			return g.named(i, "param", "embed")
		})
	}
	if strings.Contains(s, "<source") || strings.Contains(s, "<track") {
		s = tightenPlayers(s)
		s = tighten(s, true, true, func(g *tags, i int) int { return g.named(i, "source", "track") })
	}
	if strings.Contains(s, "<figcaption") {
		s = tighten(s, true, false, func(g *tags, i int) int { return g.named(i, "figcaption") })
		s = tighten(s, false, true, func(g *tags, i int) int { return literal(g.s, i, "</figcaption>") })
	}
	return s
}

// tighten removes white space before and/or after the tags for which match returns an end.
func tighten(s string, before, behind bool, match func(g *tags, i int) int) string {
	return eachTag(s, func(g *tags, i int) (int, bool) {
		end := match(g, i)
		if end <= 0 {
			return 0, false
		}
		if before {
			g.trimmed(i)
		}
		if behind {
			g.insert(end, "")
			end = skipSpace(s, end)
			g.skip(end)
		}
		return end, true
	})
}

func literal(s string, i int, text string) int {
	if strings.HasPrefix(s[i:], text) {
		return i + len(text)
	}
	return 0
}

// named returns the end of the tag at i if its name begins with one of the names, else 0.
func (g *tags) named(i int, names ...string) int {
	for _, name := range names {
		if strings.HasPrefix(g.s[i+1:], name) {
			return g.end(i + 1 + len(name))
		}
	}
	return 0
}

// tightenPlayers removes white space inside audio and video elements and shortcodes.
func tightenPlayers(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	last, end := 0, -1
	for i := 0; i < len(s); i++ {
		if s[i] != '<' && s[i] != '[' || !playerName(s[i+1:]) {
			continue
		}
		if end < i+6 {
			if end = strings.IndexAny(s[i+6:], ">]"); end < 0 {
				break
			}
			end += i + 6
		}
		b.WriteString(s[last : end+1])
		last = skipSpace(s, end+1)
		i = last - 1
	}
	b.WriteString(s[last:])
	s = b.String()
	b.Reset()
	last = 0
	for i := 0; i+7 < len(s); i++ {
		if (s[i] == '<' || s[i] == '[') && s[i+1] == '/' && playerName(s[i+2:]) && (s[i+7] == '>' || s[i+7] == ']') {
			b.WriteString(strings.TrimRight(s[last:i], asciiSpace))
			last = i
			i += 7
		}
	}
	b.WriteString(s[last:])
	return b.String()
}

func playerName(s string) bool { return startsWithAny(s, "audio", "video") }
