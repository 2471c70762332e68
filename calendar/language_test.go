package calendar_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/suite"
	"github.com/agendahq/agenda/internal/testdb"
)

// roots are the language versions, and the text of one error in them.
var roots = map[string]struct{ root, noEvent string }{
	"en": {suite.Root, "There is no event with the id 999999."},
	"nl": {"http://site.test/nl/wp-json/" + namespace, "Er is geen evenement met de id 999999."},
	"fr": {"http://site.test/fr/wp-json/" + namespace, "Aucun événement n’a l’identifiant 999999."},
}

// TestLanguages: a root answers in its language, the parameter asks for another.
func TestLanguages(t *testing.T) {
	h := siteHandler(t)
	for tag, r := range roots {
		w := get(h, r.root+"/events/999999")
		if a := wantError(t, w, http.StatusNotFound, "rest-event-not-found"); a.Message != r.noEvent || w.Header().Get("Content-Language") != tag {
			t.Errorf("%s: %q in %q", tag, a.Message, w.Header().Get("Content-Language"))
		}
	}
	for tag, r := range roots {
		for other := range roots {
			for name, w := range map[string]*httptest.ResponseRecorder{
				"query":   get(h, r.root+"/events/999999?i18n_language="+other),
				"body":    send(h, http.MethodGet, r.root+"/events/999999?i18n_language="+tag, `{"i18n_language":"`+other+`"}`, asJSON),
				"doubled": get(h, r.root+"/events/999999?i18n_language="+tag+"&i18n_language="+other),
			} {
				if a := decode(t, w); a.Message != roots[other].noEvent || w.Header().Get("Content-Language") != other {
					t.Errorf("%s, asked in the %s for %s: %q, Content-Language %q", tag, name, other, a.Message, w.Header().Get("Content-Language"))
				}
			}
			w := get(h, r.root+"/events/25?i18n_language="+other)
			address := strings.ReplaceAll(r.root, "/", `\/`)
			if w.Header().Get("Content-Language") != other || !strings.Contains(w.Body.String(), `"rest_url":"`+address+`\/events\/25"`) {
				t.Errorf("%s asked for %s: %q, %.800s", tag, other, w.Header().Get("Content-Language"), w.Body)
			}
		}
		for _, value := range []string{"de", "EN", "en-GB", "", "en,nl", "%20en", "0"} {
			for _, path := range []string{"", "/doc", "/events", "/events/25", "/events/999999", "/venues/by-slug/" + venueSlug, "/tags", "/categories/6"} {
				w := get(h, r.root+path+"?i18n_language="+value)
				a := wantError(t, w, http.StatusBadRequest, "rest_invalid_param")
				if !strings.Contains(a.Message, "i18n_language") || w.Header().Get("Content-Language") != tag {
					t.Errorf("%q: %q in %s", value, a.Message, w.Header().Get("Content-Language"))
				}
			}
		}
		if w := get(h, r.root+"/nothing?i18n_language=de"); w.Code != http.StatusNotFound || w.Header().Get("Content-Language") != tag {
			t.Errorf("no route in no language: %d %s", w.Code, w.Header().Get("Content-Language"))
		}
	}
}

// TestLocalizedIndex: descriptions are in the language of the root, or in the
// one that is asked for.
func TestLocalizedIndex(t *testing.T) {
	h := siteHandler(t)
	bodies := map[string]string{}
	for tag, r := range roots {
		bodies[tag] = get(h, r.root).Body.String()
		if entry := send(h, http.MethodOptions, r.root+"/events", "").Body.String(); !strings.Contains(bodies[tag], entry) {
			t.Errorf("%s: OPTIONS is not in the index: %.300s", tag, entry)
		}
		if !strings.Contains(bodies[tag], `"href":"`+strings.ReplaceAll(r.root, "/", `\/`)+`\/events"`) {
			t.Errorf("%s: the addresses are not under the root", tag)
		}
	}
	described := func(body string) string {
		_, text, _ := strings.Cut(body, `"starts_before":{"description":"`)
		text, _, _ = strings.Cut(text, `"`)
		return text
	}
	if en, nl, fr := described(bodies["en"]), described(bodies["nl"]), described(bodies["fr"]); en == "" || nl == "" || fr == "" || en == nl || en == fr || nl == fr {
		t.Errorf("descriptions: %q, %q, %q", en, nl, fr)
	}
	for tag := range roots {
		if got := described(get(h, "?i18n_language="+tag).Body.String()); got != described(bodies[tag]) {
			t.Errorf("the English index asked for in %s: %q", tag, got)
		}
		options := send(h, http.MethodOptions, "/events?i18n_language="+tag, "").Body.String()
		if got := described(options); got != described(bodies[tag]) {
			t.Errorf("OPTIONS asked for in %s: %q", tag, got)
		}
	}
}

// TestLanguageOptions: another name of the parameter, and a language without
// texts of its own.
func TestLanguageOptions(t *testing.T) {
	db := testdb.SiteA(t)
	h := suite.Handler(t, calendar.Options{DB: db, Now: frozen, LanguageParam: "lang", Languages: []calendar.Language{
		{Tag: "nl-BE", BaseURL: suite.Site + "/wp-json"}, {Tag: "de", BaseURL: suite.Site + "/de", SiteURL: "https://www.site.test/de/"},
	}})
	dutch, english := get(h, "/events/999999?i18n_language=xx"), get(h, "/events/999999?lang=de")
	if decode(t, dutch).Message == decode(t, english).Message || dutch.Header().Get("Content-Language") != "nl-BE" || english.Header().Get("Content-Language") != "de" {
		t.Errorf("nl-BE: %s, de: %s", dutch.Body, english.Body)
	}
	if decode(t, english).Message != roots["en"].noEvent {
		t.Errorf("without texts of its own: %s", english.Body)
	}
	wantError(t, get(h, "/events/25?lang=nl"), http.StatusBadRequest, "rest_invalid_param")
	body := get(h, suite.Site+"/de/"+namespace+"/events/25").Body.String()
	if !strings.Contains(body, `"url":"https:\/\/www.site.test\/de\/event\/`+eventSlug+`\/"`) || !strings.Contains(body, `"rest_url":"http:\/\/site.test\/de\/tribe`) {
		t.Errorf("addresses: %.600s", body)
	}
}
