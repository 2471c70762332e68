package contract

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/must"
)

// typedReads checks that items of each resource are read as Go values that match the API's responses: by id, by slug
// and in lists.
func typedReads(t *testing.T, e Engine) {
	b := newBench(t, e)
	b.venue(thing{slug: "hall"})
	b.venue(thing{slug: "park"})
	b.event(thing{slug: "fair", start: "2030-07-01 10:00", venues: []string{"hall"}, terms: []string{"cat"}})
	b.event(thing{slug: "concert", start: "2030-06-30 20:00", content: "<p>Loud</p>"})
	b.event(thing{slug: "safe", start: "2030-07-03 10:00", password: "sesame", content: "<p>Secret</p>"})
	b.open(calendar.Options{Cache: soon})
	ctx, kinds := t.Context(), b.cal.Kinds()
	equal := func(path, member string, got any) {
		t.Helper()
		text := []byte(b.DoWithin(ctx, "", "GET", b.fill(path), "").Text)
		if member != "" {
			var members map[string]json.RawMessage
			must.Succeed(t, json.Unmarshal(text, &members))
			text = members[member]
		}
		want := reflect.New(reflect.TypeOf(got))
		must.Succeed(t, json.Unmarshal(text, want.Interface()))
		if !reflect.DeepEqual(got, want.Elem().Interface()) {
			t.Errorf("%s is read as %+v, want %+v", path, got, want.Elem())
		}
	}
	hall, err := kinds.Venues.Get(ctx, b.idOf("hall"), nil)
	must.Succeed(t, err)
	equal("/venues/{hall}", "", *hall)
	if same, err := kinds.Venues.BySlug(ctx, "hall", nil); err != nil || !reflect.DeepEqual(same, hall) {
		t.Errorf("by its slug a venue is %+v, %v", same, err)
	}
	venues, err := kinds.Venues.List(ctx, url.Values{"per_page": {"1"}, "orderby": {"title"}})
	if err != nil || venues.Total != 2 || venues.TotalPages != 2 {
		t.Fatalf("%+v %v", venues, err)
	}
	equal("/venues?per_page=1&orderby=title", "venues", venues.Items)
	categories := must.Get(kinds.Categories.List(ctx, nil))(t)
	equal("/categories", "categories", categories.Items)
	first := categories.Items[0]
	for how, read := range map[string]func() (*calendar.Term, error){
		"id":   func() (*calendar.Term, error) { return kinds.Categories.Get(ctx, first.ID, nil) },
		"slug": func() (*calendar.Term, error) { return kinds.Categories.BySlug(ctx, first.Slug, nil) },
	} {
		if one, err := read(); err != nil || !reflect.DeepEqual(*one, first) {
			t.Errorf("by its %s a category is %+v, %v", how, one, err)
		}
	}
	month, err := b.cal.Month(ctx, 2030, time.July, url.Values{"per_page": {"1"}})
	if err != nil || len(month) != 2 || month[0].Slug != "fair" || month[1].Slug != "safe" {
		t.Errorf("July has %+v, %v", month, err)
	}
	fair, err := kinds.Events.BySlug(calendar.WithLanguage(ctx, "fr"), "fair", nil)
	if err != nil || !strings.Contains(fair.RESTURL, "/fr/wp-json/") {
		t.Errorf("in French an event is at %+v, %v", fair, err)
	}

	refused := func(err error, status int, code string) {
		t.Helper()
		var answer *calendar.Error
		if !errors.As(err, &answer) || answer.Status != status || answer.Code != code || answer.Message == "" {
			t.Errorf("refused with %v, want %d %s", err, status, code)
		}
	}
	_, err = kinds.Tags.BySlug(ctx, "nothing", nil)
	refused(err, http.StatusBadRequest, "rest_invalid_param")
	_, err = kinds.Venues.BySlug(ctx, "nothing", nil)
	refused(err, http.StatusBadRequest, "rest_invalid_param")
	_, err = kinds.Events.BySlug(ctx, "safe", nil)
	refused(err, http.StatusForbidden, "event-password-protected")
	many := url.Values{}
	for i := range 20_000 {
		many.Add("x"+strconv.Itoa(i), "1")
	}
	_, err = kinds.Events.List(ctx, many)
	refused(err, b.DoWithin(ctx, "", "GET", "/events?"+many.Encode(), "").Status, "rest_too_many_fields")
	if safe, err := kinds.Events.BySlug(ctx, "safe", url.Values{"password": {"sesame"}}); err != nil || safe.Masked {
		t.Errorf("with its password an event is %+v, %v", safe, err)
	}
	_, err = kinds.Events.BySlug(ctx, "safe", nil) // a password opens a response for one request only, so it is not cached
	refused(err, http.StatusForbidden, "event-password-protected")
}

