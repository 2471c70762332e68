package registry_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/calendar/exchange"
	testdb "github.com/agendahq/agenda/internal/test/db"
)

// stored returns the number of stored events and venues.
func (w town) stored(t *testing.T) (n int) {
	t.Helper()
	if err := w.db.NewRaw("SELECT COUNT(*) FROM wp_posts WHERE post_type LIKE 'tribe\\_%' AND post_status = 'publish'").
		Scan(t.Context(), &n); err != nil {
		t.Fatal(err)
	}
	return n
}

// refusal sends a write and returns the error that rejects it.
func (w town) refusal(t *testing.T, method, path, body string) *calendar.Error {
	t.Helper()
	_, err := w.Do(calendar.WithPrincipal(t.Context(), w.admin), method, path, nil, json.RawMessage(body))
	var refused *calendar.Error
	if !errors.As(err, &refused) {
		t.Fatalf("%s %s %s: %v", method, path, body, err)
	}
	return refused
}

// TestBeforeWrite checks that BeforeWrite is called for every write, with the stored values and those to be stored, and
// that it can reject the write as a whole or change fields of the host, which are validated.
func TestBeforeWrite(t *testing.T) {
	var hook func(ctx context.Context, d *calendar.Draft) error
	w := openTown(t, calendar.Options{DB: emptied(t), Fields: ownFields(), Hooks: calendar.Hooks{
		BeforeWrite: func(ctx context.Context, d *calendar.Draft) error {
			if calendar.PrincipalFrom(ctx).UserID != 1 {
				t.Errorf("%s: caller %v", d.Kind, calendar.PrincipalFrom(ctx))
			}
			return hook(ctx, d)
		},
	}})
	const event = `{"title":"%s","start_date":"2031-06-06 20:00","end_date":"2031-06-06 23:00","seats":%d,"venue":{"venue":"Hall %d"}}`

	var seen []string
	hook = func(_ context.Context, d *calendar.Draft) error {
		seen = append(seen, d.Kind)
		if d.Kind == "venues" {
			if d.Before != nil || !strings.HasPrefix(fmt.Sprint(d.Values["venue"]), "Hall") {
				t.Errorf("the draft of a venue: %v, %v", d.Before, d.Values)
			}
			return nil
		}
		if venues, _ := d.Values["venue"].([]int64); len(venues) != 1 || d.Values["start_date"] != "2031-06-06 20:00:00" {
			t.Errorf("the draft of an event: %v", d.Values)
		}
		if d.Before == nil {
			if err := d.Set("budget", 7); err != nil { // a field that the caller may not write
				return err
			}
			return d.Set("dress", "Suit & tie")
		}
		if d.ID == 0 || d.Before["title"] != "A" || d.Values["title"] != "B" || d.Before["seats"] != json.Number("3") ||
			d.Values["seats"] != json.Number("4") || d.Before["dress"] != "Suit & tie" || d.Before["budget"] != json.Number("7") {
			t.Errorf("the draft of an update: %v, %v", d.Before, d.Values)
		}
		return nil
	}
	made, id := w.write(t, "POST", "/events", fmt.Sprintf(event, "A", 3, 1))
	shows(t, "a write that a hook changed", made, `"dress":"Suit & tie"`, `"seats":3`)
	path := fmt.Sprint("/events/", id)
	w.write(t, "PATCH", path, `{"title":"B","seats":4}`)
	if want := []string{"venues", "events", "events"}; !slices.Equal(seen, want) {
		t.Errorf("asked for %q, want %q", seen, want)
	}

	before := w.stored(t)
	for kind, refuse := range map[string]func(d *calendar.Draft) error{
		"400 The hall is full.": func(*calendar.Draft) error { return calendar.Refuse("seats", "The hall is full.") },
		"403":                   func(*calendar.Draft) error { return calendar.ErrForbidden },
		"400 at least 0":        func(d *calendar.Draft) error { return d.Set("seats", -1) },
		"500":                   func(d *calendar.Draft) error { return d.Set("title", "mine") },
	} {
		for _, of := range []string{"events", "venues"} {
			hook = func(_ context.Context, d *calendar.Draft) error {
				if d.Kind != of {
					return nil
				}
				return refuse(d)
			}
			status, reason, _ := strings.Cut(kind, " ")
			got := w.refusal(t, "POST", "/events", fmt.Sprintf(event, "C", 5, 2))
			if of == "venues" && reason == "at least 0" { // a field that venues lack
				status, reason = "500", ""
			}
			if fmt.Sprint(got.Status) != status || !strings.Contains(fmt.Sprint(got.Params), reason) {
				t.Errorf("%s of %s: %d %s", kind, of, got.Status, got.Params)
			}
		}
	}
	hook = func(_ context.Context, d *calendar.Draft) error { return calendar.Refuse("title", "Not on Fridays.") }
	w.refusal(t, "PATCH", path, `{"title":"C"}`)
	if after := w.stored(t); after != before {
		t.Errorf("%d posts, were %d", after, before)
	}
	shows(t, "the event", w.get(t, path), `"title":"B"`)
	line := `{"kind":"events","uid":"a@x","values":{"title":"D","start_date":"2031-06-06 20:00","end_date":"2031-06-06 23:00"}}`
	shows(t, "an import", w.load(t, exchange.JSONLines(strings.NewReader(line), "a.jsonl")), "Not on Fridays.")
	if after := w.stored(t); after != before {
		t.Errorf("%d posts after the import, were %d", after, before)
	}
}

