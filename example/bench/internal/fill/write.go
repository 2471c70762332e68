package fill

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/schema"
)

// These are the numbers of rows per statement: enough that the rows take most of the time, and few enough that the
// statement stays below a quarter of the default packet size of a server, even with the longest texts.
const (
	postsAtOnce = 250
	rowsAtOnce  = 4000
)

// rows contains rows of the tables, with the ids by which they refer to each other.
type rows struct {
	posts         []schema.Post
	meta          []schema.PostMeta
	terms         []schema.Term
	taxonomies    []schema.TermTaxonomy
	relationships []schema.TermRelationship
	users         []schema.User
	userMeta      []schema.UserMeta
	events        []schema.EventRow
	occurrences   []schema.Occurrence
}

func (r *rows) count() int64 {
	return int64(len(r.posts) + len(r.meta) + len(r.terms) + len(r.taxonomies) + len(r.relationships) +
		len(r.users) + len(r.userMeta) + len(r.events) + len(r.occurrences))
}

func (r *rows) insert(ctx context.Context, tx bun.Tx) (err error) {
	for _, step := range []func() error{
		func() error { return insertRows(ctx, tx, r.users, rowsAtOnce) },
		func() error { return insertRows(ctx, tx, r.userMeta, rowsAtOnce) },
		func() error { return insertRows(ctx, tx, r.terms, rowsAtOnce) },
		func() error { return insertRows(ctx, tx, r.taxonomies, rowsAtOnce) },
		func() error { return insertRows(ctx, tx, r.posts, postsAtOnce) },
		func() error { return insertRows(ctx, tx, r.meta, rowsAtOnce) },
		func() error { return insertRows(ctx, tx, r.relationships, rowsAtOnce) },
		func() error { return insertRows(ctx, tx, r.events, rowsAtOnce) },
		func() error { return insertRows(ctx, tx, r.occurrences, rowsAtOnce) },
	} {
		if err = step(); err != nil {
			return err
		}
	}
	return nil
}

func insertRows[T any](ctx context.Context, tx bun.Tx, all []T, atOnce int) error {
	for part := range slices.Chunk(all, atOnce) {
		if _, err := tx.NewInsert().Model(&part).Returning("NULL").Exec(ctx); err != nil {
			return err
		}
	}
	return nil
}

// writeChunks writes the chunks of one transaction, with everything that follows from them, and returns the state after it.
func (f *filler) writeChunks(ctx context.Context, tx bun.Tx, chunks <-chan *chunk) (done part, err error) {
	if err := f.hold(ctx, tx); err != nil {
		return done, err
	}
	counts, ends := map[int64]int64{}, edges{}
	done.after = f.state
	for range f.chunks {
		c, more := <-chunks
		if !more {
			break
		}
		if err := c.insert(ctx, tx); err != nil {
			return done, err
		}
		for id, n := range c.counts {
			counts[id] += n
		}
		ends.widen(c.ends)
		done = part{c.after, done.posts + int64(len(c.posts)), done.rows + c.rows.count()}
	}
	if err := ctx.Err(); err != nil { // the reason why there was no chunk
		return done, err
	}
	if err := addCounts(ctx, tx, counts); err != nil {
		return done, err
	}
	if err := saveRange(ctx, tx, ends); err != nil {
		return done, err
	}
	if err := replaceOption(ctx, tx, schema.OptionLastSavePost, store.Microtime(f.Now())); err != nil {
		return done, err
	}
	return done, setOption(ctx, tx, StateOption, done.after.encode(), "off", true)
}

// part is what a transaction has added.
type part struct {
	after       state
	posts, rows int64
}

// addCounts adds published events to the counts of their terms.
func addCounts(ctx context.Context, tx bun.Tx, counts map[int64]int64) error {
	ids := slices.Sorted(maps.Keys(counts))
	if len(ids) == 0 {
		return nil
	}
	args := make([]any, 0, 2*len(ids))
	for _, id := range ids {
		args = append(args, id, counts[id])
	}
	_, err := tx.NewUpdate().Model((*schema.TermTaxonomy)(nil)).
		Set("count = count + CASE term_taxonomy_id"+strings.Repeat(" WHEN ? THEN ?", len(ids))+" END", args...).
		Where("term_taxonomy_id IN (?)", bun.List(ids)).Exec(ctx)
	return err
}
