package content

import "context"

// Work is a write that was checked and not made yet.
type Work[R any] struct {
	// Images are the fields that may give images as files or by address. These are stored before the transaction begins, which
	// must not wait for other servers.
	Images []*Fields
	// Prepare, of a write of many items, does all of them but what writes, which ends with an error, so that their images are
	// fetched. nil for nothing.
	Prepare func(context.Context)
	// Many says that the write is of many items: what they change about the counts of terms and about the range of the calendar
	// is written once, at the end.
	Many bool
	// Apply makes the write in a transaction, and returns what is read for its answer. It may be called more than once, each time
	// from the beginning.
	Apply func(context.Context) (R, error)
}

// Run makes a write. It is the only way in which one is made: by a request, a batch, an import or a host.
//
//  1. Images are stored or fetched, before anything is locked.
//  2. The write waits for its slot, and a transaction begins. Within another write it is a savepoint instead.
//  3. Apply changes rows and reads what the answer shows. An Idempotency-Key is claimed and answered in there too.
//  4. Of many items, the counts of terms and the range of the calendar are written.
//  5. The transaction is committed. Where it conflicted with another one, all is done again from 2.
//  6. Files that no row names are removed, but not if it is unknown whether the commit was made.
//  7. Hooks are called, or left to the write around this one.
//
// Callers render the answer from the result alone, when other writers do not wait any more.
func Run[R any](ctx context.Context, s *Service, w Work[R]) (result R, err error) {
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
	for attempts.Next() {
		done = newUnit(w.Many, around)
		images.again()
		within := context.WithValue(attempts.Context(), unitKey{s}, done)
		result, err = w.Apply(within)
		if err == nil && around == nil {
			err = s.settle(within, done)
		}
		attempts.End(images.bounded(err))
	}
	if err = attempts.Err(); err == nil {
		images.kept = true
		s.report(ctx, around, done)
		return result, nil
	}
	images.kept = keepsFiles(err)
	return result, err
}

// Write is Run for what has no images and no result.
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
