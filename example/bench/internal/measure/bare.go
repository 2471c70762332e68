package measure

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// bare answers each request with the bytes with which another handler answered the first request for the same address.
// It shows the time that net/http alone needs.
type bare struct {
	of   http.Handler
	kept sync.Map // *httptest.ResponseRecorder by address
}

func (b *bare) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	v, known := b.kept.Load(r.RequestURI)
	if !known {
		first := httptest.NewRecorder()
		b.of.ServeHTTP(first, r)
		v, _ = b.kept.LoadOrStore(r.RequestURI, first)
	}
	answer := v.(*httptest.ResponseRecorder)
	w.Header().Set("Content-Type", answer.Header().Get("Content-Type"))
	w.Header().Set("Content-Length", strconv.Itoa(answer.Body.Len()))
	w.WriteHeader(answer.Code)
	_, _ = w.Write(answer.Body.Bytes())
}

// BareOptions configure RunBare.
type BareOptions struct {
	Exact, Stale, Bare Endpoint

	Clients  []int
	Rounds   int
	Duration time.Duration // per server and round
	Progress func(line string)
}

// BareResult compares cached answers with those of the bare server.
type BareResult struct {
	Case    string
	Clients int
	Servers []BareServer // the bare one first
}

// BareServer contains the figures of a server, one per round, sorted by size.
type BareServer struct {
	Target    Target
	PerSecond []float64
	Ratio     []float64 // of the requests per second, to the bare server in the same round
	CPU       []float64 // of the server's process, in microseconds per request
}

// bareCases returns what RunBare measures: answers of the API and pages, as pairs of name and path.
func bareCases(p plan) [][2]string {
	slug := p.Cases["slug"][0].Path
	return [][2]string{
		{"list", apiPath + p.Cases["list"][0].Path}, {"single", apiPath + p.Cases["single"][0].Path},
		{"month-page", "/"}, {"list-page", "/?view=list"}, {"event-page", "/event" + slug[strings.LastIndexByte(slug, '/'):] + "/"},
	}
}

// RunBare measures alternately how many cached answers per second servers send.
func RunBare(ctx context.Context, o BareOptions) ([]BareResult, error) {
	p, err := askControl[plan](ctx, o.Exact, "GET", "/plan")
	if err != nil {
		return nil, err
	}
	var results []BareResult
	for _, one := range bareCases(p) {
		name, path := one[0], one[1]
		for _, clients := range o.Clients {
			r := BareResult{name, clients, []BareServer{{Target: Bare}, {Target: Exact}, {Target: Stale}}}
			for range o.Rounds {
				if err := o.round(ctx, &r, path); err != nil {
					return nil, fmt.Errorf("%s with %d clients: %w", name, clients, err)
				}
			}
			for _, s := range r.Servers {
				slices.Sort(s.PerSecond)
				slices.Sort(s.Ratio)
				slices.Sort(s.CPU)
			}
			o.Progress(fmt.Sprintf("%-10s %3d clients", name, clients))
			results = append(results, r)
		}
	}
	return results, nil
}

// round measures each server once.
func (o *BareOptions) round(ctx context.Context, r *BareResult, path string) error {
	ends := map[Target]Endpoint{Bare: o.Bare, Exact: o.Exact, Stale: o.Stale}
	var floor float64
	for i := range r.Servers {
		s := &r.Servers[i]
		e := ends[s.Target]
		l := load{address: e.Address, clients: r.Clients, next: inTurn([][]byte{getRequest(e.Address, path)}), status: http.StatusOK}
		if _, err := l.during(ctx, o.Duration/4); err != nil { // so that the answer is cached
			return err
		}
		before, err := askControl[figures](ctx, e, "GET", "/figures")
		if err != nil {
			return err
		}
		h, err := l.during(ctx, o.Duration)
		if err != nil {
			return err
		}
		after, err := askControl[figures](ctx, e, "GET", "/figures")
		if err != nil {
			return err
		}
		rate := float64(len(h.took)) / h.elapsed.Seconds()
		if s.Target == Bare {
			floor = rate
		}
		s.PerSecond, s.Ratio = append(s.PerSecond, rate), append(s.Ratio, rate/floor)
		s.CPU = append(s.CPU, float64(after.since(before).CPU)*1000/float64(len(h.took)))
	}
	return nil
}

// WriteBare writes results as aligned columns: medians, and the smallest and the greatest ratio.
func WriteBare(w io.Writer, results []BareResult) error {
	middle := func(sorted []float64) float64 { return sorted[len(sorted)/2] }
	rows := [][]string{{"case", "server", "clients", "req/s", "cpu µs", "ratio", "from", "to"}}
	for _, r := range results {
		for _, s := range r.Servers {
			row := []string{r.Case, string(s.Target), strconv.Itoa(r.Clients), Decimals(middle(s.PerSecond)), Decimals(middle(s.CPU))}
			for _, ratio := range []float64{middle(s.Ratio), s.Ratio[0], s.Ratio[len(s.Ratio)-1]} {
				row = append(row, fmt.Sprintf("%.2f", ratio))
			}
			rows = append(rows, row)
		}
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d processors, %s; answers from memory: exact asks the database each time, stale at most a second late\n\n",
		runtime.NumCPU(), runtime.Version())
	align(&b, rows, 2)
	_, err := io.WriteString(w, b.String())
	return err
}
