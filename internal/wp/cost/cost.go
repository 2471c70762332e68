// Package cost parses the stored costs of an event and formats them as The Events Calendar does. What requests may
// contain is checked by package event.
package cost

import (
	"cmp"
	"html"
	"regexp"
	"slices"
	"strings"

	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/phpval"
)

// Format is how a site displays costs.
type Format struct {
	DefaultSymbol string // symbol for events without one; "$" if the site stores none
	DefaultCode   string // ISO 4217 code of the default currency; "" if the site stores none
	Suffix        bool   // the symbol follows the amount, unless the event has a position
	Locale        string // value of the option WPLANG, such as "nl_NL"
	Shop          Shop   // format of prices on sites that sell tickets
}

// List contains the costs of an event.
type List struct {
	format Format
	list   []token // of all rows
	merged []token // without duplicates, of which the last counts
}

// Read parses the stored costs of an event, which may be in several rows.
func (f Format) Read(rows []string) List {
	list := f.costs(rows)
	if len(rows) == 1 {
		return List{f, list, list} // the costs of one row have no duplicates
	}
	return List{f, list, distinct(list)}
}

// Text returns the costs as they are displayed: the lowest and the highest, as they were written, with the currency
// symbol of the event or else of the site. A cost that was written with another currency keeps that one (D75). A cost
// that is not a number is displayed only if it is the only one.
func (c List) Text(stored Currency) string {
	own := c.own(stored)
	suffix := c.suffix(stored)
	return c.between(func(t token) string {
		before, after := own.Symbol, ""
		switch {
		case t.mark.text != "" && !own.matches(t.mark.text):
			before, after = t.mark.before, t.mark.after
		case suffix:
			before, after = "", own.Symbol
		}
		// Amounts consist of safe characters and are not escaped, so that apostrophes in them are kept.
		return wp.EscapeHTML(before) + t.text + wp.EscapeHTML(after)
	})
}

// suffix reports whether the symbol follows the amount.
func (c List) suffix(stored Currency) bool {
	if stored.Position != "" {
		return stored.Position != "prefix"
	}
	return c.format.Suffix
}

// own returns the currency of the event or else of the site.
func (c List) own(stored Currency) Currency {
	if stored.Symbol == "" || stored.Symbol == "0" {
		stored.Symbol = c.format.DefaultSymbol
		stored.Code = cmp.Or(stored.Code, c.format.DefaultCode)
	}
	return stored
}

// between returns the lowest and the highest cost. show formats numbers.
func (c List) between(show func(token) string) string {
	f, costs := c.format, c.merged
	if len(costs) == 0 {
		return ""
	}
	if len(costs) == 1 && !costs[0].number {
		if costs[0].from < costs[0].to {
			return show(costs[0])
		}
		return wp.EscapeHTML(costs[0].text)
	}
	numbers := slices.DeleteFunc(slices.Clone(costs), func(t token) bool { return !t.number })
	if len(numbers) == 0 {
		numbers = []token{{number: true}}
	}
	text := func(t token) string {
		if t.amount < 0.005 {
			return wp.EscapeHTML(wp.LocaleOf(f.Locale).Free)
		}
		return show(t)
	}
	from, to := text(slices.MinFunc(numbers, bySize)), text(slices.MaxFunc(numbers, bySize))
	if from == to {
		return from
	}
	return from + wp.LocaleOf(f.Locale).To + to
}

// Currency returns the currency for an event's cost details: the stored one, unless all numbers were written with the
// same other currency (D75).
func (c List) Currency(stored Currency) Currency {
	own, found := c.own(stored), Currency{}
	for _, t := range c.list {
		switch {
		case !t.number:
		case t.mark.text == "" || own.matches(t.mark.text):
			return stored
		case found.Symbol == "":
			found = t.mark.currency()
		case !same(found.Symbol, t.mark.text):
			return stored
		}
	}
	if found.Symbol == "" {
		return stored
	}
	return found
}

// Code returns the ISO 4217 code of the currency of the costs, or "".
func (c List) Code(stored Currency) string {
	code := ""
	if shown := c.Currency(stored); shown != stored {
		code = codeOf(shown.Symbol)
	}
	return cmp.Or(code, stored.Code, c.format.DefaultCode)
}

