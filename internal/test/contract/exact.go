package contract

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/apitest"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

var exactReads = flag.Int64("exact.reads", 4_000, "how many reads TestExact makes, at least")

// Exact is a site in which other programs and processes write increasing numbers, while others read them through a
// calendar with a cache. A read that begins after a number was committed must show it, or a greater one.
type Exact struct {
	*exactSite
	log       *errorLog
	cal       *calendar.Calendar // the calendar that is read
	counter   *testdb.Counter    // of its pool
	handlers  []http.Handler     // of all processes, beginning with that of cal
	program   *bun.DB            // the pool of another program
	cache     calendar.Cache
	exclusive chan struct{}    // held by each long transaction
	rows      map[string]int64 // of the facts that Forms stores
	line      string           // the line that the next LOAD DATA reads

	latest  atomic.Pointer[fact] // the fact that was written last
	resting atomic.Bool          // readers pause
	outage  atomic.Bool          // the database may be unavailable
	reads   atomic.Int64
	unread  atomic.Int64 // number of reads that were answered with 503
}

// exactProcesses is the number of processes that write.
const exactProcesses = 4

// NewExact creates the site on an empty database. open returns a pool for it, which uses the counter if that is not
// nil.
func NewExact(t *testing.T, cache calendar.Cache, open func(*testdb.Counter) *bun.DB) *Exact {
	x := &Exact{counter: &testdb.Counter{}, log: &errorLog{}, cache: cache}
	pool := open(x.counter)
	x.exactSite = newExactSite(siteBeside(t, Engine{}, pool, pool))
	x.exclusive = make(chan struct{}, 3)
	if pool.Dialect().Name() == dialect.SQLite {
		x.exclusive = make(chan struct{}, 1) // on SQLite, a transaction blocks all others
	}
	for i := range exactProcesses {
		if i > 0 {
			pool = open(nil)
		}
		pool.SetMaxOpenConns(20)
		pool.SetMaxIdleConns(20)
		o := calendar.Options{DB: pool, Now: func() time.Time { return now }, Languages: languages, Logger: slog.New(x.log), Cache: cache}
		reads := o
		o.Authenticator = callersOf(t, x.DB, schema.DefaultPrefix)
		c, h := Mount(t, o)
		t.Cleanup(func() { _ = c.Close(context.Background()) })
		if i == 0 {
			x.cal, h = withReaders(t, reads, h)
		}
		x.handlers = append(x.handlers, h)
	}
	program := must.Get(schema.Bind(open(nil), schema.DefaultPrefix))(t)
	x.program = program
	x.latest.Store(x.facts[0])
	return x
}

// Program returns the pool of another program, with the prefix.
func (x *Exact) Program() *bun.DB { return x.program }

// Cached returns the number of responses that came from memory.
func (x *Exact) Cached() int64 { return x.cal.Stats().Cache.Hits }

// Outage sets whether the database may be unavailable from now on, so that a response may be 503.
func (x *Exact) Outage(may bool) { x.outage.Store(may) }

// Logged fails the test for errors that the calendars logged.
func (x *Exact) Logged() {
	x.T.Helper()
	for _, line := range x.log.taken() {
		x.T.Errorf("logged: %s", line)
	}
}

// byProgram reports whether another program writes the fact.
func (f *fact) byProgram() bool { return f.store != nil }

// anyByProgram returns a random fact that another program writes.
func (x *Exact) anyByProgram() *fact {
	for {
		if f := x.facts[rand.IntN(len(x.facts))]; f.byProgram() {
			return f
		}
	}
}

// writeFact stores the next number of a fact and publishes it.
func (x *Exact) writeFact(f *fact, process int, lasting time.Duration) {
	f.mu.Lock()
	defer f.mu.Unlock()
	n, began := f.stored+1, time.Now()
	var err error
	switch {
	case !f.byProgram():
		err = x.send(f, process, n)
	case lasting > 0:
		err = x.within(f, n, lasting)
	default:
		err = f.store(x.T.Context(), x.program, n)
	}
	if err != nil {
		x.T.Errorf("%s: %v", f.name, err)
		return
	}
	f.stored = n
	// What a program commits after more than the settle time may remain invisible.
	if !f.byProgram() || lasting == 0 || time.Since(began) < x.cache.Settle {
		f.publish(n, !f.byProgram() && process%len(x.handlers) == 0)
		x.latest.Store(f)
	}
}

// within stores a number in a transaction that lasts for some time.
func (x *Exact) within(f *fact, n int64, lasting time.Duration) error {
	x.exclusive <- struct{}{}
	defer func() { <-x.exclusive }()
	return x.program.RunInTx(x.T.Context(), nil, func(ctx context.Context, tx bun.Tx) error {
		before := time.Duration(rand.Int64N(int64(lasting)))
		if _, err := tx.NewRaw("SELECT 1 FROM ?(prefix)posts LIMIT 1").Exec(ctx); err != nil {
			return err
		}
		time.Sleep(before)
		err := f.store(ctx, tx, n)
		time.Sleep(lasting - before)
		return err
	})
}

