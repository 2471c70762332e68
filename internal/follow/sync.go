package follow

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/agendahq/agenda/internal/store/followstore"
	"github.com/agendahq/agenda/schema"
)

// Errors of Affected.
var (
	ErrTooMany = errors.New("more items are affected than sync can list")
	ErrPruned  = errors.New("changes after this position are no longer kept")
)

const (
	changesAtOnce = 5000
	mostChanges   = 200_000 // maximum number of changes read
	deepest       = 20      // maximum depth of links of links
)

// Sync reads what clients of sync get.
type Sync struct {
	Comparison *Comparison
	Journal    *followstore.Journal
	// Versions returns the versions of items in other languages: an item that links one version may show another.
	Versions func(ctx context.Context, kind string, ids []int64) ([]int64, error)
}

// Affected are the items of a kind that may show something else since a position.
type Affected struct {
	IDs     []int64                           // sorted
	Changes map[int64][]*schema.JournalChange // of the items themselves
}

// changed are ids of items by kind.
type changed map[string]map[int64]bool

func (c changed) addItem(kind string, id int64) bool {
	if c[kind] == nil {
		c[kind] = map[int64]bool{}
	}
	was := c[kind][id]
	c[kind][id] = true
	return !was
}

// Affected returns the items of a kind that changed after one sequence number up to another, and those that link a
// changed item now or did at their last known states. The error is ErrTooMany if there are more than most.
func (s *Sync) Affected(ctx context.Context, kind string, after, upto int64, most int) (*Affected, error) {
	found := &Affected{Changes: map[int64][]*schema.JournalChange{}}
	all, read := changed{}, 0
	for after < upto {
		rows, err := s.Journal.Changes(ctx, after, changesAtOnce)
		if err != nil {
			return nil, err
		}
		for _, r := range rows {
			if r.Sequence > upto {
				break
			}
			if r.Sequence != after+1 { // otherwise a change is missing, because the sequence has no gaps
				return nil, ErrPruned
			}
			after = r.Sequence
			all.addItem(r.Kind, r.ID)
			if r.Kind == kind {
				found.Changes[r.ID] = append(found.Changes[r.ID], r)
			}
		}
		if read += len(rows); len(found.Changes) > most || read > mostChanges {
			return nil, ErrTooMany
		}
		if len(rows) == 0 {
			return nil, ErrPruned
		}
	}
	if err := s.follow(ctx, all, kind, most); err != nil {
		return nil, err
	}
	found.IDs = slices.Sorted(maps.Keys(all[kind]))
	return found, nil
}

// follow adds the items that link what changed, directly or through other items.
func (s *Sync) follow(ctx context.Context, all changed, kind string, most int) error {
	next := changed{}
	for k, ids := range all {
		next[k] = maps.Clone(ids)
	}
	for range deepest {
		more := changed{}
		for _, k := range slices.Sorted(maps.Keys(next)) {
			ids := slices.Sorted(maps.Keys(next[k]))
			versions, err := s.Versions(ctx, k, ids)
			if err != nil {
				return err
			}
			for _, id := range versions {
				if all.addItem(k, id) {
					ids = append(ids, id)
				}
			}
			by, err := s.Journal.LinkedBy(ctx, k, ids)
			if err != nil {
				return err
			}
			for linking, ids := range by {
				for _, id := range ids {
					if all.addItem(linking, id) {
						more.addItem(linking, id)
					}
				}
			}
		}
		if len(all[kind]) > most {
			return ErrTooMany
		}
		if len(more) == 0 {
			break
		}
		next = more
	}
	return nil
}

// Stored returns how the items of a kind are stored.
func (s *Sync) Stored(kind string) (followstore.Stored, bool) {
	c := s.Comparison
	i := slices.IndexFunc(c.Kinds, func(k followstore.Stored) bool { return k.Kind == kind })
	if i < 0 {
		return followstore.Stored{}, false
	}
	return c.withCustom(c.Kinds[i]), true
}

