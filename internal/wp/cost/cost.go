// Package cost reads the stored costs of an event and writes them as a site shows
// them. What a request may give for a cost is checked in package event.
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

// Format is how a site shows costs.
type Format struct {
	DefaultSymbol string // of events without one; a site that stores none has "$"
	DefaultCode   string // the code of their currency, "" if the site names none
	Suffix        bool   // the symbol comes last, unless an event has a position
	Locale        string // the language option of the site: "nl_NL"
	Shop          Shop   // of a site that sells tickets
}

// List is the costs of an event.
type List struct {
	format Format
	list   []token // of all rows
	merged []token // of equal ones the last
}

// Read reads the stored costs of an event, which may be in several rows.
func (f Format) Read(rows []string) List {
	list := f.costs(rows)
	if len(rows) == 1 {
		return List{f, list, list} // no two costs of a row are equal
	}
	return List{f, list, distinct(list)}
}

// Text returns the costs as one text: the lowest and the highest, each as it is
// written, with the symbol of the event or else of the site before or after. A
// cost with another currency beside it keeps that one (D75). Costs without a
// number are shown if there is but one.
func (c List) Text(stored Currency) string {
	own := c.own(stored)
	suffix := c.suffix(stored)
	return c.between(func(t token) string {
		before, after := own.Symbol, ""
		switch {
		case t.mark.text != "" && !own.is(t.mark.text):
			before, after = t.mark.before, t.mark.after
		case suffix:
			before, after = "", own.Symbol
		}
		// Digits and signs are safe, and an apostrophe among them stays one.
		return wp.EscapeHTML(before) + t.text + wp.EscapeHTML(after)
	})
}

// suffix reports whether the symbol of the event comes last.
func (c List) suffix(stored Currency) bool {
	if stored.Position != "" {
		return stored.Position != "prefix"
	}
	return c.format.Suffix
}

// own returns the currency of the event, or else of the site.
func (c List) own(stored Currency) Currency {
	if stored.Symbol == "" || stored.Symbol == "0" {
		stored.Symbol = c.format.DefaultSymbol
		stored.Code = cmp.Or(stored.Code, c.format.DefaultCode)
	}
	return stored
}

// between returns the lowest and the highest of the costs, as show shows numbers.
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

// Currency returns what details say of the currency: what is stored with the
// event, unless all numbers have the same other one beside them (D75).
func (c List) Currency(stored Currency) Currency {
	own, found := c.own(stored), Currency{}
	for _, t := range c.list {
		switch {
		case !t.number:
		case t.mark.text == "" || own.is(t.mark.text):
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

// Code returns the code of the currency of the costs, "" if nothing names one.
func (c List) Code(stored Currency) string {
	code := ""
	if shown := c.Currency(stored); shown != stored {
		code = codeOf(shown.Symbol)
	}
	return cmp.Or(code, stored.Code, c.format.DefaultCode)
}

// Price returns the costs as a text without a currency, "0" for the word that means free in the
// language of the site, in any letter case.
func (c List) Price() string {
	price := c.between(func(t token) string { return t.text })
	if strings.EqualFold(phpval.Trim(price), wp.EscapeHTML(wp.LocaleOf(c.format.Locale).Free)) {
		return "0"
	}
	return price
}

// Values lists the costs by size: numbers as text with a decimal point and
// without grouping, others as slugs. What only looks like a number may be an
// int64.
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

// key identifies a cost that is no number.
func (c token) key() string { return wp.Slug(strings.ReplaceAll(c.text, ",", ".")) }

// costs reads all rows. Within a row the last of equal numbers counts. Across
// rows equal numbers are kept once if their rows have equally many decimals.
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

// tokenID is the same for equal costs.
type tokenID struct {
	number   bool
	amount   float64
	key      string
	decimals int // of its row, where that matters
}

func (c token) id() tokenID {
	if c.number {
		return tokenID{number: true, amount: c.amount}
	}
	return tokenID{key: c.key()}
}

// distinct leaves of equal costs the last, in the place of the first.
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

// tag is an HTML tag or comment. A "<" before anything but a name is text: "<10".
var tag = regexp.MustCompile(`<[A-Za-z/!?](?:"[^"]*"|'[^']*'|[^<>"'])*>`)

// readable returns a row as people read it: without tags, with entities decoded
// (D75). Digits on both sides of a tag stay apart.
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
