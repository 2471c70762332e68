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
	OpDelete = "delete" // permanently

	// OpRestore applies to requests only: the change that it leads to is an OpUpdate.
	OpRestore = "restore" // out of the trash
)

// Change is what a write did to one item.
type Change struct {
	Kind          string // collection: "events", "venues", "tags" …
	ID            int64
	Slug          string // the current one; of a deleted item the last one
	Language      string // code, "" on a site without languages
	Op            string
	Before, After string // statuses; "" for terms, and before creation or after deletion

	Terms []int64 // ids of the terms that were added to or removed from the item, sorted; none if the item is a term
}

// RecordChanges records changes of posts, which are passed to the hooks once they are committed. The row of a post that is being
// deleted must still exist, because its language is read.
func (s *Service) RecordChanges(ctx context.Context, changes ...Change) error {
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
				changes[i].Language = s.Languages.ForGroup(known.Posts[c.ID])
			}
		}
	}
	s.record(ctx, changes)
	return nil
}

// NoteTerm is RecordChanges for a term.
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
		c.Language = s.Languages.ForGroup(known.Terms[t.TaxonomyID])
	}
	s.record(ctx, []Change{c})
	return nil
}

// record adds changes and the caller who made them to the write of ctx.
func (s *Service) record(ctx context.Context, changes []Change) {
	if u := unitOf(ctx, s.Store); u != nil {
		u.noted = append(u.noted, noted{caller.From(ctx), changes})
	}
}

// withTerms adds to a change the ids of the terms of some term_taxonomy rows. It does nothing if there is no hook.
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

// noteEdit is RecordChanges for the post of an edit, with the terms that were added or removed.
func (s *Service) noteEdit(ctx context.Context, d *Edit, op, before string, terms []int64) error {
	c, err := s.withTerms(ctx, s.change(d, op, before), terms)
	if err != nil {
		return err
	}
	return s.RecordChanges(ctx, c)
}

// change returns the Change that an edit makes.
func (s *Service) change(d *Edit, op, before string) Change {
	return Change{Kind: s.Types.ForPostType(d.Row.Type).Collection, ID: d.Row.ID, Slug: d.Row.Name, Op: op, Before: before,
		After: d.Row.Status}
}
