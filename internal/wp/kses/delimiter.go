package kses

import (
	"iter"
	"strings"
)

// Delimiter is a block delimiter, "<!-- wp:name {…} -->", with its position.
type Delimiter struct {
	Start, End   int
	Name         string // with its namespace, such as "core/paragraph"
	Attrs        string // JSON as written; "" if there are none
	Closer, Void bool
}

// Delimiters yields the block delimiters in a text, in order.
func Delimiters(s string) iter.Seq[Delimiter] {
	return func(yield func(Delimiter) bool) {
		f := finder{s: s}
		for i := 0; ; {
			n := strings.Index(s[i:], "<!--")
			if n < 0 {
				return
			}
			i += n
			d, ok := f.at(i)
			if ok && !yield(d) {
				return
			}
			i = d.End
		}
	}
}

// finder finds delimiters. It remembers the next end of attributes, so that many opening delimiters without an end are
// searched only once, and parsing takes linear time.
type finder struct {
	s       string
	jsonEnd int // position of the "}" before the end of a delimiter; -1 if there is none
	sought  bool
}

// at parses the delimiter at i. d.End is where to continue, even if ok is false.
func (f *finder) at(i int) (d Delimiter, ok bool) {
	d.Start, d.End = i, i+len("<!--")
	i = f.skip(d.End)
	if i == d.End {
		return d, false
	}
	if strings.HasPrefix(f.s[i:], "/") {
		d.Closer = true
		i++
	}
	if !strings.HasPrefix(f.s[i:], "wp:") {
		return d, false
	}
	i += len("wp:")
	n := blockNameLen(f.s[i:])
	from := f.skip(i + n)
	if n == 0 || from == i+n {
		return d, false
	}
	d.Name = f.s[i : i+n]
	if !strings.Contains(d.Name, "/") {
		d.Name = "core/" + d.Name
	}
	i = from
	if strings.HasPrefix(f.s[i:], "{") {
		end := f.endOfJSON(i)
		if end < 0 {
			return d, false
		}
		d.Attrs = f.s[i : end+1]
		i = f.skip(end + 1)
	}
	if strings.HasPrefix(f.s[i:], "/") {
		d.Void = true
		i++
	}
	if !strings.HasPrefix(f.s[i:], "-->") {
		return d, false
	}
	d.End = i + len("-->")
	return d, true
}

func (f *finder) skip(i int) int {
	for i < len(f.s) && isSpace(f.s[i]) {
		i++
	}
	return i
}

// endOfJSON returns the position of the first "}" from i on that is followed by white space and the end of a comment,
// or -1. i must not decrease from call to call.
func (f *finder) endOfJSON(i int) int {
	if f.sought && (f.jsonEnd < 0 || f.jsonEnd >= i) {
		return f.jsonEnd
	}
	f.sought = true
	for {
		n := strings.IndexByte(f.s[i:], '}')
		if n < 0 {
			f.jsonEnd = -1
			return -1
		}
		f.jsonEnd = i + n
		i = f.skip(f.jsonEnd + 1)
		if i > f.jsonEnd+1 && strings.HasPrefix(strings.TrimPrefix(f.s[i:], "/"), "-->") {
			return f.jsonEnd
		}
	}
}

// blockNameLen returns the length of the block name, with its namespace, at the beginning of s.
func blockNameLen(s string) int {
	n := wordLen(s)
	if n == 0 || n == len(s) || s[n] != '/' {
		return n
	}
	if m := wordLen(s[n+1:]); m > 0 {
		return n + 1 + m
	}
	return 0
}

func wordLen(s string) int {
	n := 0
	for n < len(s) && ('a' <= s[n] && s[n] <= 'z' || n > 0 && (isDigit(s[n]) || s[n] == '_' || s[n] == '-')) {
		n++
	}
	return n
}
