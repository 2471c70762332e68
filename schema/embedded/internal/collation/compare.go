package collation

import (
	"cmp"
	"unicode/utf8"
)

// Compare orders two texts as MariaDB does under utf8mb4_unicode_520_ci: the shorter one is padded with spaces.
func Compare(a, b string) int {
	t := weights()
	n := commonASCII(a, b)
	left, right := reader{table: t, text: a[n:]}, reader{table: t, text: b[n:]}
	for {
		x, y := left.next(), right.next()
		switch {
		case x == 0:
			return -right.againstSpaces(y)
		case y == 0:
			return left.againstSpaces(x)
		case x != y:
			return cmp.Compare(x, y)
		}
	}
}

// commonASCII returns the length of the equal start of two texts as far as it is ASCII. No weight depends on
// neighbouring characters, so an equal start does not matter.
func commonASCII(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] || a[i] >= utf8.RuneSelf {
			return i
		}
	}
	return n
}

// reader returns the weights of a text one by one.
type reader struct {
	table *table
	text  string
	rest  []uint32 // weights of the character that was read last
}

// next returns the next weight, 0 at the end.
func (r *reader) next() uint32 {
	for {
		if len(r.rest) > 0 {
			w := r.rest[0]
			r.rest = r.rest[1:]
			return w
		}
		if r.text == "" {
			return 0
		}
		if c := r.text[0]; c < utf8.RuneSelf {
			r.text = r.text[1:]
			if w := r.table.ascii[c]; w != 0 {
				return w
			}
			continue
		}
		char, n := utf8.DecodeRuneInString(r.text)
		r.text, r.rest = r.text[n:], r.table.of(char)
	}
}

// againstSpaces compares the weight w and those after it with infinitely many spaces.
func (r *reader) againstSpaces(w uint32) int {
	for ; w != 0; w = r.next() {
		if w != r.table.space {
			return cmp.Compare(w, r.table.space)
		}
	}
	return 0
}
