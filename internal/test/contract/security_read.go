package contract

import (
	"net/http"
	"strings"
	"testing"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/schema"
)

// cheapRefusals checks that callers without any right to write cannot cause more statements by sending more.
func cheapRefusals(t *testing.T, e Engine) {
	var counter *testdb.Counter
	e.Blank = func(t testing.TB) (db *bun.DB) {
		db, counter = e.Counted(t)
		return db
	}
	s := newSite(t, e)
	s.users().Insert(&schema.User{ID: 1, Login: "admin", Nicename: "admin", DisplayName: "admin", Registered: "2020-01-01 00:00:00"})
	c := s.client(calendar.Options{})
	list := "[" + strings.Repeat(`{"venue":"v","organizer":"o","author":1},`, 99) + `{"venue":"v","organizer":"o"}]`
	body := `{"title":"x","start_date":"2030-07-01 10:00","end_date":"2030-07-01 11:00","venue":` + list + `,"organizer":` + list + `}`
	for as, want := range map[string]string{"": "401 rest_forbidden", "subscriber": "403 rest_forbidden"} {
		c.Do(as, http.MethodGet, "/events", "") // reads the settings
		counter.Reset()
		a := c.Do(as, http.MethodPost, "/events", body)
		if n := len(counter.Statements()); a.Verdict() != want || n > 5 {
			t.Errorf("%q: %s after %d statements", as, a.Verdict(), n)
		}
	}
}
