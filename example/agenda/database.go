package main

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/example/internal/cli"
	"github.com/agendahq/agenda/example/internal/demo"
	"github.com/agendahq/agenda/example/internal/lock"
	"github.com/agendahq/agenda/example/internal/transfer"
	"github.com/agendahq/agenda/schema"
	"github.com/agendahq/agenda/schema/embedded"
)

// dataLock is the lock on the directory of the embedded database; the zero value locks nothing.
type dataLock struct {
	file *lock.Lock
	made []string // directories that were created for it, the innermost first
}

// release ends the lock.
func (l dataLock) release() {
	if l.file != nil {
		_ = l.file.Release()
	}
}

// undo ends the lock and removes what was created for it, except directories that contain something else.
func (l dataLock) undo() error {
	err := l.file.Undo()
	for _, dir := range l.made {
		_ = os.Remove(dir)
	}
	return err
}

// lockData prevents other servers from using the directory of the embedded database, which it creates if necessary,
// until the lock is released.
func (s *settings) lockData() (held dataLock, err error) {
	if s.DSN != "" || s.Data == embedded.Memory {
		return held, nil
	}
	held.made = absent(s.Data)
	if err := os.MkdirAll(s.Data, 0o700); err != nil {
		return held, cli.Usagef("--data %s: the directory cannot be created: %w", s.Data, err)
	}
	take := lock.Exclusive
	if s.dataShared {
		take = lock.Shared
	}
	held.file, err = take(s.Data)
	var other lock.HeldError
	switch {
	case errors.As(err, &other):
		return held, cli.Usagef("--data %s: %w: stop it, or name another directory; with --data-shared both can serve it", s.Data, other)
	case err != nil:
		return held, cli.Usagef("--data %s: %w", s.Data, err)
	}
	return held, nil
}

// absent returns those of a directory and the directories around it that do not exist, the innermost first.
func absent(dir string) (list []string) {
	for {
		if _, err := os.Lstat(dir); !errors.Is(err, fs.ErrNotExist) {
			return list
		}
		list = append(list, dir)
		dir = filepath.Dir(dir)
	}
}

// journalSuffix is appended to the name of the embedded database for that of its journal: see schema.OpenJournal.
const journalSuffix = ".changes"

// newData returns a function that removes the database, with its demo content, if this start creates it and then fails.
// Otherwise the next start would find a site whose passwords nobody has seen. The function ends the lock and removes
// what was created for it. It removes nothing that exists now, or that another server may have created.
func (s *settings) newData(held dataLock) (undo func() error) {
	if s.DSN != "" || s.Data == embedded.Memory || s.dataShared || hasContent(s.File()) {
		return func() error { return nil }
	}
	made := []string{s.File(), s.File() + "-wal", s.File() + "-shm"}
	journal := cli.FileName + journalSuffix
	for _, name := range []string{journal, journal + "-wal", journal + "-shm", demo.PasswordFile, uploadsName} {
		if _, err := os.Lstat(filepath.Join(s.Data, name)); errors.Is(err, fs.ErrNotExist) {
			made = append(made, filepath.Join(s.Data, name))
		}
	}
	return func() error {
		var all error
		for _, path := range made {
			all = errors.Join(all, os.RemoveAll(path))
		}
		return errors.Join(all, held.undo())
	}
}

// openEmbedded opens the embedded database, and creates its tables if it is new. Only a new database stores the address
// under which it is served; later addresses are in Site.URL.
func openEmbedded(ctx context.Context, s *settings, home string, log *slog.Logger) (*bun.DB, error) {
	db, err := embedded.OpenLogged(ctx, s.File(), log)
	if err != nil {
		return nil, cli.Usagef("--data %s: %w", s.Data, err)
	}
	if err := prepareEmbedded(ctx, db, s, home); err != nil {
		_ = db.Close()
		return nil, err
	}
	return db, nil
}

// explained adds advice to an error of the embedded database, such as a damaged file.
func (s *settings) explained(err error) error {
	if err == nil || s.DSN != "" || !embedded.Explainable(err) {
		return err
	}
	return cli.Usagef("--data %s: %w", s.Data, embedded.Explain(err, s.File()))
}

