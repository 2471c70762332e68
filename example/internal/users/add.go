package users

import (
	"context"
	"database/sql"
	"errors"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/auth"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/schema"
)

// Account is a user to be added.
type Account struct{ Login, Email, Role string }

// unusable is the account's own stored password. It is no valid hash, so no
// password matches until the user sets one on the site.
const unusable = "!"

// Add adds a user with one application password, which is stored as a hash and
// cannot be read later. Everything is written or nothing.
func (s *Site) Add(ctx context.Context, a Account, passwordName string, now time.Time) (plain string, err error) {
	return s.add(ctx, a, passwordName, "", now, nil)
}

// Begin gives a new site its settings, by the names of their options, what more writes, and its first user,
// as Add does; with a chosen application password unless it is "".
func (s *Site) Begin(ctx context.Context, first Account, chosen string, options map[string]string,
	more func(context.Context, bun.IDB) error, now time.Time) (plain string, err error) {
	return s.add(ctx, first, DefaultName, chosen, now, func(ctx context.Context, w *write) error {
		expr, table := s.table("users", "u")
		inhabited, err := w.tx.NewSelect().Model((*schema.User)(nil)).ModelTableExpr(expr, table).Exists(ctx)
		if err != nil {
			return err
		}
		if inhabited {
			return mistake("the site has users already, and nothing is overwritten")
		}
		for _, name := range slices.Sorted(maps.Keys(options)) {
			if err := s.setOption(ctx, w, name, options[name], "on"); err != nil {
				return err
			}
		}
		return more(ctx, w.tx)
	})
}

// add is Add with a chosen password, if it is not "", and what else the transaction has to do first.
func (s *Site) add(ctx context.Context, a Account, passwordName, chosen string, now time.Time,
	first func(context.Context, *write) error) (plain string, err error) {
	if err := a.Check(); err != nil {
		return "", err
	}
	if err := checkName(passwordName); err != nil {
		return "", err
	}
	plain, passwords := chosen, ""
	if chosen == "" {
		passwords, plain, err = auth.AddPassword("", passwordName, now)
	} else {
		passwords, err = auth.AddChosenPassword("", passwordName, chosen, now)
	}
	if err != nil {
		return "", err
	}
	err = s.write(ctx, func(ctx context.Context, w *write) error {
		// Its row is locked, so that users are added one after the other: the tables have no unique
		// key of logins.
		roles, err := s.roles(ctx, w.tx)
		if err != nil {
			return err
		}
		if first != nil {
			if err := first(ctx, w); err != nil {
				return err
			}
		}
		if err := s.admit(ctx, w, a, roles); err != nil {
			return err
		}
		return s.insert(ctx, w, a, level(roles[a.Role]), passwords, now)
	})
	if err != nil {
		return "", err
	}
	return plain, nil
}

// admit returns an error if an account cannot be added to the site.
func (s *Site) admit(ctx context.Context, w *write, a Account, roles site.Roles) error {
	if len(roles) == 0 {
		return mistake("the site has no roles: does --prefix name it?")
	}
	if roles[a.Role] == nil {
		return mistake("--role %q: use one of %s", a.Role, strings.Join(slices.Sorted(maps.Keys(roles)), ", "))
	}
	for _, rule := range []struct{ column, value, problem string }{
		{"user_login", a.Login, "--login %q: the site has a user of this name"},
		// A user who logs in with that address would be logged in as the new
		// one.
		{"user_email", a.Login, "--login %q: this is the e-mail address of another user"},
		{"user_email", a.Email, "--email %q: another user has this address"},
		{"user_login", a.Email, "--email %q: another user has this as the login"},
	} {
		taken, err := s.taken(ctx, w, rule.column, rule.value)
		if err != nil {
			return err
		}
		if taken {
			return mistake(rule.problem, rule.value)
		}
	}
	return nil
}

func (s *Site) taken(ctx context.Context, w *write, column, value string) (bool, error) {
	var id int64
	expr, table := s.table("users", "u")
	q := w.tx.NewSelect().Model((*schema.User)(nil)).ModelTableExpr(expr, table).Column("ID").Where("? = ?", bun.Ident(column),
		value).Limit(1)
	err := s.locked(w.tx, q).Scan(ctx, &id)
	if errors.Is(err, sql.ErrNoRows) {
		return false, nil
	}
	return err == nil, err
}

func (s *Site) insert(ctx context.Context, w *write, a Account, level int, passwords string, now time.Time) error {
	nicename, err := s.nicename(ctx, w, a.Login)
	if err != nil {
		return err
	}
	u := &schema.User{
		Login: a.Login, Pass: unusable, Nicename: nicename, Email: a.Email,
		Registered: now.UTC().Format(time.DateTime), DisplayName: a.Login,
	}
	expr, table := s.table("users", "")
	if _, err := w.tx.NewInsert().Model(u).ModelTableExpr(expr, table).Exec(ctx); err != nil {
		return err
	}
	w.changed.Users(u.ID)
	var roles phpval.Array
	roles.Set(phpval.StrKey(a.Role), true)
	var rows []*schema.UserMeta
	for _, m := range [][2]string{
		{"nickname", a.Login}, {"first_name", ""}, {"last_name", ""}, {"description", ""}, {"rich_editing", "true"},
		{"syntax_highlighting", "true"}, {"comment_shortcuts", "false"}, {"admin_color", "fresh"}, {"use_ssl", "0"},
		{"show_admin_bar_front", "true"}, {"locale", ""},
		{schema.UserMetaCapabilities(s.prefix), phpval.Serialize(&roles)}, {s.prefix + "user_level", strconv.Itoa(level)},
		{"dismissed_wp_pointers", ""}, {schema.UserMetaApplicationPasswords, passwords},
	} {
		rows = append(rows, &schema.UserMeta{UserID: u.ID, Key: m[0], Value: m[1]})
	}
	expr, table = s.table("usermeta", "")
	if _, err := w.tx.NewInsert().Model(&rows).ModelTableExpr(expr,
		table).ExcludeColumn("umeta_id").Returning("NULL").Exec(ctx); err != nil {
		return err
	}
	return s.allowPasswords(ctx, w)
}

// nicename returns the name of a user in addresses.
func (s *Site) nicename(ctx context.Context, w *write, login string) (string, error) {
	const limit, room = 50, 6 // room for "-99999"
	base := wp.CutSlug(wp.Slug(login), limit)
	if base == "" {
		base = "user"
	}
	name := base
	for n := 2; ; n++ {
		taken, err := s.taken(ctx, w, "user_nicename", name)
		if err != nil || !taken {
			return name, err
		}
		name = wp.CutSlug(base, limit-room) + "-" + strconv.Itoa(n)
	}
}

// level returns the number that older programs use for a role: that of the
// highest capability "level_0" to "level_10".
func level(capabilities map[string]bool) int {
	for n := 10; n > 0; n-- {
		if capabilities["level_"+strconv.Itoa(n)] {
			return n
		}
	}
	return 0
}
