package wp

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// slugLimit is the length, in bytes, of the columns for slugs.
const slugLimit = 200

// Slug returns the slug of a title or name by the rules of languages without special ones for accents.
func Slug(title string) string { return (*Spelling)(nil).Slug(title) }

// Slug returns the slug of a title or name, as WordPress's sanitize_title makes it: lower-case ASCII letters, digits,
// "-", "_" and percent-encoded characters, at most 200 bytes. It may be empty.
func (l *Spelling) Slug(title string) string { return dashed(l.RemoveAccents(title), true) }

// SlugLookup returns the slug to look up for an undecoded path segment. Accents are not removed, so a slug with
// characters outside ASCII is found only in its stored, percent-encoded form. Encoded slashes are kept: "parent/child"
// is the slug of a child after that of its parent.
func SlugLookup(raw string) string {
	parts := strings.Split(strings.Trim(FormDecode(raw), "/"), "/")
	for i, p := range parts {
		words := strings.Split(p, " ")
		for j, w := range words {
			words[j] = rawURLEncode(w)
		}
		parts[i] = dashed(strings.Join(words, " "), false)
	}
	return strings.Join(parts, "/")
}

// SuffixSlug returns the nth variant of a slug that is taken, such as "fair-2". The base is shortened if necessary.
func SuffixSlug(base string, n int) string { return ExtendSlug(base, strconv.Itoa(n)) }

// ExtendSlug appends a word to a slug, as in "jazz-en". The base is shortened if necessary.
func ExtendSlug(base, word string) string {
	suffix := "-" + word
	return CutSlug(base, slugLimit-len(suffix)) + suffix
}

// CutSlug shortens a slug to at most limit bytes, without splitting percent-encoded characters, and removes "-" at its
// end. A slug that fits is returned unchanged.
func CutSlug(slug string, limit int) string {
	if len(slug) <= limit {
		return slug
	}
	end := 0
	for {
		next := end + encodedLen(slug[end:])
		if next > limit {
			break
		}
		end = next
	}
	return strings.TrimRight(slug[:end], "-")
}

// encodedLen returns the length of the first character of a slug: three bytes for each byte of a percent-encoded
// character.
func encodedLen(s string) int {
	if !IsOctet(s) {
		return 1
	}
	var char [utf8.UTFMax]byte
	n := 0
	for n < len(char) && IsOctet(s[3*n:]) {
		char[n] = Unhex(s[3*n+1])<<4 | Unhex(s[3*n+2])
		n++
	}
	_, size := utf8.DecodeRune(char[:n])
	return 3 * size
}

// dashed applies the rules for slugs that follow the removal of accents. If fold is set, typographic punctuation is
// simplified too. It corresponds to WordPress's sanitize_title_with_dashes.
func dashed(s string, fold bool) string {
	s = encodeSlug(keepOctets(StripTags(s)))
	if fold {
		s = foldPunctuation(s)
	}
	s = dropEntities(s)
	b := make([]byte, 0, len(s))
	for i := range len(s) {
		c := s[i]
		switch {
		case c == '.', c == ' ', c == '-':
			if len(b) > 0 && b[len(b)-1] != '-' {
				b = append(b, '-')
			}
		case 'a' <= c && c <= 'z', '0' <= c && c <= '9', c == '%', c == '_':
			b = append(b, c)
		}
	}
	return strings.TrimRight(string(b), "-")
}

// keepOctets removes every "%" that does not begin a percent-encoded byte. Like WordPress, it uses the intermediate
// form "---XX---": without it, a title that contains such a text would get another slug.
func keepOctets(s string) string {
	if !strings.Contains(s, "%") && !strings.Contains(s, "---") {
		return s
	}
	marked := make([]byte, 0, len(s)+len(s)/2)
	for i := 0; i < len(s); i++ {
		switch {
		case IsOctet(s[i:]):
			marked = append(marked, '-', '-', '-', s[i+1], s[i+2], '-', '-', '-')
			i += 2
		case s[i] != '%':
			marked = append(marked, s[i])
		}
	}
	kept := marked[:0]
	for i := 0; i < len(marked); i++ {
		if isMarked(marked[i:]) {
			kept = append(kept, '%', marked[i+3], marked[i+4])
			i += 7
			continue
		}
		kept = append(kept, marked[i])
	}
	return string(kept)
}

