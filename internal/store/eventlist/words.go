package eventlist

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// minWord and maxWord are the lengths of the words in a FULLTEXT index of InnoDB, unless the server is configured
// otherwise.
const minWord, maxWord = 3, 84

// stopwords are the words that InnoDB omits from the index, unless it is configured otherwise, without those that are
// too short anyway.
var stopwords = strings.Fields("about are com for from how that the this und was what when where who will with www")

// lettered are the characters that every server treats as part of words, however old its Unicode tables are, in scripts
// that separate words by spaces.
var lettered = &unicode.RangeTable{
	R16: []unicode.Range16{
		{Lo: '0', Hi: '9', Stride: 1}, {Lo: 'A', Hi: 'Z', Stride: 1}, {Lo: '_', Hi: '_', Stride: 1}, {Lo: 'a', Hi: 'z', Stride: 1},
		{Lo: 'À', Hi: 'Ö', Stride: 1}, {Lo: 'Ø', Hi: 'ö', Stride: 1}, {Lo: 'ø', Hi: 'ɏ', Stride: 1},
		{Lo: 'Ά', Hi: 'Ά', Stride: 1}, {Lo: 'Έ', Hi: 'Ί', Stride: 1}, {Lo: 'Ύ', Hi: 'Ρ', Stride: 1}, {Lo: 'Σ', Hi: 'ώ', Stride: 1},
		{Lo: 'Ѐ', Hi: 'ҁ', Stride: 1}, {Lo: 'Ҋ', Hi: 'ԓ', Stride: 1},
		{Lo: 'Ḁ', Hi: 'ẛ', Stride: 1}, {Lo: 'Ạ', Hi: 'ỹ', Stride: 1},
	},
}

// between reports whether every server separates words at a character.
func between(r rune) bool {
	if r < 0x80 {
		return !unicode.Is(lettered, r)
	}
	return r != '\u06DE' && unicode.In(r, unicode.P, unicode.S, unicode.Z) // servers treat U+06DE as a letter
}

// indexWords returns the words of a text that an index certainly contains, without operators of boolean mode.
func indexWords(text string) (words []string) {
	for _, word := range strings.FieldsFunc(text, between) {
		n := utf8.RuneCountInString(word)
		whole := !strings.ContainsFunc(word, func(r rune) bool { return !unicode.Is(lettered, r) })
		named := strings.Trim(word, "_") != ""
		if whole && named && n >= minWord && n <= maxWord && !slices.Contains(stopwords, strings.ToLower(word)) {
			words = append(words, word)
		}
	}
	return words
}