// typedFromMemory checks that values come from memory until something changes, and that callers can modify them without
// affecting others.
func typedFromMemory(t *testing.T, e Engine) {
	b := newBench(t, e)
	b.event(thing{slug: "fair", start: "2030-07-01 10:00", terms: []string{"cat"}})
	b.open(calendar.Options{Cache: soon})
	ctx, query := t.Context(), url.Values{"start_date": {"2030-01-01"}, "end_date": {"2031-01-01"}}
	kept := func(ctx context.Context) *calendar.Page[calendar.Event] {
		t.Helper()
		for patience := time.Now().Add(time.Minute); time.Now().Before(patience); time.Sleep(20 * time.Millisecond) {
			before := b.hits()
			page := must.Get(b.cal.Events(ctx, query))(t)
			if b.hits() > before {
				return page
			}
		}
		t.Fatalf("a list is never cached: %+v", b.cal.Stats().Cache)
		return nil
	}
	kept(ctx)
	page := kept(ctx)
	title := page.Items[0].Title
	page.Items[0].Title, page.Items[0].Categories[0].Name, page.Items[0].JSON[0] = "mine", "mine", 'x'
	page.Items = append(page.Items[:0], calendar.Event{})
	if page = kept(ctx); page.Items[0].Title != title || page.Items[0].Categories[0].Name == "mine" || page.Items[0].JSON[0] != '{' {
		t.Errorf("what another caller changed is read: %+v", page.Items[0])
	}
	if french := kept(calendar.WithLanguage(ctx, "fr")); french.Items[0].RESTURL == page.Items[0].RESTURL {
		t.Errorf("in French an event is at %s", french.Items[0].RESTURL)
	}
	for try := 0; ; try++ { // on a server under load, the cache may be invalidated between both
		again, err := b.cal.Kinds().Events.Refresh(ctx, query, page)
		if err == nil && again == page {
			break
		}
		if err != nil || try == 5 {
			t.Fatalf("a list that is unchanged is read again: %v", err)
		}
		page = kept(ctx)
	}
	other := url.Values{"start_date": {"2031-01-01"}, "end_date": {"2032-01-01"}}
	if again, err := b.cal.Kinds().Events.Refresh(ctx, other, page); err != nil || again == page || len(again.Items) != 0 {
		t.Errorf("another list is read as %+v, %v", again, err)
	}
	before := b.hits()
	admin := calendar.WithPrincipal(ctx, callersOf(t, b.DB, b.prefix)["admin"])
	for range 2 {
		if _, err := b.cal.Events(admin, query); err != nil || b.hits() != before {
			t.Errorf("what an administrator reads is from memory: %v", err)
		}
	}
	b.Exec("UPDATE ?(prefix)posts SET post_title = 'Changed' WHERE ID = ?", b.idOf("fair"))
	if page, err := b.cal.Events(ctx, query); err != nil || page.Items[0].Title != "Changed" {
		t.Errorf("after another program's change: %+v %v", page, err)
	}
	must.Get(b.cal.Kinds().Events.Update(admin, b.idOf("fair"), calendar.Values{"title": "Again"}))(t)
	page, err := b.cal.Kinds().Events.Refresh(ctx, query, page)
	if err != nil || page.Items[0].Title != "Again" {
		t.Errorf("after a change of its own: %+v %v", page, err)
	}
	// If nothing is cached, the fingerprint of a list, or its contents, shows whether it changed.
	none := b.another(calendar.Options{Cache: calendar.Cache{Bytes: calendar.None}})
	events := none.cal.Kinds().Events
	stored := must.Get(events.List(ctx, query))(t)
	if again, err := events.Refresh(ctx, query, stored); err != nil || again != stored {
		t.Errorf("without a cache a list that is unchanged is read again: %v", err)
	}
	b.Exec("UPDATE ?(prefix)posts SET post_title = 'Last' WHERE ID = ?", b.idOf("fair"))
	if again, err := events.Refresh(ctx, query, stored); err != nil || again.Items[0].Title != "Last" || stored.Items[0].Title == "Last" {
		t.Errorf("without a cache, after a change: %+v %v", again, err)
	}
	terms := none.cal.Kinds().Categories
	first := must.Get(terms.List(ctx, nil))(t)
	if again, err := terms.Refresh(ctx, nil, first); err != nil || again != first {
		t.Errorf("without a cache categories that are unchanged are read again: %v", err)
	}
	b.Exec("UPDATE ?(prefix)terms SET name = 'Renamed' WHERE term_id = ?", first.Items[0].ID)
	if third, err := terms.Refresh(ctx, nil, first); err != nil || third.Items[0].Name != "Renamed" {
		t.Errorf("without a cache, after a change: %+v %v", third, err)
	}
}

