// Package cost reads the stored costs of an event and writes them as a site shows
// them. What a request may give for a cost is checked in package event.
package cost

import (
	"cmp"
	"slices"
	"strings"

	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/phpval"
)

// Format is how a site shows costs.
type Format struct {
	DefaultSymbol string // of events without one; a site that stores none has "$"
	Suffix        bool   // the symbol comes last, unless an event has a position
	Locale        string // the language option of the site: "nl_NL"
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
// written, with the symbol of the event or else of the site before or after. The
// position is "prefix", empty for that of the site, or anything else for after.
// Costs without a number are shown if there is but one.
func (c List) Text(symbol, position string) string {
	f, costs := c.format, c.merged
	if len(costs) == 0 {
		return ""
	}
	if symbol == "" || symbol == "0" {
		symbol = f.DefaultSymbol
	}
	suffix := f.Suffix
	if position != "" {
		suffix = position != "prefix"
	}
	show := func(c token) string {
		switch {
		case c.number && c.amount < 0.005:
			return wp.EscapeHTML(wp.LocaleOf(f.Locale).Free)
		case c.from == c.to:
			return wp.EscapeHTML(c.text)
		case suffix:
			return wp.EscapeHTML(c.text + symbol)
		}
		return wp.EscapeHTML(symbol + c.text)
	}
	if len(costs) == 1 && !costs[0].number {
		return show(costs[0])
	}
	numbers := slices.DeleteFunc(slices.Clone(costs), func(c token) bool { return !c.number })
	if len(numbers) == 0 {
		numbers = []token{{number: true}}
	}
	from, to := show(slices.MinFunc(numbers, bySize)), show(slices.MaxFunc(numbers, bySize))
	if from == to {
		return from
	}
	return from + wp.LocaleOf(f.Locale).To + to
}

// Price returns the costs as a text without a currency, "0" for the word that means free in the
// language of the site, in any letter case.
func (c List) Price() string {
	c.format.DefaultSymbol = ""
	price := c.Text("", "")
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
		tokens := scan(row, wp.LocaleOf(f.Locale).DecimalComma)
		if len(tokens) == 0 {
			tokens = []token{{text: row}}
		}
		decimals := 0
		for _, c := range tokens {
			if point := strings.LastIndexAny(c.text, ",."); point >= 0 {
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
