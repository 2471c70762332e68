package content

import (
	"cmp"
	"context"

	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/schema"
)

// CanRead reports whether the caller may read a post. Nobody may read an event in the trash.
func (t Types) CanRead(ctx context.Context, p *store.Post) bool {
	if p.Type == t.Events().PostType && p.Status == schema.StatusTrash {
		return false
	}
	c := caller.From(ctx)
	if len(site.From(ctx).Restricted) > 0 && site.From(ctx).Restricts(c, p.ID) && !EditsAll(ctx, p.Type) {
		return false
	}
	return site.CanRead(c, ObjectOf(p))
}

// CanEdit reports whether the caller may change a post.
func CanEdit(ctx context.Context, p *store.Post) bool {
	return site.CanEdit(caller.From(ctx), ObjectOf(p))
}

// EditsAll reports whether the caller may change other users' posts of a type.
func EditsAll(ctx context.Context, postType string) bool {
	return caller.From(ctx).Can("edit_others_" + Family(postType))
}

// CanPublish reports whether the caller may publish posts. For all types that is the right to publish events.
func (t Types) CanPublish(ctx context.Context) bool {
	return caller.From(ctx).Can("publish_" + Family(t.Events().PostType))
}

// AllRights returns the capabilities that decide about posts of some types, terms, images and texts.
func AllRights(types Types) []string {
	rights := []string{"read", "edit_posts", "edit_others_posts", "upload_files", "manage_categories", "unfiltered_html", "edit_css"}
	for _, t := range types {
		for _, verb := range []string{
			"edit_", "publish_", "delete_", "edit_others_", "delete_others_", "edit_published_", "delete_published_", "read_private_",
			"edit_private_", "delete_private_",
		} {
			rights = append(rights, verb+Family(t.PostType))
		}
	}
	return rights
}

// ObjectOf returns the properties of a post on which rights depend, as far as its row contains them.
func ObjectOf(p *store.Post) site.Object {
	return site.Object{Author: p.Author, Status: p.Status, Family: Family(p.Type)}
}

// Object returns the properties of the stored post on which rights depend.
func (e *Edit) Object() site.Object {
	p := cmp.Or(e.Stored, &e.Row)
	o := ObjectOf(&store.Post{Author: p.Author, Status: p.Status, Type: p.Type})
	if trashedFrom := e.stored(schema.MetaTrashStatus); len(trashedFrom) > 0 {
		o.TrashedFrom = trashedFrom[0]
	}
	return o
}

// CanOpen reports whether the caller may read a post including what its password protects.
func (t Types) CanOpen(ctx context.Context, a store.PostAccess) bool {
	p := &store.Post{ID: a.ID, Author: a.Author, Status: a.Status, Type: a.Type}
	return t.CanRead(ctx, p) && (!a.Protected || CanEdit(ctx, p))
}

// EditsType reports whether the caller may change posts of a type, if only their own.
func EditsType(ctx context.Context, postType string) bool {
	return caller.From(ctx).Can("edit_" + Family(postType))
}

// VisibleIn returns which posts with some statuses the caller may read: all of them for some statuses, only the
// caller's own for others.
func (t Types) VisibleIn(ctx context.Context, postType string, statuses []string) store.Visible {
	c := caller.From(ctx)
	v := store.Visible{Author: c.UserID}
	if !EditsAll(ctx, postType) {
		v.Except = site.From(ctx).RestrictedTo(c)
	}
	for _, status := range statuses {
		o := site.Object{Status: status, Family: Family(postType)}
		if site.CanRead(c, o) {
			v.Statuses = append(v.Statuses, status)
		}
		o.Author = c.UserID
		if c.UserID != 0 && site.CanRead(c, o) && !(postType == t.Events().PostType && status == schema.StatusTrash) {
			v.OwnStatuses = append(v.OwnStatuses, status)
		}
	}
	return v
}
