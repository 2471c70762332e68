package contract

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/must"
)

// withoutOccurrences checks that a site without the table of occurrences has the same responses as with it.
func withoutOccurrences(t *testing.T, e Engine) {
	db := e.Copy(t, e.prefix())
	at := func() time.Time { return recordedDay }
	full := newClient(t, e.recorded(calendar.Options{Now: at}))
	drop(t, db, e.prefix())
	bare := newClient(t, calendar.Options{DB: db, Site: calendar.Site{Prefix: e.prefix()}, Now: at})
	rows := rowless(t, e)
	compared := 0
	for i, path := range recordedReads(t) {
		if i%2 > 0 || e.skips(i/2) || !strings.HasPrefix(path, "/events") && !strings.Contains(path, "upcoming") {
			continue
		}
		want := full.Get("", path)
		if !isList(want) {
			continue
		}
		got := bare.Get("", path)
		if slices.ContainsFunc(got.Members("id"), func(id string) bool { return slices.Contains(rows, id) }) {
			continue // an event without an occurrence row is shown by its meta rows
		}
		if compared++; want.Text != got.Text {
			t.Errorf("%s\n with    %s\n without %s", path, want.Summary(), got.Summary())
		}
	}
	if compared < e.least(80) {
		t.Errorf("only %d lists compared", compared)
	}
}

// drop removes the tables that older sites of The Events Calendar lack.
func drop(t testing.TB, db *bun.DB, prefix string) {
	t.Helper()
	for _, table := range []string{"tec_occurrences", "tec_events"} {
		must.Get(db.NewRaw("DROP TABLE ?", bun.Ident(prefix+table)).Exec(t.Context()))(t)
	}
}

// rowless returns the recorded events without an occurrence row, or with one that differs from the meta rows.
func rowless(t *testing.T, e Engine) []string {
	t.Helper()
	pairs := func(query string) map[string]string {
		var rows []struct{ ID, Start string }
		must.Succeed(t, e.Recorded.NewRaw(strings.ReplaceAll(query, "wp_", e.prefix())).Scan(t.Context(), &rows))
		found := map[string]string{}
		for _, r := range rows {
			found[r.ID] = r.Start
		}
		return found
	}
	dates := pairs("SELECT post_id AS id, CAST(start_date AS CHAR) AS start FROM wp_tec_occurrences")
	metas := pairs("SELECT p.ID AS id, m.meta_value AS start FROM wp_posts p JOIN wp_postmeta m ON m.post_id = p.ID" +
		" WHERE p.post_type = 'tribe_events' AND m.meta_key = '_EventStartDate'")
	var ids []string
	for id, start := range metas {
		if dates[id] != start {
			ids = append(ids, id)
		}
	}
	return ids
}
