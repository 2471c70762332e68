package term

import (
	"context"
	"slices"

	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp"
)

// Assigned contains the terms that a list parameter names.
type Assigned struct {
	Items []string              // as given
	ids   []int64               // of the named terms
	Terms []*store.TaxonomyTerm // the named terms and all their descendants
}

// Assigned returns the rule of a parameter with a list of terms, each given by its id, slug or name. A number is an id,
// or a slug if no term has that id.
func (k *UseCases) Assigned() param.Rule[Assigned] {
	unknown := param.Invalid(k.Texts.Unknown)
	return param.LookedUp(func(_ context.Context, v any) ([]string, error) {
		items, err := param.List(v)
		if err == nil && len(items) == 0 {
			err = unknown
		}
		return items, err
	}, item.Noted(k.Collection, func(ctx context.Context, items []string) (a Assigned, err error) {
		terms, err := k.candidates(ctx, items)
		if err != nil {
			return a, err
		}
		a.Items = items
		for _, name := range items {
			t := terms.find(name)
			if t == nil {
				return a, unknown
			}
			a.ids = append(a.ids, t.ID)
			a.Terms = append(a.Terms, t)
		}
		a.ids, a.Terms = param.Distinct(a.ids), param.Distinct(a.Terms)
		if k.Tree {
			a.Terms = withDescendants(terms.all, a.ids)
		}
		return a, nil
	}))
}

// Named returns the terms that are named themselves, without descendants, in the order of the request.
func (a *Assigned) Named() (named []*store.TaxonomyTerm) {
	for _, id := range a.ids {
		if i := slices.IndexFunc(a.Terms, func(t *store.TaxonomyTerm) bool { return t.ID == id }); i >= 0 {
			named = append(named, a.Terms[i])
		}
	}
	return named
}

// candidates reads the terms that elements may name. If descendants count too, it reads all terms.
func (k *UseCases) candidates(ctx context.Context, items []string) (*candidates, error) {
	slugOf := site.From(ctx).Slug
	if k.Tree {
		all, native, err := k.Service.Content.Store.Terms.TreeIn(ctx, k.Service.Content.Languages.Filter(ctx, k.Taxonomy), k.Taxonomy)
		return newCandidates(all, native, slugOf), err
	}
	var ids []int64
	var slugs, names []string
	for _, item := range items {
		if id, ok := param.Integer(item); ok {
			ids = append(ids, id)
		}
		slugs, names = append(slugs, slugOf(item)), append(names, item, wp.EscapeHTML(item), wp.TermName(item))
	}
	content := k.Service.Content
	all, native, err := content.Store.Terms.MatchingIn(ctx, content.Languages.Filter(ctx, k.Taxonomy), k.Taxonomy, ids,
		param.Distinct(slugs), param.Distinct(names))
	return newCandidates(all, native, slugOf), err
}

// withDescendants returns the terms with these ids and all their descendants, without duplicates.
func withDescendants(terms []*store.TaxonomyTerm, ids []int64) (all []*store.TaxonomyTerm) {
	children, todo := map[int64][]*store.TaxonomyTerm{}, map[int64]bool{}
	for _, id := range ids {
		todo[id] = true
	}
	var next []*store.TaxonomyTerm
	seen := map[*store.TaxonomyTerm]bool{}
	for _, t := range terms {
		children[t.Parent] = append(children[t.Parent], t)
		if todo[t.ID] {
			next = append(next, t)
		}
	}
	for ; len(next) > 0; next = next[1:] {
		if t := next[0]; !seen[t] {
			seen[t] = true
			all, next = append(all, t), append(next, children[t.ID]...)
		}
	}
	return all
}
