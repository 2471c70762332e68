package measure

import (
	"context"
	"time"
)

const (
	// fewStatements is the number of statements per answer up to which answers count as cached: a few answers are
	// created again when they reach their maximum age.
	fewStatements = 0.1
	// warmLimit is how long it may take until answers are cached. It is longer than the calendar waits after a change.
	warmLimit = 20 * time.Second
	warmPause = 100 * time.Millisecond
	// fewestPasses are enough if nothing changes, however long they take: the first one creates answers, the second one
	// finds them.
	fewestPasses = 2
)

// uneven is the consequence of caching nothing, for a note.
const uneven = "the service counts the total of each answer, the floor does not"

// waitForCache sends all requests of a server until they take no statement, which on MariaDB is some seconds after the
// last change. If that does not happen, this and the following cases have no cached answers.
func (b *bench) waitForCache(ctx context.Context, t turn) error {
	return b.waitUntil(ctx, t, time.Now().Add(warmLimit))
}

// waitUntil is waitForCache with a limit.
func (b *bench) waitUntil(ctx context.Context, t turn, until time.Time) error {
	l := load{address: t.Address, clients: 1, next: inTurn(t.requests)}
	for pass := 1; b.caching; pass++ {
		_, statements, err := b.counted(ctx, l, t.Endpoint, len(t.requests))
		if err != nil || statements == 0 {
			return err
		}
		if pass >= fewestPasses && time.Now().After(until) {
			b.caching = false
			b.logNote("without cached answers: the database changes too often, or cannot report changes; %s", uneven)
			return nil
		}
		if pass < fewestPasses {
			continue
		}
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(warmPause):
		}
	}
	return nil
}
