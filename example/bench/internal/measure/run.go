package measure

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"
)

// Options configure a run.
type Options struct {
	Service, Cached, Uncached, Floor Endpoint

	Cases    []Case
	Clients  []int
	Duration time.Duration // per server and case
	Writes   bool          // events may be created; they are deleted again
	Version  string        // of the program
	Progress func(line string)
}

// rounds is how often a case alternates between the servers.
const rounds = 2

// bench is a run.
type bench struct {
	Options
	plan    plan
	report  *Report
	failed  []error
	caching bool // answers are cached, as far as is known
}

// Run measures all cases. A case that fails does not stop the others: the report is complete, and the error names what
// failed.
func Run(ctx context.Context, o Options) (*Report, error) {
	b := &bench{Options: o}
	var err error
	if b.plan, err = askControl[plan](ctx, b.Service, "GET", "/plan"); err != nil {
		return nil, err
	}
	b.report = &Report{
		Version: o.Version, Started: time.Now().UTC().Truncate(time.Second), CPUs: runtime.NumCPU(), Go: runtime.Version(),
		Seconds: o.Duration.Seconds(), Results: []Result{}, Changes: []afterChange{}, Notes: []string{},
	}
	off, err := askControl[string](ctx, b.Cached, "GET", "/off")
	if err != nil {
		return nil, err
	}
	if b.caching = off == ""; !b.caching {
		b.logNote("without cached answers: %s; %s", off, uneven)
	}
	reads, writes, changes := b.chosen()
	if len(writes) > 0 {
		if err := b.tidy(ctx); err != nil {
			return nil, err
		}
	}
	b.report.Site = b.plan.Site
	if err = b.reads(ctx, reads, changes); err == nil {
		err = b.writes(ctx, writes)
	}
	return b.report, errors.Join(append(b.failed, err)...)
}

// tidy deletes the events that a killed run left, since lists show them.
func (b *bench) tidy(ctx context.Context) error {
	ids, err := b.left(ctx)
	if err != nil || len(ids) == 0 {
		return err
	}
	if err := b.clean(ctx); err != nil {
		return err
	}
	b.plan, err = askControl[plan](ctx, b.Service, "GET", "/plan")
	return err
}

func (b *bench) logNote(format string, args ...any) {
	b.report.Notes = append(b.report.Notes, fmt.Sprintf(format, args...))
}

// chosen returns the reads and the writes among the cases, without writes if the database must not be written to, and
// reports whether reads after a change are measured.
func (b *bench) chosen() (reads, writes []Case, changes bool) {
	var left []string
	why := ""
	switch {
	case !b.Writes:
		why = "writes are switched off"
	case !b.plan.Site.Filled:
		why = "\"agenda-bench fill\" did not fill this database, so nothing is written to it"
	}
	changes = why == ""
	switch {
	case why != "":
	case !b.plan.Site.Writer:
		why = "the site has no administrator to write as"
	}
	for _, c := range b.Cases {
		switch {
		case !c.write:
			reads = append(reads, c)
		case why == "":
			writes = append(writes, c)
		default:
			left = append(left, c.Name)
		}
	}
	if !changes && len(reads) > 0 {
		left = append(left, "first answers after a change")
	}
	if len(left) > 0 {
		b.logNote("without %s: %s", strings.Join(left, ", "), why)
	}
	return reads, writes, changes
}

// reads measures reads, and then, if changes is true, the first answers after a change. These come last because after a
// change the service uses other strategies until it has checked the tables again.
func (b *bench) reads(ctx context.Context, list []Case, changes bool) error {
	// An answer that may be cached has another validator than one that may not.
	if err := b.waitForCache(ctx, turn{Endpoint: b.Cached, requests: [][]byte{getRequest(b.Cached.Address, apiPath+"/events")}}); err !=
		nil {
		return err
	}
	var ready []*prepared
	for _, c := range list {
		a, err := b.prepare(ctx, c)
		switch {
		case errors.Is(err, errNothing):
			b.logNote("without %s: %v", c.Name, strings.ReplaceAll(err.Error(), "\n", ": "))
			continue
		case err != nil:
			return fmt.Errorf("%s: %w", c.Name, err)
		case a.note != "":
			b.logNote("%s: %s", c.Name, a.note)
		}
		ready = append(ready, a)
	}
	for _, clients := range b.Clients {
		for _, a := range ready {
			if err := b.measure(ctx, a, clients); err != nil {
				return err
			}
		}
	}
	if !changes || !b.caching {
		return nil
	}
	return b.changes(ctx, ready)
}