// States are the states of some items by kind and id; nil for an item that does not exist.
type States map[string]map[int64]*schema.JournalObject

// Shown returns the states, as the context sees them, of the items that a page shows, by kind, and of the items that
// these link, whether or not they show them: an item that is hidden now is missing in what a client has.
func (s *Sync) Shown(ctx context.Context, shown map[string][]int64) (States, error) {
	states, images := States{}, s.Comparison.Kinds[len(s.Comparison.Kinds)-1].Kind
	for range deepest {
		linked, more := map[string][]int64{}, false
		for _, k := range s.Comparison.Kinds {
			of := states[k.Kind]
			if of == nil {
				of = map[int64]*schema.JournalObject{}
				states[k.Kind] = of
			}
			ids := slices.DeleteFunc(slices.Clone(shown[k.Kind]), func(id int64) bool { _, read := of[id]; return read })
			slices.Sort(ids)
			for some := range slices.Chunk(slices.Compact(ids), sliceSize) {
				more = true
				found, err := s.Journal.States(ctx, s.Comparison.withCustom(k), some)
				if err != nil {
					return nil, err
				}
				versions, err := s.Versions(ctx, k.Kind, some)
				if err != nil {
					return nil, err
				}
				linked[k.Kind] = append(linked[k.Kind], versions...)
				for _, id := range some {
					o := found[id]
					if of[id] = o; o == nil {
						continue
					}
					if o.Image != 0 {
						linked[images] = append(linked[images], o.Image)
					}
					for _, l := range o.Links {
						linked[l.LinkedKind] = append(linked[l.LinkedKind], l.LinkedID)
					}
				}
			}
		}
		if !more {
			break
		}
		shown = linked
	}
	return states, nil
}

// Agree compares the states with the last known ones and records what differs. It reports whether all of them are known
// then, so that every later change will be recorded. It reports false if an item was shown that no longer exists.
func (s *Sync) Agree(ctx context.Context, states States) (bool, error) {
	left := States{}
	for _, k := range s.Comparison.Kinds {
		ids, err := s.differing(ctx, k.Kind, states[k.Kind])
		if err != nil {
			return false, err
		}
		if len(ids) == 0 {
			continue
		}
		if _, err := s.Comparison.RecordChanges(ctx, k.Kind, ids, false); err != nil {
			return false, err
		}
		left[k.Kind] = map[int64]*schema.JournalObject{}
		for _, id := range ids {
			left[k.Kind][id] = states[k.Kind][id]
		}
	}
	for kind, of := range left {
		ids, err := s.differing(ctx, kind, of)
		if err != nil || len(ids) > 0 {
			return false, err
		}
	}
	return true, nil
}

// differing returns the ids whose states are not the known ones.
func (s *Sync) differing(ctx context.Context, kind string, states map[int64]*schema.JournalObject) ([]int64, error) {
	if len(states) == 0 {
		return nil, nil
	}
	known, err := s.Journal.Known(ctx, kind, slices.Sorted(maps.Keys(states)))
	return followstore.Differing(known, states), err
}

// ErrBegins means that the items are being recorded for the first time, or will be.
var ErrBegins = errors.New("the first comparison is not finished")

// Ready returns ErrBegins until the first comparison with the declarations of this program has been completed, and
// followstore.ErrDeclarations if the journal belongs to a program with others.
func (s *Sync) Ready(head *schema.JournalRow) error {
	declarations, err := s.Comparison.hash(s.Journal.LanguageForm())
	switch {
	case err != nil:
		return err
	case releaseOf(head.Declarations) < Release: // none, or those of an older program: the next process that compares restarts the journal
		return ErrBegins
	case head.Declarations != declarations:
		return followstore.ErrDeclarations
	case head.Complete == 0:
		return ErrBegins
	}
	return nil
}
