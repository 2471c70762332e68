package calendar_test

import (
	"bytes"
	"log/slog"
	"net/http"
	"strings"
	"testing"

	"github.com/nicksnyder/go-i18n/v2/i18n"
	"golang.org/x/text/language"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/contract"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
)

// roots contains the root of the API in each language, and the message for an event that does not exist.
var roots = map[string]struct{ root, noEvent string }{
	"en": {contract.Root, "There is no event with the id 999999."},
	"nl": {"http://site.test/nl/wp-json/" + namespace, "Er is geen evenement met de id 999999."},
	"fr": {"http://site.test/fr/wp-json/" + namespace, "Aucun événement n’a l’identifiant 999999."},
}

// TestLanguageOptions checks that the parameter for the language can have another name, that a language without
// messages answers in English, and that addresses in answers are those of the language.
func TestLanguageOptions(t *testing.T) {
	db := testdb.SiteA(t)
	h := contract.Handler(t, calendar.Options{DB: db, Now: frozen, LanguageParam: "lang", Languages: []calendar.Language{
		{Tag: "nl-BE", BaseURL: contract.Site + "/wp-json"},
		{Tag: "sv", BaseURL: contract.Site + "/sv", SiteURL: "https://www.site.test/sv/"},
	}})
	dutch, english := get(h, "/events/999999?i18n_language=xx"), get(h, "/events/999999?lang=sv")
	if decode(t, dutch).Message == decode(t, english).Message || dutch.Header().Get("Content-Language") != "nl-BE" ||
		english.Header().Get("Content-Language") != "sv" {
		t.Errorf("nl-BE: %s, sv: %s", dutch.Body, english.Body)
	}
	if decode(t, english).Message != roots["en"].noEvent {
		t.Errorf("without texts of its own: %s", english.Body)
	}
	wantError(t, get(h, "/events/25?lang=nl"), http.StatusBadRequest, "rest_invalid_param")
	body := get(h, contract.Site+"/sv/"+namespace+"/events/25").Body.String()
	if !strings.Contains(body, `"url":"https:\/\/www.site.test\/sv\/event\/`+eventSlug+`\/"`) ||
		!strings.Contains(body, `"rest_url":"http:\/\/site.test\/sv\/tribe`) {
		t.Errorf("addresses: %.600s", body)
	}
}

// TestTextsOption checks that a host's bundle can add a language, for the index, the documentation and errors, and can
// replace messages of the calendar. A message that the language lacks is in English, and is logged once.
func TestTextsOption(t *testing.T) {
	texts := i18n.NewBundle(language.English)
	for tag, messages := range map[string][]*i18n.Message{
		"sv": {
			{ID: "error_event_not_found", Other: "Inget evenemang har numret {{.ID}}."},
			{ID: "error_invalid_param", One: "Felaktig: {{.Names}}", Other: "Felaktiga: {{.Names}}"},
			{ID: "param_events_starts_before", Other: "Evenemang innan detta datum."},
			{ID: "summary_events_list", Other: "Lista evenemang"},
		},
		"en": {{ID: "error_event_not_found", Other: "Event {{.ID}} has left the building."}},
	} {
		must.Succeed(t, texts.AddMessages(language.MustParse(tag), messages...))
	}
	log := new(bytes.Buffer)
	h := contract.Handler(t, calendar.Options{
		DB: testdb.SiteA(t), Now: frozen, Texts: texts, Logger: slog.New(slog.NewTextHandler(log, nil)), Languages: []calendar.Language{
			{Tag: "en", BaseURL: contract.Site + "/wp-json"}, {Tag: "sv", BaseURL: contract.Site + "/sv"},
			{Tag: "fr", BaseURL: contract.Site + "/fr"},
		},
	})
	swedish := contract.Site + "/sv/" + namespace
	root := strings.NewReplacer("/sv", swedish, "/fr", contract.Site+"/fr/"+namespace)
	golden.Each(t, "host-texts.txt", func(address, tag, text string) {
		w := get(h, root.Replace(address))
		if w.Header().Get("Content-Language") != tag || !strings.Contains(w.Body.String(), text) {
			t.Errorf("%s: in %s, without %s: %.300s", address, w.Header().Get("Content-Language"), text, w.Body)
		}
	})
	logged := log.String()
	for _, id := range []string{"id=param_events_starts_after", "id=fault_positive"} {
		if strings.Count(logged, id+" language=sv\n") != 1 || strings.Count(logged, id+" ") != 1 {
			t.Errorf("%s is not logged once: %s", id, logged)
		}
	}
	get(h, swedish)
	if log.String() != logged {
		t.Errorf("a second index logs again: %s", log.String()[len(logged):])
	}
}
