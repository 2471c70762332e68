package post

import (
	"context"

	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/schema"
)

// MayRead tells whether the caller may read a post. Nobody reads an event in
// the trash.
func (e *Service) MayRead(ctx context.Context, p *store.Post) bool {
	if p.Type == e.Types.Events().PostType && p.Status == schema.StatusTrash {
		return false
	}
	c := caller.From(ctx)
	return site.CanRead(c, e.object(p))
}

// MayEdit tells whether the caller may change a post.
func (e *Service) MayEdit(ctx context.Context, p *store.Post) bool {
	c := caller.From(ctx)
	return site.CanEdit(c, e.object(p))
}

// EditsAll tells whether the caller may change everybody's posts of a type.
func (e *Service) EditsAll(ctx context.Context, postType string) bool {
	return caller.From(ctx).Can("edit_others_" + Family(postType))
}

// CanPublish tells whether the caller may publish posts of any kind: the right
// to publish events is what counts.
func (e *Service) CanPublish(ctx context.Context) bool {
	return caller.From(ctx).Can("publish_" + Family(e.Types.Events().PostType))
}

func (e *Service) object(p *store.Post) site.Object {
	return site.Object{Author: p.Author, Status: p.Status, Family: Family(p.Type)}
}

// Object is what rights on the post are decided on, as it is stored.
func (e *Service) Object(d *Draft) site.Object {
	p := d.Stored
	if p == nil {
		p = &d.Row
	}
	o := site.Object{Author: p.Author, Status: p.Status, Family: Family(p.Type)}
	if trashedFrom := d.stored(schema.MetaTrashStatus); len(trashedFrom) > 0 {
		o.TrashedFrom = trashedFrom[0]
	}
	return o
}

func (e *Service) readable(ctx context.Context, a store.Author) bool {
	p := &store.Post{Author: a.Author, Status: a.Status, Type: a.Type}
	return e.MayRead(ctx, p) && (!a.Protected || e.MayEdit(ctx, p))
}

func (e *Service) editsKind(ctx context.Context, postType string) bool {
	return caller.From(ctx).Can("edit_" + Family(postType))
}

// VisibleIn narrows states to what the caller may read: everybody's posts in
// some of them, only the caller's own in others.
func (e *Service) VisibleIn(ctx context.Context, postType string, statuses []string) store.Visible {
	c := caller.From(ctx)
	v := store.Visible{Author: c.UserID}
	for _, s := range statuses {
		o := site.Object{Status: s, Family: Family(postType)}
		if site.CanRead(c, o) {
			v.Statuses = append(v.Statuses, s)
		}
		o.Author = c.UserID
		if c.UserID != 0 && site.CanRead(c, o) && !(postType == e.Types.Events().PostType && s == schema.StatusTrash) {
			v.OwnStatuses = append(v.OwnStatuses, s)
		}
	}
	return v
}
