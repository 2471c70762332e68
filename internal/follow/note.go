package follow

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/agendahq/agenda/internal/store/followstore"
)

// RecordChanges compares some items now, records their changes in the journal and returns the number of changes. It needs no
// turn. own says that this process made the changes; then changes of the images that the items show are recorded with
// them.
func (c *Comparison) RecordChanges(ctx context.Context, kind string, ids []int64, own bool) (changes int, err error) {
	done, err := c.noteAgo(ctx, kind, ids, own, time.Second)
	return done.Changes, err
}

// largestNote is how many items are compared in one transaction.
const largestNote = 200

// noteAgo is RecordChanges for changes that were made some time ago.
func (c *Comparison) noteAgo(
	ctx context.Context, kind string, ids []int64, own bool, ago time.Duration,
) (done followstore.Noted, err error) {
	at := slices.IndexFunc(c.Kinds, func(k followstore.Stored) bool { return k.Kind == kind })
	if at < 0 || len(ids) == 0 {
		return done, nil
	}
	j, closed, err := c.open(ctx)
	if err != nil {
		return done, err
	}
	defer func() { err = errors.Join(err, closed()) }()
	given := followstore.Given{Kind: c.withCustom(c.Kinds[at]), Own: own, Ago: ago}
	if given.Declarations, err = c.hash(j.LanguageForm()); err != nil {
		return done, err
	}
	ids = slices.Compact(slices.Sorted(slices.Values(ids)))
	for given.IDs = range slices.Chunk(ids, largestNote) {
		noted, err := j.RecordOwn(ctx, given)
		if err != nil {
			return done, err
		}
		done.Changes, done.Sequence = done.Changes+noted.Changes, noted.Sequence
		done.Unseen = append(done.Unseen, noted.Unseen...)
		done.Images = append(done.Images, noted.Images...)
	}
	if own && len(done.Images) > 0 {
		images, err := c.noteAgo(ctx, c.Kinds[len(c.Kinds)-1].Kind, done.Images, own, ago)
		done.Changes, done.Sequence = done.Changes+images.Changes, max(done.Sequence, images.Sequence)
		return done, err
	}
	return done, nil
}
