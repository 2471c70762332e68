package eventlist

import (
	"fmt"
	"slices"
	"testing"

	"github.com/agendahq/agenda/internal/store"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/schema"
)

// D33: without the table of occurrences the meta rows give the same answers.
func TestD33MetaRowsAnswerAlike(t *testing.T) {
	with, db := recorded(t)
	without := listOf(t, db, false)
	bound := func(end, utc bool, op, value string) []Bound {
		return []Bound{{End: end, UTC: utc, Op: op, Value: value}}
	}
	for name, f := range map[string]Filter{
		"all": {}, "in UTC": {OrderUTC: true}, "backwards": {Descending: true},
		"start":        {Bounds: bound(false, false, ">=", "2031-03-24 09:45:00")},
		"start in UTC": {Bounds: bound(false, true, ">", "2031-03-24 08:45:00"), OrderUTC: true},
		"end":          {Bounds: bound(true, false, "<=", "2031-03-25 23:59:59")},
		"end in UTC":   {Bounds: bound(true, true, "<", "2031-03-25 22:59:59")},
		"all four": {Bounds: slices.Concat(bound(false, false, ">=", "2019-01-01 00:00:00"), bound(false, true, "<", "2031-06-01 00:00:00"),
			bound(true, false, ">", "2020-01-01 00:00:00"), bound(true, true, "<=", "2032-01-01 00:00:00"))},
		"far":     {Bounds: bound(false, false, ">", "-0001-11-30 00:00:00")},
		"too far": {Bounds: bound(false, false, ">=", "10000-01-01 00:00:00")},
		"search":  asking(with.Searching([]Term{{Text: "blues"}, {Text: "nacht", Not: true}})),
		"terms":   asking(AssignedTo([]int64{7, 11}, 0), AssignedTo([]int64{17, 18}, 0)), "venues": asking(venues(7, 10, 12)),
		"organizers": asking(organizers(17, 18)),
		"featured":   asking(Featured(true)), "not featured": asking(Featured(false)), "children": asking(ChildOf(46)),
		"without tickets": asking(NotAmong{}), "with tickets": asking(Among{}),
		"by title": {Order: byTitle}, "by change": {Order: byModified, Descending: true}, "by date": {Order: ByPostDate},
		"by id": {Order: byID, Descending: true},
	} {
		f.Visible = anyone
		g := f
		a, errA := with.Select(&f).ids(still(t), 200, 0)
		b, errB := without.Select(&g).ids(still(t), 200, 0)
		if errA != nil || errB != nil || !slices.Equal(a, b) {
			t.Errorf("%s: %v %v\n%v %v", name, a, errA, b, errB)
		}
		m, errA := with.Select(&f).Count(still(t))
		n, errB := without.Select(&g).Count(still(t))
		if errA != nil || errB != nil || m != int64(len(a)) || n != m {
			t.Errorf("%s: total %d %v, %d %v, listed %d", name, m, errA, n, errB, len(a))
		}
		if len(a) == 0 && name != "with tickets" && name != "too far" {
			t.Errorf("%s selects nothing", name)
		}
	}
}

// Every event is on exactly one page, in every order.
func TestD32PagesDoNotOverlap(t *testing.T) {
	s, db := recorded(t)
	execute(t, db, "UPDATE wp_posts SET post_title = 'Same', post_date = '2026-01-01 00:00:00', post_modified = '2026-01-01 00:00:00' "+
		"WHERE post_type IN ('tribe_events', 'tribe_venue')")
	execute(t, db, "UPDATE wp_tec_occurrences SET start_date = '2031-01-01 00:00:00'")
	for _, order := range []Order{ByStart, ByPostDate, byTitle, byModified, byID, "nonsense"} {
		for _, descending := range []bool{false, true} {
			f := &Filter{Visible: anyone, Order: order, Descending: descending}
			total, err := s.Select(f).Count(still(t))
			if err != nil {
				t.Fatal(err)
			}
			var all []int64
			for offset := int64(0); offset < total; offset += 7 {
				page, err := s.Select(f).ids(still(t), 7, offset)
				if err != nil {
					t.Fatal(err)
				}
				all = append(all, page...)
			}
			want := slices.Clone(all)
			slices.Sort(want)
			if order == byID && descending {
				slices.Reverse(want)
			}
			if int64(len(all)) != total || total == 0 || !slices.Equal(all, want) || len(slices.Compact(want)) != len(all) {
				t.Errorf("%s, descending %v: %d of %d, ids ascending: %v", order, descending, len(all), total, slices.Equal(all, want))
			}
		}
	}
	f := &store.LinkedFilter{Type: "tribe_venue", Visible: anyone, Order: store.LinkedByTitle, Ascending: true}
	var all []int64
	for offset := range int64(8) {
		page, err := s.store.Links.Page(still(t), f, 1, offset)
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, page...)
	}
	if want := []int64{15, 14, 12, 11, 10, 9, 8, 7}; !slices.Equal(all, want) {
		t.Errorf("venues %v, want %v", all, want)
	}
}

