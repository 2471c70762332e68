package logins

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/atonce"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema/embedded"
)

// onBoth runs a test on a server and on a file, each with two pools, like two programs.
func onBoth(t *testing.T, test func(t *testing.T, first, second *bun.DB)) {
	t.Run("MariaDB", func(t *testing.T) {
		db := testdb.New(t)
		test(t, db, testdb.Reopen(t, db))
	})
	t.Run("SQLite", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "agenda.db")
		pools := make([]*bun.DB, 2)
		for i := range pools {
			db := must.Get(embedded.Open(t.Context(), path))(t)
			t.Cleanup(func() { _ = db.Close() })
			pools[i] = db
		}
		test(t, pools[0], pools[1])
	})
}

func openCounter(t *testing.T, db *bun.DB) *Counter {
	t.Helper()
	return must.Get(Open(t.Context(), db, "wp_"))(t)
}

// nthKey returns the nth key.
func nthKey(n int) string { return fmt.Sprintf("%064x", n) }

func storedCounts(t *testing.T, db *bun.DB) (rows []count) {
	t.Helper()
	must.Succeed(t, db.NewSelect().Model(&rows).ModelTableExpr("wp_agenda_logins AS l").Order("hash").Scan(t.Context()))
	return rows
}

func TestCountsOfAWindow(t *testing.T) {
	onBoth(t, func(t *testing.T, first, second *bun.DB) {
		began := time.UnixMilli(1800000000123)
		now := began
		a, b := openCounter(t, first), openCounter(t, second)
		a.now = func() time.Time { return now }
		b.now = a.now
		none, one, two := calendar.LoginCount{}, calendar.LoginCount{N: 1, Ends: began.Add(time.Minute)},
			calendar.LoginCount{N: 2, Ends: began.Add(time.Minute)}
		want := func(about string, got []calendar.LoginCount, err error, want ...calendar.LoginCount) {
			t.Helper()
			if err != nil || !slices.Equal(got, want) {
				t.Errorf("%s: %v %v, want %v", about, got, err, want)
			}
		}
		got, err := b.Counts(t.Context(), []string{nthKey(2), nthKey(1)})
		want("before", got, err, none, none)
		got, err = a.Add(t.Context(), []string{nthKey(2), nthKey(1)}, time.Minute)
		want("first", got, err, one, one)
		now = now.Add(30 * time.Second)
		got, err = b.Add(t.Context(), []string{nthKey(1)}, time.Hour)
		want("second, which does not move the end", got, err, two)
		got, err = a.Counts(t.Context(), []string{nthKey(3), nthKey(1), nthKey(2)})
		want("in their order", got, err, none, two, one)
		now = began.Add(time.Minute)
		got, err = a.Counts(t.Context(), []string{nthKey(1)})
		want("ended", got, err, none)
		got, err = b.Add(t.Context(), []string{nthKey(1)}, time.Minute)
		want("anew", got, err, calendar.LoginCount{N: 1, Ends: now.Add(time.Minute)})
		if err := a.Forget(t.Context(), []string{nthKey(1), nthKey(9)}); err != nil {
			t.Error(err)
		}
		got, err = b.Counts(t.Context(), []string{nthKey(1)})
		want("forgotten", got, err, none)
	})
}

// TestNoCountIsLost adds concurrently from two pools: each Add must return a count that no other returned.
func TestNoCountIsLost(t *testing.T) {
	onBoth(t, func(t *testing.T, first, second *bun.DB) {
		const workers, rounds = 8, 10
		counters := []*Counter{openCounter(t, first), openCounter(t, second)}
		seen := make([][]int, workers)
		atonce.Run(workers, func(w int) {
			for r := range rounds {
				keys := []string{nthKey(1000 + w), nthKey(1), nthKey(2000 + w*rounds + r)}
				got, err := counters[w%2].Add(t.Context(), keys, time.Hour)
				if err != nil || got[0].N != r+1 || got[2].N != 1 {
					t.Error(got, err)
					return
				}
				seen[w] = append(seen[w], got[1].N)
			}
		})
		found := slices.Sorted(slices.Values(slices.Concat(seen...)))
		for i, n := range found {
			if n != i+1 {
				t.Fatalf("counts %v", found)
			}
		}
		got, err := counters[0].Counts(t.Context(), []string{nthKey(1)})
		if err != nil || got[0].N != workers*rounds {
			t.Errorf("%v %v, want %d", got, err, workers*rounds)
		}
	})
}

func TestEndedRowsAreRemoved(t *testing.T) {
	onBoth(t, func(t *testing.T, first, _ *bun.DB) {
		now := time.UnixMilli(1800000000000)
		c := openCounter(t, first)
		c.now = func() time.Time { return now }
		var keys []string
		for n := range 2*sweepRows + 50 {
			keys = append(keys, nthKey(n))
		}
		must.Get(c.Add(t.Context(), keys, time.Second))(t)
		must.Get(c.Add(t.Context(), []string{nthKey(9999)}, time.Hour))(t)
		now = now.Add(sweepEvery)
		for _, want := range []int{152, 52, 2, 2} {
			must.Get(c.Add(t.Context(), []string{nthKey(8888)}, time.Hour))(t)
			if got := len(storedCounts(t, first)); got != want {
				t.Errorf("%d rows, want %d", got, want)
			}
		}
		for _, row := range storedCounts(t, first) {
			if row.Hash != nthKey(8888) && row.Hash != nthKey(9999) {
				t.Errorf("%+v is left", row)
			}
		}
	})
}

// TestAClientThatLeavesIsCounted checks that a client cannot try passwords uncounted by closing its connections.
func TestAClientThatLeavesIsCounted(t *testing.T) {
	onBoth(t, func(t *testing.T, db, _ *bun.DB) {
		c := openCounter(t, db)
		gone, leave := context.WithCancel(t.Context())
		leave()
		if got, err := c.Add(gone, []string{nthKey(1)}, time.Hour); err != nil || got[0].N != 1 {
			t.Error(got, err)
		}
	})
}

func TestOpenLeavesNoRows(t *testing.T) {
	onBoth(t, func(t *testing.T, first, second *bun.DB) {
		openCounter(t, first)
		openCounter(t, second)
		if rows := storedCounts(t, first); len(rows) > 0 {
			t.Errorf("%v", rows)
		}
	})
}

func TestRightsThatLack(t *testing.T) {
	const write = "GRANT SELECT, INSERT, UPDATE, DELETE ON {db}.* TO {user}"
	admin, account := testdb.Granted(t, write)
	_, err := Open(t.Context(), account, "wp_")
	if err == nil || !strings.Contains(err.Error(), "the table wp_agenda_logins cannot be created") ||
		!strings.Contains(err.Error(), "let the owner of the database run CREATE TABLE IF NOT EXISTS `wp_agenda_logins` (") {
		t.Errorf("without CREATE: %v", err)
	}
	openCounter(t, admin)
	openCounter(t, account) // the table exists now
	for _, right := range []string{"INSERT", "UPDATE", "DELETE"} {
		others := strings.ReplaceAll(strings.ReplaceAll(write, right+", ", ""), ", "+right, "")
		admin, account := testdb.Granted(t, others)
		openCounter(t, admin)
		_, err := Open(t.Context(), account, "wp_")
		if err == nil || !strings.Contains(err.Error(), "needs the rights SELECT, INSERT, UPDATE, DELETE") {
			t.Errorf("without %s: %v", right, err)
		}
	}
	if _, err := Open(t.Context(), account, "a-b"); err == nil || errors.Is(err, errTried) {
		t.Errorf("a wrong prefix: %v", err)
	}
}
