package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-sql-driver/mysql"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/mysqldialect"

	"github.com/agendahq/agenda/example/internal/demo"
	"github.com/agendahq/agenda/example/internal/lock"
	"github.com/agendahq/agenda/example/internal/sqlite"
	"github.com/agendahq/agenda/example/internal/transfer"
	"github.com/agendahq/agenda/schema"
)

// connectTimeout bounds the first contact with a database.
const connectTimeout = 5 * time.Second

// mysqlUse is what a server makes of a site's database; commands are without.
type mysqlUse struct {
	request time.Duration // how long a request may take
	log     *slog.Logger  // for what the driver has to say; nil: it writes to the standard error itself
}

// timeout is how long the server of databases may be silent: longer than a
// request, whose end is the calendar's to notice.
func (u mysqlUse) timeout() time.Duration { return max(time.Minute, u.request+grace) }

// driverLog takes the lines of the MySQL driver, which hold no part of a DSN.
type driverLog struct{ *slog.Logger }

func (l driverLog) Print(v ...any) {
	l.Warn("database driver", "message", strings.TrimSpace(fmt.Sprint(v...)))
}

// openMySQL connects to a site's database. A mistake in the DSN, a server that
// cannot be reached and wrong credentials are usage errors that say what to do;
// none shows the password.
func openMySQL(ctx context.Context, dsn string, use mysqlUse) (*bun.DB, error) {
	cfg, err := mysql.ParseDSN(dsn)
	if err != nil {
		return nil, usageError{errors.New("-dsn cannot be read: use user:password@tcp(host:3306)/name")}
	}
	if cfg.DBName == "" {
		return nil, usageError{errors.New("-dsn names no database: use user:password@tcp(host:3306)/name")}
	}
	if cfg.Timeout == 0 {
		cfg.Timeout = connectTimeout
	}
	if cfg.ReadTimeout == 0 {
		cfg.ReadTimeout = use.timeout()
	}
	if cfg.WriteTimeout == 0 {
		cfg.WriteTimeout = use.timeout()
	}
	if use.log != nil {
		cfg.Logger = driverLog{use.log}
	}
	connector, err := mysql.NewConnector(cfg)
	if err != nil {
		return nil, usageError{errors.New("-dsn cannot be used: use user:password@tcp(host:3306)/name")}
	}
	pool := sql.OpenDB(connector)
	setConnections(pool, defaultConnections)
	pool.SetConnMaxIdleTime(5 * time.Minute)
	ctx, cancel := context.WithTimeout(ctx, connectTimeout)
	defer cancel()
	if err := pool.PingContext(ctx); err != nil {
		_ = pool.Close()
		return nil, usageError{explainMySQL(cfg, err)}
	}
	return bun.NewDB(pool, mysqldialect.New()), nil
}

// defaultConnections is how many connections to a site's database there may be.
const defaultConnections = 32

// setConnections bounds a pool. Connections are kept while they are in use again
// and again: making one costs more than most statements.
func setConnections(pool *sql.DB, n int) {
	pool.SetMaxOpenConns(n)
	pool.SetMaxIdleConns(n)
}

func explainMySQL(cfg *mysql.Config, err error) error {
	var server *mysql.MySQLError
	var network *net.OpError
	switch {
	case errors.As(err, &server) && (server.Number == 1045 || server.Number == 1698):
		return fmt.Errorf("the database at %s refuses user %q: check user and password in -dsn", cfg.Addr, cfg.User)
	case errors.As(err, &server) && (server.Number == 1049 || server.Number == 1044):
		return fmt.Errorf("the server at %s has no database %q for user %q: check the name in -dsn", cfg.Addr, cfg.DBName, cfg.User)
	case errors.As(err, &server):
		return fmt.Errorf("the database at %s refuses the connection: %s", cfg.Addr, server.Message)
	case errors.As(err, &network), errors.Is(err, context.DeadlineExceeded):
		return fmt.Errorf("no database answers at %s: check the address in -dsn and that the server runs", cfg.Addr)
	}
	return fmt.Errorf("the database at %s cannot be used: %w", cfg.Addr, err)
}

// lockData keeps other servers away from the directory of the embedded database
// until release is called.
func (s *settings) lockData() (release func(), err error) {
	if s.dsn != "" || s.data == sqlite.Memory {
		return func() {}, nil
	}
	if err := os.MkdirAll(s.data, 0o700); err != nil {
		return nil, usageError{fmt.Errorf("-data %s: the directory cannot be created: %w", s.data, err)}
	}
	take := lock.Exclusive
	if s.dataShared {
		take = lock.Shared
	}
	l, err := take(s.data)
	var held lock.HeldError
	switch {
	case errors.As(err, &held):
		return nil, usageError{fmt.Errorf("-data %s: %w: stop it or name another directory; with -data-shared both serve it", s.data, held)}
	case err != nil:
		return nil, usageError{fmt.Errorf("-data %s: %w", s.data, err)}
	}
	return func() { _ = l.Release() }, nil
}

// openEmbedded opens the embedded database and makes its tables if it is new. A
// new one is given the address under which it is served first; later ones are not
// stored, since Options.SiteURL says them.
func openEmbedded(ctx context.Context, s *settings, home string) (*bun.DB, error) {
	db, err := sqlite.Open(ctx, s.data)
	if err != nil {
		return nil, usageError{fmt.Errorf("-data %s: %w", s.data, err)}
	}
	if err := prepare(ctx, db, s, home); err != nil {
		_ = db.Close()
		return nil, err
	}
	return db, nil
}

