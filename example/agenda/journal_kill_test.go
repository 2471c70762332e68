package main

import (
	"flag"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/uptrace/bun/dialect"

	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/schema"
)

var journalRounds = flag.Int("journal.rounds", 4, "in how many rounds TestJournalOfKilledProcesses writes and kills")

// place returns the flags by which commands find the database.
func (j *journaled) place() []string {
	j.Helper()
	if j.db.Dialect().Name() != dialect.SQLite {
		return []string{"-dsn", testdb.DSNOf(j.T, j.db)}
	}
	var file string
	if err := j.db.NewRaw("SELECT file FROM pragma_database_list WHERE name = 'main'").Scan(j.Context(), &file); err != nil {
		j.Fatal(err)
	}
	return []string{"-data", filepath.Dir(file)}
}

// writeInShapes writes as other programs do that replace much at once: in long transactions, by a restored dump, by other tables.
func (j *journaled) writeInShapes(r *rand.Rand) string {
	j.Helper()
	row := 9700 + r.IntN(5)
	shapes := [][]string{
		{"BEGIN", "DELETE FROM wp_postmeta WHERE post_id = 9004", fmt.Sprintf("INSERT INTO wp_postmeta (meta_id, post_id, meta_key, "+
			"meta_value) VALUES (%d, 9004, '_EventCost', '%d')", row, row), "UPDATE wp_terms SET term_group = term_group + 1", "COMMIT"},
		{"BEGIN", "DELETE FROM wp_posts", "DELETE FROM wp_tec_events", "ROLLBACK"},
		{"CREATE TABLE kept AS SELECT * FROM wp_term_relationships", "DELETE FROM wp_term_relationships",
			"INSERT INTO wp_term_relationships SELECT * FROM kept", "DROP TABLE kept"},
		{fmt.Sprintf("UPDATE wp_tec_events SET rset = 'RDATE:%d' WHERE post_id = 9004", row),
			fmt.Sprintf("UPDATE wp_tec_occurrences SET has_recurrence = %d", r.IntN(2))},
		{fmt.Sprintf("UPDATE wp_posts SET menu_order = %d WHERE post_type IN ('tribe_events', 'tribe_organizer')", r.IntN(3))},
	}
	if j.db.Dialect().Name() != dialect.SQLite {
		shapes = append(shapes, []string{"CREATE TABLE swapped LIKE wp_postmeta",
			fmt.Sprintf("INSERT INTO swapped SELECT * FROM wp_postmeta "+
				"WHERE meta_id < 9100 OR meta_id %% 5 <> %d", r.IntN(5)), "RENAME TABLE wp_postmeta TO gone, swapped TO wp_postmeta",
			"DROP TABLE gone"},
			[]string{"ALTER TABLE wp_posts ROW_FORMAT = DYNAMIC", "TRUNCATE wp_tec_occurrences"})
	}
	shape := shapes[r.IntN(len(shapes))]
	conn, err := j.db.DB.Conn(j.Context())
	if err != nil {
		j.Fatal(err)
	}
	defer conn.Close()
	for _, s := range shape {
		if _, err := conn.ExecContext(j.Context(), s); err != nil {
			j.Fatal(s, err)
		}
	}
	return strings.Join(shape, "; ")
}

// TestJournalOfKilledProcesses writes while three processes compare, which are killed: what is stored otherwise is noted, in a sequence
// without gaps, and what the journal knows in the end is what is stored.
func TestJournalOfKilledProcesses(t *testing.T) {
	onEveryEngine(t, func(t *testing.T, j *journaled) {
		seed, place := rand.Uint64(), j.place()
		r := rand.New(rand.NewPCG(seed, 2))
		t.Logf("seed %d", seed)
		succeeds := func(name string) {
			t.Helper()
			if code, out, errOut := ran(t, append([]string{"journal", name}, place...)...); code != 0 {
				t.Fatalf("seed %d: %s: %s%s", seed, name, out, errOut)
			}
		}
		succeeds("install")
		succeeds("scan")
		for range *journalRounds {
			was := j.states()
			wrote := j.writeWhileKilled(r, place)
			j.endLease()
			succeeds("scan")
			want := differences(was, j.states())
			noted := j.noted()
			for _, w := range want {
				_, object, _ := strings.Cut(w, " ")
				if !slices.ContainsFunc(noted, func(n string) bool { return strings.HasSuffix(n, " "+object) }) {
					t.Fatalf("seed %d: %q: %q is not noted, but %q", seed, wrote, w, noted)
				}
			}
			succeeds("scan")
			if again := j.noted(); len(again) > 0 {
				t.Fatalf("seed %d: %q: noted twice: %q", seed, wrote, again)
			}
		}
		// A journal that is made anew knows the same.
		known := j.known()
		if err := schema.RemoveJournal(t.Context(), j.db, "wp_"); err != nil {
			t.Fatal(err)
		}
		succeeds("install")
		succeeds("scan")
		if anew := j.known(); !maps.Equal(known, anew) {
			t.Errorf("seed %d: known are\n%v\nand anew\n%v", seed, known, anew)
		}
	})
}

// writeWhileKilled writes while three processes compare, of which each is killed.
func (j *journaled) writeWhileKilled(r *rand.Rand, place []string) (wrote []string) {
	j.Helper()
	var outs [3]output
	var ended []func()
	for i := range outs {
		cmd := command(j.T, &outs[i], append([]string{"journal", "scan"}, place...)...)
		if err := cmd.Start(); err != nil {
			j.Fatal(err)
		}
		kill := time.AfterFunc(time.Duration(r.IntN(700))*time.Millisecond, func() { _ = cmd.Process.Kill() })
		ended = append(ended, func() { _ = cmd.Wait(); kill.Stop() })
	}
	for range 2 + r.IntN(5) {
		if r.IntN(2) == 0 {
			wrote = append(wrote, j.writeInShapes(r))
		} else {
			wrote = append(wrote, j.writeAtRandom(r))
		}
	}
	for _, end := range ended {
		end()
	}
	return wrote
}

// endLease lets the lease of a killed process end.
func (j *journaled) endLease() {
	j.Helper()
	own, err := schema.OpenJournal(j.Context(), j.db, "wp_", false)
	if err != nil {
		j.Fatal(err)
	}
	defer own.Close()
	_, err = own.DB.NewUpdate().Model((*schema.JournalRow)(nil)).Set("held_until = 1").Where("name = ?", schema.JournalComparison).
		Exec(j.Context())
	if err != nil {
		j.Fatal(err)
	}
}
