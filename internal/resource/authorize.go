package resource

import (
	"context"
	"net/http"

	"github.com/agendahq/agenda/internal/apierror"
	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/schema"
)

// target is the stored post that a request is about.
type target struct {
	object site.Object
	none   bool
}

// PermitsCreate permits who may create posts of a type.
func (s *Service) PermitsCreate(postType string) func(caller.Principal) bool {
	family := content.Family(postType)
	return func(p caller.Principal) bool { return p.Can("edit_" + family) }
}

// RestrictUpdate limits an operation to callers who may update the post of the path.
func (s *Service) RestrictUpdate(o *rest.Operation, postType string) {
	family := content.Family(postType)
	o.Permits = func(p caller.Principal) bool { return site.EditsAny(p, family) }
	o.Authorize = s.authorizeItem(postType, "edit_", site.CanEdit)
}

// RestrictDelete limits an operation to callers who may delete the post of the path.
func (s *Service) RestrictDelete(o *rest.Operation, postType string) {
	family := content.Family(postType)
	o.Permits = func(p caller.Principal) bool { return site.DeletesAny(p, family) }
	o.Authorize = s.authorizeItem(postType, "delete_", site.CanDelete)
}

// authorize is the function by which an Operation decides on a request.
type authorize = func(context.Context, *rest.Request) (bool, error)

// authorizeItem decides on the post of the path, by the rights to its own type. For a post that
// does not exist it checks whether the caller might change any.
func (s *Service) authorizeItem(postType, verb string, may func(caller.Principal, site.Object) bool) authorize {
	return func(ctx context.Context, r *rest.Request) (bool, error) {
		t, err := s.target(ctx, r, postType)
		if err != nil {
			return false, err
		}
		if t.none {
			return r.Principal.Can(verb + content.Family(postType)), nil
		}
		return may(r.Principal, t.object), nil
	}
}

// target returns what rights on the post of the path depend on. It reads it once.
func (s *Service) target(ctx context.Context, r *rest.Request, postType string) (*target, error) {
	if t, ok := r.Target.(*target); ok {
		return t, nil
	}
	id := int64(0)
	if raw, ok := r.Path.Get("id"); ok {
		id, _ = param.Integer(raw)
	} else if raw, ok := r.Path.Get("slug"); ok {
		slug, _ := raw.(string)
		p, err := s.FindSlugToWrite(ctx, postType, slug)
		if err != nil {
			return nil, err
		}
		if p == nil {
			return found(r, &target{none: true}), nil
		}
		return s.targetOf(ctx, r, store.PostAccess{ID: p.ID, Author: p.Author, Status: p.Status, Type: p.Type})
	}
	authors, err := s.Store.Posts.Access(ctx, []int64{id})
	if err != nil {
		return nil, err
	}
	a, exists := authors[id]
	if !exists {
		return found(r, &target{none: true}), nil
	}
	return s.targetOf(ctx, r, a)
}

// targetOf reads where a post in the trash came from, on which its author's rights
// depend.
func (s *Service) targetOf(ctx context.Context, r *rest.Request, a store.PostAccess) (*target, error) {
	t := &target{object: site.Object{Author: a.Author, Status: a.Status, Family: content.Family(a.Type)}}
	if a.Status == schema.StatusTrash {
		trashed, err := s.Store.Posts.Content(ctx, store.ContentQuery{IDs: []int64{a.ID}, NoRows: true, Keys: []string{schema.MetaTrashStatus}})
		if err != nil {
			return nil, err
		}
		t.object.TrashedFrom = trashed.Meta[a.ID].Text(schema.MetaTrashStatus)
	}
	return found(r, t), nil
}

func found(r *rest.Request, t *target) *target {
	r.Target = t
	return t
}

// SetTarget records the new state of the post of a write, for the methods that its
// answer allows.
func (s *Service) SetTarget(r *rest.Request, d *content.Edit) {
	if d.Row.Status == "" {
		r.Target = &target{none: true}
		return
	}
	o := site.Object{Author: d.Row.Author, Status: d.Row.Status, Family: content.Family(d.Row.Type),
		TrashedFrom: d.Text(schema.MetaTrashStatus)}
	r.Target = &target{object: o}
}

// errContext refuses context=edit to callers who may not edit.
var errContext = apierror.New(http.StatusForbidden, "rest_forbidden_context", "error_forbidden_context")

// CheckContext refuses context=edit on a single post without the right to edit. It
// records the post as the target of the request.
func (s *Service) CheckContext(ctx context.Context, r *rest.Request, p *store.Post) error {
	if p.Status != schema.StatusTrash { // rights on posts in the trash depend on more
		r.Target = &target{object: s.ObjectOf(p)}
	}
	if Editing(r) && !s.CanEdit(ctx, p) {
		return errContext
	}
	return nil
}
