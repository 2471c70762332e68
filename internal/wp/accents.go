package wp

import (
	"maps"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/agendahq/agenda/internal/wp/release"
)

// plainLetters maps plain spellings to the characters that they replace, as in WordPress's remove_accents.
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

// Spelling contains the rules for accented letters that a language has in addition to the general ones. nil is the
// spelling of languages without such rules.
type Spelling struct {
	letters  map[rune]string
	sequence string // is replaced by plain
	plain    string
}

// The spellings of languages with rules of their own. WordPress 7.0 added the capital ß to the German one.
var (
	german      = &Spelling{letters: map[rune]string{'Ä': "Ae", 'ä': "ae", 'Ö': "Oe", 'ö': "oe", 'Ü': "Ue", 'ü': "ue", 'ß': "ss"}}
	newGerman   = &Spelling{letters: withLetter(german.letters, 'ẞ', "SS")}
	danish      = &Spelling{letters: map[rune]string{'Æ': "Ae", 'æ': "ae", 'Ø': "Oe", 'ø': "oe", 'Å': "Aa", 'å': "aa"}}
	catalan     = &Spelling{sequence: "l·l", plain: "ll"}
	southSlavic = &Spelling{letters: map[rune]string{'Đ': "DJ", 'đ': "dj"}}
)

func withLetter(letters map[rune]string, letter rune, plain string) map[rune]string {
	letters = maps.Clone(letters)
	letters[letter] = plain
	return letters
}

// SpellingOf returns the spelling of a site, given its option WPLANG and its release of WordPress.
func SpellingOf(locale string, r release.Release) *Spelling {
	switch {
	case strings.HasPrefix(locale, "de") && r.Has(release.CapitalSharpS):
		return newGerman
	case strings.HasPrefix(locale, "de"):
		return german
	case locale == "da_DK":
		return danish
	case locale == "ca":
		return catalan
	case locale == "sr_RS", locale == "bs_BA":
		return southSlavic
	}
	return nil
}

// RemoveAccents is Spelling.RemoveAccents for languages without rules of their own.
func RemoveAccents(s string) string { return (*Spelling)(nil).RemoveAccents(s) }

// Folded returns a name in a form in which names are equal if the database treats them as equal: without case, accents
// and blanks at the end.
func Folded(name string) string { return strings.ToLower(RemoveAccents(strings.TrimRight(name, " "))) }

// RemoveAccents replaces accented Latin letters and a few signs by plain ones: "Été" becomes "Ete", "Æ" becomes "AE".
// Other characters are kept. It corresponds to WordPress's remove_accents.
func (l *Spelling) RemoveAccents(s string) string {
	if isASCII(s) {
		return s
	}
	s = norm.NFC.String(s)
	var own map[rune]string
	if l != nil {
		own = l.letters
		if l.sequence != "" {
			s = strings.ReplaceAll(s, l.sequence, l.plain)
		}
	}
	var b strings.Builder
	b.Grow(len(s))
	for i, r := range s {
		if r < utf8.RuneSelf {
			b.WriteByte(byte(r))
			continue
		}
		plain, ok := own[r]
		if !ok {
			plain, ok = accents[r]
		}
		if ok {
			b.WriteString(plain)
			continue
		}
		// Copied from the string rather than encoded from the rune, so that invalid UTF-8 is kept as it is.
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
