package measure

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/example/bench/internal/fill"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
	"github.com/agendahq/agenda/schema/embedded"
)

const events = 90

// site is a database with some events, and its servers.
type site struct {
	file    string
	db      *bun.DB
	options Options
}

// open opens the database, for as long as the test runs.
func (s *site) open(t *testing.T) *bun.DB {
	t.Helper()
	db := must.Get(embedded.Open(t.Context(), s.file))(t)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// newSite fills a database and serves it in this process.
func newSite(t *testing.T) *site {
	t.Helper()
	s := &site{file: filepath.Join(t.TempDir(), "site.db")}
	db := s.open(t)
	must.Get(fill.Run(t.Context(), db, fill.Options{Prefix: "wp_", Events: events, Seed: 1}))(t)
	s.db = must.Get(schema.Bind(db, "wp_"))(t)
	s.options = Options{
		Service: s.serve(t, Service), Cached: s.serve(t, Cached), Uncached: s.serve(t, Uncached), Floor: s.serve(t, Floor),
		Cases: Cases(), Clients: []int{1, 3},
		Duration: 20 * time.Millisecond, Writes: true, Version: "agenda test",
	}
	return s
}

// serve starts a server with a separate connection pool.
func (s *site) serve(t *testing.T, target Target) Endpoint {
	t.Helper()
	server := must.Get(Serve(t.Context(), target, s.open(t), calendar.Site{Prefix: "wp_"}))(t)
	t.Cleanup(func() {
		if err := server.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
	return server.Endpoint
}

// state returns checksums of the tables of events.
func (s *site) state(t *testing.T) map[string]uint64 {
	t.Helper()
	state := map[string]uint64{}
	for _, table := range []string{"posts", "postmeta", "term_relationships", "term_taxonomy", "terms", "tec_events",
		"tec_occurrences", "options"} {
		rows, err := s.db.NewSelect().TableExpr("?", bun.Ident("wp_"+table)).ColumnExpr("*").OrderExpr("1, 2").Rows(t.Context())
		must.Succeed(t, err)
		names := must.Get(rows.Columns())(t)
		values, into := make([]any, len(names)), make([]any, len(names))
		for i := range values {
			into[i] = &values[i]
		}
		h := fnv.New64a()
		for rows.Next() {
			must.Succeed(t, rows.Scan(into...))
			fmt.Fprintln(h, values...)
		}
		must.Succeed(t, rows.Err())
		_ = rows.Close()
		state[table] = h.Sum64()
	}
	return state
}

func (s *site) forgetTheFilling(t *testing.T) {
	t.Helper()
	must.Get(s.db.NewDelete().Model((*schema.Option)(nil)).Where("option_name = ?", fill.StateOption).Exec(t.Context()))(t)
}

func TestLongEveryCaseIsMeasured(t *testing.T) {
	s := newSite(t)
	before := s.state(t)
	var lines []string
	s.options.Progress = func(line string) { lines = append(lines, line) }
	r := must.Get(Run(t.Context(), s.options))(t)
	if len(r.Notes) > 0 {
		t.Errorf("notes: %q", r.Notes)
	}
	if len(r.Results) != len(cases)*2 || len(lines) != len(r.Results)+len(r.Changes) {
		t.Errorf("%d results, %d changes and %d lines for %d cases", len(r.Results), len(r.Changes), len(lines), len(cases))
	}
	for _, x := range r.Results {
		c := cases[slices.IndexFunc(cases, func(c Case) bool { return c.Name == x.Case })]
		if f := x.Service; f == nil || f.Requests == 0 || f.PerSecond <= 0 || f.P50 <= 0 || f.P99 < f.P50 || f.Statements < 1 ||
			f.Bytes < 100 || f.Allocs < 1 || f.AllocBytes < 1 {
			t.Errorf("%s: %+v", x.Case, f)
		}
		if f := x.Floor; !c.write && (f == nil || f.Requests == 0 || f.Statements < 1 || x.Ratio <= 0) || c.write && f != nil {
			t.Errorf("%s: floor %+v, ratio %g", x.Case, f, x.Ratio)
		}
		if f := x.Cached; !c.write && (f == nil || f.Requests == 0 || f.PerSecond <= 0 || f.P50 <= 0 || f.P99 < f.P50 ||
			f.Statements > fewStatements || f.Bytes < 100) || c.write && f != nil {
			t.Errorf("%s: cached %+v", x.Case, f)
		}
	}
	if n := r.Site; n.Events != events || n.Published == 0 || n.Venues == 0 || n.Organizers == 0 || n.Categories == 0 || n.Tags == 0 ||
		!n.Filled || !n.Writer || !strings.HasPrefix(n.Engine, "SQLite 3") {
		t.Errorf("%+v", n)
	}
	if len(r.Changes) != 12 || slices.ContainsFunc(r.Changes, func(c afterChange) bool {
		return c.Cached <= 0 || c.Uncached <= 0 || c.Ratio <= 0 || c.Rounds < fewestRounds
	}) {
		t.Errorf("after changes: %+v", r.Changes)
	}
	after := s.state(t)
	for table, sum := range before {
		// The options contain the time of the last save.
		if after[table] != sum && table != "options" {
			t.Errorf("%s is not as it was", table)
		}
	}
}

func TestLongNothingIsWrittenWhereNothingWasFilled(t *testing.T) {
	s := newSite(t)
	s.forgetTheFilling(t)
	before := s.state(t)
	s.options.Clients = []int{2}
	r := must.Get(Run(t.Context(), s.options))(t)
	for _, x := range r.Results {
		if x.Case == "create" || x.Case == "update" {
			t.Errorf("%s was measured", x.Case)
		}
	}
	if len(r.Results) != len(cases)-2 || len(r.Changes) > 0 || len(r.Notes) != 1 ||
		!strings.Contains(r.Notes[0], "without create, update, first answers after a change") ||
		!strings.Contains(r.Notes[0], "nothing is written") {
		t.Errorf("%d results, %d changes, %q", len(r.Results), len(r.Changes), r.Notes)
	}
	for table, sum := range s.state(t) {
		if before[table] != sum {
			t.Errorf("%s was written", table)
		}
	}
}

func TestLongWritesCanBeSwitchedOff(t *testing.T) {
	s := newSite(t)
	before := s.state(t)
	s.options.Writes, s.options.Cases, s.options.Clients = false, []Case{cases[7], cases[12]}, []int{1}
	r, err := Run(t.Context(), s.options)
	if err != nil || len(r.Results) != 1 || len(r.Changes) > 0 || len(r.Notes) != 1 || r.Results[0].Case != "single" {
		t.Errorf("%+v %v", r, err)
	}
	for table, sum := range s.state(t) {
		if before[table] != sum {
			t.Errorf("%s was written", table)
		}
	}
}

// A run that is cancelled leaves no events either.
func TestGivenUpWritesAreDeleted(t *testing.T) {
	s := newSite(t)
	ctx, cancel := context.WithCancel(t.Context())
	s.options.Cases, s.options.Clients = cases[12:], []int{1}
	s.options.Progress = func(string) { cancel() }
	if _, err := Run(ctx, s.options); err == nil {
		t.Error("no error")
	}
	state := &subject{db: s.db, prefix: "wp_"}
	if left, err := state.left(t.Context()); err != nil || len(left) > 0 {
		t.Errorf("%v, %v", left, err)
	}
	if n, err := s.db.NewSelect().Model((*schema.Post)(nil)).Where("post_type = ?", schema.DefaultNames().Event).
		Count(t.Context()); err != nil || n != events {
		t.Errorf("%d events, %v", n, err)
	}
}

// Events that a killed run left are deleted by the next run, before it counts.
func TestLeftoversAreDeleted(t *testing.T) {
	s := newSite(t)
	b := &bench{Options: s.options, report: &Report{}}
	l := load{address: s.options.Service.Address, clients: 3, next: (&writer{b: b}).create}
	must.Get(l.times(t.Context(), 9))(t)
	if left, err := b.left(t.Context()); err != nil || len(left) != 9 {
		t.Fatalf("%v, %v", left, err)
	}
	s.options.Cases, s.options.Clients = cases[12:13], []int{1}
	if r, err := Run(t.Context(), s.options); err != nil || r.Site.Events != events {
		t.Errorf("%+v, %v", r, err)
	}
	if left, err := b.left(t.Context()); err != nil || len(left) > 0 {
		t.Errorf("%v, %v", left, err)
	}
}

func TestTheFloorShowsTheSameRows(t *testing.T) {
	s := newSite(t)
	b := &bench{Options: s.options}
	b.plan = must.Get(askControl[plan](t.Context(), b.Service, "GET", "/plan"))(t)
	again, err := askControl[plan](t.Context(), b.Service, "GET", "/plan")
	if text := fmt.Sprintf("%+v", b.plan); err != nil || fmt.Sprintf("%+v", again) != text {
		t.Errorf("another plan: %+v, not %s, %v", again, text, err)
	}
	for _, c := range cases {
		if c.write {
			continue
		}
		a, err := b.prepare(t.Context(), c)
		if err != nil || a.note != "" || len(a.service) == 0 || len(a.floor) != len(a.service) {
			t.Errorf("%s: %+v %v", c.Name, a, err)
		}
	}
	// A difference in rows is detected: one event fewer.
	var id int64
	must.Succeed(t, s.db.NewSelect().Model((*schema.Post)(nil)).Column("ID").Where("post_type = ?", schema.DefaultNames().Event).
		Where("post_status = ?", schema.StatusPublish).Limit(1).Scan(t.Context(), &id))
	v := variation{Path: fmt.Sprintf("/events/%d", id)}
	p, status, err := b.fetch(t.Context(), b.Service, v.Path)
	if err != nil || status != 200 {
		t.Fatal(status, err)
	}
	for path, same := range map[string]bool{fmt.Sprintf("/event?id=%d", id): true, fmt.Sprintf("/event?id=%d", id+1): false,
		"/event?id=999999": false, "/nowhere": false} {
		if note, err := b.compare(t.Context(), v, path, p); err != nil || (note == "") != same {
			t.Errorf("%s: %q %v", path, note, err)
		}
	}
}

func TestLongFailedCaseIsReported(t *testing.T) {
	s := newSite(t)
	s.options.Service.Token = "another"
	s.options.Clients = []int{1}
	s.options.Cases = []Case{cases[7], cases[12]}
	r, err := Run(t.Context(), s.options)
	if err == nil || !strings.Contains(err.Error(), "create with 1 clients: answer 401") {
		t.Errorf("%v", err)
	}
	if r == nil || len(r.Results) != 2 || r.Results[0].Error != "" || !strings.Contains(r.Results[1].Error, "401") ||
		r.Results[1].Service != nil {
		t.Fatalf("%+v", r)
	}
	var table bytes.Buffer
	if err := r.WriteTable(&table); err != nil || !strings.Contains(table.String(), "failed") {
		t.Errorf("%s %v", table.String(), err)
	}
}

func TestReportIsWhole(t *testing.T) {
	f := &Figures{Requests: 7, PerSecond: 1234.5, P50: 1.25, P99: 22.5, Statements: 8.5, Bytes: 5678, Allocs: 910, AllocBytes: 111_000,
		CPU: 0.75, RSS: 45e6, Peak: 67e6}
	r := &Report{
		CPUs: 2, Go: "go1", Site: Site{Engine: "MariaDB 10.11.19", Events: 1_000_000}, Seconds: 2,
		Results: []Result{{Case: "list", Clients: 8, Service: f, Floor: &Figures{PerSecond: 2469, P50: 0.5, P99: 3, CPU: 0.25}, Ratio: 0.5,
			Cached: &Figures{PerSecond: 9876, P50: 0.25, P99: 1.5, Statements: 0.01}}, {Case: "create", Clients: 64, Service: f}},
		Changes: []afterChange{{"list", 200, 12, 10, 1.2}, {"venue", 5, 4, 5, 0.8}}, Notes: []string{"without x: y"},
	}
	var table bytes.Buffer
	must.Succeed(t, r.WriteTable(&table))
	lines := strings.Split(table.String(), "\n")
	head := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, "case ") })
	if head < 0 || len(lines[head]) != len(lines[head+1]) || len(lines[head]) != len(lines[head+2]) {
		t.Fatalf("not aligned:\n%s", table.String())
	}
	row := func(n int) string { return strings.Join(strings.Fields(lines[head+n]), " ") }
	if got := row(1); got != "list 8 1,235 1.25 22.5 8.50 5,678 910 111 0.75 45.0 67.0 2,469 0.50 3.00 0.25 0.50 9,876 0.25 1.50 0.01" {
		t.Errorf("%s", got)
	}
	if got := row(2); got != "create 64 1,235 1.25 22.5 8.50 5,678 910 111 0.75 45.0 67.0 - - - - - - - - -" {
		t.Errorf("%s", got)
	}
	for _, want := range []string{"1,000,000 events", "MariaDB 10.11.19", "without x: y", "list      200  12.0         10.0   1.20",
		"venue       5  4.00         5.00   0.80"} {
		if !strings.Contains(table.String(), want) {
			t.Errorf("no %q in\n%s", want, table.String())
		}
	}
	text := must.Get(json.Marshal(r))(t)
	for _, field := range []string{
		"version", "started", "cpus", "go", "site", "engine", "events", "published", "venues", "organizers", "categories", "tags", "filled",
		"writer", "seconds",
		"results", "case", "clients", "service", "cached", "floor", "ratio", "requests", "requests_per_second",
		"p50_ms", "p99_ms",
		"statements", "bytes", "allocs", "alloc_bytes", "cpu_ms", "rss_bytes", "peak_bytes", "after_change", "rounds",
		"cached_ms", "uncached_ms", "notes",
	} {
		if !bytes.Contains(text, []byte(`"`+field+`":`)) {
			t.Errorf("no field %s in %s", field, text)
		}
	}
}

