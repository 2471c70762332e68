package hosts_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/calendar/exchange"
	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema/embedded/calendartest"
)

// asker is a hook that each test can change.
type asker struct {
	asked []string // the writes for which it was called, as "OP KIND"
	hook  func(ctx context.Context, d *calendar.Draft) error
}

func (a *asker) recordDraft(ctx context.Context, d *calendar.Draft) error {
	a.asked = append(a.asked, d.Op+" "+d.Kind)
	if a.hook == nil {
		return nil
	}
	return a.hook(ctx, d)
}

// took returns the writes for which the hook was called since the last call of took.
func (a *asker) took() string {
	defer func() { a.asked = nil }()
	return strings.Join(a.asked, ", ")
}

func siteWithHook(t *testing.T, change ...func(*calendar.Options)) (*calendartest.Site, *asker) {
	t.Helper()
	a := &asker{}
	return calendartest.New(t, append(change, func(o *calendar.Options) { o.Hooks.BeforeWrite = a.recordDraft })...), a
}

// sendRequest sends a request as a user, and returns the status and the body of the answer.
func sendRequest(t *testing.T, s *calendartest.Site, as, method, path, body string, header ...string) (int, string) {
	t.Helper()
	client := http.DefaultClient
	if as != "" {
		client = s.As(as)
	}
	if body != "" {
		header = append([]string{"Content-Type", "application/json"}, header...)
	}
	answer := sendBy(t, client, s, method, path, body, header...)
	return answer.StatusCode, strings.ReplaceAll(answer.Body, `\/`, "/")
}

// The hook is called for each write of each resource with the operation, and if it rejects the write, nothing changes.
func TestDraftOperations(t *testing.T) {
	s, a := siteWithHook(t)
	ids := strings.NewReplacer("{event}", fmt.Sprint("/events/", calendartest.EventJazz),
		"{category}", fmt.Sprint("/categories/", calendartest.CategoryFamily))
	golden.Each(t, "drafts.txt", func(method, path, body, want string) {
		path = ids.Replace(path)
		a.hook = func(context.Context, *calendar.Draft) error { return calendar.ErrForbidden }
		if status, body := sendRequest(t, s, calendartest.Administrator, method, path, body); status != 403 {
			t.Fatalf("%s %s, refused: %d %s", method, path, status, body)
		}
		a.took()
		a.hook = nil
		if status, body := sendRequest(t, s, calendartest.Administrator, method, path, body); status >= 300 {
			t.Fatalf("%s %s: %d %s", method, path, status, body)
		}
		got := strings.Split(a.took(), ", ")
		wanted := strings.Split(want, ", ")
		if slices.Sort(got); len(got) != len(wanted) || !slices.Equal(got, slices.Sorted(slices.Values(wanted))) {
			t.Errorf("%s %s: asked %q, want %q", method, path, got, want)
		}
	})
	s.Clock.Set(calendartest.Now.AddDate(0, 3, 0))
	if n, err := s.Calendar.PublishDue(t.Context()); n != 1 || err != nil || a.took() != "" {
		t.Errorf("published %d, %v", n, err)
	}
}

