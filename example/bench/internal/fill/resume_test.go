package fill

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// interrupted runs a filling that is cancelled at a statement, and reports whether that statement was reached. again
// completes the filling and returns the dump of the database.
func interrupted(t *testing.T, o Options, statement int) (ended bool, again func() string) {
	t.Helper()
	db := memory(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	n := 0
	hooked := db.WithQueryHook(probe(func(string) {
		if n++; n == statement {
			cancel()
		}
	}))
	_, err := Run(ctx, hooked, o)
	return err != nil, func() string {
		fillIn(t, db, o)
		return dump(t, db)
	}
}

func TestLongContinuesAfterAnyStatement(t *testing.T) {
	want := dump(t, filled(t, small(60)))
	stopped := 0
	for statement := 1; ; statement += 3 {
		ended, again := interrupted(t, small(60), statement)
		if !ended {
			break
		}
		stopped++
		wantSame(t, again(), want)
	}
	if stopped < 20 {
		t.Errorf("the filling was interrupted %d times only", stopped)
	}
}

// These environment variables make the test binary fill a database until it is killed.
const childDirectory, childStatement = "FILL_TEST_DIRECTORY", "FILL_TEST_STATEMENT"

// TestKilled is what the killed process runs; without the variables it does nothing.
func TestKilled(t *testing.T) {
	dir := os.Getenv(childDirectory)
	if dir == "" {
		return
	}
	inserts := 0
	db := openDirectory(t, dir).WithQueryHook(probe(func(query string) {
		if !strings.HasPrefix(query, "INSERT") {
			return
		}
		if inserts++; fmt.Sprint(inserts) == os.Getenv(childStatement) {
			fmt.Println("\nwaiting to be killed")
			select {}
		}
	}))
	fillIn(t, db, small(100))
}

func TestLongContinuesAfterAKill(t *testing.T) {
	want := dump(t, filled(t, small(100)))
	for _, statement := range []string{"3", "30", "42", "55"} {
		dir := newDirectory(t)
		child := exec.CommandContext(t.Context(), os.Args[0], "-test.run=^TestKilled$")
		child.Env = append(os.Environ(), childDirectory+"="+dir, childStatement+"="+statement)
		out := must.Get(child.StdoutPipe())(t)
		must.Succeed(t, child.Start())
		waits := false
		for lines := bufio.NewScanner(out); !waits && lines.Scan(); {
			waits = lines.Text() == "waiting to be killed"
		}
		_ = child.Process.Kill()
		_ = child.Wait()
		if !waits {
			t.Fatalf("the program ended before insert %s", statement)
		}
		db := openDirectory(t, dir)
		if n := len(readTable[schema.EventRow](t, db, "event_id")); n >= 100 {
			t.Errorf("killed at insert %s: %d events are there", statement, n)
		}
		fillIn(t, db, small(100))
		wantSame(t, dump(t, db), want)
	}
}

func TestLongContinuesOnMariaDB(t *testing.T) {
	want := dump(t, filled(t, small(100)))
	for _, statement := range []int{25, 60} {
		db := testdb.New(t)
		ctx, cancel := context.WithCancel(t.Context())
		n := 0
		hooked := db.WithQueryHook(probe(func(query string) {
			if n++; n == statement {
				cancel()
			}
		}))
		if _, err := Run(ctx, hooked, small(100)); err == nil {
			t.Fatalf("not interrupted at statement %d", statement)
		}
		cancel()
		fillIn(t, db, small(100))
		wantSame(t, dump(t, testdb.Reopen(t, db, testdb.WithDSNParams("time_zone=%27%2B00%3A00%27"))), want)
	}
}