// send stores a number through the API of a process.
func (x *Exact) send(f *fact, process int, n int64) error {
	c := apitest.Client{T: x.T, Handler: x.handlers[process%len(x.handlers)]}
	if a := c.Do("admin", f.method, f.path, strings.ReplaceAll(f.body, "%d", itoa(n))); a.Status/100 != 2 {
		return fmt.Errorf("%s: %d %s", a.Request, a.Status, apitest.Clip(a.Text))
	}
	return nil
}

// readFact reads a fact through one of its views.
func (x *Exact) readFact(f *fact, v exactView) {
	least := f.least(x.cache.MaxStale)
	a := x.get(v)
	x.reads.Add(1)
	if a.Status == http.StatusServiceUnavailable && x.outage.Load() {
		x.unread.Add(1)
		return
	}
	if got := v.number(a); a.Status != http.StatusOK || got < least {
		x.T.Errorf("%s, %s: shows %d, %d was committed before: %d %s", f.name, v.path, got, least, a.Status, apitest.Clip(a.Text))
	}
}

// ReadAll reads each fact through each of its views, and fails the test unless the responses show the last numbers.
func (x *Exact) ReadAll() {
	x.T.Helper()
	for _, f := range x.facts {
		for _, v := range f.views {
			x.readFact(f, v)
		}
	}
}

// ReadBack reads until the calendar has connections again, because those in its pool may be lost. A response must be
// 503 or correct.
func (x *Exact) ReadBack() {
	x.T.Helper()
	defer x.Outage(x.outage.Swap(true))
	for range 600 {
		was := x.unread.Load()
		x.ReadAll()
		if x.unread.Load() == was {
			x.log.taken()
			return
		}
	}
	x.T.Fatal("the database does not come back")
}

// WriteAll stores the next number of each fact that other programs write.
func (x *Exact) WriteAll() {
	for _, f := range x.facts {
		if f.byProgram() {
			x.writeFact(f, 0, 0)
		}
	}
}

// Warm reads all facts until all responses come from memory. While the tables are too new for that, it only reads one
// of them, because reading all would keep the database busy.
func (x *Exact) Warm() {
	x.T.Helper()
	for range 600 {
		was, reads := x.Cached(), x.reads.Load()
		x.readFact(x.facts[0], x.facts[0].views[0])
		if x.Cached() > was {
			x.ReadAll()
		}
		if x.T.Failed() || x.reads.Load() > reads+1 && x.Cached()-was == x.reads.Load()-reads {
			return
		}
		time.Sleep(50 * time.Millisecond)
	}
	x.T.Fatalf("nothing is cached: %+v", x.cal.Stats().Cache)
}

// Read lets some readers read random facts until stop is called.
func (x *Exact) Read(readers int) (stop func()) {
	var wg sync.WaitGroup
	ended := make(chan struct{})
	for range readers {
		wg.Go(func() {
			for !x.T.Failed() {
				f := x.facts[rand.IntN(len(x.facts))]
				if rand.IntN(2) == 0 {
					f = x.latest.Load()
				}
				x.readFact(f, f.views[rand.IntN(len(f.views))])
				pause := time.Millisecond // without a pause, readers would take the time of the writers
				if x.resting.Load() {
					pause = 30 * time.Millisecond
				}
				select {
				case <-ended:
					return
				case <-time.After(pause):
				}
			}
		})
	}
	return func() { close(ended); wg.Wait() }
}

// watch makes readers pause while few responses come from memory, so that they leave the database to the writers, until
// stop is called.
func (x *Exact) watch() (stop func()) {
	ended := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			reads, cached := x.reads.Load(), x.Cached()
			select {
			case <-ended:
				return
			case <-time.After(20 * time.Millisecond):
			}
			x.resting.Store(10*(x.Cached()-cached) < 8*(x.reads.Load()-reads))
		}
	})
	return func() { close(ended); wg.Wait() }
}

// await waits until a condition is true.
func (x *Exact) await(done func() bool) {
	for !x.T.Failed() && !done() {
		time.Sleep(time.Millisecond)
	}
}

// upTo returns a random duration.
func upTo(most time.Duration) time.Duration { return time.Duration(rand.Int64N(int64(most))) }

// exactRounds is the minimum number of bursts of the writers, each followed by a pause.
const exactRounds = 3

