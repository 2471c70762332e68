package fill

import (
	"errors"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/uptrace/bun"

	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

func TestSameSeedSameRows(t *testing.T) {
	want := dump(t, filled(t, small(200)))
	o := small(200)
	o.chunkEvents, o.chunks = 0, 0
	wantSame(t, dump(t, filled(t, o)), want)
	o.Seed = 2
	if dump(t, filled(t, o)) == want {
		t.Error("another seed gives the same rows")
	}
}

func TestSameRowsOnEveryEngine(t *testing.T) {
	want := dump(t, filled(t, small(200)))
	for name, db := range map[string]*bun.DB{
		"MariaDB":               testdb.New(t),
		"MariaDB in MySQL mode": testdb.New(t, testdb.WithSQLMode(testdb.MySQL8), testdb.WithDSNParams("time_zone=%27%2B05%3A00%27")),
	} {
		t.Run(name, func(t *testing.T) {
			fillIn(t, db, small(200))
			db = testdb.Reopen(t, db, testdb.WithDSNParams("time_zone=%27%2B00%3A00%27"))
			wantSame(t, dump(t, db), want)
		})
	}
}

func TestMoreEventsBeginWithTheSame(t *testing.T) {
	want := dump(t, filled(t, small(250)))
	db := filled(t, small(90))
	sum := fillIn(t, db, small(250))
	wantSame(t, dump(t, db), want)
	if sum.Begun != 90 || sum.Events != 250 {
		t.Errorf("%+v", sum)
	}
}

func TestFewerEventsAddNothing(t *testing.T) {
	db := filled(t, small(100))
	want := dump(t, db)
	var calls [][2]int64
	o := small(40)
	o.Progress = func(done, total int64) { calls = append(calls, [2]int64{done, total}) }
	sum := fillIn(t, db, o)
	wantSame(t, dump(t, db), want)
	if sum.Events != 100 || sum.Rows != 0 || len(calls) != 1 || calls[0] != [2]int64{100, 100} {
		t.Errorf("%+v %v", sum, calls)
	}
}

func TestSummaryCountsRows(t *testing.T) {
	db := memory(t)
	must.Succeed(t, schema.Install(t.Context(), db, prefix))
	options := len(readTable[schema.Option](t, db, "option_id"))
	sum := fillIn(t, db, small(100))
	all := int64(strings.Count(dump(t, db), "\n"))
	// The state, the range of the calendar and the time of the last save are options that the summary does not count.
	if want := all - int64(options) - 3; sum.Rows != want {
		t.Errorf("%d rows, there are %d", sum.Rows, want)
	}
	if posts := int64(len(readTable[schema.Post](t, db, "ID"))); sum.Posts != posts || sum.Events != 100 {
		t.Errorf("%+v, there are %d posts", sum, posts)
	}
}

func TestTermCountsAreRight(t *testing.T) {
	db := filled(t, small(300))
	published := map[int64]bool{}
	for _, p := range readTable[schema.Post](t, db, "ID") {
		published[p.ID] = p.Status == schema.StatusPublish
	}
	want := map[int64]int64{}
	for _, r := range readTable[schema.TermRelationship](t, db, "object_id") {
		if published[r.ObjectID] {
			want[r.TermTaxonomyID]++
		}
	}
	for _, tt := range readTable[schema.TermTaxonomy](t, db, "term_id") {
		if tt.Count != want[tt.ID] {
			t.Errorf("term %d counts %d, want %d", tt.ID, tt.Count, want[tt.ID])
		}
	}
}

func TestGoesOnAfterEventsOfOthers(t *testing.T) {
	db := filled(t, small(40))
	last := readTable[schema.Post](t, db, "ID DESC")[0]
	last.ID, last.Name = last.ID+1, "made-meanwhile"
	row, o := readTable[schema.EventRow](t, db, "event_id DESC")[0], readTable[schema.Occurrence](t, db, "occurrence_id DESC")[0]
	row.ID, row.PostID = row.ID+7, last.ID
	o.ID, o.EventID, o.PostID, o.Hash = o.ID+2, row.ID, last.ID, "other"
	meta := schema.PostMeta{PostID: last.ID, Key: "theirs", Value: "1"}
	for _, model := range []any{&last, &row, &o, &meta} {
		must.Get(bound(t, db).NewInsert().Model(model).Exec(t.Context()))(t)
	}
	fillIn(t, db, small(80))
	if n := len(readTable[schema.EventRow](t, db, "event_id")); n != 81 {
		t.Errorf("%d events", n)
	}
}

func TestSecondFillingEnds(t *testing.T) {
	for name, db := range map[string]*bun.DB{"SQLite": openDirectory(t, newDirectory(t)), "MariaDB": testdb.New(t)} {
		t.Run(name, func(t *testing.T) {
			o := small(100)
			var other error
			done := false
			o.Progress = func(at, _ int64) {
				if at == 40 && !done {
					done = true
					_, other = Run(t.Context(), db, small(60))
				}
			}
			_, err := Run(t.Context(), db, o)
			if !errors.Is(err, errElsewhere) || other != nil {
				t.Errorf("%v, %v", err, other)
			}
			if n := len(readTable[schema.EventRow](t, db, "event_id")); n != 60 {
				t.Errorf("%d events", n)
			}
		})
	}
}

// TestLongMemoryDoesNotGrow checks that the memory in use is that of one chunk, however many follow.
func TestLongMemoryDoesNotGrow(t *testing.T) {
	db := openDirectory(t, filepath.Join(t.TempDir(), "data"))
	heap := map[int64]uint64{}
	o := small(2000)
	o.Progress = func(done, _ int64) {
		if done == 400 || done == 2000 {
			runtime.GC()
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			heap[done] = m.HeapAlloc
		}
	}
	fillIn(t, db, o)
	// 1,600 events are 8 MB of rows.
	if heap[2000] > heap[400]+2<<20 {
		t.Errorf("the heap grew from %d to %d bytes", heap[400], heap[2000])
	}
}

// TestPlannerHasStatistics checks that the tables are analyzed, since SQLite's planner has no statistics otherwise.
func TestPlannerHasStatistics(t *testing.T) {
	db := filled(t, small(60))
	var indexes []string
	err := db.NewRaw("SELECT idx FROM sqlite_stat1 WHERE tbl = 'big_postmeta'").Scan(t.Context(), &indexes)
	if err != nil || len(indexes) < 3 {
		t.Errorf("%v, %v", indexes, err)
	}
}
