package content

import (
	"context"
)

// Operations of a Change.
const (
	OpCreate = "create"
	OpUpdate = "update"
	OpTrash  = "trash"
	OpDelete = "delete" // for good
)

// Change is what a write did to one item.
type Change struct {
	Kind          string // collection: "events", "venues", "tags" …
	ID            int64
	Op            string
	Before, After string // status; "" for terms and where there is none
}

// unit is one attempt of a write, with its changes so far.
type unit struct{ changes []Change }

type unitKey struct{}

// Note records a change, with which hooks are called once it is committed.
func Note(ctx context.Context, c Change) {
	if u, _ := ctx.Value(unitKey{}).(*unit); u != nil {
		u.changes = append(u.changes, c)
	}
}
