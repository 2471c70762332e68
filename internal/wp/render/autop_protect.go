package render

import (
	"strconv"
	"strings"

	"github.com/agendahq/agenda/internal/wp"
)

// cutPre replaces each pre element by an empty one, so that it is not changed, and returns their texts.
func cutPre(s string) (string, []string) {
	if !strings.Contains(s, "<pre") {
		return s, nil
	}
	var b strings.Builder
	b.Grow(len(s))
	var pre []string
	for {
		part, rest, ok := strings.Cut(s, "</pre>")
		if !ok {
			b.WriteString(s)
			return b.String(), pre
		}
		start := strings.Index(part, "<pre")
		if start < 0 {
			b.WriteString(part)
		} else {
			b.WriteString(part[:start])
			b.WriteString(preMark)
			b.WriteString(strconv.Itoa(len(pre)))
			b.WriteString(preEnd)
			pre = append(pre, part[start:]+"</pre>")
		}
		s = rest
	}
}

func restorePre(s string, pre []string) string {
	if len(pre) == 0 {
		return s
	}
	return eachTag(s, func(g *tags, i int) (int, bool) {
		if !strings.HasPrefix(s[i:], preMark) {
			return 0, false
		}
		from := i + len(preMark)
		to := from
		for to < len(s) && to < from+9 && wp.IsDigit(s[to], 10) {
			to++
		}
		n, err := strconv.Atoi(s[from:to])
		if err != nil || n >= len(pre) || strconv.Itoa(n) != s[from:to] || !strings.HasPrefix(s[to:], preEnd) {
			return 0, false
		}
		end := to + len(preEnd)
		g.insert(i, pre[n])
		g.skip(end)
		return end, true
	})
}

// protectTagLines replaces line breaks inside tags by a marker.
func protectTagLines(s, mark string) string {
	return eachTag(s, func(g *tags, i int) (int, bool) {
		end := htmlTagEnd(s, i)
		if t := s[i:end]; strings.IndexByte(t, '\n') >= 0 {
			g.insert(i, strings.ReplaceAll(t, "\n", mark))
			g.skip(end)
		}
		return end, true
	})
}

func restoreTagLines(s string) string {
	s = strings.ReplaceAll(s, lineInTag, "\n")
	return strings.ReplaceAll(s, strings.Trim(lineInTag, " "), "\n")
}

// protectRawLines replaces line breaks inside elements whose content is not HTML by a marker. The second result reports
// whether there are any.
func protectRawLines(s string) (string, bool) {
	var closers [4]finder
	names := [4]string{"script", "style", "svg", "math"}
	for k, name := range names {
		closers[k] = finder{s: s, needle: "</" + name + ">"}
	}
	kept := strings.Contains(s, keptLine)
	s = eachTag(s, func(g *tags, i int) (int, bool) {
		for k, name := range names {
			if !strings.HasPrefix(s[i+1:], name) {
				continue
			}
			end := closers[k].next(i + 1 + len(name))
			if end < 0 {
				break
			}
			end += len(name) + 3
			if t := s[i:end]; strings.IndexByte(t, '\n') >= 0 {
				g.insert(i, strings.ReplaceAll(t, "\n", keptLine))
				g.skip(end)
				kept = true
			}
			return end, true
		}
		return 0, false
	})
	return s, kept
}

// dropBreakPairs replaces two consecutive "<br />" by a blank line.
func dropBreakPairs(s string) string {
	return eachTag(s, func(g *tags, i int) (int, bool) {
		end := plainBreak(s, i)
		if end == 0 {
			return 0, false
		}
		if end = plainBreak(s, skipSpace(s, end)); end == 0 {
			return 0, false
		}
		g.insert(i, "\n\n")
		g.skip(end)
		return end, true
	})
}

// plainBreak returns the end of the br element without attributes at i, 0 if there is none.
func plainBreak(s string, i int) int {
	if !strings.HasPrefix(s[i:], "<br") {
		return 0
	}
	i = skipSpace(s, i+3)
	if i < len(s) && s[i] == '/' {
		i++
	}
	if i < len(s) && s[i] == '>' {
		return i + 1
	}
	return 0
}
