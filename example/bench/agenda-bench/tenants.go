package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/spf13/cobra"
	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/example/bench/internal/fill"
	"github.com/agendahq/agenda/example/bench/internal/measure"
	"github.com/agendahq/agenda/example/internal/cli"
	"github.com/agendahq/agenda/example/internal/progress"
	"github.com/agendahq/agenda/schema/embedded"
)

// manyTenants contains the flags of tenants.
type manyTenants struct {
	dsn, data                                          string
	calendars, databases, events, clients, connections int
	duration, idle                                     time.Duration
}

// tenantsCommand measures many calendars in one program.
func tenantsCommand() *cobra.Command {
	var s manyTenants
	cmd := &cobra.Command{
		Use: "tenants", Short: "Measure many calendars in one program",
		Long: "Create many sites in new databases, named as the database of --dsn with a number, and measure a program that serves\n" +
			"them all: its start, its memory, and lists of any of them.",
		Example: "  agenda-bench tenants --dsn 'root@tcp(127.0.0.1:3306)/bench' --calendars 1000 --databases 20",
		RunE: func(cmd *cobra.Command, _ []string) error {
			return s.run(cmd.Context(), cmd.OutOrStdout(), cmd.ErrOrStderr())
		},
	}
	f := cmd.Flags()
	f.StringVar(&s.dsn, "dsn", "", "Database server, user:password@tcp(host:3306)/name, where name and a number are the databases")
	f.StringVar(&s.data, "data", "", "Without --dsn: directory of as many embedded databases")
	f.IntVar(&s.calendars, "calendars", 1000, "Number of calendars (default 1000)")
	f.IntVar(&s.databases, "databases", 20, "Number of databases that they are spread over (default 20)")
	f.IntVar(&s.events, "events", 20, "Number of events in each (default 20)")
	f.IntVar(&s.connections, "connections", cli.DefaultConnections, "Maximum number of connections to each database (default 32)")
	f.IntVar(&s.clients, "clients", 16, "Number of clients that send requests at the same time (default 16)")
	f.DurationVar(&s.duration, "duration", 20*time.Second, "Duration of the load (default 20s)")
	f.DurationVar(&s.idle, "idle", 65*time.Second, "Pause after which the first requests are measured again (default 65s)")
	return cmd
}

func (s *manyTenants) run(ctx context.Context, out, errOut io.Writer) (err error) {
	if s.databases < 1 || s.calendars < s.databases || s.events < 1 || s.clients < 1 || s.duration <= 0 {
		return cli.Usagef("--calendars, --databases, --events, --clients and --duration: use numbers such as 1000, 20, 20, 16 and 20s")
	}
	cfg, err := mysql.ParseDSN(s.dsn)
	if s.data == "" && (err != nil || cfg.DBName == "") {
		return cli.Usagef("--dsn cannot be read: use user:password@tcp(host:3306)/name, or --data DIRECTORY")
	}
	o := measure.TenantOptions{Clients: s.clients, Duration: s.duration, Idle: s.idle,
		Progress: func(line string) { fmt.Fprintln(errOut, line) }}
	for i := range s.calendars / s.databases {
		o.Prefixes = append(o.Prefixes, fmt.Sprintf("t%d_", i+1))
	}
	defer func() {
		for _, db := range o.Databases {
			err = errors.Join(err, db.Close())
		}
	}()
	for i := range s.databases {
		db, err := s.database(ctx, cfg, i+1)
		if err != nil {
			return err
		}
		o.Databases = append(o.Databases, db)
	}
	if err := s.fill(ctx, o, errOut); err != nil {
		return fmt.Errorf("tenants: %w", err)
	}
	figures, err := measure.RunTenants(ctx, o)
	if err != nil {
		return fmt.Errorf("tenants: %w", err)
	}
	return measure.WriteTenants(out, figures)
}

// fill creates the sites, several at the same time.
func (s *manyTenants) fill(ctx context.Context, o measure.TenantOptions, errOut io.Writer) error {
	total := int64(len(o.Databases) * len(o.Prefixes))
	bar := progress.Bar(errOut, "calendars")
	var next atomic.Int64
	var mu sync.Mutex // guards the variables that follow
	var done int64
	var failed error
	one := func() (more bool) {
		n := next.Add(1) - 1
		if n >= total {
			return false
		}
		db, prefix := o.Databases[n%int64(len(o.Databases))], o.Prefixes[n/int64(len(o.Databases))]
		_, err := fill.Run(ctx, db, fill.Options{Prefix: prefix, Events: int64(s.events), Seed: 1})
		mu.Lock()
		defer mu.Unlock()
		if err != nil {
			failed = errors.Join(failed, fmt.Errorf("%s: %w", prefix, err))
		}
		done++
		bar("filling", done, total)
		return failed == nil
	}
	var workers sync.WaitGroup
	for range s.clients {
		workers.Go(func() {
			for one() {
			}
		})
	}
	workers.Wait()
	return failed
}

// database opens one of the databases, and creates it if it does not exist.
func (s *manyTenants) database(ctx context.Context, cfg *mysql.Config, number int) (*bun.DB, error) {
	if s.dsn == "" {
		dir := filepath.Join(s.data, strconv.Itoa(number))
		if err := os.MkdirAll(dir, 0o750); err != nil {
			return nil, err
		}
		return embedded.Open(ctx, filepath.Join(dir, cli.FileName))
	}
	own := cfg.Clone()
	own.DBName = fmt.Sprintf("%s_%d", cfg.DBName, number)
	first := cfg.Clone()
	first.DBName = "" // none of them need exist yet
	server, err := sql.Open("mysql", first.FormatDSN())
	if err != nil {
		return nil, err
	}
	_, err = server.ExecContext(ctx, "CREATE DATABASE IF NOT EXISTS `"+strings.ReplaceAll(own.DBName, "`", "``")+"` CHARACTER SET utf8mb4")
	if err = errors.Join(err, server.Close()); err != nil {
		return nil, fmt.Errorf("tenants: %w", err)
	}
	return cli.OpenMySQL(ctx, own.FormatDSN(), cli.MySQL{Connections: s.connections})
}
