package followstore

import (
	"context"
	"maps"
	"slices"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/store"
)

// Sizes of the blocks of posts that QuickLook reads.
const (
	BlockSize = 256       // ids of a block
	quickIDs  = 128 << 10 // ids of a statement
)

// QuickBlock is a block of posts with a checksum of a few small columns of them or of their dates.
type QuickBlock struct {
	Number  int64  `bun:"number"` // of the first id, divided by BlockSize
	Dates   bool   `bun:"dates"`
	Summary string `bun:"summary"` // differs, with high probability, if the columns changed
}

// QuickLook returns the blocks of posts of some types with ids above after, for as many ids as one statement reads.
// upto is the highest of these ids, 0 after the last one.
func (j *Journal) QuickLook(ctx context.Context, types []string, after int64) (blocks []QuickBlock, upto int64, err error) {
	f := j.prints
	last, err := store.IDs(ctx, f.db.Select().From(store.TablePosts, "p").Column("p.ID").Order("p.ID DESC").Limit(1))
	if err != nil || len(last) == 0 || last[0] <= after {
		return nil, 0, err
	}
	if upto = after - after%BlockSize + quickIDs - 1; upto >= last[0] {
		upto = 0
	}
	within := func(q *store.Query, column string) *store.Query {
		if q = q.Where(column+" > ?", after); upto != 0 {
			q = q.Where(column+" <= ?", upto)
		}
		return q.Group("number")
	}
	posts := "p"
	if f.db.IsMySQL() {
		posts = "p FORCE INDEX (PRIMARY)"
	}
	q := within(f.db.Select().From(store.TablePosts, posts).ColumnExpr("? AS number, ? AS dates, ? AS summary", f.block("p.ID"), false,
		f.summary("p.ID", "p.post_type", "p.post_status", "p.post_author", "p.post_modified", "p.post_modified_gmt", "p.post_name")).
		Where("p.post_type IN (?)", bun.List(types)), "p.ID")
	if f.columns.Occurrences {
		q.UnionAll(within(f.db.Select().From(store.TableOccurrences, "o").ColumnExpr("? AS number, ? AS dates, ? AS summary",
			f.block("o.post_id"), true, f.summary("o.occurrence_id", "o.post_id", "o.start_date", "o.end_date")), "o.post_id"))
	}
	blocks, err = store.All[QuickBlock](ctx, q.Conn(j.siteConn(j.own.DB)))
	return blocks, upto, err
}

// block returns an expression for the block number of an id.
func (f *fingerprints) block(id string) bun.Safe {
	if f.db.IsMySQL() {
		return bun.Safe(id + " DIV 256")
	}
	return bun.Safe(id + " / 256")
}

// summary returns an expression for a short checksum of all rows of a block, which costs less than a fingerprint.
func (f *fingerprints) summary(columns ...string) bun.Safe {
	if !f.db.IsMySQL() {
		return f.print(true, columns)
	}
	list := ""
	for _, c := range columns {
		list += ", " + c
	}
	return bun.Safe("CONCAT(COUNT(*), '/', SUM(CRC32(CONCAT_WS('/'" + list + "))))")
}

// CompareBlock is Compare for the items of a block.
func (j *Journal) CompareBlock(ctx context.Context, k Stored, number int64) (*Slice, error) {
	s := &Slice{Kind: k, After: number*BlockSize - 1, Upto: number*BlockSize + BlockSize - 1}
	known, err := j.known(ctx, j.own.DB, k.Kind, func(q *bun.SelectQuery) *bun.SelectQuery {
		return q.Column("object_id", "fingerprint").Where("object_id > ?", s.After).Where("object_id <= ?", s.Upto)
	})
	if err != nil {
		return nil, err
	}
	ids, err := j.ids(ctx, k, s.After, BlockSize)
	if err != nil {
		return nil, err
	}
	ids = slices.DeleteFunc(ids, func(id int64) bool { return id > s.Upto })
	ids = slices.Compact(slices.Sorted(slices.Values(slices.AppendSeq(ids, maps.Keys(known)))))
	s.ids, err = j.prints.differing(ctx, j, k, ids, known, everyPart)
	s.Same = len(s.ids) == 0
	return s, err
}
