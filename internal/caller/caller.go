// Package caller identifies who sends a request, and in which language. Rights and rules depend on that alone. It is
// independent of HTTP; package auth authenticates the caller.
package caller

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
)

// Principal is the authenticated caller of a request. The zero value is an anonymous caller.
type Principal struct {
	UserID int64  // ID in wp_users; 0 for callers that are not users of the site
	Login  string // login name, for logs
	// Capabilities are the WordPress capabilities of the caller. nil means those that the site stores for the user.
	Capabilities map[string]bool
}

// Anonymous reports whether the caller is neither a user of the site nor a program to which the host gave capabilities.
func (p Principal) Anonymous() bool { return p.UserID == 0 && len(p.Capabilities) == 0 }

// Can reports whether the caller has a capability.
func (p Principal) Can(capability string) bool { return p.Capabilities[capability] }

// CanAny reports whether the caller has any capability whose name begins with a prefix.
func (p Principal) CanAny(prefix string) bool {
	for capability, has := range p.Capabilities {
		if has && strings.HasPrefix(capability, prefix) {
			return true
		}
	}
	return false
}

// Held returns the sorted names of the capabilities that the caller has.
func (p Principal) Held() []string {
	held := slices.Sorted(maps.Keys(p.Capabilities))
	return slices.DeleteFunc(held, func(capability string) bool { return !p.Capabilities[capability] })
}

// Request is the part of a request that the rules of a site depend on.
type Request struct {
	Principal Principal
	Language  string // language tag of the response; a request body may override that of the address
	// Items is the language code of the items that are requested, AllLanguages for all, or "" for that of Language.
	Items string
}

// AllLanguages is the value of Request.Items that requests items in all languages.
const AllLanguages = "all"

type requestKey struct{}

// With returns a context of a request. Later changes of *r are visible through the context.
func With(ctx context.Context, r *Request) context.Context {
	return context.WithValue(ctx, requestKey{}, r)
}

// From returns the caller of the context's request, an anonymous one if there is none.
func From(ctx context.Context) Principal { return requestFrom(ctx).Principal }

// LanguageFrom returns the language tag of the context's request, or "" if there is none.
func LanguageFrom(ctx context.Context) string { return requestFrom(ctx).Language }

// ItemsFrom returns the language code of the items that the context's request asks for: see Request.Items.
func ItemsFrom(ctx context.Context) string { return requestFrom(ctx).Items }

// InItems returns a context whose request asks for items in a language, given by its code.
func InItems(ctx context.Context, code string) context.Context {
	r := requestFrom(ctx)
	r.Items = code
	return With(ctx, &r)
}

func requestFrom(ctx context.Context) Request {
	if r, ok := ctx.Value(requestKey{}).(*Request); ok {
		return *r
	}
	return Request{}
}

// ErrForbidden is returned for an action that the caller has no right to perform.
var ErrForbidden = errors.New("the caller has no right to do this")
