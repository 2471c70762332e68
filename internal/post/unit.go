package post

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"

	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/store"
)

// Operations of a Change.
const (
	OpCreate = "create"
	OpUpdate = "update"
	OpTrash  = "trash"
	OpDelete = "delete" // for good
)

// Change is something that a write did to one item.
type Change struct {
	Kind          string // collection: "events", "venues", "tags" …
	ID            int64
	Op            string
	Before, After string // status; "" for terms and where there is none
}

// unit is one attempt of a write: what it has changed so far.
type unit struct{ changes []Change }

type unitKey struct{}

// Note records a change, which hooks hear of once it is committed.
func Note(ctx context.Context, c Change) {
	if u, _ := ctx.Value(unitKey{}).(*unit); u != nil {
		u.changes = append(u.changes, c)
	}
}

var errUnknown = rest.NewError(http.StatusServiceUnavailable, "rest_outcome_unknown", "error_outcome_unknown")

// errUnstorable stands for limits of a site's tables that are not those of a
// usual one.
var errUnstorable = rest.NewError(http.StatusBadRequest, "rest_invalid_param", "error_unstorable")

// Answer renders the answer of a write from what the write has read; it reads
// no more. nil is the usual response.
type Answer func() *rest.Response

// Write runs fn, which changes rows and reads what the answer shows, in one
// transaction. It may run more than once, each time from the beginning. Hooks
// are told, and the answer is rendered, only when everything is committed: texts
// may be costly to render, and other writers wait until the commit.
func (e *Env) Write(ctx context.Context, r *rest.Request, fn func(ctx context.Context) (Answer, error)) (*rest.Response, error) {
	var answer Answer
	var u *unit
	err := e.Store.Write(ctx, func(ctx context.Context) (err error) {
		u = &unit{}
		answer, err = fn(context.WithValue(ctx, unitKey{}, u))
		return err
	})
	if errors.Is(err, store.ErrOutcomeUnknown) {
		return nil, errUnknown.Because(err)
	}
	if store.Unstorable(err) {
		return nil, errUnstorable.Because(err)
	}
	if err != nil {
		return nil, err
	}
	if len(u.changes) > 0 {
		e.Changed(ctx, u.changes)
	}
	return answer(), nil
}

var errChanged = rest.NewError(http.StatusPreconditionFailed, "rest_precondition_failed", "error_precondition")

// CheckMatch refuses a write whose If-Match names another state of the item
// than the stored one. Of a validator only the part that stands for the stored
// item counts: it is the same in every view of it.
func CheckMatch(r *rest.Request, state string) error {
	header := strings.Join(r.HTTP.Header.Values("If-Match"), ",")
	if header == "" {
		return nil
	}
	matches := slices.ContainsFunc(strings.Split(header, ","), func(tag string) bool {
		tag = strings.TrimSpace(tag)
		given, _, ok := strings.Cut(strings.TrimPrefix(tag, `"`), ".")
		return tag == "*" || ok && tag[0] == '"' && given == state
	})
	if !matches {
		return errChanged
	}
	return nil
}
