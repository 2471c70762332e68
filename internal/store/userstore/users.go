// Package userstore reads and writes the accounts of a site, whose tables several sites can share.
package userstore

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/go-sql-driver/mysql"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect"

	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/store/dberr"
	"github.com/agendahq/agenda/internal/store/writequeue"
	"github.com/agendahq/agenda/schema"
)

// unknownColumn is the error number for a column that does not exist.
const unknownColumn = 1054

// ErrNoUser is returned when an account does not exist.
var ErrNoUser = errors.New("store: no such user")

// Users reads the accounts of a site.
type Users struct {
	pool         *store.Pool
	queue        *writequeue.Queue
	readOnly     bool // UpdatePasswords stores nothing
	capabilities string
	marks        bool             // accounts may be marked as spam or deleted, in columns that a multisite network adds
	Companion    *store.Companion // of the site, nil for none
}

// ForStore returns the Users of a Store with Config.Users. They read like the rest of the Store: with time limits and, within a
// Write, in its transaction. Sites that share the tables store rights separately: capabilitiesKey is the meta key of this
// site.
func ForStore(ctx context.Context, st *store.Store, capabilitiesKey string) (*Users, error) {
	s := newUsers(st.DB.Accounts(), capabilitiesKey)
	s.readOnly, s.Companion = st.Config.ReadOnly, st.Companion
	var err error
	s.marks, err = s.findMarks(ctx, st.DB.OfNetwork())
	return s, err
}

// New returns Users without a Store, in a database that schema.Bind bound to the prefix of the users' tables.
func New(db *bun.DB, capabilitiesKey string) *Users {
	return newUsers(store.NewPool(db), capabilitiesKey)
}

func newUsers(pool *store.Pool, capabilitiesKey string) *Users {
	return &Users{pool: pool, queue: writequeue.ForTable(pool.DB, store.TableUserMeta.String()), capabilities: capabilitiesKey}
}

// OfNetwork reports whether the accounts belong to a multisite network, whose table is in the same database.
func (s *Users) OfNetwork(ctx context.Context) bool {
	_, err := store.IDs(ctx, s.pool.Select().From(store.TableBlogs, "").ColumnExpr("1").Where("1 = 0"))
	return err == nil
}

// findMarks reports whether accounts can be marked as spam or deleted: a network has columns for that.
func (s *Users) findMarks(ctx context.Context, ofNetwork bool) (bool, error) {
	if !ofNetwork {
		return false, nil
	}
	_, err := store.IDs(ctx, s.pool.Select().From(store.TableUsers, "u").Column("u.spam", "u.deleted").Where("1 = 0"))
	if dberr.Has(err, unknownColumn) {
		return false, nil
	}
	return err == nil, err
}

// User is an account with the meta values that identify it and determine its rights; a value without a row is "". A
// User is printed as its id only.
type User struct {
	ID                   int64
	Login, Email         string
	PasswordHash         string // of the account's own password
	ApplicationPasswords string // serialized
	Capabilities         string // serialized
	SessionTokens        string // serialized
	Barred               bool   // marked as spam or deleted, in a multisite network
}

// Format prints only the id, so that no hash is printed with a user.
func (u User) Format(f fmt.State, _ rune) { _, _ = fmt.Fprintf(f, "user %d", u.ID) }

// LogValue returns only the id, so that no hash is logged with a user.
func (u User) LogValue() slog.Value { return slog.Int64Value(u.ID) }

// Find returns the account with a login, or otherwise the one with an e-mail address, with one statement. Letter case
// is ignored; accents and blanks are not, although the collation ignores them. Empty arguments match nothing.
func (s *Users) Find(ctx context.Context, login, email string) (*User, error) {
	q := s.accounts().Where("u.user_login = ?", lookup(login))
	if email != "" {
		q = q.WhereOr("u.user_email = ?", lookup(email))
	}
	found, err := s.load(ctx, q)
	if err = dberr.UnlessUnmatchable(err, true); err != nil {
		return nil, err
	}
	for _, u := range found {
		if login != "" && strings.EqualFold(u.Login, login) {
			return u, nil
		}
	}
	for _, u := range found {
		if email != "" && strings.EqualFold(u.Email, email) {
			return u, nil
		}
	}
	return nil, ErrNoUser
}

