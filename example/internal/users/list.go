package users

import (
	"context"
	"database/sql"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/auth"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/schema"
)

// User describes a user of the site.
type User struct {
	ID           int64
	Login, Email string
	Roles        []string
	Passwords    int       // number of application passwords; -1 if the stored list cannot be read
	LastUsed     time.Time // last use of any of them; the zero time if there was none
}

// row is a user with one of its metas.
type row struct {
	ID    int64          `bun:"ID"`
	Login string         `bun:"user_login"`
	Email string         `bun:"user_email"`
	Key   sql.NullString `bun:"meta_key"`
	Value sql.NullString `bun:"meta_value"`
}

// List returns the users of the site, the oldest first.
func (s *Site) List(ctx context.Context) ([]User, error) {
	roles, err := s.roles(ctx, s.db)
	if err != nil {
		return nil, err
	}
	capabilities := schema.UserMetaCapabilities(s.prefix)
	var rows []row
	users, table := s.table("users", "u")
	_, metas := s.table("usermeta", "")
	err = s.db.NewSelect().TableExpr(users, table).
		Column("u.ID", "u.user_login", "u.user_email", "um.meta_key", "um.meta_value").
		Join("LEFT JOIN ? AS um ON um.user_id = u.ID AND um.meta_key IN (?)", metas,
			bun.List([]string{capabilities, schema.UserMetaApplicationPasswords})).
		OrderExpr("u.ID, um.umeta_id").Scan(ctx, &rows)
	if err != nil {
		return nil, err
	}
	var all []User
	for _, group := range byUser(rows) {
		u := User{ID: group[0].ID, Login: group[0].Login, Email: group[0].Email}
		u.Roles = rolesOf(roles, metaValue(group, capabilities))
		u.count(metaValue(group, schema.UserMetaApplicationPasswords))
		all = append(all, u)
	}
	return all, nil
}

// byUser groups rows that are sorted by user.
func byUser(rows []row) (groups [][]row) {
	for len(rows) > 0 {
		n := 1
		for n < len(rows) && rows[n].ID == rows[0].ID {
			n++
		}
		groups, rows = append(groups, rows[:n]), rows[n:]
	}
	return groups
}

// metaValue returns the oldest value of a key. The collation also finds keys in other letter case, which are ignored.
func metaValue(group []row, key string) string {
	for _, r := range group {
		if r.Key.String == key {
			return r.Value.String
		}
	}
	return ""
}

// rolesOf returns the roles among the stored capabilities of a user.
func rolesOf(roles site.Roles, stored string) (names []string) {
	v, err := phpval.Unserialize(stored)
	list, ok := v.(*phpval.Array)
	if err != nil || !ok {
		return nil
	}
	for key := range list.All() {
		if roles[key.String()] != nil {
			names = append(names, key.String())
		}
	}
	return names
}

func (u *User) count(stored string) {
	list, err := auth.ListPasswords(stored)
	if err != nil {
		u.Passwords = -1
		return
	}
	u.Passwords = len(list)
	for _, p := range list {
		if p.LastUsed.After(u.LastUsed) {
			u.LastUsed = p.LastUsed
		}
	}
}