// A draft contains the item before and after the write: the values of terms, the status of a trashed item, all
// occurrences of a series.
func TestDraftValues(t *testing.T) {
	s, a := siteWithHook(t, func(o *calendar.Options) {
		o.Fields = []calendar.Field{{
			Kind: "categories", Name: "colour", Key: "host_colour", Type: calendar.FieldText, Description: "A colour.",
		}}
	})
	var seen *calendar.Draft
	var before, after calendar.DraftDates
	a.hook = func(ctx context.Context, d *calendar.Draft) (err error) {
		seen = d
		if d.Kind == "categories" && d.Op == calendar.OpCreate {
			return d.Set("colour", "blue")
		}
		before, after, err = d.Dates(ctx)
		if again, _, _ := d.Dates(ctx); len(again.Dates) != len(before.Dates) {
			t.Error("other dates when they are asked for again")
		}
		return err
	}
	write := func(method, path, body string) string {
		t.Helper()
		status, answer := sendRequest(t, s, calendartest.Administrator, method, path, body)
		if status >= 300 {
			t.Fatalf("%s %s: %d %s", method, path, status, answer)
		}
		return answer
	}
	write("PATCH", fmt.Sprint("/categories/", calendartest.CategoryJazz), `{"name":"Swing"}`)
	if seen.Before["name"] != "Jazz" || seen.Values["name"] != "Swing" || fmt.Sprint(seen.Values["parent"]) == "" || before.Dates != nil {
		t.Errorf("a category: %v, %v", seen.Before, seen.Values)
	}
	if err := seen.Set("name", "Bop"); err == nil {
		t.Error("the name of a category was set")
	}
	write("PATCH", fmt.Sprint("/categories/", calendartest.CategoryJazz), `{"colour":"red"}`)
	if seen.Before["colour"] != nil || seen.Values["colour"] != "red" {
		t.Errorf("a category's own field: %v, %v", seen.Before, seen.Values)
	}
	event := fmt.Sprint("/events/", calendartest.EventJazz)
	if shown := write("PATCH", event, `{"categories":"New"}`); !strings.Contains(shown, `"colour":"blue"`) {
		t.Errorf("a category that the hook changed: %s", shown)
	}
	write("PATCH", event, `{"recurrence":{"rrule":"FREQ=WEEKLY;COUNT=3"}}`)
	days := func(d calendar.DraftDates) string {
		var all []string
		for _, one := range d.Dates {
			all = append(all, one.Start.Format("2 Jan 15:04"), one.End.Format("15:04 MST"))
		}
		return strings.Join(append(all, d.Rule), " ")
	}
	if got := days(before); got != "21 Jun 20:00 23:00 CEST " {
		t.Errorf("one date: %s", got)
	}
	const weekly = "21 Jun 20:00 23:00 CEST 28 Jun 20:00 23:00 CEST 5 Jul 20:00 23:00 CEST FREQ=WEEKLY;COUNT=3"
	if got := days(after); got != weekly {
		t.Errorf("three dates: %s", got)
	}
	write("PATCH", event, `{"start_date":"2030-06-21 19:00"}`)
	if got := days(before); got != weekly || !strings.HasPrefix(days(after), "21 Jun 19:00 23:00 CEST 28 Jun 19:00") {
		t.Errorf("an earlier hour: %s, %s", got, days(after))
	}
	write("PATCH", event, `{"dates":[{"start_date":"2030-06-21 19:00","end_date":"2030-06-21 23:00"},`+
		`{"start_date":"2030-06-22 19:00","end_date":"2030-06-22 23:00"}]}`)
	if got := days(after); got != "21 Jun 19:00 23:00 CEST 22 Jun 19:00 23:00 CEST " {
		t.Errorf("a list: %s", got)
	}
	write("PATCH", event, `{"title":"Night"}`)
	if days(before) != days(after) || len(after.Dates) != 2 {
		t.Errorf("a title: %s, %s", days(before), days(after))
	}
	write("DELETE", event, "")
	if seen.Before["status"] == "trash" || seen.Values["status"] != "trash" || len(after.Dates) != 2 {
		t.Errorf("the trash: %v, %v, %v", seen.Before, seen.Values, after)
	}
	write("DELETE", event+"?force=true", "")
	if seen.Before["title"] != "Night" || seen.Values != nil || after.Dates != nil || len(before.Dates) != 2 {
		t.Errorf("deleted: %v, %v, %v", seen.Before, seen.Values, after)
	}
}

