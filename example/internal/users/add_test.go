package users

import (
	"errors"
	"net/http"
	"reflect"
	"strings"
	"testing"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/auth"
	"github.com/agendahq/agenda/internal/test/atonce"
	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

func TestAddWritesWhatASiteWrites(t *testing.T) {
	onEngines(t, func(t *testing.T, db *bun.DB, s *Site) {
		plain := must.Get(s.Add(t.Context(), Account{"Anna B.", "anna@example.org", "editor"}, " Phone ", now))(t)
		u := storedAccount(t, db, "Anna B.")
		want := schema.User{
			ID: u.ID, Login: "Anna B.", Pass: "!", Nicename: "anna-b", Email: "anna@example.org",
			Registered: "2026-11-21 21:30:00", DisplayName: "Anna B.",
		}
		if u.ID < 6 || !reflect.DeepEqual(u, want) {
			t.Errorf("stored %+v, want %+v", u, want)
		}
		rows := metas(t, db, u.ID)
		last := rows[len(rows)-1]
		if wanted := [][2]string{
			{"nickname", "Anna B."}, {"first_name", ""}, {"last_name", ""}, {"description", ""}, {"rich_editing", "true"},
			{"syntax_highlighting", "true"}, {"comment_shortcuts", "false"}, {"admin_color", "fresh"}, {"use_ssl", "0"},
			{"show_admin_bar_front", "true"}, {"locale", ""}, {"wp_capabilities", `a:1:{s:6:"editor";b:1;}`}, {"wp_user_level", "7"},
			{"dismissed_wp_pointers", ""}, {"_application_passwords", last[1]},
		}; !reflect.DeepEqual(rows, wanted) {
			t.Errorf("metas %v, want %v", rows, wanted)
		}
		list, err := auth.ListPasswords(last[1])
		if err != nil || len(list) != 1 || list[0].Name != "Phone" || !list[0].Created.Equal(now) {
			t.Errorf("passwords %v, %v", list, err)
		}
		if strings.Contains(last[1], plain) || len(plain) != 24 {
			t.Error("the password is stored as it is")
		}
		for _, name := range []string{"Anna B.", "anna b.", "anna@example.org"} {
			golden.Equal(t, name, drafts(t, db, name, plain), http.StatusOK)
		}
		golden.Equal(t, "the account's own password", drafts(t, db, "Anna B.", "!"), http.StatusUnauthorized)
	})
}

func TestAddRefuses(t *testing.T) {
	onEngines(t, func(t *testing.T, db *bun.DB, s *Site) {
		users, rows := countRows(t, db, (*schema.User)(nil)), countRows(t, db, (*schema.UserMeta)(nil))
		golden.Each(t, "refused.txt", func(name, login, email, role, want string) {
			plain, err := s.Add(t.Context(), Account{login, email, role}, "Agenda", now)
			var m Mistake
			if plain != "" || !errors.As(err, &m) || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%s: %v", name, err)
			}
		})
		for _, name := range []string{"", " ", "a\x00b", "a\nb", "\xff", strings.Repeat("é", 101)} {
			if _, err := s.Add(t.Context(), Account{"anna", "a@example.org", "editor"}, name, now); err == nil {
				t.Errorf("a password of the name %q was made", name)
			}
		}
		if u, r := countRows(t, db, (*schema.User)(nil)), countRows(t, db, (*schema.UserMeta)(nil)); u != users || r != rows {
			t.Errorf("%d users and %d metas, before %d and %d", u, r, users, rows)
		}
		_, err := s.Add(t.Context(), Account{strings.Repeat("a", 60), "a@example.org", "editor"}, strings.Repeat("é", 100), now)
		if err != nil {
			t.Errorf("the longest names: %v", err)
		}
	})
}

func TestAddIsWholeOrNothing(t *testing.T) {
	onEngines(t, func(t *testing.T, db *bun.DB, s *Site) {
		users, rows := countRows(t, db, (*schema.User)(nil)), countRows(t, db, (*schema.UserMeta)(nil))
		// The option is the last thing that Add writes; in this test it can be neither read nor written.
		must.Get(db.ExecContext(t.Context(), "DELETE FROM wp_options WHERE option_name = 'using_application_passwords'"))(t)
		must.Get(db.ExecContext(t.Context(), "ALTER TABLE wp_options RENAME COLUMN autoload TO other"))(t)
		if plain, err := s.Add(t.Context(), Account{"anna", "a@example.org", "editor"}, "Agenda", now); err == nil || plain != "" {
			t.Fatal("nothing failed")
		}
		if u, r := countRows(t, db, (*schema.User)(nil)), countRows(t, db, (*schema.UserMeta)(nil)); u != users || r != rows {
			t.Errorf("%d users and %d metas, before %d and %d", u, r, users, rows)
		}
	})
}

func TestAddAtTheSameTime(t *testing.T) {
	onEngines(t, func(t *testing.T, db *bun.DB, s *Site) {
		const writers = 8
		errs := make([]error, writers)
		atonce.Run(writers, func(i int) {
			_, errs[i] = s.Add(t.Context(), Account{"anna", "anna@example.org", "author"}, "Agenda", now)
		})
		added := 0
		for _, err := range errs {
			var m Mistake
			if err == nil {
				added++
			} else if !errors.As(err, &m) {
				t.Error(err)
			}
		}
		if n := countRows(t, db, (*schema.User)(nil)); added != 1 || n != 6 {
			t.Errorf("%d of %d added anna; %d users", added, writers, n)
		}
	})
}

func TestNamesInAddressesAreUnique(t *testing.T) {
	onEngines(t, func(t *testing.T, db *bun.DB, s *Site) {
		long := strings.Repeat("x", 58)
		for i, c := range []struct{ login, want string }{
			{"a b", "a-b"}, {"a-b", "a-b-2"}, {"A.b", "a-b-3"}, {"@", "user"}, {"@@", "user-2"},
			{long, long[:50]}, {long + "y", long[:44] + "-2"},
		} {
			must.Get(s.Add(t.Context(), Account{c.login, string(rune('a'+i)) + "@example.org", "subscriber"}, "x", now))(t)
			if u := storedAccount(t, db, c.login); u.Nicename != c.want {
				t.Errorf("%q has the name %q, want %q", c.login, u.Nicename, c.want)
			}
		}
	})
}
