// Package feeds_test serves the recorded site to readers of feeds. Go passes over
// directories whose names begin with a dot, so only check.sh runs it.
package feeds_test

import (
	"net/http/httptest"
	"os"
	"os/exec"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/contract"
	testdb "github.com/agendahq/agenda/internal/test/db"
)

func TestFeeds(t *testing.T) {
	db := testdb.SiteA(t)
	// No recorded event was cancelled or postponed.
	_, err := db.ExecContext(t.Context(), "INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES "+
		"(25, '_tribe_events_status', 'canceled'), (26, '_tribe_events_status', 'postponed')")
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(contract.Handler(t, calendar.Options{DB: db}))
	defer server.Close()
	read := exec.CommandContext(t.Context(), "node", "read.js", server.URL+"/wp-json/tribe/events/v1")
	read.Dir = os.Getenv("AGENDA_FEED_READERS") // where check.sh installed them
	out, err := read.CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Logf("%s", out)
}
