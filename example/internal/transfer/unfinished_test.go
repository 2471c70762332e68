package transfer

import (
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"
	"github.com/uptrace/bun"

	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
)

// TestUnfinishedCopies checks that a target is marked while a copy to it is running, and only then.
func TestUnfinishedCopies(t *testing.T) {
	from := testdb.SiteA(t)
	for name, to := range map[string]*bun.DB{"server": testdb.New(t), "file": newFile(t)} {
		unfinished := func(when string, want bool) {
			t.Helper()
			if got, err := Unfinished(ctx, to, "wp_"); got != want || err != nil {
				t.Errorf("%s, %s: %t, %v", name, when, got, err)
			}
		}
		unfinished("before", false)
		must.Succeed(t, setMarker(ctx, to, "wp_"))
		unfinished("as a killed copy leaves it", true)
		mustCopy(t, from, to)
		unfinished("after", false)
		if got := tables(t, to, name == "server"); strings.Contains(strings.Join(got, " "), marker.name) {
			t.Errorf("%s: the table of the marker is left: %q", name, got)
		}
	}
	db, counter := testdb.Counted(t, testdb.SiteA)
	counter.Before(func(_ context.Context, _ int, query string) error {
		if strings.Contains(query, marker.name) {
			return &mysql.MySQLError{Number: 1142, Message: "SELECT command denied"}
		}
		return nil
	})
	if got, err := Unfinished(ctx, db, "wp_"); got || err != nil {
		t.Errorf("an account with rights to single tables: %t, %v", got, errors.Unwrap(err))
	}
}
