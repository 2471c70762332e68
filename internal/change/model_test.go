package change

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"
)

// The tables of the model.
const (
	posts = iota
	meta
	translations // does not exist at first
	options
	tableCount
)

// bit returns the set of one table.
func bit(table int) Tables { return 1 << table }

// Times that the tests give a Tracker.
const (
	settle = 3 * time.Second
	maxAge = 5 * time.Minute
)

// settled is how old, by a server's clock, the newest change must be for caching to begin.
const settled = settle + grain

var errLost = errors.New("connection lost")

// database is a model of what MariaDB tells of its tables; with exact what SQLite does, with
// atCommit and sets what MySQL does. Time passes in it only where a test lets it pass.
type database struct {
	now        time.Time     // by the program's clock
	ahead      time.Duration // by how much the server's clock is ahead of that
	exact      bool
	atCommit   bool // tables have the times of commits
	sets       bool // the server tells which transactions it has executed
	executed   int  // transactions that it tells, of other databases too
	host       string
	opened     int    // connections since the server's start
	connection int    // the one that is open, or 0
	lost       bool   // the connection was cut
	broken     error  // what looks end in
	unknown    string // why versions tell nothing

	tables  [tableCount]table
	rows    map[string]string // the options that answers depend on
	commits int

	open []*transaction

	before, after time.Duration // how long a look takes before and after it reads
	whileLooking  func()        // runs, once, when a look has read the versions
	slowOptions   time.Duration // how long the options take

	looks, optionsRead, released int
}

// table is one of a database.
type table struct {
	exists           bool
	created, updated time.Time // by the server's clock
	committed        time.Time // by the program's
	commits          int       // a later reader sees a greater number
}

// transaction is one of another program that is open.
type transaction struct {
	started time.Time // by the server's clock
	due     time.Time // when it commits at the latest, by the program's
	tables  []int
}

// midnight is long after the tables were changed last.
var midnight = time.Unix(1_900_000_000, 0).UTC()

func newDatabase() *database {
	d := &database{now: midnight, host: "a", rows: map[string]string{"name": "before"}}
	for i := range d.tables {
		d.tables[i] = table{exists: i != translations, created: midnight.Add(-time.Hour), updated: midnight.Add(-time.Minute)}
	}
	d.tables[translations] = table{}
	return d
}

// clock returns a Tracker of the database whose time is the model's.
func (d *database) clock(t interface{ Cleanup(func()) }) *Tracker {
	c := New(d, settle, maxAge, slog.New(slog.DiscardHandler))
	c.now = func() time.Time { return d.now }
	t.Cleanup(c.Close)
	return c
}

// serverTime returns what the server's clock shows.
func (d *database) serverTime() time.Time { return d.now.Add(d.ahead) }

// pass lets time pass. Transactions that may not take longer commit on the way.
func (d *database) pass(by time.Duration) {
	end := d.now.Add(by)
	for _, tx := range slices.Clone(d.open) {
		if !tx.due.After(end) {
			if tx.due.After(d.now) {
				d.now = tx.due
			}
			d.end(tx)
		}
	}
	d.now = end
}

// begin begins a transaction that takes no longer than longest.
func (d *database) begin(longest time.Duration, tables ...int) *transaction {
	tx := &transaction{started: d.serverTime().Truncate(time.Second), due: d.now.Add(longest), tables: tables}
	d.open = append(d.open, tx)
	slices.SortStableFunc(d.open, func(a, b *transaction) int { return a.due.Compare(b.due) })
	return tx
}

// end commits a transaction.
func (d *database) end(tx *transaction) {
	d.open = slices.DeleteFunc(d.open, func(o *transaction) bool { return o == tx })
	d.commits++
	d.executed++
	at := tx.started
	if d.atCommit {
		at = d.serverTime().Truncate(time.Second)
	}
	for _, i := range tx.tables {
		if t := &d.tables[i]; t.exists {
			t.updated, t.committed = at, d.now
			t.commits++
		}
	}
}

// unlogged commits a statement that the server does not log.
func (d *database) unlogged(tables ...int) {
	d.commit(tables...)
	d.executed--
}

// commit commits a statement of another program.
func (d *database) commit(tables ...int) { d.end(d.begin(0, tables...)) }

// setOption commits the value of an option that answers depend on.
func (d *database) setOption(value string) {
	d.rows["name"] = value
	d.commit(options)
}

// own commits a statement of the program of a Tracker.
func (d *database) own(c *Tracker, tables ...int) {
	committed := c.Commit()
	d.commit(tables...)
	committed(true)
}

