package term

import (
	"context"
	"slices"
	"strings"

	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp"
)

// Assigned are the terms that a list parameter names.
type Assigned struct {
	Items []string              // as they were given
	IDs   []int64               // of the named terms
	Terms []*store.TaxonomyTerm // the named terms and all below them
}

// CheckAssigned accepts a list of terms, each by id, slug or name. A number is an
// id; only where there is no such id it is a slug.
func (k *Kind) CheckAssigned(ctx context.Context, v any) (any, error) {
	items, err := param.List(v)
	if err != nil {
		return nil, err
	}
	if len(items) == 0 {
		return nil, param.Invalid("fault_" + k.Collection)
	}
	terms, err := k.candidates(ctx, items)
	if err != nil {
		return nil, err
	}
	a := Assigned{Items: items}
	for _, item := range items {
		t := terms.find(item)
		if t == nil {
			return nil, param.Invalid("fault_" + k.Collection)
		}
		a.IDs = append(a.IDs, t.ID)
		a.Terms = append(a.Terms, t)
	}
	if k.Tree {
		a.Terms = withDescendants(terms.all, a.IDs)
	}
	return a, nil
}

// candidates are terms that items may name, those in the request's language
// first.
type candidates struct {
	all    []*store.TaxonomyTerm
	native int // how many are in the request's language
}

// candidates reads the terms that items may name: the whole tree where terms
// below the named ones count too.
func (k *Kind) candidates(ctx context.Context, items []string) (c candidates, err error) {
	if k.Tree {
		c.all, c.native, err = k.Store.TreeIn(ctx, k.Spoken(ctx), k.Taxonomy)
		return c, err
	}
	var ids []int64
	var slugs, names []string
	for _, item := range items {
		if n, ok := param.Convert(param.Integer, item); ok {
			ids = append(ids, n.(int64))
		}
		slugs, names = append(slugs, wp.Slug(item)), append(names, item, wp.EscapeHTML(item), wp.TermName(item))
	}
	c.all, c.native, err = k.Store.TermsMatchingIn(ctx, k.Spoken(ctx), k.Taxonomy, ids, slugs, names)
	return c, err
}

// find returns the term that an item names: by id, or by slug or name, in
// another language than the request's only if there is none in that.
func (c candidates) find(item string) *store.TaxonomyTerm {
	if n, ok := param.Convert(param.Integer, item); ok {
		id := n.(int64)
		if id <= 0 { // no slug either: "-2" would be cleaned to "2"
			return nil
		}
		for _, t := range c.all {
			if t.ID == id {
				return t
			}
		}
	}
	if t := findText(c.all[:c.native], item); t != nil {
		return t
	}
	return findText(c.all[c.native:], item)
}

func findText(terms []*store.TaxonomyTerm, item string) *store.TaxonomyTerm {
	slug := wp.Slug(item)
	for _, t := range terms {
		if slug != "" && strings.EqualFold(t.Slug, slug) {
			return t
		}
	}
	if isNumeric(item) {
		return nil
	}
	names := []string{fold(item), fold(wp.EscapeHTML(item)), fold(wp.TermName(item))}
	for _, t := range terms {
		if name := fold(t.Name); name != "" && slices.Contains(names, name) {
			return t
		}
	}
	return nil
}

// isNumeric tells items that name an id or a slug from those that may be names.
func isNumeric(item string) bool {
	_, _, numeric := wp.Numeric(item)
	return numeric
}

// fold makes names comparable as the database compares them.
func fold(s string) string { return strings.ToLower(wp.RemoveAccents(strings.TrimRight(s, " "))) }

func withDescendants(terms []*store.TaxonomyTerm, ids []int64) (all []*store.TaxonomyTerm) {
	children := map[int64][]*store.TaxonomyTerm{}
	for _, t := range terms {
		children[t.Parent] = append(children[t.Parent], t)
		if slices.Contains(ids, t.ID) {
			all = append(all, t)
		}
	}
	seen := map[int64]bool{}
	for todo := slices.Clone(ids); len(todo) > 0; todo = todo[1:] {
		if seen[todo[0]] {
			continue
		}
		seen[todo[0]] = true
		for _, t := range children[todo[0]] {
			all, todo = append(all, t), append(todo, t.ID)
		}
	}
	return all
}
