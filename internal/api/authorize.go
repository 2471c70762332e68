package api

import (
	"context"

	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/rest"
)

// authorize is the type of Operation.Authorize.
type authorize = func(context.Context, *rest.Request) (bool, error)

// permitsCreate returns a function that reports whether a caller may create posts of a type.
func permitsCreate(postType string) func(caller.Principal) bool {
	family := content.Family(postType)
	return func(p caller.Principal) bool { return p.Can("edit_" + family) }
}

// restrict limits an operation to callers who may change posts of a type: some reports whether a caller may change any post
// of its family, and may whether the one that the path names.
func restrict(o *rest.Operation, postType string, some func(p caller.Principal, family string) bool,
	may func(ctx context.Context, c *call.Call, postType string) (bool, error),
) {
	family := content.Family(postType)
	o.Permits = func(p caller.Principal) bool { return some(p, family) }
	o.Authorize = func(ctx context.Context, r *rest.Request) (bool, error) { return may(ctx, &r.Call, postType) }
}