// measure measures a case alternately on the servers. An error ends the run; failed requests are recorded with the
// case.
func (b *bench) measure(ctx context.Context, a *prepared, clients int) error {
	var service, cached, floor measured
	err := b.turns(ctx, a, clients, &service, &cached, &floor)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	r := Result{Case: a.Name, Clients: clients, Service: service.figures(), Cached: cached.figures(), Floor: floor.figures()}
	if !b.caching {
		r.Cached = nil
	}
	if r.Cached != nil && r.Cached.Statements > fewStatements {
		b.logNote("%s with %d clients: without cached answers: %.2f statements were sent for each, so the database has changed",
			a.Name, clients, r.Cached.Statements)
		r.Cached = nil
	}
	b.addResult(r, err)
	return nil
}

func (b *bench) addResult(r Result, err error) {
	if err != nil {
		err = fmt.Errorf("%s with %d clients: %w", r.Case, r.Clients, err)
		b.failed, r.Error = append(b.failed, err), err.Error()
	}
	line := fmt.Sprintf("%-10s %3d clients", r.Case, r.Clients)
	if r.Service != nil {
		line += fmt.Sprintf("  %8.0f/s  p50 %.2f ms", r.Service.PerSecond, r.Service.P50)
	}
	if r.Service != nil && r.Floor != nil {
		r.Ratio = r.Service.PerSecond / r.Floor.PerSecond
		line += fmt.Sprintf("  floor %8.0f/s", r.Floor.PerSecond)
	}
	if r.Cached != nil {
		line += fmt.Sprintf("  cached %8.0f/s  p50 %.2f ms", r.Cached.PerSecond, r.Cached.P50)
	}
	b.report.Results = append(b.report.Results, r)
	b.progress(line)
}

func (b *bench) progress(line string) {
	if b.Progress != nil {
		b.Progress(line)
	}
}

// turn is what one server receives in a case.
type turn struct {
	Endpoint
	requests [][]byte
	into     *measured
	cached   bool // its answers must be cached
}

// turns measures the servers one after the other, beginning with the one that caches: once its answers are cached,
// totals are too, including those of the service.
func (b *bench) turns(ctx context.Context, a *prepared, clients int, service, cached, floor *measured) error {
	turns := []turn{{Endpoint: b.Service, requests: a.service, into: service}}
	if b.caching {
		turns = slices.Insert(turns, 0, turn{b.Cached, a.cached, cached, true})
	}
	if a.floor != nil {
		turns = append(turns, turn{Endpoint: b.Floor, requests: a.floor, into: floor})
	}
	for _, t := range turns {
		if _, err := askControl[bool](ctx, t.Endpoint, "POST", "/peak"); err != nil {
			return err
		}
	}
	for round := range rounds {
		for _, t := range turns {
			if t.cached {
				if err := b.waitForCache(ctx, t); err != nil {
					return err
				}
				if !b.caching {
					continue
				}
			}
			// Every request once, since caches are no longer warm after the slice of the other server.
			warm := len(t.requests)
			if round > 0 {
				warm = min(warm, manyPages)
			}
			l := load{address: t.Address, clients: clients, next: inTurn(t.requests), status: a.status()}
			if _, err := l.times(ctx, max(warm, clients)); err != nil {
				return err
			}
			if err := b.slice(ctx, l, t.Endpoint, t.into); err != nil {
				return err
			}
		}
	}
	return nil
}

// slice measures one server for a part of the duration of a case.
func (b *bench) slice(ctx context.Context, l load, e Endpoint, into *measured) error {
	before, err := askControl[figures](ctx, e, "GET", "/figures")
	if err != nil {
		return err
	}
	h, err := l.during(ctx, b.Duration/rounds)
	if err != nil {
		return err
	}
	after, err := askControl[figures](ctx, e, "GET", "/figures")
	if err == nil {
		into.addSample(h, before, after)
	}
	return err
}
