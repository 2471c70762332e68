package eventlist

import (
	"context"
	"math/rand/v2"
	"slices"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/store"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// everyThird is a condition that only the general strategy can evaluate.
type everyThird struct{}

func (everyThird) general(_ *List, q *store.Query) *store.Query {
	return q.Where("p.ID % 3 = 0")
}

// manyRegular adds 5,000 events, each with one occurrence, as The Events Calendar would.
func manyRegular(t *testing.T, db *bun.DB) {
	t.Helper()
	const numbers = "WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 999), " +
		"m (j) AS (SELECT 0 UNION ALL SELECT j + 1 FROM m WHERE j < 4), k (i) AS (SELECT 1000 * j + i FROM n JOIN m) SELECT 100000 + i, "
	const start, end = "'2031-01-01' + INTERVAL i DIV 3 HOUR, '2031-01-01' + INTERVAL i DIV 3 HOUR, ", "'2032-01-01', '2032-01-01', "
	for into, rows := range map[string]string{
		"wp_posts (ID, post_author, post_date, post_date_gmt, post_content, post_title, post_excerpt, post_status, post_name, " +
			"to_ping, pinged, post_modified, post_modified_gmt, post_content_filtered, post_type)": "1, '2026-01-01', '2026-01-01', " +
			"'', 'x', '', 'publish', CONCAT('x', i), '', '', '2026-01-01', '2026-01-01', '', 'tribe_events' FROM k",
		"wp_tec_occurrences (event_id, post_id, start_date, start_date_utc, end_date, end_date_utc, duration, hash)": "100000 + i, " +
			start + end + "86400, CONCAT('x', i) FROM k",
		"wp_postmeta (post_id, meta_key, meta_value)": "IF(i % 50 = 0, '_tribe_featured', '_EventVenueID'), '7' " +
			"FROM k WHERE i % 2 = 0",
		"wp_term_relationships (object_id, term_taxonomy_id)": "7 FROM k WHERE i % 10 = 0",
	} {
		execute(t, db, "INSERT INTO "+into+" "+numbers+rows)
	}
}

// TestUnknownConditionsTakeTheGeneralStrategy checks that a condition that the planner does not know is evaluated in
// full: pages and totals are correct with so many regular events that fast paths are used for other conditions.
func TestUnknownConditionsTakeTheGeneralStrategy(t *testing.T) {
	t.Parallel()
	_, db := tidied(t)
	manyRegular(t, db)
	l := probed(t, db)
	bounds := []Bound{{Op: ">=", Value: "2031-01-01 00:00:00"}}
	all, err := l.Select(&Filter{Visible: anyone, Bounds: bounds}).Count(still(t))
	if err != nil || all < max(5000, manyEvents) || !l.store.Probe.Invariants(still(t)).Occurrences {
		t.Fatal(all, err)
	}
	for name, others := range map[string][]Condition{
		"alone": nil, "with featured": {Featured(true)}, "with others": {Featured(false)}, "at a venue": {venues(7)},
		"with a term": {AssignedTo([]int64{7}, 700)},
	} {
		for _, descending := range []bool{false, true} {
			f := &Filter{Visible: anyone, Bounds: bounds, Conditions: others, Descending: descending}
			known, err := l.Select(f).ids(still(t), 10_000, 0)
			if err != nil || !l.scans(f) {
				t.Fatal(err)
			}
			want := slices.DeleteFunc(known, func(id int64) bool { return id%3 != 0 })
			for _, f.Conditions = range [][]Condition{append([]Condition{everyThird{}}, others...),
				append(slices.Clone(others), everyThird{})} {
				for _, offset := range []int{0, deep, len(want) / 2, len(want) - 3} {
					page, err := l.Select(f).ids(still(t), 10, int64(offset))
					if err != nil || !slices.Equal(page, want[min(offset, len(want)):min(offset+10, len(want))]) {
						t.Errorf("%s, descending %v, from %d: %v %v", name, descending, offset, page, err)
					}
				}
				if n, err := l.Select(f).Count(still(t)); err != nil || n != int64(len(want)) || n < 30 {
					t.Errorf("%s: counted %d %v, listed %d", name, n, err, len(want))
				}
			}
		}
	}
}

// anyOf selects random filters for the recorded site.
type anyOf struct{ *rand.Rand }

func (r anyOf) ids(from, to int64, most int) []int64 {
	list := make([]int64, r.IntN(most+1))
	for i := range list {
		list[i] = from + r.Int64N(to-from)
	}
	return list
}

func (r anyOf) yes() bool { return r.IntN(2) == 0 }

// condition returns a condition of any type.
func (r anyOf) condition(l *List) Condition {
	switch r.IntN(12) {
	case 0:
		return l.Searching([]Term{{Text: []string{"a", "blues", "nacht", "jazz"}[r.IntN(4)], Not: r.yes()}})
	case 1, 2:
		return AssignedTo(r.ids(6, 20, 6), []int64{0, 5, fewMembers + 1}[r.IntN(3)])
	case 3:
		return venues(r.ids(7, 17, 5)...)
	case 4:
		return organizers(r.ids(17, 22, 12)...)
	case 5:
		return notAt(venues(r.ids(7, 17, 3)...))
	case 6:
		return Featured(true)
	case 7:
		return Featured(false)
	case 8:
		return ChildOf([]int64{0, 0, 46}[r.IntN(3)])
	case 9:
		return Among(r.ids(20, 200, 150))
	case 10:
		return NotAmong(r.ids(20, 200, 20))
	}
	return everyThird{}
}

func (r anyOf) moment() string {
	return time.Date(2031, 1, 1+r.IntN(365), r.IntN(24), 0, 0, 0, time.UTC).Format(time.DateTime)
}

func (r anyOf) filter(l *List) *Filter {
	f := &Filter{Visible: anyone, OrderUTC: r.yes(), Descending: r.yes(), Unlocked: r.yes()}
	switch r.IntN(4) {
	case 0:
		f.Visible = store.Visible{Statuses: []string{"publish"}, Author: 1 + r.Int64N(3), OwnStatuses: []string{"draft", "private"}}
	case 1:
		f.Visible = store.Visible{Statuses: []string{"publish", "private", "draft"}}
	}
	for range r.IntN(3) {
		bound := Bound{End: r.yes(), UTC: r.yes(), Op: []string{">=", "<=", ">", "<"}[r.IntN(4)], Value: r.moment()}
		f.Bounds = append(f.Bounds, bound)
	}
	for range []int{0, 1, 1, 2, 3}[r.IntN(5)] {
		f.Conditions = append(f.Conditions, r.condition(l))
	}
	if r.IntN(3) == 0 {
		f.Language = spokenIn[r.IntN(len(spokenIn))]
	}
	if r.yes() {
		f.DateBase = 10_000_000
	}
	if r.IntN(6) == 0 {
		f.Order = []Order{ByStart, ByPostDate, byTitle, byModified, byID}[r.IntN(5)]
	}
	return f
}

// spoil changes the tables of the recorded site and makes them irregular in some ways.
func (r anyOf) spoil(t *testing.T, db *bun.DB) {
	t.Helper()
	n := 2 + r.IntN(6)
	for _, irregular := range []func(){
		func() { addOccurrence(t, db, 30, "2031-05-01 00:00:00", "2031-06-01 02:00:00") },
		func() {
			for id := int64(25); id < 60; id++ {
				from := r.moment()
				addOccurrence(t, db, id, from, from)
			}
		},
		func() { execute(t, db, "DELETE FROM wp_tec_occurrences WHERE post_id % 9 = 0") },
		func() { addOccurrence(t, db, 999_999, "2031-05-01 00:00:00", "2031-06-01 02:00:00") },
		func() { addOccurrence(t, db, 7, "2031-05-01 00:00:00", "2031-06-01 02:00:00") },
		func() {
			execute(t, db, "UPDATE wp_tec_occurrences SET end_date = '2030-01-01' WHERE post_id % ? = 1", n)
		},
		func() {
			execute(t, db, "UPDATE wp_tec_occurrences SET start_date_utc = start_date_utc - INTERVAL 40 HOUR WHERE post_id % ? = 0", n)
		},
		func() {
			execute(t, db, "INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (40, '_EventVenueID', '7abc'), "+
				"(41, '_EventVenueID', ''), (42, '_EventVenueID', NULL), (888888, '_EventVenueID', '7')")
		},
		func() {
			execute(t, db, "INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) VALUES (888888, 7), (7, 7)")
		},
	} {
		if r.IntN(3) == 0 {
			irregular()
		}
	}
}

// vary changes the tables of the recorded site and keeps them regular: drafts and private events of several authors,
// protected ones, hidden ones, shared starts, several venues of an event and several marks.
func (r anyOf) vary(t *testing.T, db *bun.DB) {
	t.Helper()
	n := 2 + r.IntN(6)
	execute(t, db, "UPDATE wp_posts SET post_author = 1 + ID % 3, post_date = '2026-01-01' + INTERVAL ID % 4 DAY, "+
		"post_status = CASE WHEN ID % ? = 0 THEN 'draft' WHEN ID % 11 = 0 THEN 'private' ELSE 'publish' END, "+
		"post_password = CASE WHEN ID % ? = 1 THEN 'x' ELSE '' END WHERE post_type = 'tribe_events'", 3*n, n+2)
	execute(t, db, "UPDATE wp_tec_occurrences SET start_date = LEAST('2031-05-01', end_date), "+
		"start_date_utc = LEAST('2031-05-01', end_date_utc) WHERE post_id % ? = 0", n)
	const meta = "INSERT INTO wp_postmeta (post_id, meta_key, meta_value) "
	execute(t, db, meta+"SELECT ID, '_EventHideFromUpcoming', 'yes' FROM wp_posts WHERE ID % ? = 3", n+5)
	execute(t, db, meta+"SELECT ID, '_EventVenueID', 7 + ID % 8 FROM wp_posts WHERE ID % ? = 0 AND post_type = 'tribe_events'", n)
	execute(t, db, meta+"VALUES (43, '_tribe_featured', ''), (43, '_tribe_featured', '0'), (888888, '_tribe_featured', '1')")
}

// repeat adds occurrences to events, some of them on dates of other events.
func (r anyOf) repeat(t *testing.T, db *bun.DB) {
	t.Helper()
	for id := int64(25); id < 150; id += 1 + r.Int64N(3) {
		for range 1 + r.IntN(5) {
			from := r.moment()
			execute(t, db, "INSERT IGNORE INTO wp_tec_occurrences (event_id, post_id, start_date, start_date_utc, end_date, end_date_utc, "+
				"duration, hash) SELECT event_id, post_id, ?0, ?0, ?0 + INTERVAL 2 HOUR, ?0 + INTERVAL 2 HOUR, 7200, "+
				"CONCAT('r', ?0, post_id) FROM wp_tec_occurrences WHERE post_id = ?1 LIMIT 1",
				[]string{from, "2031-05-01 00:00:00"}[r.IntN(2)], id)
		}
		execute(t, db, "UPDATE wp_tec_occurrences SET has_recurrence = 1 WHERE post_id = ?", id)
	}
}

// tables returns a list on random tables: a third of them regular, with and without languages, and with and without the
// FULLTEXT index.
func (r anyOf) tables(t *testing.T, seed uint64) *List {
	t.Helper()
	_, db := tidied(t)
	must.Succeed(t, schema.InstallDates(t.Context(), db, "wp_"))
	r.vary(t, db)
	if seed%4 == 3 {
		r.repeat(t, db)
	}
	if seed%3 != 0 {
		r.spoil(t, db)
	}
	form := []store.Form{"", store.TableForm, store.TermsForm, ""}[seed%4]
	if form != "" {
		speak[form](t, db)
	}
	if seed%2 == 0 {
		execute(t, testdb.OfOthers(t, db), addWords)
	}
	changes := []func(*store.Config){translated(form)}
	if seed%2 == 0 {
		changes = append(changes, searched)
	}
	return probed(t, db, changes...)
}

// TestStrategiesAgreeWithTheGeneralOne checks that every strategy has the same result as the general one, for random
// filters of all conditions on random tables, regular and irregular.
func TestStrategiesAgreeWithTheGeneralOne(t *testing.T) { strategiesAgree(t, 20, 1) }

func TestLongStrategiesAgreeWithTheGeneralOne(t *testing.T) { strategiesAgree(t, 50, 10) }

func strategiesAgree(t *testing.T, filters, least int) {
	t.Parallel()
	taken := map[string]int{}
	for seed := range uint64(5) {
		r := anyOf{rand.New(rand.NewPCG(seed, 14))}
		l := r.tables(t, seed)
		for range filters {
			f := r.filter(l)
			l.sized(f, []int64{0, fewLinked + 1, manyLinked + 1}[r.IntN(3)])
			agree(t, l, f, taken)
		}
	}
	t.Log(taken)
	for _, strategy := range []string{
		"general", "scan", "source", "in a list", "by indexes", "by indexes while metadata is written", "deep page", "irregular",
		"each date", "each date, regular", "near clocks",
	} {
		if taken[strategy] < least {
			t.Errorf("%s is hardly taken: %v", strategy, taken)
		}
	}
}

// agree compares the pages and totals of a filter, by the planner and by each strategy, with those of the general
// strategy.
func agree(t *testing.T, l *List, f *Filter, taken map[string]int) {
	t.Helper()
	want, err := l.generalPage(still(t), f, 10_000, 0)
	n, errCount := store.Number(still(t), l.general(f).ColumnExpr("COUNT(DISTINCT ?)", f.counted()))
	if err != nil || errCount != nil || n != int64(len(want)) {
		t.Fatalf("%+v: listed %d, counted %d: %v %v", f, len(want), n, err, errCount)
	}
	note := func(strategy string, is bool) {
		if is {
			taken[strategy]++
		}
	}
	regular, size := l.regular(still(t), f), l.size(f)
	note("irregular", !regular)
	note("general", !l.scans(f))
	note("each date", f.each() && slices.ContainsFunc(want, func(r store.Ref) bool { return r.ID > f.DateBase && r.Post < f.DateBase }))
	note("near clocks", regular && slices.ContainsFunc(f.Bounds, func(b Bound) bool {
		return !b.End && b.UTC != f.OrderUTC && l.store.Probe.Invariants(still(t)).Clocks
	}))
	note("each date, regular", f.each() && regular && !l.store.Probe.Invariants(still(t)).Occurrences)
	for _, limit := range []int{1, 10, 1000} {
		for _, offset := range []int{0, 1, len(want) / 3, len(want) - 2} {
			offset = min(max(0, offset), len(want))
			page, err := l.Select(f).Page(still(t), int64(limit), int64(offset))
			if err != nil || !slices.Equal(page, want[offset:min(offset+limit, len(want))]) {
				t.Fatalf("%+v: %d from %d: %v %v of %v", f, limit, offset, page, err, want)
			}
		}
	}
	count := func(strategy string, count func(context.Context) (int64, error), ctx context.Context) {
		taken[strategy]++
		if counted, err := count(ctx); err != nil || counted != n {
			t.Errorf("%+v: counted by %s %d %v, listed %d", f, strategy, counted, err, n)
		}
	}
	scan, scanned := l.scan(f)
	if scanned {
		q, few := scan.query(fewLinked)
		q = q.ColumnExpr("COUNT(DISTINCT ?)", f.counted())
		strategy := map[bool]string{true: "source", false: "scan"}[few]
		count(strategy, func(ctx context.Context) (int64, error) { return store.Number(ctx, q) }, still(t))
		note("in a list", !few && some[linking](f.Conditions) && size > fewLinked && size <= manyLinked)
	}
	x, known := l.indexes(f)
	if known = known && regular; known {
		count("by indexes", x.count, still(t))
		count("by indexes while metadata is written", x.count, whileWritten(t, "postmeta"))
	}
	if counted, err := l.Select(f).Count(still(t)); err != nil || counted != n {
		t.Errorf("%+v: counted %d %v, listed %d", f, counted, err, n)
	}
	for offset := int64(0); known && scanned && offset < 100; offset += 45 { // both sort ties in the order of the index
		want, err := scan.rows(still(t), nil, 10, offset)
		rows, ok, errDeep := x.rows(still(t), 10, offset)
		if err != nil || errDeep != nil || !ok || !slices.Equal(rows, want) {
			t.Errorf("%+v: deep from %d: %v %v %v, want %v %v", f, offset, rows, ok, errDeep, want, err)
		}
		taken["deep page"]++
	}
}
