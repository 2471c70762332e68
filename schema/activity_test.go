package schema_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

func TestActivity(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	must.Succeed(t, schema.Install(t.Context(), db, "wp_"))
	count := func() {
		if _, err := db.Exec("INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (1, 'views', '1')"); err != nil {
			t.Error(err)
		}
	}
	count()
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			count()
			select {
			case <-stop:
				return
			case <-time.After(50 * time.Millisecond):
			}
		}
	}()
	var busy []schema.Finding
	var err error
	for range 30 { // a machine that is busy otherwise may not write between two polls
		if busy, err = schema.Activity(t.Context(), db, "wp_"); err != nil || len(busy) != 1 || busy[0].Level != schema.OK {
			break
		}
	}
	if err != nil || len(busy) != 1 || busy[0].Level != schema.Note || !strings.HasSuffix(busy[0].Text, ": wp_postmeta") ||
		!strings.Contains(busy[0].Advice, "--max-stale") {
		t.Errorf("%+v, %v", busy, err)
	}
	close(stop)
	<-stopped
	if quiet, err := schema.Activity(t.Context(), db, "wp_"); err != nil || len(quiet) != 1 || quiet[0].Level != schema.OK {
		t.Errorf("%+v, %v", quiet, err)
	}
}

// TestActivityNotKnown checks that a statement that the server rejects does not prevent other checks.
func TestActivityNotKnown(t *testing.T) {
	t.Parallel()
	db, counter := testdb.Counted(t, healthy)
	counter.Before(func(_ context.Context, _ int, query string) error {
		if strings.Contains(query, "information_schema.TABLES") {
			return &mysql.MySQLError{Number: 1105, Message: "VT12001: unsupported"}
		}
		return nil
	})
	found, err := schema.Activity(t.Context(), db, "wp_")
	if err != nil || len(found) != 1 || !strings.Contains(found[0].Text, "unknown: the database rejects the query") {
		t.Errorf("%+v, %v", found, err)
	}
}
