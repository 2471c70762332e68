package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema/embedded/calendartest"
)

// The calendar is part of the town's site: it is below the site's path, has its head and style, coexists with its
// robots.txt, and has the town's field on the page of an event and among the filters, including those of the feeds.
func TestTown(t *testing.T) {
	s := calendartest.New(t)
	const origin = "https://riverton.example"
	site := must.Get(newSite(t.Context(), s.DB, origin))(t)
	ask := func(method, target, body string) *httptest.ResponseRecorder {
		r, w := httptest.NewRequest(method, origin+target, strings.NewReader(body)), httptest.NewRecorder()
		if body != "" {
			r.Header.Set("Authorization", calendartest.Authorization(calendartest.Administrator))
			r.Header.Set("Content-Type", "application/json")
		}
		site.ServeHTTP(w, r)
		return w
	}
	const from = "2099-05-02 20:00:00"
	event := func(title string, seats int, stepFree bool) {
		body := must.Get(json.Marshal(map[string]any{
			"title": title, "start_date": from, "end_date": from, "seats": seats, "step_free": stepFree,
		}))(t)
		if w := ask(http.MethodPost, "/agenda/wp-json/vendor/events/v1/events", string(body)); w.Code != http.StatusCreated {
			t.Fatal(w.Code, w.Body)
		}
	}
	event("Choir in the mill", 120, true)
	event("Reading for few", 12, false)
	for _, c := range []struct {
		target string
		has    []string
		lacks  []string
	}{
		{"/", []string{`<header class="town">`, "Welcome to Riverton"}, nil},
		{"/robots.txt", []string{origin + "/agenda/sitemap.xml"}, nil},
		{"/town.css", []string{"--ground"}, nil},
		{"/agenda/", []string{
			`<header class="town">`, `<footer class="town">`, `<link rel="stylesheet" href="/town.css">`, `<meta name="author"`,
			`<link rel="canonical" href="https://riverton.example/agenda/">`, `<input type="number" name="seats_min"`, `name="step_free"`,
		}, []string{`class="brand"`, `class="bottom"`}},
		{"/agenda/event/choir-in-the-mill/", []string{
			`<dt>Seats</dt><dd><bdi>120</bdi></dd>`, `<dt>No steps</dt><dd><bdi>Yes</bdi></dd>`, `<header class="town">`,
		}, nil},
		{"/agenda/event/reading-for-few/", []string{"<dt>Seats</dt><dd><bdi>12</bdi></dd>", "<bdi>No</bdi>"}, nil},
		{"/agenda/?view=list&month=2099-05&seats_min=50", []string{
			"Choir in the mill", "Seats: from 50", `name="seats_min" value="50"`,
			`href="/agenda/feed/?seats_min=50"`, `href="/agenda/?month=2099-05&amp;seats_min=50"`,
		}, []string{"Reading for few"}},
		{"/agenda/?view=list&month=2099-05&step_free=0", []string{"Reading for few", "No steps: No"}, []string{"Choir in the mill"}},
		{"/agenda/feed/?seats_min=50&month=2099-05", []string{"Choir in the mill"}, []string{"Reading for few"}},
		{"/agenda/feed/json/?seats_max=50&month=2099-05", []string{"Reading for few"}, []string{"Choir in the mill"}},
		{"/agenda/?ical=1&month=2099-05&seats_min=50", []string{"Choir in the mill"}, []string{"Reading for few"}},
		{"/agenda/embed/new/?seats_min=50", []string{`filters="seats_min=50"`, `name="seats_min" value="50"`}, nil},
	} {
		w := ask(http.MethodGet, c.target, "")
		for _, text := range c.has {
			if !strings.Contains(w.Body.String(), text) {
				t.Errorf("%s lacks %s", c.target, text)
			}
		}
		for _, text := range c.lacks {
			if strings.Contains(w.Body.String(), text) {
				t.Errorf("%s has %s", c.target, text)
			}
		}
		if w.Code != http.StatusOK || t.Failed() {
			t.Fatal(c.target, w.Code, w.Body)
		}
	}
	for _, query := range []string{"seats_min=x", "seats_min=1&seats_min=2", "seats_min=5&seats_max=1"} {
		if w := ask(http.MethodGet, "/agenda/?"+query, ""); w.Code != http.StatusNotFound {
			t.Error(query, w.Code, fmt.Sprintf("%.200s", w.Body))
		}
	}
}
