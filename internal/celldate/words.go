package celldate

import (
	_ "embed"
	"strings"
	"sync"
	"time"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// wordList contains the names of months and weekdays, and the words that surround dates and times, in the languages of
// common spreadsheets. It has no accents, since fold removes them.
//
//go:embed words.txt
var wordList string

// meaning is what a word may mean in a date. It may have several meanings: "mar" is Tuesday in French and March in
// Swedish.
type meaning struct {
	month   time.Month
	weekday int // 1 for Monday to 7 for Sunday; 0 for none
	filler  bool
}

// vocabulary returns the meanings of words, and the words that are times of day, such as "noon", with their hours. Both are read when
// the first cell is.
var vocabulary = sync.OnceValues(readWords)

func readWords() (map[string]meaning, map[string]int) {
	known, times := map[string]meaning{}, map[string]int{}
	for line := range strings.Lines(wordList) {
		name, list, found := strings.Cut(strings.TrimSpace(line), ": ")
		if !found {
			continue
		}
		for word := range strings.FieldsSeq(list) {
			m := known[word]
			switch kind, rest := name[0], name[1:]; kind {
			case 'M':
				m.month = time.Month(number(rest))
			case 'W':
				m.weekday = number(rest)
			case 'H':
				times[word] = number(rest)
				continue
			default:
				m.filler = true
			}
			known[word] = m
		}
	}
	return known, times
}

// number returns the value of a short string of digits.
func number(digits string) (n int) {
	for _, c := range digits {
		n = n*10 + int(c-'0')
	}
	return n
}

// fold normalizes a text: lower case without accents, single plain spaces, plain hyphens, and no invisible characters.
func fold(text string) string {
	var b strings.Builder
	space := false
	for _, c := range norm.NFD.String(text) {
		switch {
		case unicode.IsSpace(c):
			space = true
			continue
		case unicode.Is(unicode.Mn, c), unicode.Is(unicode.Cf, c):
			continue
		case c == '−', c == '–', c == '‐', c == '‑':
			c = '-'
		case c == 'ł', c == 'Ł':
			c = 'l'
		case c == '’':
			c = '\''
		}
		if space && b.Len() > 0 {
			b.WriteByte(' ')
		}
		space = false
		b.WriteRune(unicode.ToLower(c))
	}
	return b.String()
}