// ByID returns the account with an id.
func (s *Users) ByID(ctx context.Context, id int64) (*User, error) {
	found, err := s.load(ctx, s.accounts().Where("u.ID = ?", id))
	if err == nil && len(found) == 0 {
		err = ErrNoUser
	}
	if err != nil {
		return nil, err
	}
	return found[0], nil
}

func (s *Users) accounts() *store.Query {
	keys := []string{schema.UserMetaApplicationPasswords, s.capabilities, schema.UserMetaSessionTokens}
	q := s.pool.Select().From(store.TableUsers, "u").
		Column("u.ID", "u.user_login", "u.user_email", "u.user_pass", "um.meta_key", "um.meta_value").
		Join("LEFT JOIN", store.TableUserMeta, "um", "um.user_id = u.ID AND um.meta_key IN (?)", bun.List(keys)).
		OrderExpr("u.ID, um.umeta_id")
	if s.marks {
		q = q.ColumnExpr("u.spam <> 0 OR u.deleted <> 0 AS barred")
	}
	return q
}

func (s *Users) load(ctx context.Context, q *store.Query) ([]*User, error) {
	var list []*User
	var seen []string // keys of the last user in the list
	type row struct {
		ID    int64          `bun:"ID"`
		Login string         `bun:"user_login"`
		Email string         `bun:"user_email"`
		Hash  string         `bun:"user_pass"`
		Key   sql.NullString `bun:"meta_key"`
		Value sql.NullString `bun:"meta_value"`

		Barred bool `bun:"barred"`
	}
	err := store.Each(ctx, q, func(r *row) error {
		if len(list) == 0 || list[len(list)-1].ID != r.ID {
			list, seen = append(list, &User{ID: r.ID, Login: r.Login, Email: r.Email, PasswordHash: r.Hash, Barred: r.Barred}), nil
		}
		if slices.Contains(seen, r.Key.String) {
			return nil // the oldest row of a key counts
		}
		seen = append(seen, r.Key.String)
		if field := list[len(list)-1].meta(r.Key.String, s.capabilities); field != nil {
			*field = r.Value.String
		}
		return nil
	})
	return list, err
}

// meta returns the field for a meta key, nil for other keys. The collation also matches keys in other letter cases,
// which have no meaning.
func (u *User) meta(key, capabilities string) *string {
	switch key {
	case schema.UserMetaApplicationPasswords:
		return &u.ApplicationPasswords
	case capabilities:
		return &u.Capabilities
	case schema.UserMetaSessionTokens:
		return &u.SessionTokens
	}
	return nil
}

// lookup prepares a text for a comparison: engines remove or reject invalid bytes, and must not match another name
// because of that. A text that is longer than the columns becomes "".
func lookup(s string) string {
	const limit = 1024
	if len(s) > limit {
		return ""
	}
	return strings.ReplaceAll(strings.ToValidUTF8(s, "\uFFFD"), "\x00", "\uFFFD")
}

// UpdatePasswords calls change with a user's stored application passwords, "" if there are none, and stores the result
// if change returns true. It reads them under a lock, so that no concurrent change is lost. change may be called more
// than once; if the store is read-only, it is not called.
func (s *Users) UpdatePasswords(ctx context.Context, user int64, change func(stored string) (string, bool)) error {
	return s.updateMeta(ctx, user, schema.UserMetaApplicationPasswords, change)
}

// UpdateSessions is UpdatePasswords for a user's stored sessions.
func (s *Users) UpdateSessions(ctx context.Context, user int64, change func(stored string) (string, bool)) error {
	return s.updateMeta(ctx, user, schema.UserMetaSessionTokens, change)
}

func (s *Users) updateMeta(ctx context.Context, user int64, key string, change func(stored string) (string, bool)) error {
	return s.inTransaction(ctx, func(ctx context.Context, tx bun.Tx, touched *schema.Touched) error {
		touched.Users(user)
		return s.changeMeta(ctx, tx, user, key, change)
	})
}

