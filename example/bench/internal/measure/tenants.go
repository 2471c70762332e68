package measure

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
	"text/tabwriter"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
)

// TenantOptions are the options of RunTenants.
type TenantOptions struct {
	Databases []*bun.DB // each contains the tables of a site for each of Prefixes
	Prefixes  []string
	Clients   int
	Duration  time.Duration // of the load
	Idle      time.Duration // pause without requests, after which the first requests are measured once more; 0 to omit that
	Progress  func(line string)
}

// TenantFigures are the figures of many calendars in one program.
type TenantFigures struct {
	Calendars  int
	Start      time.Duration // of all calendars, started one after the other
	StartCPU   int64         // in milliseconds
	Loaded     []moment      // what the program uses at several times
	Cached     int           // calendars that cache answers
	First      asked         // the first list of each
	Load       asked         // lists of any of them
	PerSecond  float64
	AfterIdle  asked // the first list of each after a pause
	ThenCached asked // the next list
}

// moment is what the program uses at one time.
type moment struct {
	When        string
	Heap, RSS   int64
	Goroutines  int
	Connections int // to the databases
}

// asked contains the sorted durations of some requests, summarized.
type asked struct {
	Median, P99, Longest time.Duration
	Failed               int64
	Statements           float64 // per request
	CPU                  float64 // milliseconds per request, including the clients
}

// tenants is one run.
type tenants struct {
	TenantOptions
	calendars []*calendar.Calendar
	handlers  map[string]http.Handler // by the first segment of the path
	root      string
	client    http.Client
	figures   TenantFigures
}

// RunTenants creates a calendar for each prefix of each database, all in this process, and requests lists from them.
func RunTenants(ctx context.Context, o TenantOptions) (f *TenantFigures, err error) {
	t := &tenants{TenantOptions: o, handlers: map[string]http.Handler{}}
	t.client.Transport = &http.Transport{MaxIdleConnsPerHost: o.Clients}
	defer t.client.CloseIdleConnections()
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return nil, err
	}
	t.root = "http://" + l.Addr().String()
	server := &http.Server{Handler: t, ReadHeaderTimeout: 10 * time.Second}
	go func() { _ = server.Serve(l) }() // returns after Close
	defer server.Close()
	defer t.close(ctx)
	t.recordUsage("before")
	if err := t.start(ctx); err != nil {
		return nil, err
	}
	t.recordUsage("started")
	t.Progress("the first list of each")
	t.figures.First = t.askEach()
	t.recordUsage("each asked once")
	t.Progress("load")
	t.load()
	t.recordUsage("under load")
	for _, c := range t.calendars {
		if c.Stats().Cache.Off == "" {
			t.figures.Cached++
		}
	}
	if o.Idle > 0 {
		t.Progress(fmt.Sprintf("nothing for %s", o.Idle))
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-time.After(o.Idle):
		}
		t.recordUsage("idle")
		t.figures.AfterIdle = t.askEach()
		t.figures.ThenCached = t.askEach()
	}
	return &t.figures, nil
}

// start creates the calendars.
func (t *tenants) start(ctx context.Context) error {
	memory, began, before := calendar.NewMemory(256<<20), time.Now(), cpu()
	for d, db := range t.Databases {
		for _, prefix := range t.Prefixes {
			name := fmt.Sprintf("d%d-%s", d, strings.Trim(prefix, "_"))
			c, err := calendar.New(ctx, calendar.Options{
				DB: db, Site: calendar.Site{Prefix: prefix}, Authenticator: calendar.Anonymous, Logger: slog.New(slog.DiscardHandler),
				Languages: []calendar.Language{{Tag: "en", BaseURL: t.root + "/" + name + "/wp-json"}},
				Limits:    calendar.Limits{Answers: memory}, Cache: calendar.Cache{Bytes: 4 << 20},
			})
			if err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
			t.calendars = append(t.calendars, c)
			t.handlers[name] = c.Handler()
		}
		t.Progress(fmt.Sprintf("%d calendars in %s", len(t.calendars), time.Since(began).Round(time.Millisecond)))
	}
	t.figures.Calendars, t.figures.Start, t.figures.StartCPU = len(t.calendars), time.Since(began), cpu()-before
	return nil
}

func (t *tenants) close(ctx context.Context) {
	for _, c := range t.calendars {
		_ = c.Close(ctx)
	}
}

// ServeHTTP selects the calendar of a request by its path.
func (t *tenants) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	name, _, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, "/"), "/")
	if h := t.handlers[name]; h != nil {
		h.ServeHTTP(w, r)
		return
	}
	http.NotFound(w, r)
}

