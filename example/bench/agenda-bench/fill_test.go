package main

import (
	"bytes"
	"context"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/example/internal/cli"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
	"github.com/agendahq/agenda/schema/embedded"
)

// runProgram runs the program and returns its exit code and what it printed.
func runProgram(ctx context.Context, args ...string) (code int, out, errOut string) {
	var o, e bytes.Buffer
	code = commands.Run(ctx, args, &o, &e)
	return code, o.String(), e.String()
}

func TestFillsAndContinues(t *testing.T) {
	for name, place := range map[string][]string{
		"embedded": {"-data", filepath.Join(t.TempDir(), "data")},
		"MariaDB":  {"-dsn", testdb.DSN(t), "-prefix", "big_"},
	} {
		t.Run(name, func(t *testing.T) {
			for _, step := range []struct{ events, want string }{
				{"120", "The database has 120 events. Added: 120 events, 1"},
				{"200", "The database has 200 events. Added: 80 events, "},
				{"200", "The database has 200 events already; nothing was added."},
			} {
				code, out, errOut := runProgram(t.Context(), append([]string{"fill", "-events", step.events}, place...)...)
				if code != 0 || !strings.Contains(out, step.want) || !strings.Contains(errOut, step.events+" events") {
					t.Errorf("%s events: code %d, %q, %q", step.events, code, out, errOut)
				}
			}
			code, _, errOut := runProgram(t.Context(), append([]string{"fill", "-events", "300", "-seed", "2"}, place...)...)
			if code != 2 || !strings.Contains(errOut, "seed 1") {
				t.Errorf("another seed: code %d, %q", code, errOut)
			}
		})
	}
}

// eventsIn counts the events of an embedded database that another connection may be filling.
func eventsIn(t *testing.T, dir string) int64 {
	t.Helper()
	db := must.Get(embedded.Open(t.Context(), filepath.Join(dir, cli.FileName)))(t)
	defer db.Close()
	bound := must.Get(schema.Bind(db, schema.DefaultPrefix))(t)
	return must.Get(bound.NewSelect().Model((*schema.EventRow)(nil)).Count(t.Context()))(t)
}

func TestLongInterrupted(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "data")
	if code, _, errOut := runProgram(t.Context(), "fill", "-events", "10", "-data", dir); code != 0 {
		t.Fatal(errOut)
	}
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	ended := make(chan string)
	go func() {
		code, out, errOut := runProgram(ctx, "fill", "-events", "50000000", "-data", dir)
		ended <- fmt.Sprint(code, out, errOut)
	}()
	for eventsIn(t, dir) == 10 {
		time.Sleep(20 * time.Millisecond)
	}
	cancel()
	result := <-ended
	want := fmt.Sprintf("interrupted at %d of 50000000 events; the same command continues from there\n", eventsIn(t, dir))
	if !strings.HasPrefix(result, "1") || !strings.HasSuffix(result, want) {
		t.Errorf("%q, want %q", result, want)
	}
}

func TestMistakes(t *testing.T) {
	golden.Each(t, "mistakes.txt", func(want string, args []string) {
		code, out, errOut := runProgram(t.Context(), args...)
		if code != 2 || out != "" || strings.Count(errOut, "\n") != 1 || !strings.Contains(errOut, want) ||
			strings.Contains(errOut, "geheim") {
			t.Errorf("%v: code %d, %q, %q", args, code, out, errOut)
		}
	})
	for _, args := range [][]string{{"-h"}, {"fill", "-h"}} {
		if code, out, errOut := runProgram(t.Context(), args...); code != 0 || !strings.Contains(out, "fill") || errOut != "" {
			t.Errorf("%v: code %d, %q, %q", args, code, out, errOut)
		}
	}
}