// What is committed between two requests affects every table that answers are made of, and none of it is left
// afterwards.
func TestChange(t *testing.T) {
	s := newSite(t)
	b := &bench{Options: s.options, caching: true}
	path := apiPath + "/events"
	tr := turn{Endpoint: b.Cached, requests: [][]byte{getRequest(b.Cached.Address, path)}, cached: true}
	if err := b.waitForCache(t.Context(), tr); err != nil || !b.caching {
		t.Fatal(b.caching, err)
	}
	before := s.state(t)
	must.Get(askControl[bool](t.Context(), b.Service, "POST", "/change"))(t)
	for table, sum := range s.state(t) {
		if before[table] != sum {
			t.Errorf("%s is not as it was", table)
		}
	}
	l := load{address: b.Cached.Address, clients: 1, next: inTurn(tr.requests)}
	if _, n, err := b.counted(t.Context(), l, b.Cached, 1); err != nil || n == 0 {
		t.Errorf("%d statements after the change, %v", n, err)
	}
}

// Only the cached server caches whole answers, and the server that is compared with it for the first answers after a
// change caches nothing at all.
func TestWhatServersCache(t *testing.T) {
	s := newSite(t)
	b := &bench{Options: s.options}
	took := map[Target]int64{}
	for target, e := range map[Target]Endpoint{Service: b.Service, Cached: b.Cached, Uncached: b.Uncached} {
		l := load{address: e.Address, clients: 1, next: inTurn([][]byte{getRequest(e.Address, apiPath+"/events")})}
		must.Get(l.times(t.Context(), 2))(t)
		_, n, err := b.counted(t.Context(), l, e, 1)
		must.Succeed(t, err)
		took[target] = n
	}
	if took[Cached] != 0 || took[Service] < 1 || took[Uncached] <= took[Service] {
		t.Errorf("statements: %v", took)
	}
}

