package strtotime

import (
	"regexp"
	"slices"
	"strings"
	"sync"
)

// rule is a kind of token: the patterns that match it, the bytes with which it can begin (9 means any digit, a any
// letter), and a function that sets the components.
type rule struct {
	patterns []string
	starts   string
	apply    func(d *components, c *cursor) bool // returns false if the text cannot be a date
}

// word returns a pattern that matches any of the words, in upper or lower case. The regexp flag for that follows
// Unicode and would accept the Kelvin sign as k.
func word(words ...string) string {
	var b strings.Builder
	for _, r := range strings.Join(words, "|") {
		if r >= 'a' && r <= 'z' {
			b.WriteString("[" + string(r) + string(r-'a'+'A') + "]")
		} else {
			b.WriteRune(r)
		}
	}
	return alt(b.String())
}

// alt returns a pattern that matches any of the patterns.
func alt(patterns ...string) string { return "(?:" + strings.Join(patterns, "|") + ")" }

// The parts of patterns. The suffix LZ means that a leading zero is required.
var (
	blanks   = `[ \t]+`
	fracPart = `\.[0-9]+`

	hour24   = `(?:[01]?[0-9]|2[0-4])`
	hour24LZ = `(?:[01][0-9]|2[0-4])`
	hour12   = `(?:0?[1-9]|1[0-2])`
	minute   = `[0-5]?[0-9]`
	minuteLZ = `[0-5][0-9]`
	second   = `(?:[0-5]?[0-9]|60)`
	secondLZ = `(?:[0-5][0-9]|60)`
	tee      = `[tT]?`
	// A NUL marks the end of the text: see scan.
	meridian = `[AaPp]\.?[Mm]\.?[\x00\t ]`

	zoneName = `(?:\(?[A-Za-z]{1,6}\)?|[A-Z][a-z]+(?:[_/-][A-Za-z]+)+)`
	zoneDiff = `(?:GMT)?[+-](?:` + alt(hour24+`(?::?`+minute+`)?`, hour24LZ+minuteLZ+secondLZ,
		hour24LZ+`:`+minuteLZ+`:`+secondLZ) + `)`

	monthNum = `(?:0?[0-9]|1[0-2])`
	monthLZ  = `(?:0[0-9]|1[0-2])`
	day      = `(?:[0-2]?[0-9]|3[01])(?:st|nd|rd|th)?`
	dayLZ    = `(?:0[0-9]|[12][0-9]|3[01])`
	year     = `[0-9]{1,4}`
	year2    = `[0-9]{2}`
	year4    = `[0-9]{4}`
	yearDay  = `(?:00[1-9]|0[1-9][0-9]|[12][0-9][0-9]|3[0-5][0-9]|36[0-6])`
	week     = `(?:0[1-9]|[1-4][0-9]|5[0-3])`

	dayNames = word("sundays", "mondays", "tuesdays", "wednesdays", "thursdays", "fridays", "saturdays",
		"sunday", "monday", "tuesday", "wednesday", "thursday", "friday", "saturday",
		"sun", "mon", "tue", "wed", "thu", "fri", "sat")
	dayText = alt(dayNames, word("weekdays", "weekday"))

	monthFull = word("january", "february", "march", "april", "may", "june", "july", "august",
		"september", "october", "november", "december")
	monthAbbr = word("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec")
	monthText = alt(monthFull, monthAbbr, `I|II|III|IV|V|VI|VII|VIII|IX|X|XI|XII`)

	ordinalWord = word("first", "second", "third", "fourth", "fifth", "sixth", "seventh", "eight", "eighth",
		"ninth", "tenth", "eleventh", "twelfth")
	nextWord = word("next", "last", "previous", "this")
	unitText = alt(word("ms", "µs", "weeks"), word("msec", "millisecond", "µs", "microsecond", "usec", "sec",
		"second", "min", "minute", "hour", "day", "fortnight", "forthnight", "month", "year")+`[sS]?`, dayText)

	separators = `[ .\t-]*`
	dayNoYear  = monthText + separators + day + `[,.stndrh\t ]*`

	shortTime12 = hour12 + `[:.]` + minuteLZ + `(?:` + blanks + `)?` + meridian
	longTime12  = hour12 + `[:.]` + minute + `[:.]` + secondLZ + `(?:` + blanks + `)?` + meridian
	shortTime24 = tee + hour24 + `[:.]` + minute
	longTime24  = shortTime24 + `[:.]` + second
	zonedTime   = shortTime24 + `[:.]` + secondLZ + `(?:` + blanks + `)?` + alt(zoneDiff, zoneName)
)

