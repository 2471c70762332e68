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

// target is the state of the post that a call refers to.
type target struct {
	object site.Object
	none   bool
}

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
	t, err := s.target(ctx, c, postType)
	if err != nil {
		return false, err
	}
	if t.none {
		return c.Principal.Can(verb + content.Family(postType)), nil
	}
	return may(c.Principal, t.object), nil
}

// target returns the state of the post in the path that rights depend on. It is read once per call.
func (s *Service) target(ctx context.Context, c *call.Call, postType string) (*target, error) {
	if t, ok := c.Target.(*target); ok {
		return t, nil
	}
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
		if err != nil {
			return nil, err
		}
		if p == nil {
			return found(c, &target{none: true}), nil
		}
		return s.targetOf(ctx, c, store.PostAccess{ID: p.ID, Author: p.Author, Status: p.Status, Type: p.Type})
	}
	authors, err := s.Content.Store.Posts.Access(ctx, []int64{id})
	if err != nil {
		return nil, err
	}
	a, exists := authors[id]
	if !exists {
		return found(c, &target{none: true}), nil
	}
	return s.targetOf(ctx, c, a)
}

// targetOf returns the target for a post. For a post in the trash it reads the previous status, which the rights of its
// author depend on.
func (s *Service) targetOf(ctx context.Context, c *call.Call, a store.PostAccess) (*target, error) {
	t := &target{object: site.Object{Author: a.Author, Status: a.Status, Family: content.Family(a.Type)}}
	if a.Status == schema.StatusTrash {
		trashed, err := s.Content.Store.Posts.Content(ctx, store.ContentQuery{IDs: []int64{a.ID}, NoRows: true,
			Keys: []string{schema.MetaTrashStatus}})
		if err != nil {
			return nil, err
		}
		t.object.TrashedFrom = trashed.Meta[a.ID].Text(schema.MetaTrashStatus)
	}
	return found(c, t), nil
}

func found(c *call.Call, t *target) *target {
	c.Target = t
	return t
}

// SetTarget records the state of a post after a write, which later checks of rights depend on.
func SetTarget(c *call.Call, d *content.Edit) {
	if d.Row.Status == "" {
		c.Target = &target{none: true}
		return
	}
	o := site.Object{Author: d.Row.Author, Status: d.Row.Status, Family: content.Family(d.Row.Type),
		TrashedFrom: d.Text(schema.MetaTrashStatus)}
	c.Target = &target{object: o}
}

// ErrContext rejects context=edit for callers who may not edit.
var ErrContext = apierror.New(apierror.Forbidden, "rest_forbidden_context", "error_forbidden_context")

// CheckContext rejects context=edit on a single post for callers who may not edit it. It records the post as the target
// of the call.
func (s *Service) CheckContext(ctx context.Context, c *call.Call, p *store.Post) error {
	if p.Status != schema.StatusTrash { // rights to posts in the trash depend on more than the row
		c.Target = &target{object: content.ObjectOf(p)}
	}
	if Editing(c) && !content.CanEdit(ctx, p) {
		return ErrContext
	}
	return nil
}