// typedWrites checks that Go values are written with the rights, the validation and the hooks of requests, separately
// and in transactions.
func typedWrites(t *testing.T, e Engine) {
	b := newBench(t, e)
	b.open(calendar.Options{})
	kinds := b.cal.Kinds()
	ctx := calendar.WithPrincipal(t.Context(), callersOf(t, b.DB, b.prefix)["admin"])
	var refused *calendar.Error
	values := calendar.Values{
		"title": "Fair", "start_date": "2030-07-01 10:00", "end_date": "2030-07-01 12:00", "status": "publish",
		"venue": map[string]any{"venue": "Hall", "city": "Ghent"}, "tags": []string{"new"}, "cost": 5,
	}
	if _, err := kinds.Events.Create(t.Context(), values); !errors.As(err, &refused) || refused.Status != http.StatusUnauthorized {
		t.Errorf("an anonymous caller creates: %v", err)
	}
	fair, err := kinds.Events.Create(ctx, values)
	must.Succeed(t, err)
	if fair.Title != "Fair" || len(fair.Venues) != 1 || fair.Venues[0].City != "Ghent" || len(fair.Tags) != 1 ||
		fair.Tags[0].Slug != "new" || fair.Start.Hour() != 10 {
		t.Errorf("created as %+v", fair)
	}
	if lines := b.settle(); len(lines) == 0 || !slices.ContainsFunc(lines, func(l string) bool { return strings.Contains(l, "events") }) {
		t.Errorf("the hook got %q", lines)
	}
	_, err = kinds.Events.Update(ctx, fair.ID, calendar.Values{"start_date": "never"})
	if !errors.As(err, &refused) || refused.Status != http.StatusBadRequest || refused.Params["start_date"] == "" {
		t.Errorf("a date that is none: %v", err)
	}
	if _, err := kinds.Events.Create(ctx, calendar.Values{"title": make(chan int)}); err == nil {
		t.Errorf("a value that JSON cannot hold: %v", err)
	}
	venue, err := kinds.Venues.Update(ctx, fair.Venues[0].ID, calendar.Values{"city": "Bruges"})
	if err != nil || venue.City != "Bruges" || venue.Name != "Hall" {
		t.Errorf("updated as %+v, %v", venue, err)
	}
	organizer, err := kinds.Organizers.Create(ctx, calendar.Values{"organizer": "Band"})
	if err != nil || organizer.Name != "Band" {
		t.Errorf("created as %+v, %v", organizer, err)
	}
	tag, err := kinds.Tags.Update(ctx, fair.Tags[0].ID, calendar.Values{"name": "Newer"})
	if err != nil || tag.Name != "Newer" {
		t.Errorf("updated as %+v, %v", tag, err)
	}
	if gone, err := kinds.Tags.Delete(ctx, tag.ID, nil); err != nil || gone.Name != "Newer" {
		t.Errorf("deleted as %+v, %v", gone, err)
	}

	undo := errors.New("undo")
	err = b.cal.Transaction(ctx, func(ctx context.Context) error {
		other, err := kinds.Categories.Create(ctx, calendar.Values{"name": "Odd"})
		if err != nil {
			return err
		}
		if found, err := kinds.Categories.Get(ctx, other.ID, nil); err != nil || found.Name != "Odd" {
			t.Errorf("in its transaction a category is %+v, %v", found, err)
		}
		return undo
	})
	if !errors.Is(err, undo) {
		t.Error(err)
	}
	if found, err := kinds.Categories.BySlug(ctx, "odd", nil); err == nil {
		t.Errorf("a transaction that was undone left %+v", found)
	}
	trashed, err := kinds.Events.Delete(ctx, fair.ID, nil)
	if err != nil || trashed.Status != "trash" {
		t.Errorf("deleted as %+v, %v", trashed, err)
	}
	must.Get(kinds.Events.Delete(ctx, fair.ID, calendar.Values{"force": true}))(t)
	if _, err := kinds.Events.Get(ctx, fair.ID, nil); !errors.As(err, &refused) || refused.Code != "rest-event-not-found" {
		t.Errorf("a deleted event: %v", err)
	}
}

