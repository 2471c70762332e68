package exchange

import (
	"fmt"
	"slices"

	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/store/langstore"
)

// tree returns all terms of a resource by id.
func (r *recorder) tree(k *resource) (map[int64]*store.TaxonomyTerm, error) {
	if tree, known := r.trees[k.Collection]; known {
		return tree, nil
	}
	all, err := r.parts.Events.Service.Content.Store.Terms.Tree(r.ctx, k.Taxonomy)
	if err != nil {
		return nil, err
	}
	tree := map[int64]*store.TaxonomyTerm{}
	for _, t := range all {
		tree[t.ID] = t
	}
	if r.trees == nil {
		r.trees, r.termMeta = map[Collection]map[int64]*store.TaxonomyTerm{}, map[Collection]map[int64]store.Meta{}
	}
	if r.termMeta[k.Collection], _, err = r.parts.Events.Service.Content.Store.Terms.Meta(r.ctx, k.terms.Rows(r.ctx, all...)); err != nil {
		return nil, err
	}
	r.trees[k.Collection] = tree
	return tree, nil
}

// allTerms writes the terms of a resource in the given languages.
func (r *recorder) allTerms(k *resource, codes []string) error {
	tree, err := r.tree(k)
	if err != nil {
		return err
	}
	ids := make([]int64, 0, len(tree))
	for id := range tree {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, code := range r.codesOf(k, codes) {
		for _, id := range ids {
			rec, err := r.term(k, tree[id], 0)
			if err != nil {
				return err
			}
			if rec.Language == code {
				if err := r.writeTerm(k, tree[id], rec); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// writeTerm writes a term, unless it was written already, after its parents.
func (r *recorder) writeTerm(k *resource, t *store.TaxonomyTerm, rec *Record) error {
	key := fmt.Sprint(k.Collection, t.ID)
	if r.written[key] {
		return nil
	}
	r.written[key] = true
	tree, err := r.tree(k)
	if err != nil {
		return err
	}
	if parent := tree[t.Parent]; parent != nil && parent != t {
		above, err := r.term(k, parent, 0)
		if err != nil {
			return err
		}
		if err := r.writeTerm(k, parent, above); err != nil {
			return err
		}
	}
	return r.appendRecord(rec)
}

// maxParents limits the number of parents, because stored parents may form a cycle.
const maxParents = 50

// term returns the record of a term.
func (r *recorder) term(k *resource, t *store.TaxonomyTerm, depth int) (*Record, error) {
	tree, err := r.tree(k)
	if err != nil {
		return nil, err
	}
	rec, err := r.valued(k, &item.Item{View: &item.View{Ctx: r.ctx}, Term: t, Meta: r.termMeta[k.Collection][t.ID]})
	if err != nil {
		return nil, err
	}
	if parent := tree[t.Parent]; parent != nil && depth < maxParents {
		if rec.Parent, err = r.term(k, parent, depth+1); err != nil {
			return nil, err
		}
		rec.Parent.Group, rec.Parent.Parent, rec.Parent.Values = "", nil, k.named(parent)
	}
	if !translated(r.ctx, r.parts, k) {
		return rec, nil
	}
	known, err := r.parts.Events.Service.Content.Translations.Groups(r.ctx, nil, []*store.TaxonomyTerm{t})
	if err != nil {
		return nil, err
	}
	g := known.Terms[t.TaxonomyID]
	rec.Language = r.parts.Events.Service.Content.Languages.ForGroup(g)
	if len(g.Others) > 0 {
		first := langstore.Version{Language: rec.Language, Term: t}
		for _, v := range g.Others {
			if v.Term != nil && v.Language < first.Language {
				first = v
			}
		}
		rec.Group = first.Language + ":" + first.Term.Slug
	}
	return rec, nil
}

// named returns the values by which a term is found.
func (k *resource) named(t *store.TaxonomyTerm) map[string]any {
	return map[string]any{k.Title: t.Name, fieldSlug: t.Slug}
}

// linkedTerms returns the terms of a resource that an event has.
func (r *recorder) linkedTerms(k *resource, it *item.Item) (list []*Record, err error) {
	for _, t := range it.Terms {
		if t.Taxonomy != k.Taxonomy {
			continue
		}
		rec, err := r.term(k, t, 0)
		if err != nil {
			return nil, err
		}
		if r.linked {
			if err := r.writeTerm(k, t, rec); err != nil {
				return nil, err
			}
			rec = &Record{Kind: k.Collection, Language: rec.Language, Values: k.named(t)}
		}
		list = append(list, rec)
	}
	return list, nil
}
