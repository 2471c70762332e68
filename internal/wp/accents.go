package wp

import (
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// plainLetters lists, for each plain spelling, the characters that it replaces.
var plainLetters = map[string]string{
	"":   "£",
	"A":  "ÀÁÂÃÄÅĀĂĄǍẠẢẤẦẨẪẬẮẰẲẴẶ",
	"a":  "ªàáâãäåāăąǎɑạảấầẩẫậắằẳẵặ",
	"AE": "Æ",
	"ae": "æ",
	"C":  "ÇĆĈĊČ",
	"c":  "çćĉċč",
	"D":  "ÐĎĐ",
	"d":  "ðďđ",
	"E":  "ÈÉÊËĒĔĖĘĚƏẸẺẼẾỀỂỄỆ€",
	"e":  "èéêëēĕėęěǝẹẻẽếềểễệ",
	"G":  "ĜĞĠĢ",
	"g":  "ĝğġģ",
	"H":  "ĤĦ",
	"h":  "ĥħ",
	"I":  "ÌÍÎÏĨĪĬĮİǏỈỊ",
	"i":  "ìíîïĩīĭįıǐỉị",
	"IJ": "Ĳ",
	"ij": "ĳ",
	"J":  "Ĵ",
	"j":  "ĵ",
	"K":  "Ķ",
	"k":  "ķĸ",
	"L":  "ĹĻĽĿŁ",
	"l":  "ĺļľŀł",
	"N":  "ÑŃŅŇŊ",
	"n":  "ñńņňŉŋ",
	"O":  "ÒÓÔÕÖØŌŎŐƠǑỌỎỐỒỔỖỘỚỜỞỠỢ",
	"o":  "ºòóôõöøōŏőơǒọỏốồổỗộớờởỡợ",
	"OE": "Œ",
	"oe": "œ",
	"R":  "ŔŖŘ",
	"r":  "ŕŗř",
	"S":  "ŚŜŞŠȘ",
	"s":  "ßśŝşšſș",
	"T":  "ŢŤŦȚ",
	"t":  "ţťŧț",
	"TH": "Þ",
	"th": "þ",
	"U":  "ÙÚÛÜŨŪŬŮŰŲƯǓǕǗǙǛỤỦỨỪỬỮỰ",
	"u":  "ùúûüũūŭůűųưǔǖǘǚǜụủứừửữự",
	"W":  "Ŵ",
	"w":  "ŵ",
	"Y":  "ÝŶŸỲỴỶỸ",
	"y":  "ýÿŷỳỵỷỹ",
	"Z":  "ŹŻŽ",
	"z":  "źżž",
}

var accents = accentTable()

func accentTable() map[rune]string {
	t := make(map[rune]string, 320)
	for plain, chars := range plainLetters {
		for _, r := range chars {
			t[r] = plain
		}
	}
	return t
}

// RemoveAccents writes accented Latin letters and a few signs plainly: "Été" is
// "Ete", "Æ" is "AE". Characters without a plain spelling stay.
func RemoveAccents(s string) string {
	if isASCII(s) {
		return s
	}
	s = norm.NFC.String(s)
	var b strings.Builder
	b.Grow(len(s))
	for i, r := range s {
		if r < utf8.RuneSelf {
			b.WriteByte(byte(r))
			continue
		}
		if plain, ok := accents[r]; ok {
			b.WriteString(plain)
			continue
		}
		// Taken from the text and not from the rune, so that bytes that are
		// no character stay what they were.
		_, n := utf8.DecodeRuneInString(s[i:])
		b.WriteString(s[i : i+n])
	}
	return b.String()
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}