// typedTimes checks that a time.Time means its instant whatever the zone of the event is, and that a rule can be
// previewed before it is stored.
func typedTimes(t *testing.T, e Engine) {
	b := newBench(t, e)
	b.own()
	b.open(calendar.Options{})
	events := b.cal.Kinds().Events
	ctx := calendar.WithPrincipal(t.Context(), callersOf(t, b.DB, b.prefix)["admin"])
	start := time.Date(2030, 3, 30, 23, 30, 0, 0, time.UTC)
	values := calendar.Values{"title": "Timed", "start_date": start, "end_date": start.Add(2 * time.Hour), "timezone": "America/New_York"}
	made, err := events.Create(ctx, values)
	if err != nil || !made.Start.Equal(start) || made.Start.Hour() != 19 || made.End.Sub(made.Start) != 2*time.Hour {
		t.Fatalf("made %+v, %v", made, err)
	}
	_, err = events.Update(ctx, made.ID, calendar.Values{"end_date": time.Time{}})
	if err == nil || !strings.Contains(err.Error(), "end_date") {
		t.Errorf("the zero time: %v", err)
	}
	rule := &calendar.Recurrence{Rule: "FREQ=WEEKLY;COUNT=5", Excluded: []string{"2030-04-06 19:30:00"}}
	shown := must.Get(b.cal.PreviewRule(t.Context(), calendar.Event{Start: made.Start, Recurrence: rule}, 3))(t)
	kept, err := events.Update(ctx, made.ID, calendar.Values{"recurrence": rule})
	if err != nil || kept.Recurrence == nil {
		t.Fatalf("%+v, %v", kept, err)
	}
	if shown.Rule != kept.Recurrence.Rule || shown.Text != kept.Recurrence.Text || shown.Text == "" ||
		int64(shown.Total) != kept.DatesTotal || len(shown.Starts) != 3 {
		t.Errorf("shown as %+v, stored as %+v of %d", shown, kept.Recurrence, kept.DatesTotal)
	}
	for i, at := range shown.Starts {
		if !at.Equal(kept.Dates[i].Start) || at.Hour() != 19 {
			t.Errorf("date %d is shown as %v, stored as %v", i, at, kept.Dates[i].Start)
		}
	}
	daily := &calendar.Recurrence{Rule: "FREQ=DAILY"}
	endless, err := b.cal.PreviewRule(t.Context(), calendar.Event{Start: made.Start, Recurrence: daily}, 2)
	if err != nil || endless.Total != 0 || len(endless.Starts) != 2 || endless.Starts[1].Sub(start) != 24*time.Hour {
		t.Errorf("without an end: %+v, %v", endless, err)
	}
	var refused *calendar.Error
	for _, wrong := range []*calendar.Recurrence{
		nil, {}, {Rule: "WEEKLY"}, {Rule: "FREQ=DAILY;COUNT=5000"}, {Rule: "FREQ=DAILY;COUNT=2", Excluded: []string{"x"}},
		{Rule: "FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30"},
	} {
		_, err := b.cal.PreviewRule(t.Context(), calendar.Event{Start: made.Start, Recurrence: wrong}, 3)
		if !errors.As(err, &refused) || refused.Status != http.StatusBadRequest || refused.Params["recurrence"] == "" {
			t.Errorf("%+v: %v", wrong, err)
		}
	}
}

