package calendar_test

import (
	"flag"
	"net/http"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/apitest"
	"github.com/agendahq/agenda/internal/test/contract"
	"github.com/agendahq/agenda/schema"
)

var syncEvents = flag.Int("sync.events", 200, "how many events there are in BenchmarkSync; 100,000 are asked to take 20 ms")

// BenchmarkSync asks what changed since a token: ten events.
func BenchmarkSync(b *testing.B) {
	db := manyEvents(b, *syncEvents, 1)
	if err := schema.InstallJournal(b.Context(), db, "wp_"); err != nil {
		b.Fatal(err)
	}
	c, h := contract.Mount(b, calendar.Options{DB: db})
	client := &apitest.Client{T: b, Handler: h}
	scan := func() {
		b.Helper()
		if _, err := c.ScanJournal(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
	if err := c.DeclareJournal(b.Context()); err != nil {
		b.Fatal(err)
	}
	scan()
	token := ""
	for next := "/events?include=110,111,112,113,114,115,116,117,118,119&per_page=50&sync=1"; token == ""; {
		a := client.Get("", next)
		token, next = a.Word("next_sync_token"), a.Word("next_rest_url")
		if token+next == "" {
			b.Fatal(a)
		}
	}
	if _, err := db.NewRaw("UPDATE wp_posts SET post_title = 'Changed' WHERE ID BETWEEN 110 AND 119").Exec(b.Context()); err != nil {
		b.Fatal(err)
	}
	scan()
	for b.Loop() {
		a := client.Get("", "/events?sync_token="+token)
		if list, _ := a.Body["events"].([]any); a.Status != http.StatusOK || len(list) != 10 {
			b.Fatal(a)
		}
	}
}
