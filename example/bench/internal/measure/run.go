package measure

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/agendahq/agenda/example/bench/internal/floor"
)

// Options configure a run.
type Options struct {
	Service, Floor Endpoint
	Cases          []Case
	Clients        []int
	Duration       time.Duration // for each server in each case
	Writes         bool          // events may be created; they are deleted again
	ColdRounds     int           // how often answers with expired totals are measured
	Version        string        // of the program
	Progress       func(line string)
}

// rounds is how often a case alternates between the two servers.
const rounds = 2

// bench is a run.
type bench struct {
	Options
	plan   plan
	report *Report
	failed []error
}

// Run measures all cases. A case that fails does not stop the others: the
// report is complete, and the error names what failed.
func Run(ctx context.Context, o Options) (*Report, error) {
	b := &bench{Options: o}
	var err error
	if b.plan, err = question[plan](ctx, b.Service, "GET", "/plan"); err != nil {
		return nil, err
	}
	b.report = &Report{
		Version: o.Version, Started: time.Now().UTC().Truncate(time.Second), CPUs: runtime.NumCPU(), Go: runtime.Version(),
		Seconds: o.Duration.Seconds(), TotalTTL: floor.TotalTTL.Seconds(), Results: []Result{}, Cold: []coldAnswer{}, Notes: []string{},
	}
	reads, writes := b.chosen()
	if len(writes) > 0 {
		if err := b.tidy(ctx); err != nil {
			return nil, err
		}
	}
	b.report.Site = b.plan.Site
	if err = b.reads(ctx, reads); err == nil {
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
	b.plan, err = question[plan](ctx, b.Service, "GET", "/plan")
	return err
}

func (b *bench) note(format string, args ...any) {
	b.report.Notes = append(b.report.Notes, fmt.Sprintf(format, args...))
}

// chosen returns the reads and the writes among the cases, without writes on a
// database where nothing may be written.
func (b *bench) chosen() (reads, writes []Case) {
	var left []string
	why := ""
	switch {
	case !b.Writes:
		why = "writes are switched off"
	case !b.plan.Site.Filled:
		why = "\"agenda-bench fill\" did not fill this database, so nothing is written to it"
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
	if len(left) > 0 {
		b.note("without %s: %s", strings.Join(left, ", "), why)
	}
	return reads, writes
}

func (b *bench) reads(ctx context.Context, list []Case) error {
	var ready []*prepared
	for _, c := range list {
		a, err := b.prepare(ctx, c)
		switch {
		case errors.Is(err, errNothing):
			b.note("without %s: %v", c.Name, strings.ReplaceAll(err.Error(), "\n", ": "))
			continue
		case err != nil:
			return fmt.Errorf("%s: %w", c.Name, err)
		case a.note != "":
			b.note("%s: %s", c.Name, a.note)
		}
		ready = append(ready, a)
	}
	if err := b.cold(ctx, ready); err != nil {
		return err
	}
	for _, clients := range b.Clients {
		for _, a := range ready {
			if err := b.measure(ctx, a, clients); err != nil {
				return err
			}
		}
	}
	return nil
}

// measure measures a case alternately on the two servers. An error ends the
// run; failed requests are recorded with the case.
func (b *bench) measure(ctx context.Context, a *prepared, clients int) error {
	var service, floor measured
	err := b.turns(ctx, a, clients, &service, &floor)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	b.add(Result{Case: a.Name, Clients: clients, Service: service.figures(), Floor: floor.figures()}, err)
	return nil
}

func (b *bench) add(r Result, err error) {
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
	b.report.Results = append(b.report.Results, r)
	if b.Progress != nil {
		b.Progress(line)
	}
}

func (b *bench) turns(ctx context.Context, a *prepared, clients int, service, floor *measured) error {
	type turn struct {
		Endpoint
		requests [][]byte
		into     *measured
	}
	turns := []turn{{b.Service, a.service, service}}
	if a.floor != nil {
		turns = append(turns, turn{b.Floor, a.floor, floor})
	}
	for _, t := range turns {
		if _, err := question[bool](ctx, t.Endpoint, "POST", "/peak"); err != nil {
			return err
		}
	}
	for round := range rounds {
		for _, t := range turns {
			// Every request once, since caches are no longer warm after the slice of the other
			// server.
			warm := len(t.requests)
			if round > 0 {
				warm = min(warm, manyPages)
			}
			l := load{address: t.Address, clients: clients, next: inTurn(t.requests)}
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

// slice measures a part of a case's time.
func (b *bench) slice(ctx context.Context, l load, e Endpoint, into *measured) error {
	before, err := question[figures](ctx, e, "GET", "/figures")
	if err != nil {
		return err
	}
	h, err := l.during(ctx, b.Duration/rounds)
	if err != nil {
		return err
	}
	after, err := question[figures](ctx, e, "GET", "/figures")
	if err == nil {
		into.add(h, before, after)
	}
	return err
}

// cold measures the first answer of every list after a pause in which its total
// expired. Cases that share a filter are measured once.
func (b *bench) cold(ctx context.Context, list []*prepared) error {
	lists := slices.DeleteFunc(slices.Clone(list), func(a *prepared) bool {
		return !a.totals() || a.paged && a.kind == eventList || a.Name == "list50"
	})
	if len(lists) == 0 || b.ColdRounds == 0 {
		return nil
	}
	service, floors := map[string][]time.Duration{}, map[string][]time.Duration{}
	one := func(e Endpoint, requests [][]byte, n int, took map[string][]time.Duration, name string) error {
		if len(requests) == 0 {
			return nil
		}
		l := load{address: e.Address, clients: 1, next: inTurn(requests[n%len(requests):][:1])}
		h, err := l.times(ctx, 1)
		took[name] = append(took[name], h.took...)
		return err
	}
	for n := range b.ColdRounds {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-time.After(floor.TotalTTL + 100*time.Millisecond):
		}
		for _, a := range lists {
			if err := errors.Join(one(b.Service, a.service, n, service, a.Name), one(b.Floor, a.floor, n, floors, a.Name)); err != nil {
				return err
			}
		}
	}
	for _, a := range lists {
		b.report.Cold = append(b.report.Cold, coldAnswer{a.Name, milliseconds(median(service[a.Name])),
			milliseconds(median(floors[a.Name]))})
	}
	return nil
}