// matcher is a rule with compiled patterns.
type matcher struct {
	re    *regexp.Regexp
	apply func(d *components, c *cursor) bool
}

// matchers contains, for every first byte, the rules that can match, in order.
var matchers = sync.OnceValue(func() *[256][]matcher {
	var table [256][]matcher
	for _, r := range allRules() {
		re := regexp.MustCompile(`^(?:` + strings.Join(r.patterns, "|") + `)`)
		re.Longest()
		m := matcher{re, r.apply}
		for b := range table {
			if startsWith(r.starts, byte(b)) {
				table[b] = append(table[b], m)
			}
		}
	}
	return &table
})

func startsWith(starts string, b byte) bool {
	switch {
	case isDigit(b):
		b = '9'
	case isAlpha(b):
		b = 'a'
	}
	return strings.IndexByte(starts, b) >= 0
}

// allRules returns all rules. Of several matches with the same length the first one wins, so the order is part of the
// grammar.
func allRules() []rule {
	return slices.Concat(dayWordRules(), timeRules(), dateRules(), compoundRules(), wordRules(), mixedRules())
}

// step is a part of a text and the function that reads it.
type step struct {
	apply    func(d *components, c *cursor) bool
	from, to int
}

// scan parses a text into components. It returns false if the text is not a date.
func scan(text string, d *components) bool {
	steps, ok := stored()[len(text)]
	if !ok || !isStored(text) {
		if steps, ok = split(text); !ok {
			return false
		}
	}
	text += "\x00" // as in split, whose steps may include it
	for _, s := range steps {
		if !s.apply(d, &cursor{s: text[s.from:s.to]}) {
			return false
		}
	}
	return true
}

// stored contains the steps for dates in the format in which they are stored, with and without a time, by length. They
// are the same for all such dates, so that the text need not be split.
var stored = sync.OnceValue(func() map[int][]step {
	known := map[int][]step{}
	for _, text := range []string{"2031-04-05", "2031-04-05 10:15:30"} {
		known[len(text)], _ = split(text)
	}
	return known
})

// isStored reports whether a text is a date in the format in which dates are stored.
func isStored(text string) bool {
	const midnight = " 00:00:00"
	if len(text) == len("YYYY-MM-DD") {
		text += midnight
	}
	_, ok := wallSeconds(text)
	return ok
}

// split determines the rules that read the parts of a text.
func split(text string) (steps []step, ok bool) {
	table := matchers()
	end := len(text)
	text += "\x00" // so that "am" and "pm" match at the end of the text
	for pos := 0; pos < end; {
		length := 0
		var best matcher
		for _, m := range table[text[pos]] {
			if loc := m.re.FindStringIndex(text[pos:]); loc != nil && loc[1] > length {
				length, best = loc[1], m
			}
		}
		if length == 0 {
			if strings.HasPrefix(text[pos:], "\u00a0") {
				pos += len("\u00a0")
				continue
			}
			if strings.IndexByte(" .,\t\n\x00", text[pos]) < 0 {
				return nil, false
			}
			pos++
			continue
		}
		steps = append(steps, step{best.apply, pos, pos + length})
		pos += length
	}
	return steps, true
}
