package rest

import (
	"context"
	"slices"
	"time"
)

// A transaction costs several statements beside those of the request. So requests of a batch that add items are stored
// together in one, a group, as long as none of them is rejected. Otherwise the transaction is rolled back, and each of
// them gets one of its own: the answers are the same either way.
//
// A request that changes an item always has a transaction of its own. A transaction sees what it does not lock as it was
// at its first read. So that read has to come after the item is locked, or what another program changed in the meantime
// would be overwritten.

const (
	// maxGroup is the maximum number of requests in one transaction.
	maxGroup = 16
	// longestGroup is the time after which no further request is added to a transaction, because other writers wait for
	// its end.
	longestGroup = 20 * time.Millisecond
)

// each carries out the requests, in groups where possible. After a group that failed, the next ones are small, so that a
// batch of many rejected requests does not take much longer than without groups.
func (b *batch) each(ctx context.Context) error {
	b.begin(false)
	for at, size := 0, maxGroup; at < len(b.parts); {
		if err := ctx.Err(); err != nil && b.HTTP.Context().Err() != nil {
			return err // the client no longer waits for the answer
		}
		parts := groupable(b.parts[at:min(at+size, len(b.parts))])
		size = min(2*size, maxGroup)
		if len(parts) > 1 && b.engine.Grouped != nil && !b.exceeds(ctx, 0) {
			n, stored := b.group(ctx, parts)
			at += n
			if stored {
				continue
			}
			at, parts, size = at-n, parts[:n], 1
		} else {
			parts = parts[:1]
		}
		for _, p := range parts {
			b.alone(ctx, p)
		}
		at += len(parts)
	}
	b.end()
	return nil
}

// groupable returns the first of the requests that may share a transaction, or one that may not.
func groupable(parts []*part) []*part {
	other := slices.IndexFunc(parts, func(p *part) bool { return !p.route.operation(p.method).Creates })
	if other < 0 {
		return parts
	}
	return parts[:max(other, 1)]
}

// exceeds reports whether there is not enough time for another request, or not enough memory for its answer, beside the
// answers of a group with this many bytes.
func (b *batch) exceeds(ctx context.Context, group int) bool {
	max := b.engine.MaxAnswer
	return ctx.Err() != nil || max >= 0 && int64(b.Out.Len()+group) > max
}

// group carries out the first of the requests in one transaction and writes their answers. It returns how many it tried,
// at least one, and whether they are answered. Otherwise nothing is stored. If a commit is in doubt, it may be that of an
// earlier attempt, which carried out more of them.
func (b *batch) group(ctx context.Context, parts []*part) (tried int, answered bool) {
	var bodies [][]byte
	most := 0                             // requests of an attempt
	allowed := make([]string, len(parts)) // the Allow header of each
	err := b.engine.Grouped(ctx, func(ctx context.Context) error {
		bodies, tried = bodies[:0], 0 // discards what an earlier attempt did
		began, size := b.engine.Now(), 0
		for _, p := range parts {
			if tried > 0 && (b.engine.Now().Sub(began) >= longestGroup || b.exceeds(ctx, size)) {
				return nil
			}
			tried++
			most = max(most, tried)
			c := b.request(ctx, p)
			a, err := b.engine.guarded(c, p.vars)
			if err == nil {
				bodies = append(bodies, slices.Clone(a.body))
				size += len(a.body)
			}
			b.engine.keep(c, c.Out)
			allowed[tried-1] = c.allowed
			if err != nil {
				return err
			}
		}
		return nil
	})
	if err == nil {
		for _, body := range bodies {
			b.Out.Raw(body)
		}
		return tried, true
	}
	if doubt := b.engine.Doubt(err, false); doubt == nil {
		return max(tried, 1), false
	}
	for i, p := range parts[:most] {
		c := b.request(ctx, p)
		c.matched, c.allowed = allowed[i] != "", allowed[i]
		b.Out.Raw(c.failure(b.engine.Doubt(err, p.key != "")).body)
		b.engine.keep(c, c.Out)
	}
	return most, true
}

// alone carries out a request in a transaction of its own. If there is not enough time, or not enough memory for the
// answer, it is rejected without being started.
func (b *batch) alone(ctx context.Context, p *part) {
	c := b.request(ctx, p)
	var a *answer
	var err error
	switch {
	case ctx.Err() != nil:
		err = ErrTimeout
	case b.exceeds(ctx, 0):
		err = errAnswerTooLarge
	default:
		a, err = b.engine.guarded(c, p.vars)
	}
	if err != nil {
		a = c.failure(err)
	}
	b.Out.Raw(a.body)
	b.engine.keep(c, c.Out)
}
