package api

import (
	"context"

	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/site"
)

// authorize is the type of Operation.Authorize.
type authorize = func(context.Context, *rest.Request) (bool, error)

// permitsCreate returns a function that reports whether a caller may create posts of a type.
func permitsCreate(postType string) func(caller.Principal) bool {
	family := content.Family(postType)
	return func(p caller.Principal) bool { return p.Can("edit_" + family) }
}

// restrictUpdate limits an operation to callers who may update the post that the path names.
func (a *Adapter) restrictUpdate(o *rest.Operation, postType string) {
	family := content.Family(postType)
	o.Permits = func(p caller.Principal) bool { return site.EditsAny(p, family) }
	o.Authorize = func(ctx context.Context, r *rest.Request) (bool, error) {
		return a.Service.MayUpdate(ctx, &r.Call, postType)
	}
}

// restrictDelete limits an operation to callers who may delete the post that the path names.
func (a *Adapter) restrictDelete(o *rest.Operation, postType string) {
	family := content.Family(postType)
	o.Permits = func(p caller.Principal) bool { return site.DeletesAny(p, family) }
	o.Authorize = func(ctx context.Context, r *rest.Request) (bool, error) {
		return a.Service.MayDelete(ctx, &r.Call, postType)
	}
}
