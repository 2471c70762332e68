package store

import (
	"context"
	"fmt"

	"github.com/uptrace/bun"
)

// part runs fn so that its changes can be undone without those before it.
func (w *write) part(ctx context.Context, fn func(ctx context.Context) error) (err error) {
	if w.lost != nil {
		return w.lost
	}
	w.depth++
	defer func() { w.depth-- }()
	name := bun.Ident(fmt.Sprintf("agenda_part_%d", w.depth))
	do := func(statements ...string) error {
		for _, statement := range statements {
			if _, err := w.tx.ExecContext(context.WithoutCancel(ctx), statement, name); err != nil {
				w.lost = err
				return err
			}
		}
		return nil
	}
	if err := do("SAVEPOINT ?"); err != nil {
		return err
	}
	done := false
	defer func() { // in panics too
		if done || w.lost != nil {
			return
		}
		if undone := do("ROLLBACK TO SAVEPOINT ?", "RELEASE SAVEPOINT ?"); undone != nil {
			err = undone
		}
	}()
	if err := fn(ctx); err != nil {
		if w.lost == nil && (retryable(err) || FaultOf(err) != NoFault) {
			w.lost = err
		}
		return err
	}
	done = true
	if w.lost != nil {
		return w.lost
	}
	return do("RELEASE SAVEPOINT ?")
}
