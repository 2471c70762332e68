package fill

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/contract"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// writer writes through the service, as a user at a given time.
type writer struct {
	t    *testing.T
	h    http.Handler
	user int64
	now  time.Time
}

// Authenticate returns the user for every request, with the rights of an administrator.
func (w *writer) Authenticate(*http.Request) (calendar.Principal, error) {
	return calendar.Principal{UserID: w.user, Capabilities: map[string]bool{
		"publish_tribe_events": true, "edit_tribe_events": true, "edit_others_tribe_events": true, "unfiltered_html": true,
		"publish_tribe_venues": true, "edit_tribe_venues": true, "edit_others_tribe_venues": true,
		"publish_tribe_organizers": true, "edit_tribe_organizers": true, "edit_others_tribe_organizers": true,
		"manage_categories": true, "edit_tribe_events_cat": true, "manage_tribe_event_categories": true, "edit_posts": true,
		"publish_posts": true,
	}}, nil
}

// serving mounts the service on a database.
func serving(t *testing.T, db *bun.DB) *writer {
	w := &writer{t: t, now: now()}
	w.h = contract.Handler(t, calendar.Options{DB: db, Site: calendar.Site{Prefix: prefix}, Authenticator: w,
		Now: func() time.Time { return w.now }})
	return w
}

func (w *writer) post(path string, fields map[string]any) {
	w.t.Helper()
	body, err := json.Marshal(fields)
	if err != nil {
		w.t.Fatal(err)
	}
	r := httptest.NewRequest(http.MethodPost, contract.Root+path, bytes.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	answer := httptest.NewRecorder()
	if w.h.ServeHTTP(answer, r); answer.Code != http.StatusCreated {
		w.t.Fatalf("POST %s %s: %d %.600s", path, body, answer.Code, answer.Body)
	}
}

// fields returns the fields of a request that creates an event.
func (e *event) fields(p *place, picture int64) map[string]any {
	f := map[string]any{
		"title": e.title, "description": e.content, "status": e.status, "all_day": e.allDay, "timezone": e.zone,
		"start_date": e.start, "end_date": e.end, "show_map": e.showMap, "show_map_link": e.mapLink,
		"hide_from_listings": e.hidden, "featured": e.featured,
	}
	given := func(name string, is bool, value any) {
		if is {
			f[name] = value
		}
	}
	given("slug", e.slug != "", e.slug)
	given("excerpt", e.excerpt != "", e.excerpt)
	given("website", e.website != "", e.website)
	given("cost", e.price.amounts != nil, e.price.amounts)
	given("venue", e.venue >= 0, p.state.Venues+int64(e.venue))
	given("image", picture != 0, fmt.Sprint(picture))
	for name, group := range map[string]struct {
		first   int64
		numbers []int
	}{"organizer": {p.state.Organizers, e.organizers}, "categories": {p.state.Categories, e.categories}, "tags": {p.state.Tags, e.tags}} {
		var ids []int64
		for _, n := range group.numbers {
			ids = append(ids, group.first+int64(n))
		}
		given(name, ids != nil, ids)
	}
	return f
}

// Every row of every table equals what the service stores if the same events are entered one after the other.
func TestEventsAreWhatTheServiceStores(t *testing.T) {
	const events = 150
	want, written := filled(t, small(events)), filled(t, small(0))
	db := bound(t, written)
	w := serving(t, written)
	s, _, _, err := loadState(t.Context(), db)
	must.Succeed(t, err)
	p := must.Get(newPlace(t.Context(), db, prefix, s))(t)
	for n := range int64(events) {
		e := p.event(1, n)
		w.now, w.user = e.entered, p.state.Users+int64(e.author)
		s.Events = n
		picture := pictureFor(t, db, p, e, s)
		w.post("/events", e.fields(p, picture))
		last := readTable[schema.Post](t, written, "ID DESC")[0].ID
		// What no request can set, and the times that the engine stores itself.
		updateColumn(t, db, (*schema.Post)(nil), "post_password", e.password, "ID = ?", last)
		updateColumn(t, db, (*schema.EventRow)(nil), "updated_at", e.entered.UTC().Format(time.DateTime), "post_id = ?", last)
		updateColumn(t, db, (*schema.Occurrence)(nil), "updated_at", e.entered.UTC().Format(time.DateTime), "post_id = ?", last)
	}
	for _, own := range []*bun.DB{want, written} {
		for _, name := range []string{schema.OptionLastSavePost, schema.OptionLastUpdated, StateOption} {
			must.Get(bound(t, own).NewDelete().Model((*schema.Option)(nil)).Where("option_name = ?", name).
				Exec(t.Context()))(t)
		}
	}
	wantSame(t, dump(t, written), dump(t, want))
}

// pictureFor returns the attachment of an event. An image that the event does not share is inserted here, since the
// service would fetch it.
func pictureFor(t *testing.T, db *bun.DB, p *place, e *event, s state) int64 {
	t.Helper()
	if !e.ownPicture {
		if e.picture < 0 {
			return 0
		}
		return p.state.Images + int64(e.picture)
	}
	s.Post = readTable[schema.Post](t, db, "ID DESC")[0].ID + 1
	s.Meta = readTable[schema.PostMeta](t, db, "meta_id DESC")[0].ID + 1
	c := p.compose(s, 1)
	metas := c.meta[:3]
	for _, model := range []any{&c.posts[0], &metas} {
		must.Get(db.NewInsert().Model(model).Exec(t.Context()))(t)
	}
	return c.posts[0].ID
}

func updateColumn(t *testing.T, db *bun.DB, model any, column, value, where string, id int64) {
	t.Helper()
	must.Get(db.NewUpdate().Model(model).Set("? = ?", bun.Ident(column), value).Where(where, id).Exec(t.Context()))(t)
}
