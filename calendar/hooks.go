package calendar

import (
	"context"
	"maps"
	"slices"

	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/follow"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/store"
)

// Values of Change.Op.
const (
	OpCreate = content.OpCreate // "create"
	OpUpdate = content.OpUpdate // "update": also moves out of the trash, and publishing by PublishDue
	OpTrash  = content.OpTrash  // "trash"
	OpDelete = content.OpDelete // "delete": permanently
)

// Change is the effect of a committed write on one item. Writing an event with a new venue in it results in two
// changes.
type Change struct {
	// Kind is the item's collection: "events", "venues", "organizers", "categories" or "tags".
	Kind string

	// ID is the item's id.
	ID int64

	// Slug is the item's slug after the write. For a deleted item it is the last one.
	Slug string

	// Language is the code of the language that the site stores for the item, as in its member "language". It is "" on
	// a site without translations.
	Language string

	// Op is one of the Op constants.
	Op string

	// Principal is the caller, or the zero value if PublishDue published the post. It is a copy for the hook.
	Principal Principal

	// Before and After are the status of a post, such as "publish", "draft" or "trash". Before is "" if the post was
	// created, After if it was deleted permanently. Both are "" for terms.
	Before, After string

	// Terms are the ids, in ascending order, of the categories, tags and other terms whose lists gained or lost the
	// item: those that were added to it or removed from it, and all of its terms if it became published or stopped
	// being published. It is empty for terms, and for changes of other programs.
	Terms []int64

	// Foreign reports whether another program made the change, and the site's journal recorded it. There is no
	// Principal then. Without a journal no such changes are reported.
	Foreign bool
}

// newHook returns what calls Hooks.OnChange.
func newHook(o *Options) *follow.Hook {
	h := &follow.Hook{Logger: o.Logger, Context: hookContext}
	if call := o.Hooks.OnChange; call != nil {
		h.Call = func(ctx context.Context, c content.Change, foreign bool) { call(ctx, hostChange(ctx, c, foreign)) }
	}
	return h
}

// hookContext returns the context of a hook. It has the values of the request's context and the caller of the write;
// changes of other programs have no caller.
func hookContext(ctx context.Context, foreign bool) context.Context {
	if foreign {
		return store.Outside(WithPrincipal(context.WithoutCancel(ctx), Principal{}))
	}
	// A hook may run while another calendar is within a transaction with this context.
	return store.Outside(context.WithoutCancel(WithPrincipal(rest.CallerContext(ctx), Principal(caller.From(ctx)))))
}

// hostChange returns a change for a hook with a context of hookContext. The hook may modify it.
func hostChange(ctx context.Context, c content.Change, foreign bool) Change {
	change := Change{
		Kind: c.Kind, ID: c.ID, Slug: c.Slug, Language: c.Language, Op: c.Op, Before: c.Before, After: c.After, Foreign: foreign,
	}
	if !foreign {
		change.Principal, change.Terms = *principalIn(ctx), slices.Clone(c.Terms)
		change.Principal.Capabilities = maps.Clone(change.Principal.Capabilities)
	}
	return change
}
