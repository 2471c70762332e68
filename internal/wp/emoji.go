package wp

import (
	_ "embed"
	"regexp"
	"strconv"
	"strings"
	"sync"
)

// emojiRanges contains the characters that WordPress treats as parts of emoji, in hexadecimal. Some are in the Basic
// Multilingual Plane.
//
//go:embed emoji.txt
var emojiRanges string

var emoji = sync.OnceValue(func() map[rune]bool {
	set := map[rune]bool{}
	for between := range strings.FieldsSeq(emojiRanges) {
		from, to, several := strings.Cut(between, "-")
		if !several {
			to = from
		}
		first, _ := strconv.ParseInt(from, 16, 32)
		last, _ := strconv.ParseInt(to, 16, 32)
		for c := rune(first); c <= rune(last); c++ {
			set[c] = true
		}
	}
	return set
})

// EncodeEmoji replaces emoji by numeric character references, as WordPress does if a column has the character set
// utf8mb3 (D93). Other characters of four bytes are kept.
func EncodeEmoji(text string) string {
	if !strings.ContainsFunc(text, func(c rune) bool { return emoji()[c] }) {
		return text
	}
	var b strings.Builder
	for _, c := range text {
		if emoji()[c] {
			b.WriteString("&#x" + strconv.FormatInt(int64(c), 16) + ";")
		} else {
			b.WriteRune(c)
		}
	}
	return b.String()
}

// DecodeEmoji reverses EncodeEmoji.
func DecodeEmoji(text string) string {
	return emojiReference.ReplaceAllStringFunc(text, func(reference string) string {
		n, err := strconv.ParseInt(reference[len("&#x"):len(reference)-1], 16, 32)
		if err != nil || !emoji()[rune(n)] {
			return reference
		}
		return string(rune(n))
	})
}

var emojiReference = regexp.MustCompile(`&#x[0-9a-f]+;`)

// FourBytes reports whether a string contains characters of four bytes, which columns with the character set utf8mb3
// cannot store.
func FourBytes(text string) bool {
	return strings.ContainsFunc(text, func(c rune) bool { return c > 0xffff })
}