// explained says what to do about an error of the embedded database, such as a
// damaged file, wherever it came up.
func (s *settings) explained(err error) error {
	if err == nil || s.dsn != "" || !sqlite.Answered(err) {
		return err
	}
	return usageError{fmt.Errorf("-data %s: %w", s.data, sqlite.Explain(err, s.file()))}
}

// file is the embedded database's.
func (s *settings) file() string {
	if s.data == sqlite.Memory {
		return s.data
	}
	return filepath.Join(s.data, sqlite.FileName)
}

// explainedPlace is explained for what a copy reads or writes.
func explainedPlace(place string, err error) error {
	if err == nil || !sqlite.Answered(err) {
		return err
	}
	if info, wrong := os.Stat(place); wrong == nil && info.IsDir() {
		place = filepath.Join(place, sqlite.FileName)
	}
	return usageError{sqlite.Explain(err, place)}
}

// mustBeWhole refuses what a copy was begun to and did not end: a site that is
// served, or filled with demo content, is none to copy to any more.
func (s *settings) mustBeWhole(ctx context.Context, db *bun.DB) error {
	if !schema.ValidPrefix(s.prefix) {
		return badPrefix(s.prefix)
	}
	unfinished, err := transfer.Unfinished(ctx, db, s.prefix)
	if err != nil || !unfinished {
		return err
	}
	if s.dsn != "" {
		return usageError{fmt.Errorf("-dsn: a copy to this database did not end: run the same 'agenda copy' again, or drop the tables %s*", s.prefix)}
	}
	return usageError{fmt.Errorf("-data %s: a copy to %s did not end: run the same 'agenda copy' again, or remove the file", s.data, s.file())}
}

func badPrefix(prefix string) error {
	return usageError{fmt.Errorf("-prefix %q: use 1 to 32 letters, digits or underscores", prefix)}
}

func prepare(ctx context.Context, db *bun.DB, s *settings, home string) error {
	if !schema.ValidPrefix(s.prefix) {
		return badPrefix(s.prefix)
	}
	if err := s.mustBeWhole(ctx, db); err != nil {
		return err
	}
	before, err := schema.Check(ctx, db, s.prefix)
	if err != nil {
		return err
	}
	if err := schema.Install(ctx, db, s.prefix); err != nil {
		if sqlite.CannotWrite(err) && before.Err() == nil {
			return nil // what is there can be read
		}
		return err
	}
	if !slices.Contains(before.Missing, s.prefix+"options") {
		return nil
	}
	bound, err := schema.Bind(db, s.prefix)
	if err != nil {
		return err
	}
	for _, name := range []string{schema.OptionHome, schema.OptionSiteURL} {
		_, err := bound.NewUpdate().Model((*schema.Option)(nil)).Set("option_value = ?", home).
			Where("option_name = ?", name).Exec(ctx)
		if err != nil {
			return err
		}
	}
	return nil
}

// seeded is what became of the demo content.
type seeded struct {
	filled  bool              // just now
	users   []demo.Credential // who can log in; to be printed, never to be logged
	problem error             // why users are missing
}

// seed fills an embedded database that is still empty with demo content, and
// gives the demo users passwords, if that is asked for.
func (s *settings) seed(ctx context.Context, db *bun.DB) (done seeded, err error) {
	if !s.demo || s.dsn != "" || s.readOnly {
		return done, nil
	}
	err = demo.Seed(ctx, db, s.prefix, time.Now())
	if sqlite.CannotWrite(err) {
		return seeded{problem: err}, nil
	}
	if err != nil && !errors.Is(err, demo.ErrNotEmpty) {
		return done, err
	}
	done.filled = err == nil
	keep := demo.Keep{New: done.filled}
	if s.data != sqlite.Memory {
		keep.File = filepath.Join(s.data, demo.PasswordFile)
	}
	done.users, done.problem = demo.Passwords(ctx, db, s.prefix, keep, time.Now())
	return done, nil
}

func (d seeded) report(log *slog.Logger, directory string) {
	if d.filled {
		log.Info("filled the new database with demo content", "directory", directory)
	}
	if d.problem != nil {
		log.Warn("the demo users have no passwords that could be printed", "error", d.problem)
	}
}

// isDSN tells a DSN from the path of a file.
func isDSN(place string) bool { return strings.Contains(place, "@") || strings.Contains(place, ")/") }

// mustExist refuses a file that is to be read and is not there.
func mustExist(place string) error {
	if isDSN(place) {
		return nil
	}
	if _, err := os.Stat(place); err != nil {
		return usageError{fmt.Errorf("%s: there is no such file", place)}
	}
	return nil
}

// openAny opens what a copy reads or writes: a file of the embedded database,
// or a database by its DSN.
func openAny(ctx context.Context, place string) (*bun.DB, error) {
	if isDSN(place) {
		return openMySQL(ctx, place, mysqlUse{})
	}
	info, err := os.Stat(place)
	open := sqlite.OpenFile
	if err == nil && info.IsDir() {
		open = sqlite.Open
	}
	db, err := open(ctx, place)
	if err != nil {
		return nil, usageError{fmt.Errorf("%s: %w", place, err)}
	}
	return db, nil
}
