package cost

import (
	"cmp"
	"html"
	"maps"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/agendahq/agenda/internal/wp/phpval"
)

// Currency is how an event's costs show their currency. Position is "prefix", empty for that of the
// site, or anything else for after.
type Currency struct{ Symbol, Code, Position string }

// names are the words that mean a currency beside a number, with its code where there is but one.
// "$" is any dollar.
var names = map[string]string{
	"€": "EUR", "euro": "EUR", "euros": "EUR", "£": "GBP", "₹": "INR", "元": "CNY", "₩": "KRW", "₽": "RUB", "руб.": "RUB", "₴": "UAH",
	"₺": "TRY", "TL": "TRY", "₪": "ILS", "฿": "THB", "₫": "VND", "₱": "PHP", "₦": "NGN", "R": "ZAR", "KSh": "KES", "zł": "PLN",
	"Kč": "CZK", "Ft": "HUF", "лв": "BGN", "kn": "HRK", "lei": "RON", "د.إ": "AED", "Fr.": "CHF", "₡": "CRC", "S/": "PEN",
	"₿": "", "Rs": "", "Rs.": "", "kr": "", "kr.": "", "Bs.": "",
	"R$": "BRL", "A$": "AUD", "CA$": "CAD", "C$": "CAD", "NZ$": "NZD", "HK$": "HKD", "S$": "SGD", "US$": "USD", "Mex$": "MXN", "NT$": "TWD",
}

// signs are what a site shows of its own currency, by the code. Its dollars need no letters to tell them from others; what is not here
// is shown as the code.
var signs = map[string]string{
	"EUR": "€", "GBP": "£", "INR": "₹", "KRW": "₩", "RUB": "₽", "UAH": "₴", "TRY": "₺", "ILS": "₪", "THB": "฿", "VND": "₫", "PHP": "₱",
	"NGN": "₦", "CRC": "₡", "JPY": "¥", "CNY": "¥", "USD": "$", "CAD": "$", "AUD": "$", "NZD": "$", "HKD": "$", "SGD": "$", "MXN": "$",
	"BRL": "R$", "TWD": "NT$", "ZAR": "R", "KES": "KSh", "PLN": "zł", "CZK": "Kč", "HUF": "Ft", "BGN": "лв", "RON": "lei", "PEN": "S/",
	"DKK": "kr", "NOK": "kr", "SEK": "kr", "ISK": "kr",
}

// Of returns the currency that a code of ISO 4217, in any letter case, or the sign of a single currency names; "$" is that of the United
// States, as for a site that names none. known is false for what names no currency, or several.
func Of(text string) (c Currency, known bool) {
	code := strings.ToUpper(text)
	switch {
	case text == "$":
		code = "USD"
	case isCode(code):
	case isSign(text): // and no word, such as euro
		code = codeOf(text)
	default:
		code = ""
	}
	if code == "" {
		return Currency{}, false
	}
	return Currency{Symbol: cmp.Or(signs[code], code), Code: code}, true
}

// isSign reports whether a text is a sign: it has a currency sign, or is used as one.
func isSign(text string) bool {
	return strings.ContainsFunc(text, func(c rune) bool { return unicode.Is(unicode.Sc, c) }) ||
		slices.Contains(slices.Collect(maps.Values(signs)), text)
}

// Signs lists the currency signs that Of knows.
func Signs() []string {
	list := []string{"$"}
	for name := range names {
		if r, n := utf8.DecodeLastRuneInString(name); n == len(name) && unicode.Is(unicode.Sc, r) && names[name] != "" {
			list = append(list, name)
		}
	}
	slices.Sort(list)
	return list
}

// codeOf returns the code of a currency by its sign, word or code, "" if several have it.
func codeOf(text string) string {
	if isCode(text) {
		return text
	}
	if code, ok := names[text]; ok {
		return code
	}
	return names[strings.ToLower(text)]
}

// same reports whether two texts mean one currency.
func same(a, b string) bool {
	if a == b || strings.TrimSuffix(a, ".") == strings.TrimSuffix(b, ".") {
		return true
	}
	code := codeOf(a)
	return code != "" && code == codeOf(b)
}

// is reports whether a text beside a number means this currency, whose symbol may have more words: "vanaf euro".
func (c Currency) is(mark string) bool {
	symbol := html.UnescapeString(phpval.Trim(c.Symbol))
	symbol = cmp.Or(suffix(symbol), prefix(symbol), symbol)
	if same(mark, symbol) || mark == "$" && strings.HasSuffix(symbol, "$") {
		return true
	}
	if codeOf(symbol) != "" {
		return false
	}
	code := c.Code
	if code == "" && symbol == "$" {
		code = "USD"
	}
	return code != "" && codeOf(mark) == code
}

