package measure

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/uptrace/bun"
)

// A case has as many rounds of first answers after a change as fit into the time of a case, within these limits.
const (
	fewestRounds = 11
	mostRounds   = 200
)

// changes measures the first answer after a change: a commit to the tables that all answers are made of, and then a
// request. The server that caches and the one that caches nothing alternate, each after a separate commit, and take
// turns in being the first. The process of the service commits, since SQLite's own cache survives the commits of its
// own connection.
func (b *bench) changes(ctx context.Context, list []*prepared) error {
	for _, a := range list {
		c, err := b.afterChange(ctx, a)
		if other := (*statusError)(nil); errors.As(err, &other) && isMeasurable(other.status) {
			b.logNote("%s: without the first answer after a change, whose status is %d: until the database has settled "+
				"an answer has another validator", a.Name, other.status)
			continue
		}
		if err != nil {
			return fmt.Errorf("%s after a change: %w", a.Name, err)
		}
		b.report.Changes = append(b.report.Changes, c)
		b.progress(fmt.Sprintf("%-10s first answer after a change  %.2f ms  without caches %.2f ms", c.Case, c.Cached, c.Uncached))
	}
	return nil
}

// afterChange measures a case.
func (b *bench) afterChange(ctx context.Context, a *prepared) (c afterChange, err error) {
	type side struct {
		Endpoint
		requests [][]byte
		took     []time.Duration
	}
	few := min(len(a.cached), manyFilters)
	cached, uncached := &side{Endpoint: b.Cached, requests: a.cached[:few]}, &side{Endpoint: b.Uncached, requests: a.uncached[:few]}
	sides := []*side{cached, uncached}
	for _, s := range sides { // so that texts are rendered and connections to the database are open
		l := load{address: s.Address, clients: 1, next: inTurn(s.requests)}
		if _, err := l.times(ctx, few); err != nil {
			return c, err
		}
	}
	until := time.Now().Add(b.Duration)
	for n := 0; n < fewestRounds || n < mostRounds && time.Now().Before(until); n++ {
		for i := range sides {
			s := sides[(n+i)%len(sides)]
			if _, err := askControl[bool](ctx, b.Service, "POST", "/change"); err != nil {
				return c, err
			}
			// Each request in two rounds, so that each server is the first once.
			l := load{address: s.Address, clients: 1, next: inTurn(s.requests[n/len(sides)%few:][:1]), status: a.status()}
			h, statements, err := b.counted(ctx, l, s.Endpoint, 1)
			if err != nil {
				return c, err
			}
			s.took = append(s.took, h.took...)
			if statements == 0 {
				return c, fmt.Errorf("%s: the answer was cached before the change", s.Address)
			}
		}
	}
	c = afterChange{Case: a.Name, Rounds: len(cached.took), Cached: milliseconds(median(cached.took)),
		Uncached: milliseconds(median(uncached.took))}
	if c.Uncached > 0 {
		c.Ratio = c.Cached / c.Uncached
	}
	return c, nil
}

// counted sends n requests and counts the statements of the server.
func (b *bench) counted(ctx context.Context, l load, e Endpoint, n int) (h responses, statements int64, err error) {
	before, err := askControl[figures](ctx, e, "GET", "/figures")
	if err != nil {
		return h, 0, err
	}
	if h, err = l.times(ctx, n); err != nil {
		return h, 0, err
	}
	after, err := askControl[figures](ctx, e, "GET", "/figures")
	return h, after.since(before).Statements, err
}

// change commits a change to the tables that answers are made of, and leaves them as before: it increments a number in
// a row of each and decrements it again in the same transaction, which a database still counts as a change.
func (s *subject) change(ctx context.Context) error {
	return s.db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		for _, t := range []struct{ table, key, number string }{
			{"posts", "ID", "menu_order"}, {"postmeta", "meta_id", "post_id"}, {"terms", "term_id", "term_group"},
			{"term_taxonomy", "term_taxonomy_id", "count"}, {"term_relationships", "object_id", "term_order"},
			{"tec_occurrences", "occurrence_id", "duration"},
		} {
			table, key, number := bun.Ident(s.prefix+t.table), bun.Ident(t.key), bun.Ident(t.number)
			var id int64
			if err := tx.NewSelect().TableExpr("?", table).ColumnExpr("COALESCE(MAX(?), 0)", key).Scan(ctx, &id); err != nil {
				return err
			}
			for _, by := range []int{1, -1} {
				q := tx.NewUpdate().TableExpr("?", table).Set("? = ? + ?", number, number, by).Where("? = ?", key, id)
				if t.table == "tec_occurrences" {
					q = q.Set("updated_at = updated_at") // otherwise the server would set it to the current time
				}
				if _, err := q.Exec(ctx); err != nil {
					return err
				}
			}
		}
		return nil
	})
}