// explainedPlace is explained for the source or the target of a copy.
func explainedPlace(place string, err error) error {
	if err == nil || !embedded.Explainable(err) {
		return err
	}
	if info, wrong := os.Stat(place); wrong == nil && info.IsDir() {
		place = filepath.Join(place, cli.FileName)
	}
	return cli.Usage(embedded.Explain(err, place))
}

// mustBeWhole returns an error if a copy to the site was started and did not finish: once the site is served, or filled
// with demo content, the copy cannot be repeated.
func (s *settings) mustBeWhole(ctx context.Context, db *bun.DB) error {
	if err := s.CheckPrefix(); err != nil {
		return err
	}
	unfinished, err := transfer.Unfinished(ctx, db, s.Prefix)
	if err != nil || !unfinished {
		return err
	}
	if s.DSN != "" {
		return cli.Usagef("--dsn: a copy to this database is incomplete: run the same 'agenda copy' again, or drop the tables %s*",
			s.Prefix)
	}
	return cli.Usagef("--data %s: a copy to %s is incomplete: run the same 'agenda copy' again, or remove the file", s.Data, s.File())
}

func prepareEmbedded(ctx context.Context, db *bun.DB, s *settings, home string) error {
	if err := s.CheckPrefix(); err != nil {
		return err
	}
	if err := s.mustBeWhole(ctx, db); err != nil {
		return err
	}
	before, err := schema.Check(ctx, db, s.Prefix)
	if err != nil {
		return err
	}
	if err := schema.Install(ctx, db, s.Prefix); err != nil {
		if embedded.CannotWrite(err) && before.Err() == nil {
			return nil // it exists and can be read
		}
		return err
	}
	if !slices.Contains(before.Missing, s.Prefix+"options") {
		return nil
	}
	bound, err := schema.Bind(db, s.Prefix)
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

// seeded is the result of filling the database with demo content.
type seeded struct {
	filled  bool              // at this start
	users   []demo.Credential // users who can log in; to be printed, but never logged
	problem error             // why users are missing
}

// seed fills an embedded database that is still empty with demo content, and sets passwords for the demo users, if the
// flags ask for that.
func (s *settings) seed(ctx context.Context, db *bun.DB) (done seeded, err error) {
	if !s.demo || s.DSN != "" || s.readOnly {
		return done, nil
	}
	err = demo.Seed(ctx, db, s.Prefix, time.Now())
	if embedded.CannotWrite(err) {
		return seeded{problem: err}, nil
	}
	if err != nil && !errors.Is(err, demo.ErrNotEmpty) {
		return done, err
	}
	done.filled = err == nil
	keep := demo.Keep{New: done.filled}
	if s.Data != embedded.Memory {
		keep.File = filepath.Join(s.Data, demo.PasswordFile)
	}
	done.users, done.problem = demo.Passwords(ctx, db, s.Prefix, keep, time.Now())
	return done, nil
}

func (d seeded) report(log *slog.Logger, directory string) {
	if d.filled {
		log.Info("filled the new database with demo content", "directory", directory)
	}
	if d.problem != nil {
		log.Warn("the passwords of the demo users could not be printed", "error", d.problem)
	}
}

// isDSN reports whether place is a DSN, as opposed to the path of a file.
func isDSN(place string) bool { return strings.Contains(place, "@") || strings.Contains(place, ")/") }

// mustExist returns an error if place is a file that does not exist.
func mustExist(place string) error {
	if isDSN(place) {
		return nil
	}
	if _, err := os.Stat(place); err != nil {
		return cli.Usagef("%s: there is no such file", place)
	}
	return nil
}

// openAny opens the source or the target of a copy: a file of the embedded database, or a database by its DSN.
func openAny(ctx context.Context, flag, place string) (*bun.DB, error) {
	if isDSN(place) {
		return cli.OpenMySQL(ctx, place, cli.MySQL{Flag: flag})
	}
	file := place
	if info, err := os.Stat(place); err == nil && info.IsDir() {
		file = filepath.Join(place, cli.FileName)
	}
	db, err := embedded.Open(ctx, file)
	if err != nil {
		return nil, cli.Usagef("%s: %w", place, err)
	}
	return db, nil
}
