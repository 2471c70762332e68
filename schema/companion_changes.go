package schema

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/uptrace/bun"
)

// Touched collects what one write changed and WordPress may have cached. The zero value is empty and ready to use.
type Touched struct {
	posts, users, comments map[int64]bool
	terms                  map[TouchedTerm]bool
	options                map[string]bool
}

// TouchedTerm is a term with its taxonomy.
type TouchedTerm struct {
	Taxonomy string
	ID       int64
}

// Posts adds posts that were deleted, or whose row, meta rows or terms changed.
func (t *Touched) Posts(ids ...int64) { t.posts = including(t.posts, ids) }

// Users adds users whose row or meta rows changed.
func (t *Touched) Users(ids ...int64) { t.users = including(t.users, ids) }

// Comments adds comments whose row changed.
func (t *Touched) Comments(ids ...int64) { t.comments = including(t.comments, ids) }

// Terms adds terms whose row changed, or that were assigned to a post or removed from one.
func (t *Touched) Terms(terms ...TouchedTerm) { t.terms = including(t.terms, terms) }

// Options adds options that changed.
func (t *Touched) Options(names ...string) { t.options = including(t.options, names) }

// Empty reports whether nothing was added.
func (t *Touched) Empty() bool {
	return len(t.posts)+len(t.users)+len(t.comments)+len(t.terms)+len(t.options) == 0
}

// PostIDs returns the sorted ids of the posts.
func (t *Touched) PostIDs() []int64 { return slices.Sorted(maps.Keys(t.posts)) }

// TermIDs returns the sorted ids of the terms.
func (t *Touched) TermIDs() []int64 {
	ids := map[int64]bool{}
	for term := range t.terms {
		ids[term.ID] = true
	}
	return slices.Sorted(maps.Keys(ids))
}

func including[T comparable](set map[T]bool, list []T) map[T]bool {
	if set == nil && len(list) > 0 {
		set = map[T]bool{}
	}
	for _, v := range list {
		set[v] = true
	}
	return set
}

// Insert inserts the row of a write, in its transaction. The table has to exist.
func (t *Touched) Insert(ctx context.Context, tx bun.IDB, prefix string) error {
	row := t.row()
	_, err := tx.NewInsert().Model(row).ModelTableExpr("?", bun.Ident(prefix+CompanionTable)).ExcludeColumn("number").
		Value("moment", CompanionClock(tx)).Returning("NULL").Exec(ctx)
	return err
}

func (t *Touched) row() *CompanionRow {
	terms := slices.SortedFunc(maps.Keys(t.terms), func(a, b TouchedTerm) int {
		return cmp.Or(strings.Compare(a.Taxonomy, b.Taxonomy), cmp.Compare(a.ID, b.ID))
	})
	named := make([]string, len(terms))
	for i, term := range terms {
		named[i] = term.Taxonomy + ":" + strconv.FormatInt(term.ID, 10)
	}
	return &CompanionRow{
		Posts: idList(t.posts), Users: idList(t.users), Comments: idList(t.comments), Terms: strings.Join(named, ","),
		Options: strings.Join(slices.Sorted(maps.Keys(t.options)), ","),
	}
}

func idList(ids map[int64]bool) string {
	var list []string
	for _, id := range slices.Sorted(maps.Keys(ids)) {
		list = append(list, strconv.FormatInt(id, 10))
	}
	return strings.Join(list, ",")
}

const (
	companionKeeps = 24 * time.Hour // how long rows are kept
	mergedAtOnce   = 1000
)

// companionSpans define how rows are merged as they get older: the rows of each span become one. The companion reads
// the rows of the last ten minutes if it does not remember a number, and reads those of the last minute again.
var companionSpans = []struct{ span, from, to time.Duration }{
	{10 * time.Minute, 2 * time.Minute, 40 * time.Minute},
	{time.Hour, 70 * time.Minute, 4 * time.Hour},
}

// TidyCompanion deletes rows that are older than a day. It merges the rows of ten minutes, and later those of an hour,
// into the newest of them, so that a companion that has read only some of them still gets the others. It is called in a
// transaction, but reads through another connection, so that the store can limit the time of reads.
func TidyCompanion(ctx context.Context, tx bun.IDB, reads bun.IConn, prefix string) error {
	name, clock := bun.Ident(prefix+CompanionTable), CompanionClock(tx)
	before := func(d time.Duration) bun.Safe { return bun.Safe(clock + " - " + strconv.Itoa(int(d.Seconds()))) }
	_, err := tx.NewDelete().Model((*CompanionRow)(nil)).ModelTableExpr("?", name).Where("moment < ?", before(companionKeeps)).Exec(ctx)
	if err != nil {
		return err
	}
	for _, age := range companionSpans {
		var rows []*CompanionRow
		err = tx.NewSelect().Conn(reads).Model(&rows).ModelTableExpr("? AS ct", name).Where("moment < ?", before(age.from)).
			Where("moment >= ?", before(age.to)).Order("number").Limit(mergedAtOnce).Scan(ctx)
		if err != nil {
			return err
		}
		spans := map[int64][]*CompanionRow{}
		for _, r := range rows {
			span := r.Moment / int64(age.span.Seconds())
			spans[span] = append(spans[span], r)
		}
		for _, span := range slices.Sorted(maps.Keys(spans)) {
			if err := mergeRows(ctx, tx, name, spans[span]); err != nil {
				return err
			}
		}
	}
	return nil
}

// mergeRows merges rows into the newest of them and deletes the others.
func mergeRows(ctx context.Context, tx bun.IDB, name bun.Ident, rows []*CompanionRow) error {
	if len(rows) < 2 {
		return nil
	}
	last := rows[len(rows)-1]
	gone := make([]int64, len(rows)-1)
	for i, r := range rows[:len(rows)-1] {
		gone[i], last.Moment = r.Number, max(last.Moment, r.Moment)
	}
	for _, column := range []func(*CompanionRow) *string{
		func(r *CompanionRow) *string { return &r.Posts }, func(r *CompanionRow) *string { return &r.Terms },
		func(r *CompanionRow) *string { return &r.Users }, func(r *CompanionRow) *string { return &r.Options },
		func(r *CompanionRow) *string { return &r.Comments },
	} {
		all := map[string]bool{}
		for _, r := range rows {
			for element := range strings.SplitSeq(*column(r), ",") {
				if element != "" {
					all[element] = true
				}
			}
		}
		*column(last) = strings.Join(slices.Sorted(maps.Keys(all)), ",")
	}
	_, err := tx.NewUpdate().Model(last).ModelTableExpr("?", name).ExcludeColumn("number").Where("number = ?", last.Number).Exec(ctx)
	if err != nil {
		return err
	}
	_, err = tx.NewDelete().Model((*CompanionRow)(nil)).ModelTableExpr("?", name).Where("number IN (?)", bun.List(gone)).Exec(ctx)
	return err
}
