package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/spf13/cobra"
	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/example/bench/internal/measure"
	"github.com/agendahq/agenda/example/internal/cli"
)

// settings contains the flags of "agenda-bench run".
type settings struct {
	cli.Database
	clients, cases string
	duration       time.Duration
	json, svg      string
	writes         bool
	searchIndex    bool
}

// runCommand measures the service, with and without its caches, and its floor on a database.
func runCommand() *cobra.Command {
	var s settings
	cmd := &cobra.Command{
		Use: "run", Short: "Measure the service on a filled database",
		Long:    "Measure the service on a database, with and without its caches, and for comparison the statements alone.",
		Example: "  agenda-bench run --data bench --duration 50ms --clients 1 --cases list --writes=false",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return s.run(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f := cmd.Flags()
	cli.Group(f, "Database", s.Flags)
	f.StringVar(&s.clients, "clients", "1,8,64", "Numbers of clients, comma-separated (default 1,8,64)")
	f.DurationVar(&s.duration, "duration", 2*time.Second,
		"How long each case is measured with each number of clients, on each server (default 2s)")
	f.StringVar(&s.cases, "cases", "", "Cases to measure, comma-separated (default all): "+strings.Join(caseNames(), ","))
	f.StringVar(&s.json, "json", "", "File for the figures")
	f.StringVar(&s.svg, "svg", "", "File for a chart")
	f.BoolVar(&s.writes, "writes", true,
		"Also measure writes, on a database of agenda-bench fill: events are created, updated and deleted again (default true)")
	f.BoolVar(&s.searchIndex, "search-index", false,
		"Let the service search with the site's FULLTEXT index; the statements that it is compared with read the texts")
	cmd.AddCommand(&cobra.Command{Use: serveChild, Hidden: true, RunE: func(cmd *cobra.Command, _ []string) error {
		return serveMeasured(context.WithoutCancel(cmd.Context()), cmd.InOrStdin(), cmd.OutOrStdout())
	}})
	return cmd
}

func caseNames() (names []string) {
	for _, c := range measure.Cases() {
		names = append(names, c.Name)
	}
	return names
}

// serveChild is the argument after "agenda-bench run" that makes the program one of the servers that are measured.
const serveChild = "serve-child"

func (s *settings) run(ctx context.Context, out, errOut io.Writer) (err error) {
	o, err := s.options()
	if err != nil {
		return err
	}
	if err := s.check(ctx); err != nil {
		return err
	}
	for target, endpoint := range map[measure.Target]*measure.Endpoint{
		measure.Service: &o.Service, measure.Cached: &o.Cached, measure.Uncached: &o.Uncached, measure.Floor: &o.Floor,
	} {
		child, stop, problem := s.child(ctx, target, errOut)
		if problem != nil {
			return fmt.Errorf("run: the server %q does not start: %w", target, problem)
		}
		defer stop()
		*endpoint = child
	}
	o.Progress = func(line string) { fmt.Fprintln(errOut, line) }
	report, err := measure.Run(ctx, o)
	if err != nil {
		err = fmt.Errorf("run: %w", err)
	}
	if report == nil {
		return err
	}
	return errors.Join(err, report.WriteTable(out), s.save(report))
}

// options parses the flags that are lists.
func (s *settings) options() (o measure.Options, err error) {
	for text := range strings.SplitSeq(s.clients, ",") {
		n, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil || n < 1 || n > 1000 {
			return o, cli.Usagef("--clients %q: use numbers from 1 to 1000, such as 1,8,64", s.clients)
		}
		o.Clients = append(o.Clients, n)
	}
	if s.duration < 10*time.Millisecond {
		return o, cli.Usagef("--duration %s: use a duration such as 2s", s.duration)
	}
	if err := s.CheckPrefix(); err != nil {
		return o, err
	}
	o.Duration, o.Writes, o.Version = s.duration, s.writes, cli.Version("agenda")
	if s.cases == "" {
		o.Cases = measure.Cases()
		return o, nil
	}
	known := map[string]measure.Case{}
	for _, c := range measure.Cases() {
		known[c.Name] = c
	}
	for name := range strings.SplitSeq(s.cases, ",") {
		c, ok := known[strings.TrimSpace(name)]
		if !ok {
			return o, cli.Usagef("--cases: there is no %q; use some of %s", name, strings.Join(caseNames(), ","))
		}
		o.Cases = append(o.Cases, c)
	}
	return o, nil
}

// check reports mistakes in the flags before a server is started.
func (s *settings) check(ctx context.Context) error {
	db, err := s.OpenSite(ctx)
	if err != nil {
		return err
	}
	return db.Close()
}

func (s *settings) save(r *measure.Report) error {
	if s.json != "" {
		text, err := json.MarshalIndent(r, "", "\t")
		if err != nil {
			return err
		}
		if err := os.WriteFile(s.json, append(text, '\n'), 0o644); err != nil {
			return err
		}
	}
	if s.svg == "" {
		return nil
	}
	return writeChart(s.svg, []*measure.Report{r}, 0)
}

// childSettings are the settings that a server reads from its standard input. A DSN in its arguments could be seen by
// every user of the machine.
type childSettings struct {
	Target measure.Target
	cli.Database
	SearchIndex bool
}

// childCommand returns the command that starts the program as one of the servers.
var childCommand = func() (*exec.Cmd, error) {
	program, err := os.Executable()
	if err != nil {
		return nil, err
	}
	return exec.Command(program, "run", serveChild), nil
}

// child starts a server in a separate process, which ends when its standard input does: even if this process is killed.
func (s *settings) child(ctx context.Context, target measure.Target, errOut io.Writer) (e measure.Endpoint, stop func(), err error) {
	cmd, err := childCommand()
	if err != nil {
		return e, nil, err
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		return e, nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return e, nil, err
	}
	cmd.Stderr = errOut
	if err := cmd.Start(); err != nil {
		return e, nil, err
	}
	stop = func() {
		_ = in.Close()
		_ = cmd.Wait()
	}
	interrupted := context.AfterFunc(ctx, func() { _ = in.Close() })
	defer interrupted()
	err = json.NewEncoder(in).Encode(childSettings{target, s.Database, s.searchIndex})
	if err == nil {
		err = json.NewDecoder(out).Decode(&e)
	}
	if err != nil {
		stop()
		return e, nil, errors.Join(ctx.Err(), err)
	}
	return e, stop, nil
}

// serveMeasured runs the program as one of the servers. It ignores interrupts, since the other process still has to
// delete what it created.
func serveMeasured(ctx context.Context, in io.Reader, out io.Writer) error {
	r := bufio.NewReader(in)
	line, err := r.ReadBytes('\n')
	if err != nil {
		return err
	}
	var c childSettings
	if err := json.Unmarshal(line, &c); err != nil {
		return err
	}
	db, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer db.Close()
	server, err := measure.Serve(ctx, c.Target, db, calendar.Site{Prefix: c.Prefix, SearchIndex: c.SearchIndex})
	if err != nil {
		return err
	}
	if err := json.NewEncoder(out).Encode(server.Endpoint); err != nil {
		return errors.Join(err, server.Close(ctx))
	}
	_, _ = io.Copy(io.Discard, r) // until the other process ends
	return server.Close(ctx)
}

// open opens the database like the service. For the floor, the driver interpolates the arguments, as bun does for the
// service.
func (c *childSettings) open(ctx context.Context) (*bun.DB, error) {
	d := c.Database
	if d.DSN != "" && c.Target == measure.Floor {
		cfg, err := mysql.ParseDSN(d.DSN)
		if err != nil {
			return nil, errors.New("--dsn cannot be read")
		}
		cfg.InterpolateParams, cfg.ParseTime = true, false
		d.DSN = cfg.FormatDSN()
	}
	return d.OpenSite(ctx)
}