func isMarked(b []byte) bool {
	return len(b) >= 8 && string(b[:3]) == "---" && IsDigit(b[3], 16) && IsDigit(b[4], 16) && string(b[5:8]) == "---"
}

// encodeSlug converts a string to lower case and percent-encodes characters outside ASCII, up to the limit. Invalid
// UTF-8 is removed.
func encodeSlug(s string) string {
	const hex = "0123456789abcdef"
	b := make([]byte, 0, min(len(s), slugLimit))
	for i, r := range s {
		if r == utf8.RuneError {
			if _, n := utf8.DecodeRuneInString(s[i:]); n == 1 {
				continue
			}
		}
		r = unicode.ToLower(r)
		if r < utf8.RuneSelf {
			if len(b) == slugLimit {
				break
			}
			b = append(b, byte(r))
			continue
		}
		var char [utf8.UTFMax]byte
		n := utf8.EncodeRune(char[:], r)
		if len(b)+3*n > slugLimit {
			break
		}
		for _, c := range char[:n] {
			b = append(b, '%', hex[c>>4], hex[c&15])
		}
	}
	return string(b)
}

// dropEntities removes every "&…;" that contains at least one character and no line break.
func dropEntities(s string) string {
	var b strings.Builder
	for {
		i := strings.IndexByte(s, '&')
		if i < 0 || i+2 > len(s) {
			break
		}
		end := strings.IndexAny(s[i+2:], ";\n")
		if s[i+1] == '\n' || end < 0 || s[i+2+end] != ';' {
			b.WriteString(s[:i+1])
			s = s[i+1:]
			continue
		}
		b.WriteString(s[:i])
		s = s[i+2+end+1:]
	}
	return b.String() + s
}

// Replacements in percent-encoded text, which are applied one after the other.
var (
	foldDashes = replacer("-", []string{
		"&nbsp;", "&#8209;", "&#160;", "&ndash;", "&#8211;", "&mdash;", "&#8212;", "/",
	}, "\u00a0\u2011\u2013\u2014")

	foldNothing = replacer("", nil,
		"\u00ad\u00a1\u00bf\u00ab\u00bb\u2039\u203a\u2018\u2019\u201c\u201d\u201a\u201b\u201e\u201f"+
			"\u2022\u00a9\u00ae\u00b0\u2026\u2122\u00b4\u02ca\u0301\u0341\u0300\u0304\u030c"+
			"\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\ufeff\ufffc")

	foldSpaces = replacer("-", nil,
		"\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f")
)

// replacer returns a Replacer that replaces texts, and chars in percent-encoded form, by by.
func replacer(by string, texts []string, chars string) *strings.Replacer {
	var pairs []string
	for _, t := range texts {
		pairs = append(pairs, t, by)
	}
	for _, r := range chars {
		var code strings.Builder
		for _, c := range []byte(string(r)) {
			fmt.Fprintf(&code, "%%%02x", c)
		}
		pairs = append(pairs, code.String(), by)
	}
	return strings.NewReplacer(pairs...)
}

// foldPunctuation replaces typographic dashes and spaces by "-", and the multiplication sign by "x". It removes quotes,
// bullets and invisible characters.
func foldPunctuation(s string) string {
	s = foldDashes.Replace(s)
	if !strings.Contains(s, "%") {
		return s
	}
	s = foldNothing.Replace(s)
	s = foldSpaces.Replace(s)
	return strings.ReplaceAll(s, "%c3%97", "x")
}
