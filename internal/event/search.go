package event

import (
	"regexp"
	"strings"

	"github.com/agendahq/agenda/internal/store/eventlist"
	"github.com/agendahq/agenda/internal/wp"
)

// stopwords are ignored in a search.
var stopwords = wp.NameSet("about an are as at be by com for from how in is it of on or that the this to was what when where who will " +
	"with www")

var (
	tokens    = regexp.MustCompile(`".*?("|$)|[^\t ",+]+`)
	exact     = regexp.MustCompile(`^".+"$`)
	tooShort  = regexp.MustCompile(`^(0|[A-Za-z-])?$`)
	lineBreak = strings.NewReplacer(`\`, "", "\r", "", "\n", "")
)

// maxTerms is the maximum number of terms in a search. A string with more is searched as a whole.
const maxTerms = 9

// termsOf splits a search string into words and "phrases", all of which must occur in an event; a -word must not occur.
// Single letters and stopwords are ignored. If nothing is left, the whole string is one term. impossible reports that
// nothing can be found.
func termsOf(text string) (terms []eventlist.Term, impossible bool) {
	text = lineBreak.Replace(text)
	if text == "" {
		return nil, false
	}
	var words []string
	for _, token := range tokens.FindAllString(text, -1) {
		word := strings.Trim(token, `"' `)
		if exact.MatchString(token) {
			word = strings.Trim(token, `"'`)
		}
		if !tooShort.MatchString(word) && !stopwords[strings.ToLower(word)] {
			words = append(words, word)
		}
	}
	if len(words) == 0 || len(words) > maxTerms {
		words = []string{text}
	}
	for _, word := range words {
		rest, not := strings.CutPrefix(word, "-")
		if not && rest == "" {
			return nil, true
		}
		terms = append(terms, eventlist.Term{Text: rest, Not: not})
	}
	return terms, false
}
