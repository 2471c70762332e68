package schema_test

import (
	"strings"
	"testing"
	"time"

	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/schema"
)

func TestActivity(t *testing.T) {
	t.Parallel()
	db := testdb.New(t)
	if err := schema.Install(t.Context(), db, "wp_"); err != nil {
		t.Fatal(err)
	}
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
	busy, err := schema.Activity(t.Context(), db, "wp_")
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