// TestDraftFields checks that the hook gets the host's fields as numbers, and can set one that the caller may not write. A rejected event,
// or a venue that is created with it, stores neither. A value out of bounds is an error of the caller, a field of another kind one of the
// host.
func TestDraftFields(t *testing.T) {
	s, a := siteWithHook(t, func(o *calendar.Options) {
		o.Fields = []calendar.Field{
			{Kind: "events", Name: "seats", Key: "host_seats", Type: calendar.FieldNumber, Min: float64Pointer(0), Description: "Seats."},
			{Kind: "events", Name: "budget", Key: "host_budget", Type: calendar.FieldNumber, Read: "read_budget", Description: "Euros."},
		}
	})
	const event = `{"title":"%s","start_date":"2031-06-06 20:00","end_date":"2031-06-06 23:00","seats":3,"venue":{"venue":"%[1]s hall"}}`
	var drafts []*calendar.Draft
	a.hook = func(_ context.Context, d *calendar.Draft) error {
		if drafts = append(drafts, d); d.Kind == "events" && d.Op == calendar.OpCreate {
			return d.Set("budget", 7)
		}
		return nil
	}
	var made struct{ ID int64 }
	status, body := sendRequest(t, s, calendartest.Administrator, "POST", "/events", fmt.Sprintf(event, "A"))
	if err := json.Unmarshal([]byte(body), &made); err != nil || status != 201 {
		t.Fatal(status, body, err)
	}
	sendRequest(t, s, calendartest.Administrator, "PATCH", fmt.Sprint("/events/", made.ID), `{"title":"B","seats":4}`)
	if len(drafts) != 3 || drafts[0].Before != nil || drafts[0].Values["venue"] != "A hall" {
		t.Fatalf("drafts %+v", drafts)
	}
	if venues, _ := drafts[1].Values["venue"].([]int64); len(venues) != 1 || drafts[1].Values["start_date"] != "2031-06-06 20:00:00" {
		t.Errorf("the draft of an event: %v", drafts[1].Values)
	}
	if d := drafts[2]; d.ID != made.ID || d.Before["title"] != "A" || d.Values["title"] != "B" || d.Before["seats"] != json.Number("3") ||
		d.Values["seats"] != json.Number("4") || d.Before["budget"] != json.Number("7") {
		t.Errorf("the draft of an update: %v, %v", d.Before, d.Values)
	}
	stored := func() string {
		_, venues := sendRequest(t, s, "", "GET", "/venues?per_page=50", "")
		_, events := sendRequest(t, s, "", "GET", "/events?start_date=2031-01-01&per_page=50", "")
		return venues + events
	}
	before := stored()
	for want, refuse := range map[string]func(d *calendar.Draft) error{
		"400 at least 0": func(d *calendar.Draft) error { return d.Set("seats", -1) },
		"400 Full.":      func(*calendar.Draft) error { return calendar.Refuse("seats", "Full.") },
		"403 ":           func(*calendar.Draft) error { return calendar.ErrForbidden },
		"500 ":           func(d *calendar.Draft) error { return d.Set("title", "mine") },
	} {
		for _, of := range []string{"events", "venues"} {
			a.hook = func(_ context.Context, d *calendar.Draft) error {
				if d.Kind != of {
					return nil
				}
				return refuse(d)
			}
			code, reason, _ := strings.Cut(want, " ")
			if of == "venues" && reason == "at least 0" { // venues do not have the field
				code, reason = "500", ""
			}
			status, body := sendRequest(t, s, calendartest.Administrator, "POST", "/events", fmt.Sprintf(event, "C"))
			if fmt.Sprint(status) != code || !strings.Contains(body, reason) {
				t.Errorf("%s of %s: %d %s", want, of, status, body)
			}
		}
	}
	if after := stored(); after != before {
		t.Errorf("stored %s, was %s", after, before)
	}
}