// mark is a currency beside a number.
type mark struct {
	text          string // "" for none
	before, after string // what is shown around the number: the text, with a space if there is one
}

// currency returns a mark as details show it: the code only if it is written.
func (m mark) currency() Currency {
	c := Currency{Symbol: m.text, Position: "prefix"}
	if isCode(m.text) {
		c.Code = m.text
	}
	if m.after != "" {
		c.Position = "postfix"
	}
	return c
}

// mark finds the currencies right beside the tokens. One between two numbers belongs to the first
// that has none before it, unless it touches only the second.
func (c *scanner) mark() {
	free := 0 // where the text that belongs to no token begins
	for i := range c.tokens {
		t := &c.tokens[i]
		end := len(c.s)
		if i+1 < len(c.tokens) {
			end = c.tokens[i+1].from
		}
		if t.mark = markBefore(c.s[free:t.from]); t.mark.text == "" {
			t.mark = markAfter(c.s[t.to:end], end < len(c.s))
		}
		free = t.to + len(t.mark.after)
	}
}

// markBefore returns the currency at the end of a text.
func markBefore(text string) mark {
	trimmed := text
	for _, space := range spaces {
		if t, ok := strings.CutSuffix(text, space); ok {
			trimmed = t
		}
	}
	found := suffix(trimmed)
	if found == "" {
		return mark{}
	}
	return mark{text: found, before: text[len(trimmed)-len(found):]}
}

// markAfter returns the currency at the start of a text. followed says that a number comes after it.
func markAfter(text string, followed bool) mark {
	trimmed := text
	for _, space := range spaces {
		if t, ok := strings.CutPrefix(text, space); ok {
			trimmed = t
		}
	}
	found := prefix(trimmed)
	if found == "" || followed && trimmed != text && len(found) == len(trimmed) {
		return mark{}
	}
	return mark{text: found, after: text[:len(text)-len(trimmed)+len(found)]}
}

// maxLetters is how many letters a sign may have before it, as in Mex$.
const maxLetters = 3

// suffix returns the currency that a text ends in.
func suffix(text string) string {
	r, n := utf8.DecodeLastRuneInString(text)
	if unicode.Is(unicode.Sc, r) {
		letters := lettersBefore(text[:len(text)-n])
		return letters + text[len(text)-n:]
	}
	start := len(text)
	for start > 0 && len(text)-start < maxWord {
		r, n := utf8.DecodeLastRuneInString(text[:start])
		if !wordRune(r) {
			break
		}
		start -= n
	}
	for {
		if isName(text[start:]) {
			return text[start:]
		}
		next := strings.IndexAny(text[start:], marks)
		if next < 0 {
			return ""
		}
		start += next + 1
	}
}

// lettersBefore returns the letters that a text ends in if they may belong to a sign after them: a few, the first a capital.
func lettersBefore(text string) string {
	start, letters := len(text), 0
	for start > 0 {
		r, n := utf8.DecodeLastRuneInString(text[:start])
		if !unicode.IsLetter(r) {
			break
		}
		if letters++; letters > maxLetters {
			return ""
		}
		start -= n
	}
	if r, _ := utf8.DecodeRuneInString(text[start:]); !unicode.IsUpper(r) {
		return ""
	}
	return text[start:]
}

// prefix returns the currency that a text starts with.
func prefix(text string) string {
	letters := 0
	for i, r := range text {
		if unicode.Is(unicode.Sc, r) {
			if first, _ := utf8.DecodeRuneInString(text); i == 0 || unicode.IsUpper(first) {
				return text[:i+utf8.RuneLen(r)]
			}
			break
		}
		if letters++; !unicode.IsLetter(r) || letters > maxLetters {
			break
		}
	}
	whole := strings.IndexFunc(text, func(r rune) bool { return !wordRune(r) })
	if whole < 0 {
		whole = len(text)
	}
	for end := min(whole, maxWord); end > 0; end-- {
		if (end == whole || strings.ContainsAny(text[end-1:end+1], marks)) && isName(text[:end]) {
			return text[:end]
		}
	}
	if strings.HasPrefix(text, "元") {
		return "元" // such words have no end
	}
	return ""
}

// maxWord is more bytes than any word for a currency has.
const maxWord = 16

// marks may end a word for a currency, and part it from others.
const marks = "./"

// wordRune reports whether a character may be in a word for a currency.
func wordRune(r rune) bool { return unicode.IsLetter(r) || strings.ContainsRune(marks, r) }

// isName reports whether a word means a currency. Their letter case counts, except that of the euro.
func isName(word string) bool {
	if _, ok := names[word]; ok || isCode(word) {
		return true
	}
	lower := strings.ToLower(word)
	return lower == "euro" || lower == "euros"
}
