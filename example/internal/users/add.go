package users

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/auth"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store/userstore"
	"github.com/agendahq/agenda/schema"
)

// Account is a user to be added.
type Account struct{ Login, Email, Role string }

// Add adds a user with one application password. Only the hash of that is stored, so that it cannot be read later. If
// anything fails, nothing is written.
func (s *Site) Add(ctx context.Context, a Account, passwordName string, now time.Time) (plain string, err error) {
	return s.addAccount(ctx, a, passwordName, "", now, nil)
}

// Begin stores the settings of a new site, by option name, calls more, and adds the site's first user like Add does.
// The application password is chosen, or a random one if chosen is "".
func (s *Site) Begin(ctx context.Context, first Account, chosen string, options map[string]string,
	more func(context.Context, bun.IDB) error, now time.Time) (plain string, err error) {
	return s.addAccount(ctx, first, DefaultName, chosen, now, func(ctx context.Context, w *write) error {
		expr, table := s.table("users", "u")
		inhabited, err := w.tx.NewSelect().Model((*schema.User)(nil)).ModelTableExpr(expr, table).Exists(ctx)
		if err != nil {
			return err
		}
		if inhabited {
			return mistake("the site already has users, and nothing is overwritten")
		}
		for _, name := range slices.Sorted(maps.Keys(options)) {
			if err := s.setOption(ctx, w, name, options[name], "on"); err != nil {
				return err
			}
		}
		return more(ctx, w.tx)
	})
}

// addAccount is Add with a chosen password, unless that is "", and with a function that runs first in the transaction.
func (s *Site) addAccount(ctx context.Context, a Account, passwordName, chosen string, now time.Time,
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
	err = s.inTransaction(ctx, func(ctx context.Context, w *write) error {
		// This locks the row of the roles, so that users are added one after the other: the tables have no unique key
		// on logins.
		roles, err := s.roles(ctx, w.tx)
		if err != nil {
			return err
		}
		if first != nil {
			if err := first(ctx, w); err != nil {
				return err
			}
		}
		return s.insert(ctx, w, a, roles, passwords, now)
	})
	if err != nil {
		return "", err
	}
	return plain, nil
}

// insert adds an account to the site.
func (s *Site) insert(ctx context.Context, w *write, a Account, roles site.Roles, passwords string, now time.Time) error {
	if len(roles) == 0 {
		return mistake("the site has no roles: check --prefix")
	}
	if roles[a.Role] == nil {
		return mistake("--role %q: use one of %s", a.Role, strings.Join(slices.Sorted(maps.Keys(roles)), ", "))
	}
	id, err := userstore.AccountTables{Site: s.prefix, Users: s.users}.InsertUser(ctx, w.tx, userstore.NewUser{
		Login: a.Login, Email: a.Email, Role: a.Role, Level: roles.Level(a.Role), PasswordHash: userstore.NoPassword, Passwords: passwords,
	}, now)
	switch {
	case errors.Is(err, userstore.ErrLoginTaken):
		return mistake("--login %q: another user of the site has this name, or this e-mail address", a.Login)
	case errors.Is(err, userstore.ErrEmailTaken):
		return mistake("--email %q: another user has this address, or this login", a.Email)
	case err != nil:
		return err
	}
	w.changed.Users(id)
	return s.allowPasswords(ctx, w)
}
