package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agendahq/agenda/calendar"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// hookCalls records the changes that a hook was called with.
type hookCalls struct {
	mu   sync.Mutex
	list []string
}

func (h *hookCalls) call(_ context.Context, c calendar.Change) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.list = append(h.list, fmt.Sprintf("%s %s %d %t %d", c.Op, c.Kind, c.ID, c.Foreign, c.Principal.UserID))
}

func (h *hookCalls) has(text string) int {
	h.mu.Lock()
	defer h.mu.Unlock()
	n := 0
	for _, s := range h.list {
		if s == text {
			n++
		}
	}
	return n
}

// serving returns a calendar that maintains the journal like a server.
func (j *journaled) serving(share float64, h *hookCalls, log io.Writer) *calendar.Calendar {
	j.Helper()
	return j.servingFields(journaledFields(), share, h, log)
}

func (j *journaled) servingFields(fields []calendar.Field, share float64, h *hookCalls, log io.Writer) *calendar.Calendar {
	j.Helper()
	logger := slog.New(slog.DiscardHandler)
	if log != nil {
		logger = slog.New(slog.NewTextHandler(log, nil))
	}
	// Half of Settle is the limit for a write, which a busy machine exceeds with less.
	o := calendar.Options{DB: j.db, Logger: logger, JournalShare: share, Site: calendar.Site{
		Translations: calendar.TranslationsTable,
	}, Cache: calendar.Cache{Settle: 20 * time.Second}, Fields: fields}
	if h != nil {
		o.Hooks.OnChange = h.call
	}
	c := must.Get(calendar.New(j.Context(), o))(j)
	j.Cleanup(func() {
		must.Succeed(j, c.Close(context.Background()))
	})
	return c
}

// eventually waits for a condition, up to three minutes, because machines may be slow.
func eventually(t *testing.T, what string, done func() bool) {
	t.Helper()
	for end := time.Now().Add(3 * time.Minute); !done(); time.Sleep(20 * time.Millisecond) {
		if time.Now().After(end) {
			t.Fatal("never came: " + what)
		}
	}
}

// rows returns the changes after a sequence in the form "events 12 true", where true means a change by this program.
func (j *journaled) rows(after int64) (list []string) {
	j.Helper()
	for _, c := range j.after(after) {
		list = append(list, fmt.Sprintf("%s %d %t", c.Kind, c.ID, c.Own))
	}
	return list
}

// TestJournalRunner maintains the journal of a site that several processes serve: changes through the API are recorded
// as own, changes by other programs are found, and the hook is called for the latter in only one process.
func TestJournalRunner(t *testing.T) {
	t.Parallel()
	onEveryEngine(t, func(t *testing.T, j *journaled) {
		var first, second hookCalls
		a, b := j.serving(calendar.None, &first, nil), j.serving(calendar.None, &second, nil)
		hears := func(what string) bool { return first.has(what)+second.has(what) > 0 }
		one, other := j.newTag(a, "One"), j.newTag(b, "Other")
		eventually(t, "own changes", func() bool {
			rows := j.rows(0)
			return slices.Contains(rows, "tags "+one+" true") && slices.Contains(rows, "tags "+other+" true")
		})
		eventually(t, "calls for own changes", func() bool {
			return first.has("create tags "+one+" false 1") == 1 && second.has("create tags "+other+" false 1") == 1
		})
		j.serving(1, nil, nil) // compares
		j.run("UPDATE wp_posts SET post_title = 'by others' WHERE ID = 9004")
		eventually(t, "a change of others", func() bool { return hears("update events 9004 true 0") })
		j.run("UPDATE wp_posts SET post_status = 'trash' WHERE ID = 9004", "DELETE FROM wp_posts WHERE ID = 9002")
		eventually(t, "the trash, and a venue that is gone", func() bool {
			return hears("trash events 9004 true 0") && hears("delete venues 9002 true 0")
		})
		if hears("create tags "+one+" true 0") || hears("create tags "+other+" true 0") {
			t.Errorf("own changes were told as those of others: %q %q", first.list, second.list)
		}
		was := j.head()
		j.noted() // checks that there are no gaps

		// A command waits for the right to compare, and returns it.
		eventually(t, "the turn of a command", func() bool {
			_, err := j.calendar.ScanJournal(t.Context())
			return err == nil
		})
		j.run("UPDATE wp_posts SET post_title = 'again' WHERE ID = 9003")
		eventually(t, "a change after the command", func() bool { return slices.Contains(j.rows(was.Sequence), "organizers 9003 false") })
	})
}

