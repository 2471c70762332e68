package content

import (
	"context"
	"fmt"

	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/schema"
)

// History records how a post came to be what it is: when each of its fields changed last, which The Events Calendar
// reads, and its texts at each save, which are the revisions of WordPress.
type History struct {
	store *store.Store
	clock Clock
}

// modifiedFields updates the list of the times at which fields were last changed, which The Events Calendar keeps for
// each post.
func (h *History) modifiedFields(ctx context.Context, d *Edit, taxonomies []string, names ...string) string {
	return h.MarkModified(ctx, d.Text(schema.MetaModifiedFields), taxonomies, names...)
}

// MarkModified records in a stored list that fields change now, in the order of their first change. Times are seconds
// on the site's clock, for terms in UTC. A value that is not a list is replaced.
func (h *History) MarkModified(ctx context.Context, stored string, taxonomies []string, names ...string) string {
	list := &phpval.Array{}
	if v, err := phpval.Unserialize(stored); err == nil {
		if a, ok := v.(*phpval.Array); ok {
			list = a
		}
	}
	now := h.clock.Moment(ctx)
	_, offset := now.In(site.From(ctx).Location).Zone()
	for _, name := range taxonomies {
		list.Set(phpval.StrKey(name), now.Unix())
	}
	for _, name := range names {
		if name != schema.MetaModifiedFields && name != "_edit_lock" {
			list.Set(phpval.StrKey(name), now.Unix()+int64(offset))
		}
	}
	return phpval.Serialize(list)
}

// revise adds a revision with the post's texts, unless the newest revision contains the same texts.
func (h *History) revise(ctx context.Context, d *Edit) error {
	last, err := h.store.Posts.LastRevision(ctx, d.Row.ID)
	p := &d.Row
	if err != nil || last != nil && last.Title == p.Title && last.Content == p.Content && last.Excerpt == p.Excerpt {
		return err
	}
	copied := &schema.Post{
		Author: caller.From(ctx).UserID, Date: p.Modified, DateGMT: p.ModifiedGMT, Modified: p.Modified, ModifiedGMT: p.ModifiedGMT,
		Title: p.Title, Content: p.Content, Excerpt: p.Excerpt, Status: schema.StatusInherit, Type: schema.TypeRevision,
		CommentStatus: "closed", PingStatus: "closed", Name: fmt.Sprintf("%d-revision-v1", p.ID), Parent: p.ID,
	}
	if err := insertPost(ctx, h.store, copied); err != nil {
		return err
	}
	copied.GUID = fmt.Sprintf("%s/?p=%d", site.From(ctx).Home, copied.ID)
	return h.store.Posts.Update(ctx, copied, "guid")
}
