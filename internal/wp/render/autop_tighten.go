package render

import "strings"

// tightenElements drops the white space around some elements inside which
// paragraphs would do harm.
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

// tighten drops the white space before and behind the tags that match finds.
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
			g.put(end, "")
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

// named is the end of the tag at i whose name starts with one of the names.
func (g *tags) named(i int, names ...string) int {
	for _, name := range names {
		if strings.HasPrefix(g.s[i+1:], name) {
			return g.end(i + 1 + len(name))
		}
	}
	return 0
}

// tightenPlayers drops the white space inside audio and video, be they elements
// or shortcodes.
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

func playerName(s string) bool {
	return strings.HasPrefix(s, "audio") || strings.HasPrefix(s, "video")
}
