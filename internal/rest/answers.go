package rest

import (
	"net/http"
	"slices"
	"strings"

	"github.com/agendahq/agenda/internal/apierror"
	"github.com/agendahq/agenda/internal/param"
)

// everyError are the errors that any operation may return.
var everyError = []*apierror.Error{
	errCallback, errBody, errBodyTimeout, errTooMany, errNoRoute, errTooLarge, errInternal, ErrTimeout, ErrUnavailable, ErrDatabase,
	ErrLoginUnavailable, ErrSiteClosed, errNotLoggedIn, errBusy,
}

// AllErrors returns the errors of an operation of the route.
func (r *Route) AllErrors(o *Operation) []*apierror.Error {
	all := slices.Concat(everyError, o.Errors)
	if o.Restricted() {
		all = append(all, errUnauthorized, errForbidden)
	}
	switch {
	case o.Batch:
		all = append(all, errKey) // the others appear in the answers to the requests of the batch
	case o.TakesKey():
		all = append(all, keyErrors...)
	}
	if o.Reads() {
		all = append(all, errScalarBody, errOverride, errAnswerTooLarge)
		if o.List && o.Only == nil {
			all = append(all, errPageTooLarge)
		}
		if o.List && (o.Only != nil || o.Offered != nil) {
			all = append(all, errFeedTooLarge)
		}
	} else {
		all = append(all, errClosed, ErrReadOnly)
	}
	all = append(all, ErrPassword, ErrPlainHTTP, ErrNotAuthenticated, ErrNonce, ErrAttempts, ErrInvalidParam, errInvalidJSON)
	if slices.ContainsFunc(o.Params, func(p *param.Param) bool { return p.Required && !r.InPath(p.Name) }) {
		all = append(all, errMissing)
	}
	return all
}

// Reads reports whether an operation changes nothing.
func (o *Operation) Reads() bool { return slices.Contains(o.Methods, http.MethodGet) }

// InPath reports whether a parameter is a variable of the route's path.
func (r *Route) InPath(name string) bool { return strings.Contains(r.Path, "{"+name+"}") }