// TestBeforeWriteRunsAgain checks that after a conflict with another transaction, BeforeWrite is called again for
// everything that is written, without any effects of the first attempt. All calls have the deadline of the request,
// after which nothing is stored.
func TestBeforeWriteRunsAgain(t *testing.T) {
	db, counter := testdb.Counted(t, testdb.SiteA)
	var calls []string
	ends, meanwhile := map[time.Time]bool{}, func() {}
	w := openTown(t, calendar.Options{DB: db, Fields: ownFields(), Hooks: calendar.Hooks{
		BeforeWrite: func(ctx context.Context, d *calendar.Draft) error {
			calls = append(calls, d.Kind)
			end, _ := ctx.Deadline()
			ends[end] = true
			if meanwhile(); d.Kind != "events" {
				return nil
			}
			return d.Set("dress", fmt.Sprint("Call ", len(calls)))
		},
	}})
	ctx, cancel := context.WithTimeout(calendar.WithPrincipal(t.Context(), w.admin), time.Hour)
	defer cancel()
	write := func() (string, error) {
		answer, err := w.Do(ctx, "POST", "/events", nil, json.RawMessage(`{"title":"Again","start_date":"2031-06-06 20:00",
			"end_date":"2031-06-06 23:00","venue":{"venue":"Barn"}}`))
		return string(answer), err
	}
	before := w.stored(t)
	counter.FailCommit(&mysql.MySQLError{Number: 1213, Message: "Deadlock found"})
	made, err := write()
	if err != nil {
		t.Fatal(err)
	}
	shows(t, "a write that ran again", made, `"dress":"Call 4"`)
	if want := []string{"venues", "events", "venues", "events"}; !slices.Equal(calls, want) {
		t.Errorf("asked for %q, want %q", calls, want)
	}
	if after := w.stored(t); after != before+2 {
		t.Errorf("%d posts, were %d", after, before)
	}
	latest, _ := ctx.Deadline()
	for end := range ends {
		if len(ends) != 1 || end.IsZero() || end.After(latest) {
			t.Errorf("the calls end at %v, the request at %v", ends, latest)
		}
	}

	meanwhile = cancel
	if made, err = write(); err == nil {
		t.Errorf("a write whose time had ended in the hook: %s", made)
	}
	if after := w.stored(t); after != before+2 {
		t.Errorf("%d posts after the end, were %d", after, before+2)
	}
}
