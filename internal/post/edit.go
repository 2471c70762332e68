package post

import (
	"context"
	"slices"

	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/schema"
)

// Draft is a post on its way into the database: its row and its meta rows as
// they shall be. Save writes what differs from what is stored.
type Draft struct {
	Row    schema.Post
	Stored *schema.Post // nil for a new post

	metas []*schema.PostMeta  // stored, by id
	want  map[string][]string // values of the keys that were set, as they are stored
	order []string            // those keys, first set first
	terms map[string][]int64  // by taxonomy, the ids of the taxonomy's rows

	moved     bool // a date was given
	statusSet bool // a status was given
	toTrash   bool
	slugSet   bool
	image     *ImageField
}

// Create returns a new post of the caller. Only events may take comments.
func (e *Service) Create(ctx context.Context, postType string) *Draft {
	comments := "closed"
	if postType == e.Types.Events().PostType {
		comments = site.From(ctx).CommentStatus
	}
	return &Draft{Row: schema.Post{Author: caller.From(ctx).UserID, Type: postType, CommentStatus: comments, PingStatus: "closed"}}
}

// Open locks a post and returns it with its meta rows, nil if there is none.
func (e *Service) Open(ctx context.Context, id int64) (*Draft, error) {
	row, err := e.Store.LockPost(ctx, id)
	if err != nil || row == nil {
		return nil, err
	}
	d := &Draft{Row: *row, Stored: row}
	d.metas, err = e.Store.MetaRows(ctx, id)
	return d, err
}

// New tells whether the post is not stored yet.
func (d *Draft) New() bool { return d.Stored == nil }

// Meta returns the values of a key as they shall be: texts, and lists in their
// serialized form.
func (d *Draft) Meta(key string) []string {
	rows, set := d.want[key]
	if !set {
		rows = d.stored(key)
	}
	values := make([]string, len(rows))
	for i, v := range rows {
		values[i] = phpval.TextOf(v)
	}
	return values
}

// stored are the values of a key as they stand in its rows.
func (d *Draft) stored(key string) []string {
	var values []string
	for _, m := range d.metas {
		if m.Key == key {
			values = append(values, m.Value)
		}
	}
	return values
}

// StoredMeta returns all stored meta rows in the form that reads load.
func (d *Draft) StoredMeta() store.Meta {
	all := store.Meta{}
	for _, m := range d.metas {
		all[m.Key] = append(all[m.Key], phpval.TextOf(m.Value))
	}
	return all
}

// Text returns the first value of a key as it shall be, "" without one.
func (d *Draft) Text(key string) string {
	if v := d.Meta(key); len(v) > 0 {
		return v[0]
	}
	return ""
}

// Has tells whether a key shall have a value.
func (d *Draft) Has(key string) bool { return len(d.Meta(key)) > 0 }

// Set says what texts a key shall have, one row each; none removes it. Nobody
// can have other programs read one as anything but a text.
func (d *Draft) Set(key string, texts ...string) {
	rows := make([]string, len(texts))
	for i, text := range texts {
		rows[i] = phpval.StoredText(text)
	}
	d.setRows(key, rows...)
}

// setRows is Set with values in their stored form.
func (d *Draft) setRows(key string, values ...string) {
	if _, set := d.want[key]; !set {
		d.order = append(d.order, key)
	}
	if d.want == nil {
		d.want = map[string][]string{}
	}
	d.want[key] = values
}

// SetTerms says which terms of a taxonomy the post shall have, by the ids of
// their rows in term_taxonomy.
func (d *Draft) SetTerms(taxonomy string, ids []int64) {
	if d.terms == nil {
		d.terms = map[string][]int64{}
	}
	d.terms[taxonomy] = ids
}

// metaChange compares the keys that were set with what is stored. A single
// value is written into its row; several rows are replaced together, since
// their order counts. changed are the keys that differ.
func (d *Draft) metaChange() (c store.MetaChange, changed []string) {
	for _, key := range d.order {
		want, stored := d.want[key], d.stored(key)
		if slices.Equal(want, stored) {
			continue
		}
		changed = append(changed, key)
		if len(want) == 1 && len(stored) == 1 {
			i := slices.IndexFunc(d.metas, func(m *schema.PostMeta) bool { return m.Key == key })
			row := *d.metas[i]
			row.Value = want[0]
			c.Update = append(c.Update, &row)
			continue
		}
		for _, m := range d.metas {
			if m.Key == key {
				c.Delete = append(c.Delete, m.ID)
			}
		}
		for _, v := range want {
			c.Insert = append(c.Insert, &schema.PostMeta{PostID: d.Row.ID, Key: key, Value: v})
		}
	}
	return c, changed
}

// StoredRow is the stored row of a draft in the form that reads load.
func (d *Draft) StoredRow() *store.Post {
	p := d.Stored
	return &store.Post{
		ID: p.ID, Author: p.Author, Parent: p.Parent, Date: p.Date, DateUTC: p.DateGMT, Modified: p.Modified, ModifiedUTC: p.ModifiedGMT,
		Title: p.Title, Content: p.Content, Excerpt: p.Excerpt, Status: p.Status, Password: p.Password, Name: p.Name,
		Type: p.Type, MimeType: p.MimeType, GUID: p.GUID, MenuOrder: p.MenuOrder,
	}
}
