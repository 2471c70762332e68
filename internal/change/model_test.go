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

	"github.com/agendahq/agenda/internal/test/must"
)

// The tables of the model.
const (
	posts = iota
	meta
	translations // does not exist at first
	options
	tableCount
)

// bit returns the set that contains one table.
func bit(table int) Tables { return 1 << table }

// Durations that the tests give a Tracker.
const (
	settle = 3 * time.Second
	maxAge = 5 * time.Minute
)

// settled is how old the newest change must be, by the server's clock, for caching to begin.
const settled = settle + grain

var errLost = errors.New("connection lost")

// database is a model of what MariaDB reports about its tables; with exact that of SQLite, with atCommit and sets that
// of MySQL. Time passes in it only when a test calls pass.
type database struct {
	now        time.Time     // by the program's clock
	ahead      time.Duration // how far the server's clock is ahead of that
	exact      bool
	compared   bool // with exact: versions can be compared without a poll
	atCommit   bool // the times of tables are those of commits
	sets       bool // the server reports which transactions it has executed
	executed   int  // number of executed transactions, including those of other databases
	host       string
	opened     int    // connections since the server was started
	connection int    // number of the open connection, or 0
	lost       bool   // the connection was cut
	broken     error  // error that polls return
	unknown    string // why versions show nothing

	tables  [tableCount]table
	rows    map[string]string // the options on which answers depend
	commits int

	open []*transaction

	before, after time.Duration // how long a poll takes before and after it reads
	whileLooking  func()        // runs once, when a poll has read the versions
	slowOptions   time.Duration // how long reading the options takes

	looks, optionsRead, released int
}

// table is a table of a database.
type table struct {
	exists           bool
	created, updated time.Time // by the server's clock
	committed        time.Time // by the program's clock
	commits          int       // later readers see a higher number
}

// transaction is an open transaction of another program.
type transaction struct {
	started time.Time // by the server's clock
	due     time.Time // when it commits at the latest, by the program's clock
	tables  []int
}

// midnight is long after the tables were last changed.
var midnight = time.Unix(1_900_000_000, 0).UTC()

func newDatabase() *database {
	d := &database{now: midnight, host: "a", rows: map[string]string{"name": "before"}}
	for i := range d.tables {
		d.tables[i] = table{exists: i != translations, created: midnight.Add(-time.Hour), updated: midnight.Add(-time.Minute)}
	}
	d.tables[translations] = table{}
	return d
}

// clock returns a Tracker of the database that uses the model's time.
func (d *database) clock(t interface{ Cleanup(func()) }) *Tracker {
	c := New(d, settle, maxAge, slog.New(slog.DiscardHandler))
	c.now = func() time.Time { return d.now }
	t.Cleanup(c.Close)
	return c
}

// serverTime returns the time on the server's clock.
func (d *database) serverTime() time.Time { return d.now.Add(d.ahead) }

// pass lets time pass. Transactions that are due in the meantime are committed.
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

// begin begins a transaction that lasts no longer than longest.
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

// setOption commits the value of an option on which answers depend.
func (d *database) setOption(value string) {
	d.rows["name"] = value
	d.commit(options)
}

// own commits a statement of the program to which a Tracker belongs.
func (d *database) own(c *Tracker, tables ...int) {
	committed := c.Commit()
	d.commit(tables...)
	committed(true)
}

// create creates a table, replacing one of that name.
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

// restart restarts the server, which numbers connections from the beginning again.
func (d *database) restart() {
	d.lose()
	d.open, d.opened = nil, 0
	for i := range d.tables {
		d.evict(i)
	}
}

// count returns how much was committed to some tables: the result of a query of them.
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
	if connection, commits := d.released, d.commits; d.compared {
		v.Unchanged = func() bool { return !d.lost && d.released == connection && d.commits == commits }
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

// Release makes the next poll open another connection.
func (d *database) Release() {
	d.released++
	d.connection, d.lost = 0, false
}

// Pause is Release, because nobody shares the connection.
func (d *database) Pause() { d.Release() }

// reader reads through a cache what depends on some tables.
type reader struct {
	cache Cache
	db    *database
	clock *Tracker
}

// newReader returns a reader of a database whose tables were changed long ago.
func newReader(t *testing.T) (*database, *Tracker, *reader) {
	d := newDatabase()
	c := d.clock(t)
	return d, c, &reader{db: d, clock: c}
}

// request polls, as a request does when it arrives.
func (r *reader) request() (context.Context, *State) {
	s := r.clock.Poll(context.Background())
	return With(context.Background(), s), s
}

// readCounted returns what a request reads of some tables, and whether that came from the cache.
func (r *reader) readCounted(t must.T, ctx context.Context, of Tables) (n int, hit bool) {
	hit = true
	n = must.Get(Get(ctx, &r.cache, fmt.Sprint(of), of, func() (int, error) {
		hit = false
		return r.db.count(of), nil
	}))(t)
	return n, hit
}

// expect makes a request that reads some tables, and fails the test unless it gets what is stored; hit says whether
// that must come from the cache.
func (r *reader) expect(t *testing.T, of Tables, hit bool) {
	t.Helper()
	stored := r.db.count(of)
	ctx, _ := r.request()
	n, cached := r.readCounted(t, ctx, of)
	if n != stored {
		t.Fatalf("read %d, and %d is stored (from the cache: %t)", n, stored, cached)
	}
	if cached != hit {
		t.Fatalf("from the cache: %t", cached)
	}
}

// cached makes requests after which what they read of some tables is cached.
func (r *reader) cached(t *testing.T, of Tables) {
	t.Helper()
	r.expect(t, of, false)
	r.expect(t, of, true)
}

// logOf returns a logger, and a function that returns the lines logged.
func logOf() (*slog.Logger, func() []string) {
	var b strings.Builder
	return slog.New(slog.NewTextHandler(&b, nil)), func() []string {
		return strings.FieldsFunc(b.String(), func(r rune) bool { return r == '\n' })
	}
}
