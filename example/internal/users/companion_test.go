package users

import (
	"strconv"
	"testing"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// D94: the commands record what they change for the companion of the site, and record nothing if there is none.
func TestD94CommandsNameWhatTheyChanged(t *testing.T) {
	onEngines(t, func(t *testing.T, db *bun.DB, s *Site) {
		must.Get(s.AddPassword(t.Context(), "editor1", "before", now))(t)
		must.Succeed(t, schema.InstallCompanion(t.Context(), db, "wp_"))
		s = must.Get(Open(db, schema.SiteTables{Prefix: "wp_"}))(t)
		var last schema.CompanionRow
		newest := func() schema.CompanionRow {
			var rows []schema.CompanionRow
			must.Succeed(t, db.NewSelect().Model(&rows).Where("number > ?", last.Number).Order("number").Scan(t.Context()))
			if len(rows) > 0 {
				last = rows[len(rows)-1]
			} else {
				last = schema.CompanionRow{Number: last.Number}
			}
			return last
		}
		newest()
		id := func(login string) string { return strconv.FormatInt(storedAccount(t, db, login).ID, 10) }
		if _, err := s.AddPassword(t.Context(), "editor1", "phone", now); err != nil || newest().Users != id("editor1") {
			t.Errorf("a password was added: %+v, %v", last, err)
		}
		if _, err := s.Revoke(t.Context(), "editor1", "phone"); err != nil || newest().Users != id("editor1") {
			t.Errorf("a password was revoked: %+v, %v", last, err)
		}
		if _, err := s.Add(t.Context(), Account{"anna", "anna@example.org", "editor"}, "x", now); err != nil ||
			newest().Users != id("anna") {
			t.Errorf("a user was added: %+v, %v", last, err)
		}
		gone := id("editor1")
		if _, err := s.Remove(t.Context(), "editor1", "anna"); err != nil || newest().Users != gone || last.Posts == "" {
			t.Errorf("a user was removed, whose posts another one got: %+v, %v", last, err)
		}
		if _, err := s.Revoke(t.Context(), "anna", "no such"); err == nil || newest().Users != "" {
			t.Errorf("nothing was changed: %+v, %v", last, err)
		}
	})
}