// inTransaction runs fn in one transaction, again if it conflicts with others, and records what it touched for the companion of
// the site. If the store is read-only, it does nothing.
func (s *Users) inTransaction(ctx context.Context, fn func(ctx context.Context, tx bun.Tx, touched *schema.Touched) error) error {
	if s.readOnly {
		return nil
	}
	if err := s.Companion.Find(ctx); err != nil {
		return err
	}
	return store.Again(ctx, func() error { return s.writeOnce(ctx, fn) })
}

func (s *Users) writeOnce(ctx context.Context, fn func(ctx context.Context, tx bun.Tx, touched *schema.Touched) error) error {
	turn, err := s.queue.Enter(ctx)
	if err != nil {
		return err
	}
	defer turn.Leave()
	return s.pool.DB.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) error {
		var touched schema.Touched
		err := fn(ctx, tx, &touched)
		switch {
		case errors.Is(err, errUnchanged):
			return nil
		case err != nil:
			return err
		}
		return s.Companion.Leave(ctx, tx, &touched)
	})
}

// errUnchanged ends a write that changes nothing.
var errUnchanged = errors.New("store: nothing changes")

// changeMeta locks the user's row together with the meta row, which may not exist yet. SQLite has no row locks; there
// the transaction itself excludes other writers.
func (s *Users) changeMeta(ctx context.Context, tx bun.Tx, user int64, key string, change func(string) (string, bool)) error {
	q := s.pool.SelectIn(tx).From(store.TableUsers, "u").Column("um.umeta_id", "um.meta_key", "um.meta_value").
		Join("LEFT JOIN", store.TableUserMeta, "um", "um.user_id = u.ID AND um.meta_key = ?", key).
		Where("u.ID = ?", user).OrderExpr("um.umeta_id")
	if tx.Dialect().Name() != dialect.SQLite {
		q = q.For("UPDATE")
	}
	known, row, stored := false, int64(0), ""
	type metaRow struct {
		ID    sql.NullInt64  `bun:"umeta_id"`
		Key   sql.NullString `bun:"meta_key"`
		Value sql.NullString `bun:"meta_value"`
	}
	err := store.Each(ctx, q, func(r *metaRow) error {
		if known = true; row == 0 && r.Key.String == key {
			row, stored = r.ID.Int64, r.Value.String
		}
		return nil
	})
	if err != nil {
		return err
	}
	if !known {
		return ErrNoUser
	}
	value, changed := change(stored)
	switch {
	case !changed:
		return errUnchanged
	case row != 0:
		_, err = tx.NewUpdate().Model((*schema.UserMeta)(nil)).Set("meta_value = ?", s.exactly(value)).Where("umeta_id = ?", row).Exec(ctx)
	default:
		err = schema.InsertNaming(ctx, tx, s.tables().Users, "usermeta", tx.NewInsert().Model(&schema.UserMeta{UserID: user, Key: key}).
			ExcludeColumn("umeta_id").Value("meta_value", "?", s.exactly(value)).Returning("NULL"))
	}
	return err
}

// exactly returns an argument that is stored byte for byte: in a quoted text NUL bytes would be lost, and the lengths
// in a serialized value would be wrong.
func (s *Users) exactly(value string) any {
	switch {
	case utf8.ValidString(value) && !strings.Contains(value, "\x00"):
		return value
	case s.pool.DB.Dialect().Name() == dialect.SQLite:
		return bun.SafeQuery("CAST(? AS TEXT)", []byte(value))
	}
	return []byte(value)
}

// Reason describes a database error for logs. Only the number of a server's error is included, because its message may
// quote stored values.
func Reason(err error) string {
	var answer *mysql.MySQLError
	switch {
	case err == nil:
		return ""
	case errors.As(err, &answer):
		return fmt.Sprintf("error %d of the server", answer.Number)
	case errors.Is(err, context.DeadlineExceeded), errors.Is(err, context.Canceled), errors.Is(err, ErrNoUser), errors.Is(err, io.EOF),
		dberr.FaultOf(err) != dberr.NoFault:
		return err.Error()
	}
	return fmt.Sprintf("%T", err)
}

// Exists reports whether there is a user with an id.
func (s *Users) Exists(ctx context.Context, id int64) (bool, error) {
	found, err := store.IDs(ctx, s.pool.Select().From(store.TableUsers, "").Column("ID").Where("ID = ?", id))
	return len(found) > 0, err
}
