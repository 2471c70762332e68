package render

import "strings"

// Placeholders for opening quotes and apostrophes found so far. They cannot be confused with the text, which contains
// no "<".
const (
	openMark       = "<o"
	apostropheMark = "<a"
)

// quoteEnd reports whether the text at i can follow a closing quote.
func quoteEnd(s string, i int) bool {
	if i == len(s) {
		return true
	}
	switch s[i] {
	case '.', ',', ':', ';', '!', '?', ')', '}', '-', ']':
		return true
	case '&':
		if strings.HasPrefix(s[i:], "&gt;") {
			return true
		}
	}
	return gapAt(s, i)
}

// quoteStart reports whether the text before i can precede an opening quote: the beginning, a gap, an opening bracket,
// or a character in more.
func quoteStart(s string, i int, more string) bool {
	if startOrGapBefore(s, i) {
		return true
	}
	switch c := s[i-1]; c {
	case '(', '[', '{', '-':
		return true
	case ';':
		return strings.HasSuffix(s[:i], "&lt;")
	default:
		return strings.IndexByte(more, c) >= 0
	}
}

func (m *Marks) singleQuotes(s string) string {
	const q = "'"
	s = m.years(s)
	if m.OpenSingle != q && m.CloseSingle != q {
		s = quotedNumbers(s, '\'', m.CloseSingle)
	}
	if m.OpenSingle != q {
		s = replaceAt(s, '\'', func(i int) (int, string) {
			if quoteStart(s, i, `"`) {
				return 1, openMark
			}
			return 0, ""
		})
	}
	if m.Apostrophe != q {
		s = replaceAt(s, '\'', func(i int) (int, string) {
			if !gapBefore(s, i) && inWordAt(s, i+1) {
				return 1, apostropheMark
			}
			return 0, ""
		})
	}
	s = primesAndQuotes(s, '\'', m.Prime, m.CloseSingle)
	s = strings.ReplaceAll(s, apostropheMark, m.Apostrophe)
	return strings.ReplaceAll(s, openMark, m.OpenSingle)
}

// years finds apostrophes before years of two digits. A quote right after the year closes a quotation.
func (m *Marks) years(s string) string {
	twoDigits := func(i int) bool { return digitAt(s, i+1) && digitAt(s, i+2) }
	closed := func(q byte, closing string) func(int) (int, string) {
		return func(i int) (int, string) {
			if twoDigits(i) && i+3 < len(s) && s[i+3] == q && quoteEnd(s, i+4) {
				return 4, apostropheMark + s[i+1:i+3] + closing
			}
			return 0, ""
		}
	}
	if m.Apostrophe != "'" || m.CloseSingle != "'" {
		s = replaceAt(s, '\'', closed('\'', m.CloseSingle))
	}
	if m.Apostrophe != "'" || m.CloseDouble != `"` {
		s = replaceAt(s, '\'', closed('"', m.CloseDouble))
	}
	if m.Apostrophe == "'" {
		return s
	}
	return replaceAt(s, '\'', func(i int) (int, string) {
		if twoDigits(i) && !numberGoesOn(s, i+3) {
			return 1, apostropheMark
		}
		return 0, ""
	})
}

func numberGoesOn(s string, i int) bool {
	if i == len(s) {
		return false
	}
	switch s[i] {
	case '%':
		return true
	case '.', ',':
		return digitAt(s, i+1)
	}
	return digitAt(s, i)
}

// quotedNumbers finds quoted numbers after the beginning or a gap.
func quotedNumbers(s string, q byte, closing string) string {
	return replaceAt(s, q, func(i int) (int, string) {
		if !startOrGapBefore(s, i) {
			return 0, ""
		}
		n := numberLen(s[i+1:])
		if end := i + 1 + n; n > 0 && end < len(s) && s[end] == q {
			return n + 2, openMark + s[i+1:end] + closing
		}
		return 0, ""
	})
}

// inWordAt reports whether the text at i can follow an apostrophe in a word.
func inWordAt(s string, i int) bool {
	if i == len(s) || gapAt(s, i) || strings.IndexByte(`.,:;!?"'(){}[]-`, s[i]) >= 0 {
		return false
	}
	return !strings.HasPrefix(s[i:], "&lt;") && !strings.HasPrefix(s[i:], "&gt;")
}

func (m *Marks) doubleQuotes(s string) string {
	if m.OpenDouble != `"` && m.CloseDouble != `"` {
		s = quotedNumbers(s, '"', m.CloseDouble)
	}
	if m.OpenDouble != `"` {
		s = replaceAt(s, '"', func(i int) (int, string) {
			if quoteStart(s, i, "") && !gapAt(s, i+1) {
				return 1, openMark
			}
			return 0, ""
		})
	}
	s = primesAndQuotes(s, '"', m.DoublePrime, m.CloseDouble)
	return strings.ReplaceAll(s, openMark, m.OpenDouble)
}

// primesAndQuotes distinguishes closing quotes from primes, for each quotation separately.
func primesAndQuotes(s string, q byte, prime, closing string) string {
	if strings.IndexByte(s, q) < 0 {
		return s
	}
	var b strings.Builder
	b.Grow(len(s) + len(s)/8)
	for opened := false; ; opened = true {
		part, rest, more := strings.Cut(s, openMark)
		if opened {
			b.WriteString(openMark)
		}
		b.WriteString(closeQuotation(part, q, prime, closing, opened))
		if !more {
			return b.String()
		}
		s = rest
	}
}

// closeQuotation replaces the quotes in a text, which begins with a quotation if opened is set. Such a quotation is
// closed only once: among the quotes that could close it, those after a digit are primes, unless there are no others.
func closeQuotation(s string, q byte, prime, closing string, opened bool) string {
	if strings.IndexByte(s, q) < 0 {
		return s
	}
	var all, plain, last, lastStop = 0, 0, -1, -1
	opened = opened && !strings.Contains(s, closing)
	if opened {
		for i := range len(s) {
			if s[i] != q || !quoteEnd(s, i+1) {
				continue
			}
			all, last = all+1, i
			if !digitAt(s, i-1) {
				plain++
			}
			if i+1 < len(s) && s[i+1] == '.' {
				lastStop = i
			}
		}
	}
	end := -1 // a quote after a digit that closes the quotation nevertheless
	if all == 1 || all > 1 && plain == 0 {
		end = last
		if lastStop >= 0 {
			end = lastStop
		}
	}
	return replaceAt(s, q, func(i int) (int, string) {
		switch {
		case i == end:
			return 1, closing
		case digitAt(s, i-1):
			return 1, prime
		case q == '"' || quoteEnd(s, i+1):
			return 1, closing
		}
		return 0, ""
	})
}
