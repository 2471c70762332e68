package content

import (
	"context"
	"maps"
	"slices"

	"github.com/agendahq/agenda/internal/caller"
)

// unit is one attempt of a write, with what it did so far.
type unit struct {
	noted []noted

	// Of a batch, what is written at its end:

	batch   bool
	counts  map[int64]int64 // by how much the counts of taxonomy rows change
	recount map[int64]bool  // rows that are counted, since other rows changed too
	moved   bool            // the range of the calendar may have changed
	slugs   map[string]int  // the next numbers for slugs that others have, of all parts
}

// noted are changes that one caller made: a write of several requests can have several callers.
type noted struct {
	by      caller.Principal
	changes []Change
}

// unitKey is the key of a Service's unit in a context.
type unitKey struct{ of *Service }

// newUnit returns the unit of an attempt, of a write of many items or within another one.
func newUnit(many bool, around *unit) *unit {
	u := &unit{batch: many, counts: map[int64]int64{}, recount: map[int64]bool{}, slugs: map[string]int{}}
	if around != nil {
		u.batch, u.slugs = many || around.batch, around.slugs
	}
	return u
}

// unitAround returns the unit of the write that ctx is within, nil for none: a context may be kept longer than its write.
func (s *Service) unitAround(ctx context.Context) *unit {
	if !s.Store.Transactions.Writing(ctx) {
		return nil
	}
	return s.unitOf(ctx)
}

// report calls the hooks with what a write did, or leaves that to the one around it.
func (s *Service) report(ctx context.Context, around, done *unit) {
	if around != nil {
		around.take(done)
		return
	}
	if s.Changed == nil {
		return
	}
	for _, n := range done.noted {
		s.Changed(caller.With(ctx, &caller.Request{Principal: n.by}), n.changes)
	}
}

func (s *Service) unitOf(ctx context.Context) *unit {
	u, _ := ctx.Value(unitKey{s}).(*unit)
	return u
}

// batchOf returns the unit of a batch, nil for any other write.
func (s *Service) batchOf(ctx context.Context) *unit {
	if u := s.unitOf(ctx); u != nil && u.batch {
		return u
	}
	return nil
}

// take adds what a part of the write did.
func (u *unit) take(part *unit) {
	u.noted = append(u.noted, part.noted...)
	for id, by := range part.counts {
		u.counts[id] += by
	}
	maps.Copy(u.recount, part.recount)
	u.moved = u.moved || part.moved
}

// settle writes what a batch left for its end. Counts change by what the batch did: to
// count all posts of a term again for each batch takes longer the more there are.
func (s *Service) settle(ctx context.Context, u *unit) error {
	by := map[int64][]int64{}
	for id, n := range u.counts {
		if n != 0 && !u.recount[id] {
			by[n] = append(by[n], id)
		}
	}
	for _, n := range slices.Sorted(maps.Keys(by)) {
		if err := s.Store.Terms.AddCounts(ctx, by[n], n); err != nil {
			return err
		}
	}
	if err := s.Store.Terms.Recount(ctx, slices.Sorted(maps.Keys(u.recount))); err != nil {
		return err
	}
	if u.moved {
		return s.writeRange(ctx, nil)
	}
	return nil
}

// recount updates the counts of taxonomy rows, in a batch at its end.
func (s *Service) recount(ctx context.Context, ids []int64) error {
	u := s.batchOf(ctx)
	if u == nil {
		return s.Store.Terms.Recount(ctx, ids)
	}
	for _, id := range ids {
		u.recount[id] = true
	}
	return nil
}
