package main

import (
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"net/http"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/uptrace/bun/dialect"

	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

var journalRounds = flag.Int("journal.rounds", 2, "in how many rounds TestJournalOfKilledProcesses writes and kills")

// place returns the flags by which commands find the database.
func (j *journaled) place() []string {
	j.Helper()
	if j.db.Dialect().Name() != dialect.SQLite {
		return []string{"-dsn", testdb.DSNOf(j.T, j.db)}
	}
	var file string
	must.Succeed(j, j.db.NewRaw("SELECT file FROM pragma_database_list WHERE name = 'main'").Scan(j.Context(), &file))
	return []string{"-data", filepath.Dir(file)}
}

// killed is a model of the journal with processes that write and are killed.
type killed struct {
	*journalModel
	place    []string
	password string
	made     atomic.Int64 // writes for which there was a response
}

// TestLongJournalOfKilledProcesses writes to the site while three servers, which also write and compare, are killed.
// Afterwards the journal contains all changes, in a sequence without gaps, and the last known states in the journal
// equal what is stored.
func TestLongJournalOfKilledProcesses(t *testing.T) {
	t.Parallel()
	onEveryEngine(t, func(t *testing.T, j *journaled) {
		severalProcesses.Lock()
		t.Cleanup(severalProcesses.Unlock)
		k := &killed{journalModel: j.model(2), place: j.place()}
		command := func(args ...string) string { t.Helper(); return moved(t, 0, append(args, k.place...)...) }
		k.password = onePassword.FindString(command("user", "add", "-login", "killed", "-email", "k@example.org", "-role", "administrator"))
		command("journal", "install")
		command("journal", "scan")
		for range *journalRounds {
			was := k.states("wp_")
			wrote := k.writeWhileKilled()
			j.own("UPDATE wp_agenda_journal SET held_until = 1 WHERE name = 'comparison'") // the lease of a killed process
			command("journal", "scan")
			changes := k.since()
			noted := together(changes)
			for _, w := range differences(was, k.states("wp_")) {
				operation, object, _ := strings.Cut(w, " ")
				if noted[object] != operation {
					t.Fatalf("seed %d: %q: %q is not noted, but %q", *journalSeed, wrote, w, noted)
				}
			}
			command("journal", "scan")
			if again := k.since(); len(again) > 0 {
				t.Fatalf("seed %d: %q: noted twice: %v", *journalSeed, wrote, again)
			}
			k.replay(changes)
		}
		k.copied(k.states("wp_"))
		t.Logf("seed %d: %d changes, %d writes of servers that were killed", *journalSeed, k.seen, k.made.Load())
		// A new journal has the same states.
		known := k.known()
		must.Succeed(t, schema.RemoveJournal(t.Context(), j.db, "wp_"))
		command("journal", "install")
		command("journal", "scan")
		if anew := k.known(); !maps.Equal(known, anew) {
			t.Errorf("seed %d: known are\n%v\nand anew\n%v", *journalSeed, known, anew)
		}
	})
}

// writeWhileKilled writes while three servers write, each of which is killed, and while a command compares.
func (k *killed) writeWhileKilled() (wrote []string) {
	k.Helper()
	var running sync.WaitGroup
	serve := append([]string{"serve", "-addr", "127.0.0.1:0"}, k.place...)
	if k.db.Dialect().Name() == dialect.SQLite {
		serve = append(serve, "-data-shared")
	}
	for range 3 {
		out := &output{}
		server := program(k.T, out, serve...)
		patience := time.Duration(k.IntN(500)) * time.Millisecond
		address, seed := until(k.T, out, `pages (http://[^/ ]+)`)+"/wp-json/vendor/events/v1/", k.Int()
		running.Go(func() {
			ctx, cancel := context.WithCancel(k.Context())
			defer cancel()
			if err := k.request(ctx, address, seed); err != nil {
				k.Error(err, out)
				return
			}
			time.AfterFunc(patience, func() { _ = server.Process.Kill() })
			for n := seed + 1; k.request(ctx, address, n) == nil; n++ {
			}
			_ = server.Wait()
		})
	}
	scan := program(k.T, &output{}, append([]string{"journal", "scan"}, k.place...)...)
	for range 10 {
		wrote = append(wrote, k.writeOnce())
	}
	_ = scan.Process.Kill()
	running.Wait()
	return wrote
}

// request creates an item and changes it, as a client of a server. It returns an error if the server does not respond
// any more.
func (k *killed) request(ctx context.Context, address string, n int) error {
	var item struct{ ID int64 }
	send := func(method, path, body string) (int, error) {
		r, err := http.NewRequestWithContext(ctx, method, address+path, strings.NewReader(body))
		if err != nil {
			return 0, err
		}
		r.SetBasicAuth("killed", k.password)
		r.Header.Set("Content-Type", "application/json")
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			return 0, err
		}
		defer resp.Body.Close()
		return resp.StatusCode, json.NewDecoder(resp.Body).Decode(&item)
	}
	status, err := send(http.MethodPost, "tags", fmt.Sprintf(`{"name": "tag %d"}`, n))
	if err != nil {
		return err
	}
	if status < 300 {
		k.made.Add(1)
		path := fmt.Sprintf("tags/%d", item.ID)
		if n%3 == 0 {
			_, err = send(http.MethodDelete, path, "")
		} else {
			_, err = send(http.MethodPut, path, fmt.Sprintf(`{"description": "%d"}`, n))
		}
	}
	return err
}
