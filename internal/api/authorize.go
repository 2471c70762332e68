package api

import (
	"context"

	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/site"
)

// authorize is the function by which an Operation decides on a request.
type authorize = func(context.Context, *rest.Request) (bool, error)

// permitsCreate permits who may create posts of a type.
func permitsCreate(postType string) func(caller.Principal) bool {
	family := content.Family(postType)
	return func(p caller.Principal) bool { return p.Can("edit_" + family) }
}

// restrictUpdate limits an operation to callers who may update the post of the path.
func (a *Adapter) restrictUpdate(o *rest.Operation, postType string) {
	family := content.Family(postType)
	o.Permits = func(p caller.Principal) bool { return site.EditsAny(p, family) }
	o.Authorize = func(ctx context.Context, r *rest.Request) (bool, error) {
		return a.Service.MayUpdate(ctx, &r.Call, postType)
	}
}

// restrictDelete limits an operation to callers who may delete the post of the path.
func (a *Adapter) restrictDelete(o *rest.Operation, postType string) {
	family := content.Family(postType)
	o.Permits = func(p caller.Principal) bool { return site.DeletesAny(p, family) }
	o.Authorize = func(ctx context.Context, r *rest.Request) (bool, error) {
		return a.Service.MayDelete(ctx, &r.Call, postType)
	}
}
