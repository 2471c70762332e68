package users

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect"

	"github.com/agendahq/agenda/internal/auth"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/store/userstore"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/schema"
)

// Mistake is an error of the caller. It is one line that states what to do.
type Mistake string

// Error returns the line.
func (m Mistake) Error() string { return string(m) }

func mistake(format string, args ...any) error { return Mistake(fmt.Sprintf(format, args...)) }

// Site manages the accounts of a site.
type Site struct {
	db       *bun.DB
	prefix   string
	users    string // prefix of the user tables
	accounts *userstore.Users
}

// Open returns the accounts in a database that has the tables of schema.CheckSite.
func Open(db *bun.DB, site schema.SiteTables) (*Site, error) {
	bound, err := schema.Bind(db, site.Prefix)
	if err != nil {
		return nil, err
	}
	users := cmp.Or(site.UserPrefix, site.Prefix)
	accounts, err := schema.Bind(db, users)
	if err != nil {
		return nil, err
	}
	s := &Site{
		db: bound, prefix: site.Prefix, users: users, accounts: userstore.New(accounts, schema.UserMetaCapabilities(site.Prefix)),
	}
	s.accounts.Companion = store.NewCompanion(bound)
	return s, nil
}

// table returns the expression of a user table, with its alias unless that is "".
func (s *Site) table(name, alias string) (expr string, table bun.Ident) {
	if alias == "" {
		return "?", bun.Ident(s.users + name)
	}
	return "? AS " + alias, bun.Ident(s.users + name)
}

// AddPassword adds an application password to a user. Only its hash is stored, so that it cannot be read later.
func (s *Site) AddPassword(ctx context.Context, login, name string, now time.Time) (plain string, err error) {
	if err := checkName(name); err != nil {
		return "", err
	}
	u, err := s.find(ctx, "login", login)
	if err != nil {
		return "", err
	}
	err = s.inTransaction(ctx, func(ctx context.Context, w *write) error { return s.allowPasswords(ctx, w) })
	if err != nil {
		return "", err
	}
	var failed error
	err = s.accounts.UpdatePasswords(ctx, u.ID, func(stored string) (string, bool) {
		var list string
		list, plain, failed = auth.AddPassword(stored, name, now)
		return list, failed == nil
	})
	if err = errors.Join(err, failed); err != nil {
		return "", err
	}
	return plain, nil
}

// Revoke deletes the application passwords with a name from a user, or all of them if name is "", and returns their
// number. It also ends the user's sessions on the pages.
func (s *Site) Revoke(ctx context.Context, login, name string) (removed int, err error) {
	u, err := s.find(ctx, "login", login)
	if err != nil {
		return 0, err
	}
	var failed error
	err = s.accounts.UpdatePasswords(ctx, u.ID, func(stored string) (string, bool) {
		var list string
		list, removed, failed = auth.RemovePasswords(stored, name)
		return list, failed == nil && removed > 0
	})
	ended := false
	if err == nil {
		ended, err = s.endSessions(ctx, u.ID)
	}
	if err = errors.Join(err, failed); err == nil && removed == 0 && !ended {
		err = mistake("--password-name %q: %s has no application password of this name", name, login)
		if name == "" {
			err = mistake("--login %q: the user has no application passwords", login)
		}
	}
	return removed, err
}

// endSessions ends the sessions that a user has on the pages of a calendar, and reports whether there were any.
func (s *Site) endSessions(ctx context.Context, user int64) (ended bool, err error) {
	err = s.accounts.UpdateSessions(ctx, user, func(stored string) (rest string, removed bool) {
		rest, ended = auth.WithoutSessions(stored)
		return rest, ended
	})
	return ended, err
}

// find returns the user with a login, which the value of a flag names.
func (s *Site) find(ctx context.Context, flag, login string) (*userstore.User, error) {
	if login == "" {
		return nil, mistake("--%s is missing: name the user", flag)
	}
	u, err := s.accounts.Find(ctx, login, "")
	if errors.Is(err, userstore.ErrNoUser) {
		return nil, mistake("--%s %q: the site does not have this user", flag, login)
	}
	return u, err
}

// allowPasswords stores that the site uses application passwords, as WordPress does when the first one is created.
// Until then none is accepted.
func (s *Site) allowPasswords(ctx context.Context, w *write) error {
	const name = schema.OptionApplicationPasswords
	network, err := schema.FindNetwork(ctx, func() *bun.SelectQuery { return w.tx.NewSelect() }, s.prefix)
	if err != nil {
		return err
	}
	if network.Table != "" {
		w.changed.Options(name)
		return network.Set(ctx, w.tx, name, "1")
	}
	value, err := s.option(ctx, w.tx, name)
	if err == nil && phpval.Truthy(value) || err != nil && !errors.Is(err, sql.ErrNoRows) {
		return err
	}
	return s.setOption(ctx, w, name, "1", "off")
}

// write is a transaction on the accounts, with what it changed.
type write struct {
	tx      bun.Tx
	changed schema.Touched
}

// inTransaction runs fn in a transaction, and records what it changed for the companion of the site.
func (s *Site) inTransaction(ctx context.Context, fn func(context.Context, *write) error) error {
	if err := s.accounts.Companion.Find(ctx); err != nil {
		return err
	}
	return s.db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		w := &write{tx: tx}
		if err := fn(ctx, w); err != nil {
			return err
		}
		return s.accounts.Companion.Leave(ctx, tx, &w.changed)
	})
}

// setOption stores an option. autoload determines whether WordPress loads a new option with each request.
func (s *Site) setOption(ctx context.Context, w *write, name, value, autoload string) error {
	w.changed.Options(name)
	_, err := s.option(ctx, w.tx, name)
	switch {
	case errors.Is(err, sql.ErrNoRows):
		err = schema.InsertNaming(ctx, w.tx, s.prefix, "options",
			w.tx.NewInsert().Model(&schema.Option{Name: name, Value: value, Autoload: autoload}).
				ExcludeColumn("option_id").Returning("NULL"))
	case err == nil:
		_, err = w.tx.NewUpdate().Model((*schema.Option)(nil)).Set("option_value = ?", value).Where("option_name = ?", name).Exec(ctx)
	}
	return err
}

func (s *Site) option(ctx context.Context, db bun.IDB, name string) (value string, err error) {
	q := db.NewSelect().Model((*schema.Option)(nil)).Column("option_value").Where("option_name = ?", name)
	err = s.locked(db, q).Scan(ctx, &value)
	return value, err
}

// roles reads the site's roles.
func (s *Site) roles(ctx context.Context, db bun.IDB) (site.Roles, error) {
	stored, err := s.option(ctx, db, schema.OptionUserRoles(s.prefix))
	if err != nil && !errors.Is(err, sql.ErrNoRows) {
		return nil, err
	}
	return site.ParseRoles(stored), nil
}

// locked makes a query in a transaction lock the rows that it reads, and read what others have committed in the
// meantime. SQLite needs no lock, because it has one writer at a time.
func (s *Site) locked(db bun.IDB, q *bun.SelectQuery) *bun.SelectQuery {
	if _, within := db.(bun.Tx); within && s.db.Dialect().Name() == dialect.MySQL {
		return q.For("UPDATE")
	}
	return q
}
