package users

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/auth"
	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

func setMeta(t *testing.T, db *bun.DB, user int64, key, value string) {
	t.Helper()
	must.Get(db.NewUpdate().Model((*schema.UserMeta)(nil)).Set("meta_value = ?", value).
		Where("user_id = ?", user).Where("meta_key = ?", key).Exec(t.Context()))(t)
}

func passwordsOf(t *testing.T, db *bun.DB, user int64) string {
	t.Helper()
	for _, m := range metas(t, db, user) {
		if m[0] == schema.UserMetaApplicationPasswords {
			return m[1]
		}
	}
	return ""
}

func TestAddPasswordKeepsTheOthers(t *testing.T) {
	onEngines(t, func(t *testing.T, db *bun.DB, s *Site) {
		editor := storedAccount(t, db, "editor1").ID
		before := passwordsOf(t, db, editor)
		plain := must.Get(s.AddPassword(t.Context(), "EDITOR1", "phone", now))(t)
		after := passwordsOf(t, db, editor)
		kept := strings.TrimSuffix(strings.TrimPrefix(before, "a:1:{"), "}")
		list, err := auth.ListPasswords(after)
		if err != nil || len(list) != 2 || list[1].Name != "phone" || !strings.HasPrefix(after, "a:2:{"+kept) {
			t.Errorf("%s\nbecame %s (%v)", before, after, err)
		}
		golden.Equal(t, "the new password", drafts(t, db, "editor1", plain), http.StatusOK)
	})
}

func TestAddPasswordRefuses(t *testing.T) {
	onEngines(t, func(t *testing.T, db *bun.DB, s *Site) {
		var m Mistake
		for _, login := range []string{"nobody", "", "admin@example.org"} {
			if plain, err := s.AddPassword(t.Context(), login, "x", now); plain != "" || !errors.As(err, &m) {
				t.Errorf("%q: %v", login, err)
			}
		}
		if _, err := s.AddPassword(t.Context(), "admin", "", now); !errors.As(err, &m) {
			t.Errorf("without a name: %v", err)
		}
		admin := storedAccount(t, db, "admin").ID
		setMeta(t, db, admin, schema.UserMetaApplicationPasswords, "a:1:{broken")
		if plain, err := s.AddPassword(t.Context(), "admin", "x", now); plain != "" || !errors.Is(err, auth.ErrPasswords) {
			t.Errorf("a list that cannot be read: %v", err)
		}
		golden.Equal(t, "a list that cannot be read", passwordsOf(t, db, admin), "a:1:{broken")
	})
}

// A site accepts no application password until it has stored that it uses them.
func TestTheFirstPasswordOfASite(t *testing.T) {
	onEngines(t, func(t *testing.T, db *bun.DB, s *Site) {
		for i, set := range []func() error{
			func() error {
				_, err := db.NewDelete().Model((*schema.Option)(nil)).Where("option_name = ?", schema.OptionApplicationPasswords).
					Exec(t.Context())
				return err
			},
			func() error {
				_, err := db.NewUpdate().Model((*schema.Option)(nil)).Set("option_value = ?", "0").
					Where("option_name = ?", schema.OptionApplicationPasswords).Exec(t.Context())
				return err
			},
		} {
			must.Succeed(t, set())
			login := fmt.Sprint("anna", i)
			plain := must.Get(s.Add(t.Context(), Account{login, login + "@example.org", "editor"}, "x", now))(t)
			golden.Equal(t, i, drafts(t, db, login, plain), http.StatusOK)
			must.Succeed(t, set())
			plain = must.Get(s.AddPassword(t.Context(), login, "y", now))(t)
			golden.Equal(t, i, drafts(t, db, login, plain), http.StatusOK)
		}
	})
}

func TestList(t *testing.T) {
	onEngines(t, func(t *testing.T, db *bun.DB, s *Site) {
		setMeta(t, db, 3, "wp_capabilities", `a:4:{s:6:"author";b:0;s:4:"read";b:1;s:11:"contributor";b:1;s:6:"Editor";b:1;}`)
		setMeta(t, db, 4, schema.UserMetaApplicationPasswords, "broken")
		setMeta(t, db, 5, "wp_capabilities", "broken")
		stored, _, err := auth.AddPassword(passwordsOf(t, db, 2), "x", now)
		must.Succeed(t, err)
		setMeta(t, db, 2, schema.UserMetaApplicationPasswords, strings.Replace(stored, `"last_used";N`, `"last_used";i:1795237800`, 1))
		for _, m := range []*schema.UserMeta{
			{UserID: 2, Key: schema.UserMetaApplicationPasswords, Value: ""},
			{UserID: 5, Key: "WP_Capabilities", Value: `a:1:{s:6:"editor";b:1;}`},
		} {
			must.Get(db.NewInsert().Model(m).ExcludeColumn("umeta_id").Returning("NULL").Exec(t.Context()))(t)
		}
		must.Get(db.NewDelete().Model((*schema.UserMeta)(nil)).Where("user_id = 5").
			Where("meta_key = ?", schema.UserMetaApplicationPasswords).Exec(t.Context()))(t)
		all, err := s.List(t.Context())
		if err != nil || len(all) != 5 {
			t.Fatalf("%v, %v", all, err)
		}
		for i, want := range []string{
			"admin admin@example.org [administrator] 1 1795237810", "editor1 editor1@example.org [editor] 2 1795237800",
			"author1 author1@example.org [author contributor] 1 0", "contrib1 contrib1@example.org [contributor] -1 0",
			"sub1 sub1@example.org [] 0 0",
		} {
			u, used := all[i], int64(0)
			if !u.LastUsed.IsZero() {
				used = u.LastUsed.Unix()
			}
			golden.Equal(t, "listed", fmt.Sprint(u.Login, " ", u.Email, " ", u.Roles, " ", u.Passwords, " ", used), want)
		}
	})
}

func TestASiteWithoutRoles(t *testing.T) {
	onEngines(t, func(t *testing.T, db *bun.DB, s *Site) {
		must.Get(db.NewDelete().Model((*schema.Option)(nil)).Where("option_name = ?", "wp_user_roles").Exec(t.Context()))(t)
		if _, err := s.Add(t.Context(), Account{"anna", "a@example.org", "editor"}, "x", now); err == nil ||
			!strings.Contains(err.Error(), "no roles") {
			t.Error(err)
		}
		if all, err := s.List(t.Context()); err != nil || len(all) != 5 || len(all[0].Roles) != 0 {
			t.Errorf("%v, %v", all, err)
		}
	})
}