// If nothing is ever cached, the cases have no cached answers, and a note states why.
func TestLongWithoutCachedAnswers(t *testing.T) {
	s := newSite(t)
	s.options.Cached = s.options.Uncached
	s.options.Cases, s.options.Clients = []Case{cases[7], cases[10]}, []int{1}
	r, err := Run(t.Context(), s.options)
	if err != nil || len(r.Results) != 2 || r.Results[0].Cached != nil || r.Results[1].Cached != nil || len(r.Changes) > 0 ||
		len(r.Notes) != 1 || !strings.Contains(r.Notes[0], "without cached answers: the pool has 2 connections") {
		t.Errorf("%+v, %v", r, err)
	}
}

// Waiting for cached answers ends at its limit, and is reported in a single note.
func TestCachedAnswersDoNotCome(t *testing.T) {
	s := newSite(t)
	s.options.Cached = s.options.Uncached
	b := &bench{Options: s.options, report: &Report{}, caching: true}
	tr := turn{Endpoint: b.Cached, requests: [][]byte{getRequest(b.Cached.Address, apiPath+"/categories")}, cached: true}
	if err := b.waitUntil(t.Context(), tr, time.Now()); err != nil || b.caching || len(b.report.Notes) != 1 {
		t.Errorf("%v %v %q", b.caching, err, b.report.Notes)
	}
	if err := b.waitUntil(t.Context(), tr, time.Now()); err != nil || len(b.report.Notes) != 1 {
		t.Errorf("%v %q", err, b.report.Notes)
	}
}
