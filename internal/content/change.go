package content

import (
	"context"
	"slices"

	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/store"
)

// Operations of a Change.
const (
	OpCreate = "create"
	OpUpdate = "update"
	OpTrash  = "trash"
	OpDelete = "delete" // for good

	// OpRestore is that of a draft alone: the change that it makes is an update.
	OpRestore = "restore" // out of the trash
)

// Change is what a write did to one item.
type Change struct {
	Kind          string // collection: "events", "venues", "tags" …
	ID            int64
	Slug          string // now; of a deleted item, its last
	Language      string // code, "" on a site without languages
	Op            string
	Before, After string // status; "" for terms and where there is none

	Terms []int64 // ids of the terms that lost or gained the item, in order; of a term none
}

// Note records changes of posts, with which hooks are called once they are committed.
// A post that is to be forgotten must still be there, for its language.
func (s *Service) Note(ctx context.Context, changes ...Change) error {
	if s.Changed == nil || len(changes) == 0 {
		return nil
	}
	if s.Languages != nil && !s.NoLanguages {
		ids := make([]int64, len(changes))
		for i, c := range changes {
			ids[i] = c.ID
		}
		known, err := s.Store.Translations.Groups(ctx, ids, nil)
		if err != nil {
			return err
		}
		for i, c := range changes {
			if t := s.Types.Named(c.Kind); t != nil && s.Languages.Translated(ctx, t.PostType) {
				changes[i].Language = s.Languages.Of(known.Posts[c.ID])
			}
		}
	}
	s.record(ctx, changes)
	return nil
}

// NoteTerm is Note for a term.
func (s *Service) NoteTerm(ctx context.Context, t *store.TaxonomyTerm, c Change) error {
	if s.Changed == nil {
		return nil
	}
	c.ID, c.Slug = t.ID, t.Slug
	if s.Languages.Translated(ctx, t.Taxonomy) && !s.NoLanguages {
		known, err := s.Store.Translations.Groups(ctx, nil, []*store.TaxonomyTerm{t})
		if err != nil {
			return err
		}
		c.Language = s.Languages.Of(known.Terms[t.TaxonomyID])
	}
	s.record(ctx, []Change{c})
	return nil
}

// record adds changes to the write of a context, with their caller.
func (s *Service) record(ctx context.Context, changes []Change) {
	if u := s.unitOf(ctx); u != nil {
		u.noted = append(u.noted, noted{caller.From(ctx), changes})
	}
}

// withTerms names the terms of taxonomy rows in a change, if anybody is called with it.
func (s *Service) withTerms(ctx context.Context, c Change, rows []int64) (Change, error) {
	if s.Changed == nil || len(rows) == 0 {
		return c, nil
	}
	places, err := s.Store.Terms.Places(ctx, rows)
	for _, p := range places {
		c.Terms = append(c.Terms, p.ID)
	}
	slices.Sort(c.Terms)
	c.Terms = slices.Compact(c.Terms)
	return c, err
}

// noteEdit is Note for the post of an edit, and the terms that lost or gained it.
func (s *Service) noteEdit(ctx context.Context, d *Edit, op, before string, terms []int64) error {
	c, err := s.withTerms(ctx, s.change(d, op, before), terms)
	if err != nil {
		return err
	}
	return s.Note(ctx, c)
}

// change returns what was done to the post of an edit.
func (s *Service) change(d *Edit, op, before string) Change {
	return Change{Kind: s.Types.Of(d.Row.Type).Collection, ID: d.Row.ID, Slug: d.Row.Name, Op: op, Before: before, After: d.Row.Status}
}