// Several occurrences are one event, at the first that matches.
func TestOccurrencesAreOneEvent(t *testing.T) {
	s, db := recorded(t)
	for i, day := range []string{"2020-05-05", "2033-05-05", "2033-05-06"} {
		execute(t, db, "INSERT INTO wp_tec_occurrences (event_id, post_id, start_date, start_date_utc, end_date, end_date_utc, "+
			"duration, hash) SELECT event_id, 25, ?, ?, ?, ?, 3600, ? FROM wp_tec_events WHERE post_id = 25",
			day+" 10:00:00", day+" 09:00:00", day+" 11:00:00", day+" 10:00:00", fmt.Sprint("x", i))
	}
	for value, want := range map[string]int64{"2020-01-01 00:00:00": 25, "2033-01-01 00:00:00": 25, "2033-05-06 00:00:00": 25} {
		f := &Filter{Visible: anyone, Bounds: []Bound{{Op: ">=", Value: value}}}
		ids, err := s.Select(f).ids(still(t), 200, 0)
		if err != nil || len(ids) == 0 || ids[0] != want {
			t.Errorf("from %s: %v %v", value, ids, err)
		}
		n, err := s.Select(f).Count(still(t))
		slices.Sort(ids)
		if err != nil || int64(len(slices.Compact(ids))) != n || int64(len(ids)) != n {
			t.Errorf("from %s: total %d, listed %d, %v", value, n, len(ids), err)
		}
	}
}

// The tickets of a filter are read once for the page and its total.
func TestD31TicketsAreReadOnce(t *testing.T) {
	db, counter := testdb.Counted(t, testdb.SiteA)
	bound, err := schema.Bind(db, "wp_")
	if err != nil {
		t.Fatal(err)
	}
	s := listOf(t, bound, true)
	execute(t, bound, "INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (23, '_tribe_rsvp_for_event', '25'), "+
		"(24, '_tec_tickets_commerce_event', '26'), (999, '_tribe_wooticket_for_event', '27'), (16, '_tribe_rsvp_for_event', '28'), "+
		"(23, '_tribe_rsvp_for_event', 'abc'), (23, '_tribe_rsvp_for_event', NULL)")
	counter.Reset()
	tickets, err := s.store.Events.Ticketed(still(t))
	if err != nil {
		t.Fatal(err)
	}
	f := &Filter{Visible: anyone, Conditions: []Condition{Among(tickets)}, Order: byID}
	ids, err := s.Select(f).ids(still(t), 10, 0)
	n, errCount := s.Select(f).Count(still(t))
	if err != nil || errCount != nil || !slices.Equal(ids, []int64{25, 26, 27}) || n != 3 { // the ticket of 28 is in the trash
		t.Errorf("%v %d, %v %v", ids, n, err, errCount)
	}
	if sent := counter.Statements(); len(sent) != 3 {
		t.Errorf("%d statements", len(sent))
	}
}

func TestEmptyListsMatchNothing(t *testing.T) {
	s, _ := recorded(t)
	none := []int64{}
	for name, f := range map[string]Filter{
		"include": asking(Among{}), "organizers": asking(organizers()), "venues": asking(venues()), "terms": asking(AssignedTo(none, 0)),
		"states": {Visible: store.Visible{}},
	} {
		if name != "states" {
			f.Visible = anyone
		}
		ids, err := s.Select(&f).ids(still(t), 10, 0)
		n, errCount := s.Select(&f).Count(still(t))
		if err != nil || errCount != nil || len(ids) != 0 || n != 0 {
			t.Errorf("%s: %v %d, %v %v", name, ids, n, err, errCount)
		}
	}
	if n, err := s.Select(&Filter{Visible: anyone, Conditions: []Condition{notAt(venues())}}).Count(still(t)); err != nil || n == 0 {
		t.Errorf("none of no venues: %d %v", n, err)
	}
}

// The tables are probed once a list is counted that few events are in, if there are many
// in all: unproved, a month takes as long as all months after it.
func TestCountsOfMonthsProbeLargeTables(t *testing.T) {
	l, db := recorded(t)
	execute(t, db, "DELETE FROM wp_tec_occurrences WHERE post_id NOT IN (SELECT ID FROM wp_posts WHERE post_type = 'tribe_events')")
	month := &Filter{Visible: anyone, Bounds: []Bound{
		{Op: ">=", Value: "2031-03-01 00:00:00"}, {End: true, Op: "<=", Value: "2031-03-31 23:59:59"},
	}}
	count := func() int64 {
		n, err := l.Select(month).Count(still(t))
		if err != nil {
			t.Fatal(err)
		}
		l.store.Probe.Wait()
		return n
	}
	few := count()
	if few == 0 || l.store.Probe.Invariants(still(t)).Occurrences {
		t.Errorf("%d events in March, and few in all were probed", few)
	}
	const numbers = "WITH RECURSIVE n (i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 99) "
	execute(t, testdb.OfOthers(t, db), "INSERT INTO wp_posts "+
		"(ID, post_type, post_title, post_content, post_excerpt, to_ping, pinged, post_content_filtered) "+
		numbers+"SELECT 100000 + 100 * a.i + b.i, 'tribe_events', '', '', '', '', '', '' FROM n AS a JOIN n AS b WHERE a.i < 21")
	execute(t, db, "INSERT INTO wp_tec_occurrences "+
		"(event_id, post_id, start_date, start_date_utc, end_date, end_date_utc, duration, hash) "+
		numbers+"SELECT 1, 100000 + 100 * a.i + b.i, '2040-01-01', '2040-01-01', '2040-01-02', '2040-01-02', 86400, 100 * a.i + b.i "+
		"FROM n AS a JOIN n AS b WHERE a.i < 21")
	l = listOf(t, db, true)
	if n := count(); n != few || !l.store.Probe.Invariants(still(t)).Occurrences {
		t.Errorf("%d events in March, %d before; many in all were not probed", n, few)
	}
	if n := count(); n != few {
		t.Errorf("%d events in March by indexes, %d before", n, few)
	}
}
