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

// Edit is a change of a post: its new row and meta rows. Save writes what differs from the stored ones.
type Edit struct {
	Row    schema.Post
	Stored *schema.Post // nil for a new post
	Origin *Origin      // of an imported item, otherwise nil
	Dates  Dates        // of an event, except its main date

	metas []*schema.PostMeta  // stored, by id
	want  map[string][]string // new values by key, in their stored form
	order []string            // the keys of want in the order of the calls of Set
	terms map[string][]int64  // term_taxonomy_ids by taxonomy

	moved     bool // the request contained a date
	statusSet bool // the request contained a status
	toTrash   bool
	slugSet   bool
	image     *ImageField
	imageAlt  *string // the new alternative text of the image
	described bool    // whether the alternative text differs from the stored one
	versionOf *int64  // the post whose translation it becomes; 0 for none, nil for no change
	joined    bool    // whether its translation group has changed

	storedDates *store.Dates // nil if not read yet
	plan        *datesPlan   // nil if no date changes
}

// origin names this program in new posts.
const origin = "events-calendar"

// Create returns an edit of a new post by the caller. Only events may have comments.
func (s *Service) Create(ctx context.Context, t *Storage) *Edit {
	comments := "closed"
	if t.PostType == s.Types.Events().PostType {
		comments = site.From(ctx).CommentStatus
	}
	e := &Edit{Row: schema.Post{Author: caller.From(ctx).UserID, Type: t.PostType, CommentStatus: comments, PingStatus: "closed"}}
	e.Set(t.Origin, origin)
	return e
}

// Open locks a post and returns an edit of it, nil if it does not exist.
func (s *Service) Open(ctx context.Context, id int64) (*Edit, error) {
	return openPost(ctx, s.Store.Posts, id)
}

func openPost(ctx context.Context, posts *store.Posts, id int64) (*Edit, error) {
	row, err := posts.Lock(ctx, id)
	if err != nil || row == nil {
		return nil, err
	}
	d := &Edit{Row: *row, Stored: row}
	d.metas, err = posts.MetaRows(ctx, []int64{id})
	return d, err
}

// EditOf returns an edit of a post that is not locked. It serves to compare and must not be saved.
func EditOf(row schema.Post, metas []*schema.PostMeta) *Edit {
	return &Edit{Row: row, Stored: &row, metas: metas}
}

// Unchanged reports whether everything that was set in the edit equals what is stored.
func (e *Edit) Unchanged() bool {
	columns, _ := e.columns()
	_, keys := e.metaChange()
	return len(columns)+len(keys) == 0 && !e.toTrash && e.image.isOf(e) && e.imageAlt == nil && e.versionOf == nil
}

// Describe sets the alternative text of the image that the post will have.
func (e *Edit) Describe(text string) { e.imageAlt = &text }

// New reports whether the post is not stored yet.
func (e *Edit) New() bool { return e.Stored == nil }

// Op returns the operation that Save will make of the edit.
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

// StoredMeta returns all stored meta rows in the form in which reads load them.
func (e *Edit) StoredMeta() store.Meta {
	all := store.Meta{}
	for _, m := range e.metas {
		all[m.Key] = append(all[m.Key], phpval.TextOf(m.Value))
	}
	return all
}

// Size returns how many bytes the texts of the post have at most, stored and new ones together.
func (e *Edit) Size() int64 {
	n := len(e.Row.Title) + len(e.Row.Content) + len(e.Row.Excerpt)
	for _, m := range e.metas {
		n += len(m.Value)
	}
	for _, values := range e.want {
		for _, v := range values {
			n += len(v)
		}
	}
	return int64(n)
}

// Text returns the first new value of a key, "" if there is none.
func (e *Edit) Text(key string) string {
	if v := e.Meta(key); len(v) > 0 {
		return v[0]
	}
	return ""
}

// Has reports whether a key has a new value.
func (e *Edit) Has(key string) bool { return len(e.Meta(key)) > 0 }

// Set sets the values of a key, one row for each text; without texts the key is removed. A text that looks like
// serialized data is stored so that other programs read it as plain text.
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

// arrange sorts the keys that were set by the type's order of rows. Keys that the type does not name come last.
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

// metaChange compares the keys that were set with the stored rows. A single value is updated in place; several rows are
// replaced together, because their order matters. changed are the keys that differ.
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

// StoredRow returns the stored row in the form in which reads load it.
func (e *Edit) StoredRow() *store.Post { return loaded(e.Stored) }

// NewRow returns the row after the edit in the form in which reads load it.
func (e *Edit) NewRow() *store.Post { return loaded(&e.Row) }

// NewMeta returns all meta rows after the edit in the form in which reads load them.
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