// create makes a table, in place of one of that name.
func (d *database) create(i int) {
	d.commits++
	d.executed++
	t := &d.tables[i]
	*t = table{exists: true, created: d.serverTime().Truncate(time.Second), commits: t.commits + 1, committed: d.now}
}

func (d *database) drop(i int) {
	d.commits++
	d.executed++
	d.tables[i] = table{commits: d.tables[i].commits + 1}
}

// evict makes the server forget when a table was changed.
func (d *database) evict(i int) { d.tables[i].updated = time.Time{} }

// lose cuts the connection.
func (d *database) lose() { d.lost = d.connection != 0 }

// restart is that of the server, which gives the numbers of connections again.
func (d *database) restart() {
	d.lose()
	d.open, d.opened = nil, 0
	for i := range d.tables {
		d.evict(i)
	}
}

// count returns how much was committed to tables: what a query of them finds.
func (d *database) count(of Tables) (n int) {
	for i, t := range d.tables {
		if of&bit(i) != 0 {
			n += t.commits
		}
	}
	return n
}

// Versions fails if the connection was lost since it was opened.
func (d *database) Versions(context.Context) (v Versions, err error) {
	d.looks++
	d.pass(d.before)
	if d.lost {
		return v, errLost
	}
	if d.connection == 0 {
		d.opened++
		d.connection = d.opened
	}
	if d.broken != nil {
		return v, d.broken
	}
	v = Versions{Server: fmt.Sprint(d.host, "/", d.connection), Now: d.serverTime(), Tables: make([]Version, tableCount), Options: options,
		Names: []string{"posts", "postmeta", "translations", "options"}, Exact: d.exact, AtCommit: d.atCommit, Unknown: d.unknown}
	if d.sets {
		v.Set = fmt.Sprint(d.host, " ", d.executed)
	}
	for i, t := range d.tables {
		switch {
		case d.exact:
			v.Tables[i].Identity = fmt.Sprint(d.commits)
		case t.exists:
			v.Tables[i] = Version{Identity: "InnoDB", Created: t.created, Updated: t.updated}
		}
	}
	d.pass(d.after)
	if f := d.whileLooking; f != nil {
		d.whileLooking = nil
		f()
	}
	return v, nil
}

func (d *database) Options(context.Context) (map[string]string, error) {
	d.optionsRead++
	d.pass(d.slowOptions)
	return maps.Clone(d.rows), nil
}

// Release makes the next look open another connection.
func (d *database) Release() {
	d.released++
	d.connection, d.lost = 0, false
}

// Pause is Release: nobody shares the connection.
func (d *database) Pause() { d.Release() }

// reader reads through a cache what depends on some tables.
type reader struct {
	cache Cache
	db    *database
	clock *Tracker
}

// newReader returns a reader of a database whose tables changed long ago.
func newReader(t *testing.T) (*database, *Tracker, *reader) {
	d := newDatabase()
	c := d.clock(t)
	return d, c, &reader{db: d, clock: c}
}

// request looks, as a request does when it comes.
func (r *reader) request() (context.Context, *State) {
	s := r.clock.Look(context.Background())
	return With(context.Background(), s), s
}

// read returns what a request reads of tables, and whether it came from the cache.
func (r *reader) read(t interface{ Fatal(...any) }, ctx context.Context, of Tables) (n int, hit bool) {
	hit = true
	n, err := Get(ctx, &r.cache, fmt.Sprint(of), of, func() (int, error) {
		hit = false
		return r.db.count(of), nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return n, hit
}

// expect makes a request that reads tables, and fails the test unless it gets what is
// stored, from the cache or not as hit says.
func (r *reader) expect(t *testing.T, of Tables, hit bool) {
	t.Helper()
	stored := r.db.count(of)
	ctx, _ := r.request()
	n, cached := r.read(t, ctx, of)
	if n != stored {
		t.Fatalf("read %d, and %d is stored (from the cache: %t)", n, stored, cached)
	}
	if cached != hit {
		t.Fatalf("from the cache: %t", cached)
	}
}

// cached makes requests that cache what they read of tables.
func (r *reader) cached(t *testing.T, of Tables) {
	t.Helper()
	r.expect(t, of, false)
	r.expect(t, of, true)
}

// logOf returns a logger and the lines that it was given.
func logOf() (*slog.Logger, func() []string) {
	var b strings.Builder
	return slog.New(slog.NewTextHandler(&b, nil)), func() []string {
		return strings.FieldsFunc(b.String(), func(r rune) bool { return r == '\n' })
	}
}
