package rest_test

import (
	"context"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/change"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/test/golden"
)

// leaf is a format that only these tests use.
var leaf = &rest.Format{Name: "ics", Media: "text/calendar", About: "about"}

// offering returns a server whose items are also available as leaves.
func offering() *server {
	s := newServer(func(_ context.Context, r *rest.Request) (*rest.Response, error) {
		if r.NotModified("print") {
			return nil, nil
		}
		r.Out.Object()
		r.Out.KeyInt("id", 1)
		r.Out.End()
		return nil, nil
	})
	s.Routes[0].Operations[0].Offer(leaf, func(_ context.Context, r *rest.Request) (*rest.Response, error) {
		if !r.NotModified("print") {
			r.Out.Piece([]byte("leaf"))
		}
		return nil, nil
	})
	s.Routes[0].Operations[0].List = true
	return s
}

// TestFormats checks that the parameter determines the format, and without it the header.
func TestFormats(t *testing.T) {
	s := offering()
	golden.Each(t, "formats.txt", func(query, accept, want string) {
		w := s.do("GET", "/items?"+query, "", "Accept", accept)
		got, media, vary := "json", "application/json; charset=UTF-8", "Authorization, Cookie, Origin"
		if w.Body.String() == "leaf" {
			got, media = "leaf", "text/calendar; charset=utf-8"
		}
		if query == "" {
			vary += ", Accept"
		}
		if got != want || w.Code != http.StatusOK || w.Header().Get("Content-Type") != media || w.Header().Get("Vary") != vary {
			t.Errorf("%q, Accept %q: %s %d %v, want %s", query, accept, w.Body, w.Code, w.Header(), want)
		}
		head := s.do("HEAD", "/items?"+query, "", "Accept", accept)
		if head.Code != http.StatusOK || head.Body.Len() > 0 || head.Header().Get("Content-Type") != media ||
			head.Header().Get("Content-Length") != w.Header().Get("Content-Length") {
			t.Errorf("HEAD %q, Accept %q: %d %v", query, accept, head.Code, head.Header())
		}
	})
	for _, other := range []string{"/items/1", "/items/by-slug/a"} { // these exist as JSON only
		w := s.do("GET", other, "", "Accept", "text/calendar")
		if w.Body.String() != `{"id":1}` || strings.Contains(w.Header().Get("Vary"), "Accept") {
			t.Errorf("%s: %s %v", other, w.Body, w.Header())
		}
	}
	if w := s.do("GET", "/items", `{"_format":"ics"}`, "Content-Type", "application/json"); w.Body.String() != "leaf" {
		t.Errorf("in a body: %s", w.Body)
	}
}

// TestRefusedFormats checks that unknown formats, and options of JSON with other formats, are rejected with a JSON
// error that names them.
func TestRefusedFormats(t *testing.T) {
	s := offering()
	for query, want := range map[string]string{
		"_format=pdf": "_format", "_format=": "_format", "_format=ICS": "_format", "_format[]=ics": "_format",
		"_format=ics&_fields=id": "_fields", "_format=ics&_fields": "_fields", "_format=ics&_pretty": "_pretty",
		"_format=ics&_fields=id&_pretty=1": "_fields _pretty",
	} {
		w := s.do("GET", "/items?"+query, "")
		if code(t, w) != "rest_invalid_param" || w.Code != http.StatusBadRequest ||
			!strings.HasPrefix(w.Header().Get("Content-Type"), "application/json") || w.Header().Get("ETag") != "" {
			t.Errorf("%s: %d %s %v", query, w.Code, w.Body, w.Header())
		}
		for name := range strings.FieldsSeq(want) {
			if !strings.Contains(strings.ReplaceAll(w.Body.String(), " ", ""), `"`+name+`":"en:fault_`) {
				t.Errorf("%s: %s does not name %s", query, w.Body, name)
			}
		}
	}
	w := s.do("GET", "/items?_envelope", "", "Accept", "text/calendar")
	if !strings.Contains(w.Body.String(), `"params":{"_envelope":"en:fault_json_only"}`) ||
		!strings.Contains(w.Body.String(), `"status":400`) {
		t.Errorf("an envelope: %d %s", w.Code, w.Body)
	}
	if w := s.do("GET", "/items?_jsonp=x&_format=ics", ""); code(t, w) != "rest_callback_disabled" {
		t.Errorf("a callback: %s", w.Body)
	}
}

// TestFormatsApart checks that each format has separate validators and cached answers.
func TestFormatsApart(t *testing.T) {
	s := offering()
	s.Answers = rest.NewAnswerCache(1<<20, 0)
	still := change.Still(0)
	s.Prepare = func(ctx context.Context, _ *call.Root, _ time.Duration) (context.Context, bool, error) {
		return change.With(ctx, still), true, nil
	}
	tags := map[string]string{}
	for range 2 {
		for _, accept := range []string{"", "text/calendar"} {
			w := s.do("GET", "/items", "", "Accept", accept)
			want := map[string]string{"": `{"id":1}`, "text/calendar": "leaf"}[accept]
			if w.Body.String() != want {
				t.Errorf("Accept %q: %s", accept, w.Body)
			}
			tags[accept] = w.Header().Get("ETag")
		}
	}
	if tags[""] == tags["text/calendar"] || s.Answers.Stats().Hits != 2 || s.Answers.Stats().Misses != 2 {
		t.Errorf("validators %q, %+v", tags, s.Answers.Stats())
	}
	for accept, tag := range tags {
		same, other := s.do("GET", "/items", "", "Accept", accept, "If-None-Match", tag), "text/calendar"
		if accept == other {
			other = ""
		}
		if same.Code != http.StatusNotModified || same.Body.Len() > 0 {
			t.Errorf("Accept %q: %d %s", accept, same.Code, same.Body)
		}
		if w := s.do("GET", "/items", "", "Accept", other, "If-None-Match", tag); w.Code != http.StatusOK {
			t.Errorf("Accept %q with the validator of another format: %d", other, w.Code)
		}
	}
}
