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

// Currency is how the costs of an event display their currency. Position is "prefix", "" for the site's default, or
// anything else for a symbol after the amount.
type Currency struct{ Symbol, Code, Position string }

// names maps words and symbols for a currency, as they occur beside a number, to its ISO 4217 code; "" if they are used
// for several currencies. "$" is any dollar.
var names = map[string]string{
	"€": "EUR", "euro": "EUR", "euros": "EUR", "£": "GBP", "₹": "INR", "元": "CNY", "₩": "KRW", "₽": "RUB", "руб.": "RUB", "₴": "UAH",
	"₺": "TRY", "TL": "TRY", "₪": "ILS", "฿": "THB", "₫": "VND", "₱": "PHP", "₦": "NGN", "R": "ZAR", "KSh": "KES", "zł": "PLN",
	"Kč": "CZK", "Ft": "HUF", "лв": "BGN", "kn": "HRK", "lei": "RON", "د.إ": "AED", "Fr.": "CHF", "₡": "CRC", "S/": "PEN",
	"₿": "", "Rs": "", "Rs.": "", "kr": "", "kr.": "", "Bs.": "",
	"R$": "BRL", "A$": "AUD", "CA$": "CAD", "C$": "CAD", "NZ$": "NZD", "HK$": "HKD", "S$": "SGD", "US$": "USD", "Mex$": "MXN", "NT$": "TWD",
}

// signs maps ISO 4217 codes to the symbols that a site displays for its own currency. Dollars get no letters, since on
// such a site there is nothing to confuse them with. For other currencies the code is displayed.
var signs = map[string]string{
	"EUR": "€", "GBP": "£", "INR": "₹", "KRW": "₩", "RUB": "₽", "UAH": "₴", "TRY": "₺", "ILS": "₪", "THB": "฿", "VND": "₫", "PHP": "₱",
	"NGN": "₦", "CRC": "₡", "JPY": "¥", "CNY": "¥", "USD": "$", "CAD": "$", "AUD": "$", "NZD": "$", "HKD": "$", "SGD": "$", "MXN": "$",
	"BRL": "R$", "TWD": "NT$", "ZAR": "R", "KES": "KSh", "PLN": "zł", "CZK": "Kč", "HUF": "Ft", "BGN": "лв", "RON": "lei", "PEN": "S/",
	"DKK": "kr", "NOK": "kr", "SEK": "kr", "ISK": "kr",
}

// FromText returns the currency with an ISO 4217 code, in upper or lower case, or with a symbol. "$" is the US dollar, as on
// sites that store no currency. known is false if text names no currency, or several.
func FromText(text string) (c Currency, known bool) {
	code := strings.ToUpper(text)
	switch {
	case text == "$":
		code = "USD"
	case isCode(code):
	case isSign(text): // not a word such as "euro"
		code = codeOf(text)
	default:
		code = ""
	}
	if code == "" {
		return Currency{}, false
	}
	return Currency{Symbol: cmp.Or(signs[code], code), Code: code}, true
}

// isSign reports whether a string is a currency symbol.
func isSign(text string) bool {
	return strings.ContainsFunc(text, func(c rune) bool { return unicode.Is(unicode.Sc, c) }) ||
		slices.Contains(slices.Collect(maps.Values(signs)), text)
}

// Signs returns the currency symbols that Of knows, sorted.
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

// codeOf returns the ISO 4217 code of a currency, given its symbol, word or code; "" if that is used for several.
func codeOf(text string) string {
	if isCode(text) {
		return text
	}
	if code, ok := names[text]; ok {
		return code
	}
	return names[strings.ToLower(text)]
}

// same reports whether two strings name the same currency.
func same(a, b string) bool {
	if a == b || strings.TrimSuffix(a, ".") == strings.TrimSuffix(b, ".") {
		return true
	}
	code := codeOf(a)
	return code != "" && code == codeOf(b)
}

// matches reports whether a currency that was written beside a number is this one. The symbol of c may contain other
// words: "vanaf euro".
func (c Currency) matches(mark string) bool {
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

// mark is a currency written beside a number.
type mark struct {
	text          string // "" if there is none
	before, after string // what is displayed before or after the number: the text, including a space
}

// currency returns the mark as a Currency. It has a code only if that was written.
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

// mark finds the currencies beside the tokens. A currency between two numbers belongs to the first number if that has
// none before it, unless it directly touches the second.
func (c *scanner) mark() {
	free := 0 // where the text after the previous token and its mark begins
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

// markBefore returns the currency at the end of a string.
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

// markAfter returns the currency at the beginning of a string. followed means that another number follows the string.
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

// maxLetters is the greatest number of letters before a sign, as in Mex$.
const maxLetters = 3

// suffix returns the currency at the end of a string, or "".
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

// lettersBefore returns the letters at the end of a string if they can belong to a sign that follows: at most
// maxLetters, beginning with a capital.
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

// prefix returns the currency at the beginning of a string, or "".
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
		return "元" // no separator follows this word
	}
	return ""
}

// maxWord is greater than the length in bytes of any word for a currency.
const maxWord = 16

// marks are punctuation that can end a word for a currency or separate it from others.
const marks = "./"

// wordRune reports whether a character can be part of a word for a currency.
func wordRune(r rune) bool { return unicode.IsLetter(r) || strings.ContainsRune(marks, r) }

// isName reports whether a word names a currency. It is case-sensitive, except for "euro".
func isName(word string) bool {
	if _, ok := names[word]; ok || isCode(word) {
		return true
	}
	lower := strings.ToLower(word)
	return lower == "euro" || lower == "euros"
}
