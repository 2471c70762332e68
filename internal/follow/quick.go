package follow

import (
	"context"
	"slices"
	"time"

	"github.com/agendahq/agenda/internal/change"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/store/followstore"
)

// quickLook reads a few columns of posts and their dates if those tables changed, and compares the blocks in which
// something differs. A site that can be compared quickly needs no quick comparison.
func (l *loop) quickLook(ctx context.Context, r *run, v change.Versions, unsettled change.Tables, known bool) error {
	const both = change.Tables(1)<<store.TablePosts | 1<<store.TableOccurrences
	c := &l.of.compared
	switch {
	case l.last < soon && time.Since(l.passing) < soon, time.Since(l.looked) < quickEvery:
		return nil
	case known && l.blocks != nil && c.quiet &&
		c.quick == [2]change.Version{v.Tables[store.TablePosts], v.Tables[store.TableOccurrences]}:
		return nil
	}
	if err := l.lookAtBlocks(ctx, r); err != nil {
		return err
	}
	if l.looked = time.Now(); known {
		c.quick = [2]change.Version{v.Tables[store.TablePosts], v.Tables[store.TableOccurrences]}
	}
	c.quiet = known && unsettled&both == 0
	return nil
}

func (l *loop) lookAtBlocks(ctx context.Context, r *run) error {
	var types []string
	for _, k := range r.of.Kinds {
		if k.Type != "" && !k.Shown {
			types = append(types, k.Type)
		}
	}
	before := l.blocks
	now := make(map[block]string, len(before))
	for after := int64(-1); ; {
		at := time.Now()
		found, upto, err := l.of.journal.QuickLook(ctx, types, after)
		if err != nil {
			return err
		}
		if err := l.wait(ctx, time.Since(at)); err != nil {
			return err
		}
		var differ []int64
		for _, b := range found {
			key := block{b.Number, b.Dates}
			if now[key] = b.Summary; before != nil && before[key] != b.Summary {
				differ = append(differ, b.Number)
			}
		}
		for key := range before { // blocks of which no row is left
			if _, is := now[key]; !is && inside(key.number, after, upto) {
				differ = append(differ, key.number)
			}
		}
		slices.Sort(differ)
		if err := l.compareBlocks(ctx, r, slices.Compact(differ)); err != nil {
			return err
		}
		if after = upto; upto == 0 {
			l.blocks = now
			return nil
		}
	}
}

// inside reports whether a block is in the range of a statement.
func inside(number, after, upto int64) bool {
	return number*followstore.BlockSize > after && (upto == 0 || number*followstore.BlockSize <= upto)
}

// compareBlocks compares the posts of some blocks.
func (l *loop) compareBlocks(ctx context.Context, r *run, numbers []int64) error {
	for _, number := range numbers {
		for _, k := range r.of.Kinds {
			if k.Type == "" || k.Shown {
				continue
			}
			at := time.Now()
			s, err := l.of.journal.CompareBlock(ctx, r.of.withCustom(k), number)
			n := 0
			if err == nil && !s.Same {
				n, err = r.turn.RecordDifferences(ctx, s, "")
			}
			if err == nil && n > 0 {
				_, err = l.poll(ctx)
			}
			if err == nil {
				err = l.wait(ctx, time.Since(at))
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}
