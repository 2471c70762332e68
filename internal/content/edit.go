package content

import (
	"context"
	"slices"

	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/schema"
)

// Edit is a change of a post: its new row and meta rows. Save writes what differs
// from the stored ones.
type Edit struct {
	Row    schema.Post
	Stored *schema.Post // nil for a new post
	Origin *Origin      // of an imported item, nil for others
	Dates  Dates        // of an event, besides its own

	metas []*schema.PostMeta  // stored, by id
	want  map[string][]string // new values of keys, as they are stored
	order []string            // those keys in the order of their Set
	terms map[string][]int64  // by taxonomy, the ids of the taxonomy's rows

	moved     bool // a date was given
	statusSet bool // a status was given
	toTrash   bool
	slugSet   bool
	image     *ImageField
	imageAlt  *string // what the picture is to be described by
	described bool    // that is another text now

	storedDates *store.Dates // nil: not read yet
	plan        *datesPlan   // nil: no date changes
}

// origin names this program in new posts.
const origin = "events-calendar"

// Create returns an edit of a new post of the caller. Only events may take comments.
func (s *Service) Create(ctx context.Context, t *Type) *Edit {
	comments := "closed"
	if t == s.Types.Events() {
		comments = site.From(ctx).CommentStatus
	}
	e := &Edit{Row: schema.Post{Author: caller.From(ctx).UserID, Type: t.PostType, CommentStatus: comments, PingStatus: "closed"}}
	e.Set(t.Origin, origin)
	return e
}

// Open locks a post and returns an edit of it, nil if there is none.
func (s *Service) Open(ctx context.Context, id int64) (*Edit, error) {
	row, err := s.Store.Posts.Lock(ctx, id)
	if err != nil || row == nil {
		return nil, err
	}
	d := &Edit{Row: *row, Stored: row}
	d.metas, err = s.Store.Posts.MetaRows(ctx, id)
	return d, err
}

// EditOf returns an edit of a post that is not locked, to compare with and not to save.
func EditOf(row schema.Post, metas []*schema.PostMeta) *Edit {
	return &Edit{Row: row, Stored: &row, metas: metas}
}

// Unchanged reports whether all that was put into the edit is what is stored.
func (e *Edit) Unchanged() bool {
	columns, _ := e.columns()
	_, keys := e.metaChange()
	return len(columns)+len(keys) == 0 && !e.toTrash && e.image.isOf(e) && e.imageAlt == nil
}

// Describe sets the alternative text of the picture that the post will have.
func (e *Edit) Describe(text string) { e.imageAlt = &text }

// New reports whether the post is not stored yet.
func (e *Edit) New() bool { return e.Stored == nil }

// Op returns what Save makes of the post.
func (e *Edit) Op() string {
	switch {
	case e.New():
		return OpCreate
	case e.toTrash:
		return OpTrash
	case e.Stored.Status == schema.StatusTrash && e.Row.Status != schema.StatusTrash:
		return OpRestore
	}
	return OpUpdate
}

// Meta returns the new values of a key: texts, and lists in their serialized form.
func (e *Edit) Meta(key string) []string {
	rows, set := e.want[key]
	if !set {
		rows = e.stored(key)
	}
	values := make([]string, len(rows))
	for i, v := range rows {
		values[i] = phpval.TextOf(v)
	}
	return values
}

// stored returns the stored values of a key.
func (e *Edit) stored(key string) []string {
	var values []string
	for _, m := range e.metas {
		if m.Key == key {
			values = append(values, m.Value)
		}
	}
	return values
}

// StoredMeta returns all stored meta rows in the form that reads load.
func (e *Edit) StoredMeta() store.Meta {
	all := store.Meta{}
	for _, m := range e.metas {
		all[m.Key] = append(all[m.Key], phpval.TextOf(m.Value))
	}
	return all
}

// Text returns the first new value of a key, "" without one.
func (e *Edit) Text(key string) string {
	if v := e.Meta(key); len(v) > 0 {
		return v[0]
	}
	return ""
}

// Has reports whether a key has a new value.
func (e *Edit) Has(key string) bool { return len(e.Meta(key)) > 0 }

// Set sets the texts of a key, one row each; none removes it. Other programs read
// them as texts and as nothing else.
func (e *Edit) Set(key string, texts ...string) {
	rows := make([]string, len(texts))
	for i, text := range texts {
		rows[i] = phpval.StoredText(text)
	}
	e.setRows(key, rows...)
}

// setRows is Set with values in their stored form.
func (e *Edit) setRows(key string, values ...string) {
	if _, set := e.want[key]; !set {
		e.order = append(e.order, key)
	}
	if e.want == nil {
		e.want = map[string][]string{}
	}
	e.want[key] = values
}

// arrange sorts the keys that were set by a kind's order of rows. Keys that it does
// not name come last.
func (e *Edit) arrange(rows []string) {
	place := func(key string) int {
		if i := slices.Index(rows, key); i >= 0 {
			return i
		}
		return len(rows)
	}
	slices.SortStableFunc(e.order, func(a, b string) int { return place(a) - place(b) })
}

// SetTerms sets the terms of a taxonomy, by their term_taxonomy_id.
func (e *Edit) SetTerms(taxonomy string, ids []int64) {
	if e.terms == nil {
		e.terms = map[string][]int64{}
	}
	e.terms[taxonomy] = ids
}

// metaChange compares the keys that were set with the stored rows. A single value is
// written into its row; several rows are replaced together, since their order counts.
// changed are the keys that differ.
func (e *Edit) metaChange() (c store.MetaChange, changed []string) {
	for _, key := range e.order {
		want, stored := e.want[key], e.stored(key)
		if slices.Equal(want, stored) {
			continue
		}
		changed = append(changed, key)
		if len(want) == 1 && len(stored) == 1 {
			i := slices.IndexFunc(e.metas, func(m *schema.PostMeta) bool { return m.Key == key })
			row := *e.metas[i]
			row.Value = want[0]
			c.Update = append(c.Update, &row)
			continue
		}
		for _, m := range e.metas {
			if m.Key == key {
				c.Delete = append(c.Delete, m.ID)
			}
		}
		for _, v := range want {
			c.Insert = append(c.Insert, &schema.PostMeta{PostID: e.Row.ID, Key: key, Value: v})
		}
	}
	return c, changed
}

// StoredRow returns the stored row in the form that reads load.
func (e *Edit) StoredRow() *store.Post { return loaded(e.Stored) }

// NewRow returns the row as it will be, in the form that reads load.
func (e *Edit) NewRow() *store.Post { return loaded(&e.Row) }

// NewMeta returns all meta rows as they will be, in the form that reads load.
func (e *Edit) NewMeta() store.Meta {
	all := e.StoredMeta()
	for key := range e.want {
		if all[key] = e.Meta(key); len(all[key]) == 0 {
			delete(all, key)
		}
	}
	return all
}

func loaded(p *schema.Post) *store.Post {
	return &store.Post{
		ID: p.ID, Author: p.Author, Parent: p.Parent, Date: p.Date, DateUTC: p.DateGMT, Modified: p.Modified, ModifiedUTC: p.ModifiedGMT,
		Title: p.Title, Content: p.Content, Excerpt: p.Excerpt, Status: p.Status, Password: p.Password, Name: p.Name,
		Type: p.Type, MimeType: p.MimeType, GUID: p.GUID, MenuOrder: p.MenuOrder,
	}
}
