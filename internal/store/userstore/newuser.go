package userstore

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"strconv"
	"strings"
	"time"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect"

	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/schema"
)

// NewUser is an account to be added to a site.
type NewUser struct {
	Login, Email, Role string
	Level              int    // the number that older programs use for the role
	PasswordHash       string // of the account's own password
	ActivationKey      string
	Passwords          string // application passwords, serialized
}

// NoPassword is the stored password of an account without a password of its own. It is not a valid hash, so no password
// matches it.
const NoPassword = "!"

// ErrLoginTaken and ErrEmailTaken are returned for a new user whose name or address is the name or address of another
// user.
var (
	ErrLoginTaken = errors.New("store: another user has this name")
	ErrEmailTaken = errors.New("store: another user has this address")
)

// AccountTables are the table prefixes of a site and of its accounts.
type AccountTables struct{ Site, Users string }

// InsertUser adds an account with everything that WordPress stores about one, and returns its id. The transaction must
// hold the lock that serializes the addition of users, because the tables have no unique key for logins.
func (t AccountTables) InsertUser(ctx context.Context, tx bun.Tx, n NewUser, now time.Time) (int64, error) {
	for _, rule := range []struct {
		column, value string
		taken         error
	}{
		{"user_login", n.Login, ErrLoginTaken},
		// A user who logs in with that address would be logged in as the new one.
		{"user_email", n.Login, ErrLoginTaken},
		{"user_email", n.Email, ErrEmailTaken},
		{"user_login", n.Email, ErrEmailTaken},
	} {
		taken, err := t.taken(ctx, tx, rule.column, rule.value)
		if err == nil && taken {
			err = rule.taken
		}
		if err != nil {
			return 0, err
		}
	}
	nicename, err := t.nicename(ctx, tx, n.Login)
	if err != nil {
		return 0, err
	}
	u := &schema.User{
		Login: n.Login, Pass: n.PasswordHash, Nicename: nicename, Email: n.Email, ActivationKey: n.ActivationKey,
		Registered: now.UTC().Format(time.DateTime), DisplayName: n.Login,
	}
	err = schema.InsertNaming(ctx, tx, t.Users, "users", tx.NewInsert().Model(u).ModelTableExpr("?", bun.Ident(t.Users+"users")))
	if err != nil {
		return 0, err
	}
	rows := t.metas(u.ID, n)
	return u.ID, schema.InsertNaming(ctx, tx, t.Users, "usermeta",
		tx.NewInsert().Model(&rows).ModelTableExpr("?", bun.Ident(t.Users+"usermeta")).ExcludeColumn("umeta_id").Returning("NULL"))
}

// metas returns the meta rows of a new account.
func (t AccountTables) metas(id int64, n NewUser) (rows []*schema.UserMeta) {
	for _, m := range [][2]string{
		{"nickname", n.Login}, {"first_name", ""}, {"last_name", ""}, {"description", ""}, {"rich_editing", "true"},
		{"syntax_highlighting", "true"}, {"comment_shortcuts", "false"}, {"admin_color", "fresh"}, {"use_ssl", "0"},
		{"show_admin_bar_front", "true"}, {"locale", ""},
		{schema.UserMetaCapabilities(t.Site), phpval.Serialize(phpval.Members(n.Role, true))},
		{t.Site + "user_level", strconv.Itoa(n.Level)},
		{"dismissed_wp_pointers", ""}, {schema.UserMetaApplicationPasswords, n.Passwords},
	} {
		if m[0] != schema.UserMetaApplicationPasswords || m[1] != "" {
			rows = append(rows, &schema.UserMeta{UserID: id, Key: m[0], Value: m[1]})
		}
	}
	return rows
}

