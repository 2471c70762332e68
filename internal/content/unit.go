package content

import (
	"context"
	"maps"
	"slices"

	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/store"
)

// unit is one attempt of a write, with what it has done so far.
type unit struct {
	noted []noted

	// The rest is for batches, whose counts and range are written at the end:

	batch   bool
	counts  map[int64]int64 // term_taxonomy_id → the difference to its count
	recount map[int64]bool  // rows to be counted again, because other rows changed too
	moved   bool            // the range of the calendar may have changed
	slugs   map[string]int  // the next number to try as a suffix of a used slug; shared by all nested writes
}

// noted are changes that one caller made: a write of several requests can have several callers.
type noted struct {
	by      caller.Principal
	changes []Change
}

// unitKey is the key of a unit in a context: that of the writes to one store.
type unitKey struct{ of *store.Store }

// newUnit returns the unit of an attempt. many means a write of many items; around is the unit of the enclosing write,
// or nil.
func newUnit(many bool, around *unit) *unit {
	u := &unit{batch: many, counts: map[int64]int64{}, recount: map[int64]bool{}, slugs: map[string]int{}}
	if around != nil {
		u.batch, u.slugs = many || around.batch, around.slugs
	}
	return u
}

// unitAround returns the unit of the write that ctx is within, nil for none: a context may be kept longer than its
// write.
func (s *Service) unitAround(ctx context.Context) *unit {
	if !s.Store.Transactions.Writing(ctx) {
		return nil
	}
	return unitOf(ctx, s.Store)
}

// report calls the hooks with what a write did, or passes that to the enclosing write.
func (s *Service) report(ctx context.Context, around, done *unit) {
	if around != nil {
		around.merge(done)
		return
	}
	if s.Changed == nil {
		return
	}
	for _, n := range done.noted {
		s.Changed(caller.With(ctx, &caller.Request{Principal: n.by}), n.changes)
	}
}

func unitOf(ctx context.Context, of *store.Store) *unit {
	u, _ := ctx.Value(unitKey{of}).(*unit)
	return u
}

// batchOf returns the unit of a batch, nil for any other write.
func batchOf(ctx context.Context, of *store.Store) *unit {
	if u := unitOf(ctx, of); u != nil && u.batch {
		return u
	}
	return nil
}

// merge adds what a nested write did.
func (u *unit) merge(part *unit) {
	u.noted = append(u.noted, part.noted...)
	for id, by := range part.counts {
		u.counts[id] += by
	}
	maps.Copy(u.recount, part.recount)
	u.moved = u.moved || part.moved
}

// settle writes at the end of a batch what was deferred. Counts change by the differences that the batch made, because
// counting all posts of a term in each batch takes longer the more there are.
func (s *Service) settle(ctx context.Context, u *unit) error {
	counts := map[int64]int64{}
	for id, n := range u.counts {
		if n != 0 && !u.recount[id] {
			counts[id] = n
		}
	}
	if err := addCounts(ctx, s.Store.Terms, counts); err != nil {
		return err
	}
	if err := s.Store.Terms.Recount(ctx, slices.Sorted(maps.Keys(u.recount))); err != nil {
		return err
	}
	if u.moved {
		return s.calendarRange.writeRange(ctx, nil)
	}
	return nil
}

// addCounts changes the counts of term_taxonomy rows by the given differences, by id, with one statement for each
// different number.
func addCounts(ctx context.Context, terms *store.Terms, counts map[int64]int64) error {
	by := map[int64][]int64{}
	for id, n := range counts {
		if n != 0 {
			by[n] = append(by[n], id)
		}
	}
	for _, n := range slices.Sorted(maps.Keys(by)) {
		if err := terms.AddCounts(ctx, by[n], n); err != nil {
			return err
		}
	}
	return nil
}

// recount updates the counts of term_taxonomy rows, in a batch at its end.
func (p *postTerms) recount(ctx context.Context, ids []int64) error {
	u := batchOf(ctx, p.store)
	if u == nil {
		return p.store.Terms.Recount(ctx, ids)
	}
	for _, id := range ids {
		u.recount[id] = true
	}
	return nil
}