// recordUsage records what the program uses now.
func (t *tenants) recordUsage(when string) {
	var m runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&m)
	now := moment{When: when, Heap: int64(m.HeapAlloc), RSS: figuresNow(0).RSS, Goroutines: runtime.NumGoroutine()}
	for _, db := range t.Databases {
		now.Connections += db.DB.Stats().OpenConnections
	}
	t.figures.Loaded = append(t.figures.Loaded, now)
}

// used counts the statements that were sent and the processor time that was used so far.
type used struct{ statements, cpu int64 }

func (t *tenants) used() (u used) {
	for _, db := range t.Databases {
		u.statements += int64(db.DBStats().Queries)
	}
	u.cpu = cpu()
	return u
}

// timeList requests a calendar's default list.
func (t *tenants) timeList(name string) (took time.Duration, ok bool) {
	began := time.Now()
	resp, err := t.client.Get(t.root + "/" + name + apiPath + "/events")
	if err != nil {
		return time.Since(began), false
	}
	_, err = io.Copy(io.Discard, resp.Body)
	_ = resp.Body.Close()
	return time.Since(began), err == nil && resp.StatusCode == http.StatusOK
}

// askEach requests a list from each calendar once, one after the other.
func (t *tenants) askEach() asked {
	var times []time.Duration
	var failed int64
	before := t.used()
	for name := range t.handlers {
		took, ok := t.timeList(name)
		times = append(times, took)
		if !ok {
			failed++
		}
	}
	return t.summed(times, failed, before)
}

// summed returns the figures of requests since a time.
func (t *tenants) summed(times []time.Duration, failed int64, before used) asked {
	n, now := float64(max(1, len(times))), t.used()
	middle := median(times) // sorts them
	return asked{middle, quantile(times, 0.99), quantile(times, 1), failed, float64(now.statements-before.statements) / n,
		float64(now.cpu-before.cpu) / n}
}

// load makes clients request lists from random calendars.
func (t *tenants) load() {
	var names []string
	for name := range t.handlers {
		names = append(names, name)
	}
	var all []time.Duration
	var mu sync.Mutex
	var failed atomic.Int64
	var clients sync.WaitGroup
	before, began := t.used(), time.Now()
	for range t.Clients {
		clients.Go(func() {
			var times []time.Duration
			for time.Since(began) < t.Duration {
				took, ok := t.timeList(names[rand.IntN(len(names))])
				times = append(times, took)
				if !ok {
					failed.Add(1)
				}
			}
			mu.Lock()
			all = append(all, times...)
			mu.Unlock()
		})
	}
	clients.Wait()
	took := time.Since(began)
	t.figures.Load, t.figures.PerSecond = t.summed(all, failed.Load(), before), float64(len(all))/took.Seconds()
}

// WriteTenants writes the figures as tables.
func WriteTenants(out io.Writer, f *TenantFigures) error {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	n := float64(f.Calendars)
	fmt.Fprintf(w, "%d calendars, made in %s, %.1f ms each, %.1f of them of processor time; %d keep answers in memory\n\n", f.Calendars,
		f.Start.Round(10*time.Millisecond), milliseconds(f.Start)/n, float64(f.StartCPU)/n, f.Cached)
	fmt.Fprintln(w, "\theap MiB\teach KiB\tprocess MiB\tgoroutines\tconnections\t")
	for _, m := range f.Loaded {
		each := float64(m.Heap-f.Loaded[0].Heap) / n / 1024
		fmt.Fprintf(w, "%s\t%.1f\t%.0f\t%.1f\t%d\t%d\t\n", m.When, float64(m.Heap)/(1<<20), each, float64(m.RSS)/(1<<20), m.Goroutines,
			m.Connections)
	}
	fmt.Fprintln(w, "\nlists\tp50 ms\tp99 ms\tlongest ms\tstatements\tprocessor ms\tfailed\t")
	for _, line := range []struct {
		name string
		of   asked
	}{
		{"the first of each", f.First},
		{fmt.Sprintf("under load, %.0f/s", f.PerSecond), f.Load},
		{"the first after a pause", f.AfterIdle},
		{"the next one", f.ThenCached},
	} {
		fmt.Fprintf(w, "%s\t%.1f\t%.1f\t%.1f\t%.2f\t%.2f\t%d\t\n", line.name, milliseconds(line.of.Median), milliseconds(line.of.P99),
			milliseconds(line.of.Longest), line.of.Statements, line.of.CPU, line.of.Failed)
	}
	return w.Flush()
}
