package collation

import (
	"cmp"
	"unicode/utf8"
)

// Compare compares two strings like MariaDB with utf8mb4_unicode_520_ci. The shorter one is padded with spaces.
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

// commonASCII returns the length of the common ASCII prefix of two strings. No weight depends on neighbouring
// characters, so a common prefix does not affect the order.
func commonASCII(a, b string) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] || a[i] >= utf8.RuneSelf {
			return i
		}
	}
	return n
}

// reader returns the weights of a string one by one.
type reader struct {
	table *table
	text  string
	rest  []uint32 // the remaining weights of the current character
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
		r.text, r.rest = r.text[n:], r.table.weights(char)
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