// An error of the hook is returned in the language of the request. A panic or an unknown error is a 500 and stores
// nothing. The hook reads within the transaction, and cannot write.
func TestDraftRefusals(t *testing.T) {
	s, a := siteWithHook(t)
	path := fmt.Sprint("/events/", calendartest.EventJazz)
	update := func(body string) (int, string) {
		return sendRequest(t, s, calendartest.Administrator, "PATCH", path, body)
	}
	refusal := &calendar.Refusal{Param: "title", Reason: "Too loud.", Texts: map[string]string{"nl": "Te luid.", "fr": "Trop fort."}}
	a.hook = func(context.Context, *calendar.Draft) error { return fmt.Errorf("within: %w", refusal) }
	for language, want := range map[string]string{"en": "Too loud.", "nl": "Te luid.", "fr": "Trop fort."} {
		status, body := update(fmt.Sprintf(`{"title":"X","i18n_language":%q}`, language))
		if status != 400 || !strings.Contains(body, want) || !strings.Contains(body, `"params":{"title":`) {
			t.Errorf("%s: %d %s", language, status, body)
		}
	}
	for want, refuse := range map[string]error{
		`409 {"code":"hall_taken","message":"The hall is taken.","data":{"status":409,"param":"venue"}}`: &calendar.Refusal{
			Status: 409, Code: "hall_taken", Param: "venue", Reason: "The hall is taken."},
		`400 {"code":"rest_refused","message":"No.","data":{"status":400}}`: &calendar.Refusal{Reason: "No."},
		`500 {"code":"internal_server_error"`:                               &calendar.Refusal{Status: 302, Reason: "No."},
		`500 {"code":"internal_server_error",`:                              errors.New("the hall's own database is gone"),
	} {
		a.hook = func(context.Context, *calendar.Draft) error { return refuse }
		if status, body := update(`{"title":"X"}`); !strings.HasPrefix(fmt.Sprint(status, " ", body), want) {
			t.Errorf("%d %s, want %s", status, body, want)
		}
	}
	a.hook = func(context.Context, *calendar.Draft) error { panic("out of halls") }
	if status, body := update(`{"title":"X"}`); status != 500 || strings.Contains(body, "halls") {
		t.Errorf("a panic: %d %s", status, body)
	}
	a.hook = func(ctx context.Context, d *calendar.Draft) error {
		if _, bounded := ctx.Deadline(); !bounded {
			t.Error("the hook has all the time")
		}
		e, err := s.Calendar.Event(ctx, calendartest.EventWalk) // a draft, which the caller may read
		if err != nil {
			return err
		}
		return calendar.Refuse("title", e.Title+" by "+calendar.PrincipalFrom(ctx).Login)
	}
	if status, body := update(`{"title":"X"}`); status != 400 || !strings.Contains(body, "Autumn Walk by anna") {
		t.Errorf("a hook that reads: %d %s", status, body)
	}
	a.hook = func(ctx context.Context, d *calendar.Draft) error {
		_, err := s.Calendar.Kinds().Tags.Create(ctx, calendar.Values{"name": "Sly"})
		return err
	}
	if status, body := update(`{"title":"X"}`); status != 500 {
		t.Errorf("a hook that writes: %d %s", status, body)
	}
	a.hook = nil
	if _, body := update(`{}`); !strings.Contains(body, `"title":"Jazz Night"`) {
		t.Errorf("afterwards: %s", body)
	}
	if _, body := sendRequest(t, s, "", "GET", "/tags?search=Sly", ""); !strings.Contains(body, `"total":0`) {
		t.Errorf("the tags: %s", body)
	}
}

// In batches and imports the hook is called for each write. Rejecting one does not affect the others, unless the batch
// is atomic.
func TestDraftBatches(t *testing.T) {
	s, a := siteWithHook(t)
	a.hook = func(_ context.Context, d *calendar.Draft) error {
		if d.Values["title"] == "Bad" {
			return calendar.Refuse("title", "Not here.")
		}
		return nil
	}
	batch := func(atomic bool) (int, string) {
		return sendRequest(t, s, calendartest.Administrator, "POST", "/batch", fmt.Sprintf(`{"atomic":%v,"requests":[%s,%s]}`, atomic,
			`{"path":"/events","body":{"title":"Good","start_date":"2031-01-01 10:00","end_date":"2031-01-01 11:00"}}`,
			`{"path":"/events","body":{"title":"Bad","start_date":"2031-01-01 10:00","end_date":"2031-01-01 11:00"}}`))
	}
	found := func() int {
		page := must.Get(s.Calendar.Events(t.Context(), map[string][]string{"search": {"Good"}, "start_date": {"2031-01-01"}}))(t)
		return int(page.Total)
	}
	const both = "create events, create events"
	if status, body := batch(true); status != 409 || !strings.Contains(body, "Not here.") || a.took() != both || found() != 0 {
		t.Errorf("of one piece: %d %s", status, body)
	}
	if status, body := batch(false); status != 207 || !strings.Contains(body, "Not here.") || a.took() != both || found() != 1 {
		t.Errorf("one by one: %d %s", status, body)
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	var outcomes []string
	im := &exchange.Importer{
		Calendar: s.Calendar, Principal: calendar.Principal{UserID: calendartest.AdministratorID}, Source: "test",
		Done: func(o exchange.Outcome) { outcomes = append(outcomes, fmt.Sprint(o.Name, o.Problems)) },
	}
	line := `{"kind":"events","uid":"%s@x","values":{"title":"%[1]s","start_date":"2031-06-06 20:00","end_date":"2031-06-06 23:00"}}`
	lines := fmt.Sprintf(line, "Bad") + "\n" + fmt.Sprintf(line, "Good")
	must.Get(im.Import(ctx, exchange.JSONLines(strings.NewReader(lines), "a.jsonl")))(t)
	if got := strings.Join(outcomes, "; "); !strings.Contains(got, "Not here.") || found() != 2 {
		t.Errorf("an import: %s", got)
	}
}