// Price returns the costs without a currency. The word for "free" in the site's language, in upper or lower case,
// becomes "0".
func (c List) Price() string {
	price := c.between(func(t token) string { return t.text })
	if strings.EqualFold(phpval.Trim(price), wp.EscapeHTML(wp.LocaleOf(c.format.Locale).Free)) {
		return "0"
	}
	return price
}

// Values returns the costs, sorted by amount: numbers as strings with a decimal point and without grouping, others as
// slugs. A slug that looks like an integer may be an int64, as in PHP.
func (c List) Values() []any {
	type sized struct {
		value any
		size  float64
	}
	var list []sized
	for _, c := range c.list {
		if _, _, ok := wp.Numeric(c.value); ok {
			list = append(list, sized{c.value, c.amount})
			continue
		}
		key := c.key()
		num, _ := phpval.Number(key)
		size, _, _ := wp.Numeric(num)
		if n, ok := phpval.StrKey(key).Int(); ok {
			list = append(list, sized{n, size})
		} else {
			list = append(list, sized{key, size})
		}
	}
	slices.SortStableFunc(list, func(a, b sized) int { return cmp.Compare(a.size, b.size) })
	values := make([]any, len(list))
	for i, v := range list {
		values[i] = v.value
	}
	return values
}

func bySize(a, b token) int { return cmp.Compare(a.amount, b.amount) }

// key identifies a cost that is not a number.
func (c token) key() string { return wp.Slug(strings.ReplaceAll(c.text, ",", ".")) }

// costs parses all rows. Within a row, the last of equal numbers is kept. Equal numbers of different rows are merged
// only if their rows have the same number of decimals.
func (f Format) costs(rows []string) []token {
	var all []token
	seen := map[tokenID]bool{}
	for _, row := range rows {
		if row == "" {
			continue
		}
		tokens := scan(readable(row), wp.LocaleOf(f.Locale).DecimalComma)
		if len(tokens) == 0 {
			tokens = []token{{text: row}}
		}
		decimals := 0
		for _, c := range tokens {
			if point := strings.LastIndexAny(c.text, ",."); point > 0 {
				decimals = max(decimals, len(c.text)-point-1)
			}
		}
		tokens = distinct(tokens)
		slices.SortStableFunc(tokens, bySize)
		for _, c := range tokens {
			id := c.id()
			if c.number {
				id.decimals = decimals
			}
			if !seen[id] {
				seen[id] = true
				all = append(all, c)
			}
		}
	}
	return all
}

// tokenID is the same for costs that count as duplicates.
type tokenID struct {
	number   bool
	amount   float64
	key      string
	decimals int // of the row, for costs in which the number of decimals distinguishes duplicates
}

func (c token) id() tokenID {
	if c.number {
		return tokenID{number: true, amount: c.amount}
	}
	return tokenID{key: c.key()}
}

// distinct removes duplicates. The last one is kept, at the position of the first.
func distinct(tokens []token) []token {
	place := make(map[tokenID]int, len(tokens))
	var kept []token
	for _, c := range tokens {
		id := c.id()
		if i, ok := place[id]; ok {
			kept[i] = c
			continue
		}
		place[id] = len(kept)
		kept = append(kept, c)
	}
	return kept
}

// tag matches an HTML tag or comment. A "<" that does not begin a name is text: "<10".
var tag = regexp.MustCompile(`<[A-Za-z/!?](?:"[^"]*"|'[^']*'|[^<>"'])*>`)

// readable returns a row without tags and with entities decoded (D75). Digits before and after a tag are kept apart.
func readable(row string) string {
	tags := tag.FindAllStringIndex(row, -1)
	if len(tags) == 0 {
		return html.UnescapeString(row)
	}
	var b strings.Builder
	end := 0
	for _, at := range append(tags, []int{len(row), len(row)}) {
		piece, before := row[end:at[0]], b.String()
		if piece != "" && before != "" && wp.IsDigit(piece[0], 10) && wp.IsDigit(before[len(before)-1], 10) {
			b.WriteByte('\n')
		}
		b.WriteString(piece)
		end = at[1]
	}
	row = b.String()
	return html.UnescapeString(row)
}