// newTag creates a tag through a calendar, and returns its id.
func (j *journaled) newTag(c *calendar.Calendar, name string) string {
	j.Helper()
	ctx := calendar.WithPrincipal(j.Context(), calendar.Principal{UserID: 1})
	var tag struct{ ID int64 }
	answer, err := c.Do(ctx, "POST", "/tags", nil, map[string]any{"name": name})
	if err == nil {
		err = json.Unmarshal(answer, &tag)
	}
	must.Succeed(j, err)
	return fmt.Sprint(tag.ID)
}

// TestJournalOfTwoDeclarations serves a site by two calendars with different fields. The one whose declarations the
// journal does not have neither compares nor records, and each change by either calendar is recorded once.
func TestJournalOfTwoDeclarations(t *testing.T) {
	t.Parallel()
	onEveryEngine(t, func(t *testing.T, j *journaled) {
		log, was := &output{}, j.head()
		ours, others := j.serving(1, nil, nil), j.servingFields(nil, 1, nil, log)
		want := map[string]int{}
		for n := range 3 {
			j.run(fmt.Sprintf("REPLACE INTO wp_postmeta (meta_id, post_id, meta_key, meta_value) "+
				"VALUES (9900, 9004, 'host_seats', '%d')", n),
				fmt.Sprintf("UPDATE wp_posts SET post_title = 'title %d' WHERE ID = 9002", n))
			want["events 9004 false"]++
			want["venues 9002 false"]++
			want["tags "+j.newTag(ours, fmt.Sprint("ours ", n))+" true"]++
			want["tags "+j.newTag(others, fmt.Sprint("others ", n))+" false"]++
			eventually(t, fmt.Sprint("each change once: ", want), func() bool {
				got := map[string]int{}
				for _, row := range j.rows(0) {
					got[row]++
				}
				return maps.Equal(got, want)
			})
		}
		eventually(t, "a line in the log", func() bool { return strings.Contains(log.String(), "other declarations") })
		if n := strings.Count(log.String(), "own changes could not be recorded"); n != 1 {
			t.Errorf("%d times in the log: %s", n, log)
		}
		if _, err := others.ScanJournal(t.Context()); err == nil || !strings.Contains(err.Error(), "other declarations") {
			t.Errorf("compared by the other one: %v", err)
		}
		if is := j.head(); is.Incarnation != was.Incarnation || is.Declarations != was.Declarations {
			t.Errorf("%+v, was %+v", is, was)
		}
		if again := j.changes(); len(again) != len(want)+4 { // for a post that changed three times, each change
			t.Errorf("noted: %q", again)
		}
	})
}

// TestJournalIsFoundLater checks that a running calendar maintains a journal that is installed later.
func TestJournalIsFoundLater(t *testing.T) {
	t.Parallel()
	j := &journaled{T: t, db: testdb.SiteDates(t)}
	c := must.Get(calendar.New(t.Context(), calendar.Options{DB: j.db, Logger: slog.New(slog.DiscardHandler), JournalShare: 1,
		PublishEvery: 100 * time.Millisecond}))(t)
	defer c.Close(context.Background())
	must.Succeed(t, schema.InstallJournal(t.Context(), j.db, "wp_"))
	eventually(t, "the first comparison", func() bool { return !c.Stats().Journal.Until.IsZero() })
}

// TestJournalOfOthers checks that a journal with other declarations is not maintained, which is logged, and that the
// journal of an older release begins again.
func TestJournalOfOthers(t *testing.T) {
	t.Parallel()
	j := journalOf(t, testdb.SiteDates(t))
	ours := j.head()
	j.own("UPDATE wp_agenda_journal SET declarations = '999.others' WHERE name = 'journal'")
	log := &output{}
	j.serving(1, nil, log)
	eventually(t, "a line in the log", func() bool { return strings.Contains(log.String(), "other declarations") })
	if is := j.head(); is.Incarnation != ours.Incarnation || is.Declarations != "999.others" {
		t.Errorf("%+v", is)
	}
	j.own("UPDATE wp_agenda_journal SET declarations = '0.others' WHERE name = 'journal'")
	eventually(t, "a new incarnation", func() bool {
		is := j.head()
		return is.Declarations == ours.Declarations && is.Incarnation != ours.Incarnation && is.Complete > 0
	})
}