// taken reports whether an account has a value in a column.
func (t AccountTables) taken(ctx context.Context, tx bun.Tx, column, value string) (bool, error) {
	var id int64
	q := tx.NewSelect().Model((*schema.User)(nil)).ModelTableExpr("? AS u", bun.Ident(t.Users+"users")).Column("ID").
		Where("? = ?", bun.Ident(column), value).Limit(1)
	err := locked(tx, q).Scan(ctx, &id)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

// nicename returns the name of a user in addresses.
func (t AccountTables) nicename(ctx context.Context, tx bun.Tx, login string) (string, error) {
	const limit, room = 50, 6 // room for "-99999"
	base := cmp.Or(wp.CutSlug(wp.Slug(login), limit), "user")
	name := base
	for n := 2; ; n++ {
		taken, err := t.taken(ctx, tx, "user_nicename", name)
		if err != nil || !taken {
			return name, err
		}
		name = wp.CutSlug(base, limit-room) + "-" + strconv.Itoa(n)
	}
}

// locked makes a query in a transaction lock the rows that it reads, and read what others have committed. SQLite needs
// no lock, because it has one writer at a time.
func locked(tx bun.Tx, q *bun.SelectQuery) *bun.SelectQuery {
	if tx.Dialect().Name() == dialect.MySQL {
		return q.For("UPDATE")
	}
	return q
}

// tables returns the table prefixes of the accounts and of their site.
func (s *Users) tables() AccountTables {
	site := strings.TrimSuffix(s.capabilities, schema.UserMetaCapabilities(""))
	return AccountTables{Site: site, Users: s.pool.DB.QueryGen().FormatQuery("?(prefix)")}
}

// Add adds an account if admit returns no error. admit gets the stored roles, which are locked, and the stored rights
// of all accounts on the site.
func (s *Users) Add(ctx context.Context, n NewUser, now time.Time, admit func(roles string, rights []string) error) (id int64, err error) {
	t := s.tables()
	err = s.inTransaction(ctx, func(ctx context.Context, tx bun.Tx, touched *schema.Touched) error {
		var roles string
		q := tx.NewSelect().Model((*schema.Option)(nil)).ModelTableExpr("? AS o", bun.Ident(t.Site+"options")).Column("option_value").
			Where("option_name = ?", schema.OptionUserRoles(t.Site))
		if err := locked(tx, q).Scan(ctx, &roles); err != nil && !errors.Is(err, sql.ErrNoRows) {
			return err
		}
		rights, err := s.withRights(ctx, tx)
		if err == nil {
			err = admit(roles, rights)
		}
		if err != nil {
			return err
		}
		id, err = t.InsertUser(ctx, tx, n, now)
		touched.Users(id)
		return err
	})
	return id, err
}

// SetPassword stores the hash of an account's own password and removes the key with which a password may be set. If key
// is not "", it does so only if the stored key equals it, and otherwise returns ErrNoUser, so that a key can be used
// once.
func (s *Users) SetPassword(ctx context.Context, user int64, hash, key string) error {
	return s.change(ctx, user, key, func(q *bun.UpdateQuery) *bun.UpdateQuery {
		return q.Set("user_pass = ?", hash).Set("user_activation_key = ''")
	})
}

// SetKey stores the key with which a password may be set.
func (s *Users) SetKey(ctx context.Context, user int64, key string) error {
	return s.change(ctx, user, "", func(q *bun.UpdateQuery) *bun.UpdateQuery { return q.Set("user_activation_key = ?", key) })
}

func (s *Users) change(ctx context.Context, user int64, key string, set func(*bun.UpdateQuery) *bun.UpdateQuery) error {
	return s.inTransaction(ctx, func(ctx context.Context, tx bun.Tx, touched *schema.Touched) error {
		touched.Users(user)
		q := set(tx.NewUpdate().Model((*schema.User)(nil))).Where("ID = ?", user)
		if key != "" {
			q = q.Where("user_activation_key = ?", key)
		}
		result, err := q.Exec(ctx)
		if err != nil {
			return err
		}
		if n, err := result.RowsAffected(); err != nil || n == 0 {
			return errors.Join(ErrNoUser, err)
		}
		return nil
	})
}

// Key returns the stored key with which an account's password may be set, "" if there is none.
func (s *Users) Key(ctx context.Context, user int64) (key string, err error) {
	q := s.pool.Select().From(store.TableUsers, "").Column("user_activation_key").Where("ID = ?", user)
	err = store.Each(ctx, q, func(u *schema.User) error {
		key = u.ActivationKey
		return nil
	})
	return key, err
}

// List returns the most accounts with the lowest ids.
func (s *Users) List(ctx context.Context, most int64) ([]*User, error) {
	ids, err := store.IDs(ctx, s.pool.Select().From(store.TableUsers, "").Column("ID").Order("ID").Limit(most))
	if err != nil || len(ids) == 0 {
		return nil, err
	}
	return s.load(ctx, s.accounts().Where("u.ID IN (?)", bun.List(ids)))
}

// WithRights returns the stored roles and rights of all accounts that have any on the site.
func (s *Users) WithRights(ctx context.Context) ([]string, error) {
	return s.withRights(ctx, s.pool.DB)
}

func (s *Users) withRights(ctx context.Context, db bun.IDB) (stored []string, err error) {
	q := db.NewSelect().Model((*schema.UserMeta)(nil)).Column("meta_value").Where("meta_key = ?", s.capabilities).
		Where("meta_value IS NOT NULL")
	return stored, q.Scan(ctx, &stored)
}

// AllowPasswords records that a site outside of a network uses application passwords, as WordPress does when the first
// one is created. Until then none is accepted.
func (s *Users) AllowPasswords(ctx context.Context) error {
	const name = schema.OptionApplicationPasswords
	site := s.tables().Site
	table := bun.Ident(site + "options")
	return s.inTransaction(ctx, func(ctx context.Context, tx bun.Tx, touched *schema.Touched) error {
		touched.Options(name)
		var value string
		q := tx.NewSelect().Model((*schema.Option)(nil)).ModelTableExpr("? AS o", table).Column("option_value").
			Where("option_name = ?", name)
		err := locked(tx, q).Scan(ctx, &value)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			err = schema.InsertNaming(ctx, tx, site, "options",
				tx.NewInsert().Model(&schema.Option{Name: name, Value: "1", Autoload: "off"}).ModelTableExpr("?", table).
					ExcludeColumn("option_id").Returning("NULL"))
		case err == nil && wp.Truthy(value):
			return errUnchanged
		case err == nil:
			_, err = tx.NewUpdate().Model((*schema.Option)(nil)).ModelTableExpr("?", table).Set("option_value = '1'").
				Where("option_name = ?", name).Exec(ctx)
		}
		return err
	})
}