// typedNames checks that reads and writes of the Go API reject names that are not parameters, whose values would have
// no effect. Requests may contain such names.
func typedNames(t *testing.T, e Engine) {
	b := newBench(t, e)
	b.event(thing{slug: "fair", start: "2030-07-01 10:00"})
	b.open(calendar.Options{})
	ctx, events := t.Context(), b.cal.Kinds().Events
	_, ofList := events.List(ctx, url.Values{"categorys": {"music"}})
	_, ofGet := events.Get(ctx, b.idOf("fair"), url.Values{"contxt": {"view"}})
	_, ofMonth := b.cal.Month(ctx, 2030, 7, url.Values{"page_": {"2"}})
	var ofAll error
	for _, err := range events.All(ctx, url.Values{"nothing_like_it": {"1"}}) {
		ofAll = err
	}
	as := calendar.WithPrincipal(ctx, callersOf(t, b.DB, b.prefix)["admin"])
	_, ofWrite := events.Create(as, calendar.Values{"title": "A", "start_date": "2030-07-01", "end_date": "2030-07-01", "venu": "Hall"})
	for name, err := range map[string]error{
		"categorys: There is no parameter with this name. Did you mean categories?": ofList,
		"contxt: There is no parameter with this name. Did you mean context?":       ofGet,
		"page_: There is no parameter with this name. Did you mean page?":           ofMonth,
		"nothing_like_it: There is no parameter with this name.":                    ofAll,
		"venu: There is no parameter with this name. Did you mean venue?":           ofWrite,
	} {
		var refused *calendar.Error
		if !errors.As(err, &refused) || refused.Status != 400 || !strings.Contains(err.Error(), name) {
			t.Errorf("%v, want %s", err, name)
		}
	}
	visitor := url.Values{"categories[]": {"music"}, "utm_source": {"mail"}, "page": {"1"}, "_fields": {"id"}}
	want := url.Values{"categories[]": {"music"}, "page": {"1"}, "_fields": {"id"}}
	for name, got := range map[string]url.Values{"Known": calendar.Known(visitor), "Kind.Known": events.Known(visitor)} {
		if !reflect.DeepEqual(got, want) {
			t.Errorf("%s returns %v", name, got)
		}
	}
	if calendar.Known(nil) != nil || len(visitor) != 4 {
		t.Error("the query was changed")
	}
	b.Must(http.StatusOK, "", "GET", "/events?start_date=2030-01-01&categorys=music", "")
}
