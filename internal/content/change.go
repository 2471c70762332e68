package content

import (
	"context"

	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/store/langstore"
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

// Changes records what a write does to each item. After the commit, Run passes that to Config.Changed, which calls the
// hooks of hosts and the journal.
type Changes struct {
	store        *store.Store
	types        Types
	languages    *Languages // nil for none, and if nothing needs the languages of items
	translations *langstore.Translations
	wanted       bool // whether there is a Config.Changed
}

// RecordChanges records changes of posts, which are passed to the hooks once they are committed. The row of a post that is being
// deleted must still exist, because its language is read.
func (r *Changes) RecordChanges(ctx context.Context, changes ...Change) error {
	if !r.wanted || len(changes) == 0 {
		return nil
	}
	if r.languages != nil {
		ids := make([]int64, len(changes))
		for i, c := range changes {
			ids[i] = c.ID
		}
		known, err := r.translations.Groups(ctx, ids, nil)
		if err != nil {
			return err
		}
		for i, c := range changes {
			if t := r.types.Named(c.Kind); t != nil && r.languages.Translated(ctx, t.PostType) {
				changes[i].Language = r.languages.ForGroup(known.Posts[c.ID])
			}
		}
	}
	r.record(ctx, changes)
	return nil
}

// NoteTerm is RecordChanges for a term.
func (r *Changes) NoteTerm(ctx context.Context, t *store.TaxonomyTerm, c Change) error {
	if !r.wanted {
		return nil
	}
	c.ID, c.Slug = t.ID, t.Slug
	if r.languages.Translated(ctx, t.Taxonomy) {
		known, err := r.translations.Groups(ctx, nil, []*store.TaxonomyTerm{t})
		if err != nil {
			return err
		}
		c.Language = r.languages.ForGroup(known.Terms[t.TaxonomyID])
	}
	r.record(ctx, []Change{c})
	return nil
}

// record adds changes and the caller who made them to the write of ctx.
func (r *Changes) record(ctx context.Context, changes []Change) {
	if u := unitOf(ctx, r.store); u != nil {
		u.noted = append(u.noted, noted{caller.From(ctx), changes})
	}
}

// noteEdit is RecordChanges for the post of an edit, with the terms of the term_taxonomy rows that change with it.
func (r *Changes) noteEdit(ctx context.Context, d *Edit, op, before string, rows []int64) error {
	c := r.change(d, op, before)
	if r.wanted && len(rows) > 0 {
		places, err := r.store.Terms.Places(ctx, rows)
		if err != nil {
			return err
		}
		for _, p := range places {
			c.Terms = append(c.Terms, p.ID)
		}
		c.Terms = store.Distinct(c.Terms)
	}
	return r.RecordChanges(ctx, c)
}

// change returns the Change that an edit makes.
func (r *Changes) change(d *Edit, op, before string) Change {
	return Change{Kind: r.types.ForPostType(d.Row.Type).Collection, ID: d.Row.ID, Slug: d.Row.Name, Op: op, Before: before,
		After: d.Row.Status}
}
