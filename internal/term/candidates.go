package term

import (
	"slices"
	"strings"
	"unicode"

	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp"
)

// candidates are terms that elements may name. Those in the request's language have precedence.
type candidates struct {
	all         []*store.TaxonomyTerm
	byID        map[int64]*store.TaxonomyTerm
	own, others words // terms in the request's language and in others
	slugOf      func(string) string
}

// newCandidates indexes terms. The first native ones are in the request's language. slugOf makes slugs as the site
// does.
func newCandidates(all []*store.TaxonomyTerm, native int, slugOf func(string) string) *candidates {
	c := &candidates{all: all, byID: make(map[int64]*store.TaxonomyTerm, len(all)), own: words{terms: all[:native]},
		others: words{terms: all[native:]}, slugOf: slugOf}
	for _, t := range all {
		if c.byID[t.ID] == nil {
			c.byID[t.ID] = t
		}
	}
	return c
}

func (c *candidates) addTerm(t *store.TaxonomyTerm) {
	c.all, c.byID[t.ID] = append(c.all, t), t
	c.own = words{terms: append(c.own.terms[:len(c.own.terms):len(c.own.terms)], t)}
}

// find returns the term that an element names by id, slug or name. A term in another language is returned only if there
// is none in the request's.
func (c *candidates) find(item string) *store.TaxonomyTerm {
	t, _ := c.locate(item)
	return t
}

// locate is like find. foreign is true if the term was found by its name and is in another language than the request's.
func (c *candidates) locate(item string) (t *store.TaxonomyTerm, foreign bool) {
	if id, ok := param.Integer(item); ok {
		if id <= 0 { // it is not a slug either: "-2" would be cleaned to "2"
			return nil, false
		}
		if t := c.byID[id]; t != nil {
			return t, false
		}
	}
	w := c.wordingOf(item)
	if t := c.own.find(w); t != nil {
		return t, false
	}
	t = c.others.find(w)
	return t, t != nil && slices.Contains(w.names, wp.Folded(t.Name))
}

// wording contains the forms of an element that are compared with slugs and names.
type wording struct {
	slug  string
	names []string // empty for a number, which cannot be a name
}

func (c *candidates) wordingOf(item string) wording {
	w := wording{slug: foldCase(c.slugOf(item))}
	if !isNumeric(item) {
		w.names = param.Distinct([]string{wp.Folded(item), wp.Folded(wp.EscapeHTML(item)), wp.Folded(wp.TermName(item))})
	}
	return w
}

// words indexes terms by slug and name. The first of several terms counts.
type words struct {
	terms        []*store.TaxonomyTerm
	slugs, names map[string]int // indexes in terms; built when needed
}

func (w *words) find(item wording) *store.TaxonomyTerm {
	if item.slug != "" {
		if w.slugs == nil {
			w.slugs = w.places(func(t *store.TaxonomyTerm) string { return foldCase(t.Slug) })
		}
		if i, ok := w.slugs[item.slug]; ok {
			return w.terms[i]
		}
	}
	if len(item.names) == 0 {
		return nil
	}
	if w.names == nil {
		w.names = w.places(func(t *store.TaxonomyTerm) string { return wp.Folded(t.Name) })
	}
	first := len(w.terms)
	for _, name := range item.names {
		if i, ok := w.names[name]; ok {
			first = min(first, i)
		}
	}
	if first == len(w.terms) {
		return nil
	}
	return w.terms[first]
}

// places returns the index of the first term for each string that is not empty.
func (w *words) places(text func(*store.TaxonomyTerm) string) map[string]int {
	places := make(map[string]int, len(w.terms))
	for i, t := range w.terms {
		s := text(t)
		if _, taken := places[s]; s != "" && !taken {
			places[s] = i
		}
	}
	return places
}

// isNumeric reports whether an element is a number, so that it can be an id or a slug but not a name.
func isNumeric(item string) bool {
	_, _, numeric := wp.Numeric(item)
	return numeric
}

// foldCase returns the same string for all strings that strings.EqualFold treats as equal.
func foldCase(s string) string {
	return strings.Map(func(r rune) rune {
		least := r
		for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
			least = min(least, f)
		}
		return least
	}, s)
}
