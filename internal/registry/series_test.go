package registry_test

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/apierror"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/linked"
	"github.com/agendahq/agenda/internal/registry"
	"github.com/agendahq/agenda/internal/test/apitest"
	"github.com/agendahq/agenda/internal/wp/permalink"
)

// newSeries declares a resource of posts that events link. Nothing else is needed.
func newSeries() []*linked.UseCases {
	k := otherResource("serie", "Serie", content.Storage{
		Collection: "series", PostType: "tribe_event_series", LinkKey: "_EventSeriesID", Origin: "_SeriesOrigin",
		Segment: func(permalink.Settings) string { return "series" },
	})
	k.SearchKeys = []string{"_SeriesMotto"}
	k.Before = []*item.Field{k.Text("motto", "_SeriesMotto", "x"), k.Website("_SeriesURL", "x")}
	return []*linked.UseCases{k}
}

func series() registry.More { return registry.More{Linked: newSeries} }

// otherResource declares a resource of posts, with texts alone.
func otherResource(name, singular string, stored content.Storage) *linked.UseCases {
	return &linked.UseCases{
		Resource: &item.Resource{
			Storage: stored, Name: name, Singular: singular, Plural: singular + "s",
			Errors: item.Errors{
				NotAccessible: apierror.New(http.StatusForbidden, stored.Collection+"-not-accessible", "x"),
				Page:          apierror.New(http.StatusNotFound, stored.Collection+"-page", "x"),
				NotCreated:    apierror.New(http.StatusBadRequest, stored.Collection+"-not-created", "x"),
				InTrash:       apierror.New(http.StatusGone, stored.Collection+"-in-trash", "x"),
			},
		},
		TextsOnly: true,
	}
}

func TestSixthResource(t *testing.T) {
	s := apitest.OpenWith(t, series())
	admin := s.Caller("admin")
	admin.Capabilities = maps.Clone(admin.Capabilities)
	for _, right := range []string{"edit_", "edit_others_", "edit_published_", "delete_", "delete_others_", "delete_published_"} {
		admin.Capabilities[right+"tribe_event_series"] = true
	}
	s.Callers["admin"] = admin
	made := s.Must(201, "admin", "POST", "/series",
		`{"serie":"Summer nights","motto":"Every <b>Friday</b>","website":"https://s.example/"}`)
	path := fmt.Sprint("/series/", made.ID())
	for name, want := range map[string]any{
		"serie": "Summer nights", "motto": "Every Friday", "website": "https://s.example/", "slug": "summer-nights", "status": "publish",
		"url": "http://site.test/series/summer-nights/",
	} {
		if made.Body[name] != want {
			t.Errorf("%s: %v, want %v", name, made.Body[name], want)
		}
	}
	if rows := s.Meta(made.ID(), "_SeriesMotto"); !slices.Equal(rows, []string{"Every Friday"}) {
		t.Errorf("rows %q", rows)
	}
	s.Must(200, "", "GET", path, "")
	s.Must(200, "", "GET", "/series/by-slug/summer-nights", "")
	s.Must(401, "", "POST", "/series", `{"serie":"x"}`)
	s.Must(400, "admin", "POST", "/series", `{"serie":" "}`)
	s.Must(400, "admin", "POST", "/series", `{"serie":"x","website":"nowhere"}`)
	s.Must(200, "admin", "PATCH", path, `{"motto":""}`)
	if list := s.Must(200, "", "GET", "/series?search=summer", ""); list.Number("total") != 1 {
		t.Errorf("search: %s", list)
	}

	// Events link it, also with nested data, and are found by it.
	event := s.Must(201, "admin", "POST", "/events",
		fmt.Sprintf(`{"title":"First night","start_date":"2031-06-06 20:00","end_date":"2031-06-06 23:00",`+
			`"serie":[%d,{"serie":"Winter nights"}]}`, made.ID()))
	linked, _ := event.Body["serie"].([]any)
	if len(linked) != 2 || !strings.Contains(event.Text, "Winter nights") {
		t.Errorf("linked: %v", event.Body["serie"])
	}
	for query, total := range map[string]int64{fmt.Sprint("serie=", made.ID()): 1, "serie=7": 0} {
		a := s.Do("", "GET", "/events?start_date=2031-06-01&end_date=2031-06-30&"+query, "")
		if a.Number("total") != total || (a.Status == 400) != (total == 0) { // 7 is a venue
			t.Errorf("%s: %s", query, a)
		}
	}
	for query, total := range map[string]int64{
		fmt.Sprint("event=", event.ID()): 2, "has_events=true": 2, "has_events=false": 0, "only_with_upcoming=true": 2,
	} {
		if a := s.Must(200, "", "GET", "/series?"+query, ""); a.Number("total") != total {
			t.Errorf("%s: %s", query, a)
		}
	}

	// Moving it to the trash unlinks it, and restoring it links it again.
	s.Must(200, "admin", "DELETE", path, "")
	if rows := s.Meta(event.ID(), "_EventSeriesID"); len(rows) != 1 {
		t.Errorf("linked in the trash: %q", rows)
	}
	s.Must(200, "admin", "POST", path, `{"status":"publish"}`)
	if rows := s.Meta(event.ID(), "_EventSeriesID"); len(rows) != 2 {
		t.Errorf("linked after the trash: %q", rows)
	}
	for address, want := range map[string][]string{
		"/":    {`\/series\/by-slug\/(?P<slug>`, `"motto"`},
		"/doc": {`"\/series\/by-slug\/{slug}"`, `"Serie"`, `"listSeries"`},
	} {
		a := s.Must(200, "", "GET", address, "")
		for _, text := range want {
			if !strings.Contains(a.Text, text) {
				t.Errorf("%s lacks %s", address, text)
			}
		}
	}
	last := s.Changes[len(s.Changes)-1]
	if last.Kind != "series" && last.Kind != "events" {
		t.Errorf("change %+v", last)
	}
}
