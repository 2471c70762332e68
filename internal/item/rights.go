package item

import (
	"context"

	"github.com/agendahq/agenda/internal/apierror"
	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/schema"
)

// MayUpdate reports whether the caller may update the post that the path names.
func (s *Service) MayUpdate(ctx context.Context, c *call.Call, postType string) (bool, error) {
	return s.mayChange(ctx, c, postType, "edit_", site.CanEdit)
}

// MayDelete reports whether the caller may delete the post that the path names.
func (s *Service) MayDelete(ctx context.Context, c *call.Call, postType string) (bool, error) {
	return s.mayChange(ctx, c, postType, "delete_", site.CanDelete)
}

// mayChange checks the caller's right to the post that the path names, by the capabilities for its actual type. For a post
// that does not exist it reports whether the caller might change any post.
func (s *Service) mayChange(ctx context.Context, c *call.Call, postType, verb string, may func(caller.Principal, site.Object) bool) (bool,
	error) {
	o, known := c.Target.(*site.Object)
	if !known { // it is read once per call
		var err error
		if o, err = s.target(ctx, c, postType); err != nil {
			return false, err
		}
		c.Target = o
	}
	if o == nil {
		return c.Principal.Can(verb + content.Family(postType)), nil
	}
	return may(c.Principal, *o), nil
}

// target returns the state of the post in the path that rights depend on, nil if there is no such post.
func (s *Service) target(ctx context.Context, c *call.Call, postType string) (*site.Object, error) {
	id := int64(0)
	if raw, ok := c.Path.Get("id"); ok {
		number, _ := param.Integer(raw)
		var err error
		if id, err = s.EventOf(ctx, number); err != nil {
			return nil, err
		}
	} else if raw, ok := c.Path.Get("slug"); ok {
		slug, _ := raw.(string)
		p, err := s.Content.Slugs.FindSlugToWrite(ctx, postType, slug)
		if err != nil || p == nil {
			return nil, err
		}
		return s.targetOf(ctx, store.PostAccess{ID: p.ID, Author: p.Author, Status: p.Status, Type: p.Type})
	}
	found, err := s.Content.Store.Posts.Access(ctx, []int64{id})
	a, exists := found[id]
	if err != nil || !exists {
		return nil, err
	}
	return s.targetOf(ctx, a)
}

// targetOf returns the target for a post. For a post in the trash it reads the previous status, which the rights of its
// author depend on.
func (s *Service) targetOf(ctx context.Context, a store.PostAccess) (*site.Object, error) {
	o := &site.Object{Author: a.Author, Status: a.Status, Family: content.Family(a.Type)}
	if a.Status == schema.StatusTrash {
		trashed, err := s.Content.Store.Posts.Content(ctx, store.ContentQuery{IDs: []int64{a.ID}, NoRows: true,
			Keys: []string{schema.MetaTrashStatus}})
		if err != nil {
			return nil, err
		}
		o.TrashedFrom = trashed.Meta[a.ID].Text(schema.MetaTrashStatus)
	}
	return o, nil
}

// SetTarget records the state of a post after a write, which later checks of rights depend on.
func SetTarget(c *call.Call, d *content.Edit) {
	if d.Row.Status == "" { // it was deleted
		c.Target = (*site.Object)(nil)
		return
	}
	c.Target = &site.Object{Author: d.Row.Author, Status: d.Row.Status, Family: content.Family(d.Row.Type),
		TrashedFrom: d.Text(schema.MetaTrashStatus)}
}

// ErrContext rejects context=edit for callers who may not edit.
var ErrContext = apierror.New(apierror.Forbidden, "rest_forbidden_context", "error_forbidden_context")

// CheckContext rejects context=edit on a single post for callers who may not edit it. It records the post as the target
// of the call.
func (s *Service) CheckContext(ctx context.Context, c *call.Call, p *store.Post) error {
	if p.Status != schema.StatusTrash { // rights to posts in the trash depend on more than the row
		o := content.ObjectOf(p)
		c.Target = &o
	}
	if Editing(c) && !content.CanEdit(ctx, p) {
		return ErrContext
	}
	return nil
}