// Run lets programs and processes write in bursts, and readers read all the time, until there were enough reads, at
// least half of them from memory. At first, the processes that write through the API wait for the time locked for the
// row that writers lock.
func (x *Exact) Run(locked time.Duration) {
	x.T.Helper()
	defer x.Logged()
	stopWatching, stopReading := x.watch(), x.Read(8)
	var api sync.WaitGroup
	x.lockWriters(&api, locked)
	enough := func() bool { return x.reads.Load() >= *exactReads && 2*x.Cached() >= x.reads.Load() }
	for round := int64(1); !x.T.Failed() && (round <= exactRounds || !enough()); round++ {
		x.counter.Reset()
		for i, f := range x.facts {
			if !f.byProgram() {
				api.Go(func() { x.writeFact(f, i, 0) })
			}
		}
		x.burst()
		if round > 1 || locked == 0 {
			api.Wait()
		}
		part := *exactReads * min(round, exactRounds) / exactRounds
		x.await(func() bool { return !x.resting.Load() })
		long := x.transactions(int(round%2) * cap(x.exclusive))
		x.await(func() bool { return x.reads.Load() >= part && 2*x.Cached() >= x.reads.Load() })
		long.Wait()
		if round%2 == 0 {
			x.heldLook()
		}
	}
	api.Wait()
	stopReading()
	stopWatching()
	x.ReadAll()
	x.T.Logf("%d reads, %d from memory, %+v", x.reads.Load(), x.Cached(), x.cal.Stats().Cache)
}

// lockWriters locks the row that writers lock, for some time. It returns when the row is locked.
func (x *Exact) lockWriters(ended *sync.WaitGroup, lasting time.Duration) {
	if lasting == 0 {
		return
	}
	locked := make(chan struct{})
	ended.Go(func() {
		err := x.program.RunInTx(x.T.Context(), nil, func(ctx context.Context, tx bun.Tx) error {
			_, err := tx.NewRaw("SELECT option_id FROM ?(prefix)options WHERE option_name = ? FOR UPDATE",
				schema.OptionLastSavePost).Exec(ctx)
			close(locked)
			if err == nil {
				time.Sleep(lasting)
			}
			return err
		})
		if err != nil {
			x.T.Error(err)
		}
	})
	<-locked
}

// burst lets another program write each of its facts several times at random moments, one after the other and in
// transactions of up to two seconds.
func (x *Exact) burst() {
	var wg sync.WaitGroup
	for _, f := range x.facts {
		if !f.byProgram() {
			continue
		}
		wg.Go(func() {
			for range 6 {
				time.Sleep(upTo(200 * time.Millisecond))
				x.writeFact(f, 0, 0)
			}
		})
	}
	x.transactions(1).Wait()
	wg.Wait()
}

// transactions begins n transactions that are committed within two seconds.
func (x *Exact) transactions(n int) *sync.WaitGroup {
	var wg sync.WaitGroup
	for range n {
		f := x.anyByProgram()
		wg.Go(func() { x.writeFact(f, 0, 300*time.Millisecond+upTo(1700*time.Millisecond)) })
	}
	return &wg
}

// heldLook commits a number after the database has answered a poll for changes but before the calendar gets the answer,
// and reads the number meanwhile.
func (x *Exact) heldLook() {
	f := x.anyByProgram()
	views := slices.DeleteFunc(slices.Clone(f.views), exactView.page) // requests for pages are not counted
	for _, v := range views {
		x.readFact(f, v)
	}
	answered, release := make(chan struct{}), make(chan struct{})
	var once sync.Once
	x.counter.After(func(query string) {
		if strings.HasPrefix(query, testdb.OfClock) {
			once.Do(func() { close(answered); <-release })
		}
	})
	var wg sync.WaitGroup
	wg.Go(func() { x.readFact(f, views[0]) })
	<-answered
	x.writeFact(f, 0, 0)
	before := x.cal.Stats().Requests
	for _, v := range views {
		wg.Go(func() { x.readFact(f, v) })
	}
	for x.cal.Stats().Requests < before+int64(len(views)) {
		time.Sleep(time.Millisecond)
	}
	time.Sleep(20 * time.Millisecond) // time in which the requests reach the poll, if they use it
	close(release)
	wg.Wait()
}

// RunBusy lets other programs and processes write all the time, and readers read, until there were a quarter of the
// reads of Run.
func (x *Exact) RunBusy() {
	x.T.Helper()
	defer x.Logged()
	stopReading := x.Read(8)
	var writers sync.WaitGroup
	enough := func() bool { return x.T.Failed() || x.reads.Load() >= *exactReads/4 }
	for i, f := range x.facts {
		if !f.byProgram() && i%8 != 0 || f.name == factTranslations { // only a few of the API; translations are limited
			continue
		}
		writers.Go(func() {
			for n := 0; (n < 20 || !enough()) && !x.T.Failed(); n++ {
				x.writeFact(f, i/8, 0)
				pause := 200 * time.Millisecond
				if !f.byProgram() {
					pause *= 5 // after each write of this process, the cache is invalid
				}
				time.Sleep(upTo(pause))
			}
		})
	}
	writers.Wait()
	stopReading()
	time.Sleep(x.cache.MaxStale)
	x.ReadAll()
	s := x.cal.Stats().Cache
	// Without MaxStale, no response would come from memory while others write all the time. The number depends on the
	// machine.
	if 10*s.Hits < s.Misses {
		x.T.Errorf("%d answers came from memory, %d did not", s.Hits, s.Misses)
	}
	x.T.Logf("%d reads, %d from memory, %+v", x.reads.Load(), x.Cached(), s)
}
