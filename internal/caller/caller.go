// Package caller holds who sends a request, and in which language: all that rights and rules depend
// on. It is independent of HTTP; package auth finds the caller.
package caller

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
)

// Principal is the caller of a request. The zero value is an anonymous one.
type Principal struct {
	UserID int64  // id in the site's user table; 0 for callers that are no user
	Login  string // name, for logs
	// Capabilities is what the caller may do. nil: what the site stores for the
	// user.
	Capabilities map[string]bool
}

// Anonymous reports whether nobody is logged in: neither a user of the site nor
// a program that its host gave capabilities.
func (p Principal) Anonymous() bool { return p.UserID == 0 && len(p.Capabilities) == 0 }

// Can reports whether the caller has a capability.
func (p Principal) Can(capability string) bool { return p.Capabilities[capability] }

// CanAny reports whether the caller has any capability whose name begins like this.
func (p Principal) CanAny(prefix string) bool {
	for capability, has := range p.Capabilities {
		if has && strings.HasPrefix(capability, prefix) {
			return true
		}
	}
	return false
}

// Held returns the names of the capabilities that the caller has, in order.
func (p Principal) Held() []string {
	held := slices.Sorted(maps.Keys(p.Capabilities))
	return slices.DeleteFunc(held, func(capability string) bool { return !p.Capabilities[capability] })
}

// Request is what the rules of a site need of a request.
type Request struct {
	Principal Principal
	Language  string // tag; a body can name another one than the address
	// Items is the code of the language of the items that are asked for, AllLanguages for all; "" for that of Language.
	Items string
}

// AllLanguages asks for the items of all languages.
const AllLanguages = "all"

type requestKey struct{}

// With returns a context that belongs to a request, whose values may
// still change.
func With(ctx context.Context, r *Request) context.Context {
	return context.WithValue(ctx, requestKey{}, r)
}

// From returns the caller of the request that ctx belongs to.
func From(ctx context.Context) Principal { return requestFrom(ctx).Principal }

// LanguageFrom returns the tag of the language of the request that ctx belongs
// to, "" outside of one.
func LanguageFrom(ctx context.Context) string { return requestFrom(ctx).Language }

// ItemsFrom returns the code of the language of items that the request of ctx asks for: see Request.
func ItemsFrom(ctx context.Context) string { return requestFrom(ctx).Items }

// InItems returns a context whose request asks for the items of a language, by its code.
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

// ErrForbidden is the error of an action that the caller has no right to.
var ErrForbidden = errors.New("the caller has no right to do this")
