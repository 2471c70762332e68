package content

import (
	"context"
	"fmt"
	"slices"

	"github.com/agendahq/agenda/internal/store"
)

// Work is a write that has been checked but not executed yet.
type Work[R any] struct {
	// Images are the fields that may contain images as files or by address. They are stored before the transaction
	// begins, because a transaction must not wait for other servers.
	Images []*Fields
	// Prepare is for a write of many items. It does everything except writing, which returns an error, so that the
	// images of all items are fetched. It may be nil.
	Prepare func(context.Context)
	// Many says that the write is of many items: changes to the counts of terms and to the range of the calendar are
	// written once, at the end.
	Many bool
	// Apply makes the write in a transaction and returns what is needed for the answer. It may be called more than
	// once, each time from the beginning.
	Apply func(context.Context) (R, error)
	// Show adds to the result what the answer shows of the stored state. It is called after the commit, or within the
	// enclosing write. It may be nil.
	Show func(context.Context, R) (R, error)
}

// ApplyAndShow calls Apply and then Show, for an answer that must be known before the commit.
func (w *Work[R]) ApplyAndShow(ctx context.Context) (R, error) {
	result, err := w.Apply(ctx)
	if err == nil && w.Show != nil {
		result, err = w.Show(ctx, result)
	}
	return result, err
}

// Run executes a write. All writes are executed by it: those of requests, batches, imports and hosts.
//
//  1. Images are stored or fetched, before anything is locked.
//  2. The write waits for its slot, and a transaction begins. Within another write it is a savepoint instead.
//  3. Apply changes rows. With an Idempotency-Key, its row is inserted and completed there too.
//  4. In a write of many items, the counts of terms and the range of the calendar are written.
//  5. The transaction is committed. If it conflicted with another one, everything is repeated from step 2.
//  6. Show reads what the answer shows. Other writers need not wait for that, which takes a third of a small write. Another write
//     may be committed before it: then the answer shows its result too, like a read. Within another write, or with an
//     Idempotency-Key, this is part of step 3. The memory for the answer was reserved there: what is stored is answered.
//  7. Files that no row refers to are removed, unless it is unknown whether the commit succeeded.
//  8. Hooks are called, or passed to the enclosing write.
//
// Callers render the answer afterwards, from the result alone, so that other writers do not wait for that.
func Run[R any](ctx context.Context, s *Service, w Work[R]) (result R, err error) {
	if together(ctx) && slices.ContainsFunc(w.Images, (*Fields).storesImage) {
		return result, errAlone
	}
	ctx, images := s.newImages(ctx, w.Prepare != nil)
	defer images.remove()
	if err := images.store(w.Images, w.Prepare); err != nil {
		return result, err
	}
	if fetchedOf(ctx).fetching() {
		return result, errPreparing
	}
	attempts, err := s.Store.Transactions.Begin(ctx)
	if err != nil {
		return result, err
	}
	defer attempts.Close()
	around, done := s.unitAround(ctx), (*unit)(nil)
	apply, showsLater := w.ApplyAndShow, w.Show != nil && around == nil
	if showsLater {
		apply = w.Apply
		attempts.KeepConnection()
	}
	for attempts.Next() {
		done = newUnit(w.Many, around)
		images.again()
		within := context.WithValue(attempts.Context(), unitKey{s.Store}, done)
		result, err = apply(within)
		if err == nil && around == nil {
			err = s.settle(within, done)
		}
		attempts.End(images.bounded(err))
	}
	if err = attempts.Err(); err != nil {
		images.kept = keepsFiles(err)
		return result, err
	}
	images.kept = true
	if showsLater {
		result, err = showCommitted(ctx, attempts, w.Show, result)
	}
	s.report(ctx, around, done)
	return result, err
}

// showCommitted calls the Show of a write that is committed, and ends the use of its connection, which hooks may need. If that
// fails, the caller must not believe that nothing was stored.
func showCommitted[R any](ctx context.Context, of *store.Unit, show func(context.Context, R) (R, error), result R) (R, error) {
	defer of.Close()
	err := store.Again(ctx, func() error {
		return of.Read(func(ctx context.Context) (err error) {
			result, err = show(ctx, result)
			return err
		})
	})
	if err != nil {
		err = fmt.Errorf("%w: %w", store.ErrOutcomeUnknown, err)
	}
	return result, err
}

// Write is Run for a write without images and without a result.
func (s *Service) Write(ctx context.Context, change func(context.Context) error) error {
	return s.run(ctx, false, change)
}

// WriteBatch is Write for many items.
func (s *Service) WriteBatch(ctx context.Context, change func(context.Context) error) error {
	return s.run(ctx, true, change)
}

func (s *Service) run(ctx context.Context, many bool, change func(context.Context) error) error {
	_, err := Run(ctx, s, Work[struct{}]{Many: many, Apply: func(ctx context.Context) (none struct{}, err error) {
		return none, change(ctx)
	}})
	return err
}
