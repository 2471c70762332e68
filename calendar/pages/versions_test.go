package pages

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
)

const root = "/wp-json/vendor/events/v1"

// withLanguage adds the members about its language to an item.
func withLanguage(item, language, translations string) string {
	return strings.Replace(item, "{", `{"language":"`+language+`","translations":`+translations+`,`, 1)
}

// translatedAPI returns an API with an event in French and English, on a site that also has Dutch.
func translatedAPI() *fakeAPI {
	api := newFake()
	party := withLanguage(partyEvent, "fr", `{"en":{"id":29,"url":"http://demo.example/event/park-party/"}}`)
	lonely := withLanguage(partyEvent, "fr", `[]`)
	api.items = map[string]string{}
	for _, prefix := range []string{"", "/nl", "/fr"} {
		api.items[prefix+root+"/events/by-slug/fete-au-parc"] = party
		api.items[prefix+root+"/events/by-slug/seule"] = lonely
	}
	return api
}

// TestPasswordInAnotherLanguage checks that a password is sent to the page that shows the event, without a redirect.
func TestPasswordInAnotherLanguage(t *testing.T) {
	opened := httptest.NewRequest(http.MethodPost, "/event/fete-au-parc/", strings.NewReader("password=x"))
	opened.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	expect(t, send(t, translatedAPI(), opened), 200, `<h1 lang="fr">`)
}

// thingsAPI returns an API whose venue, organizer, category and tag have translations.
func thingsAPI() *fakeAPI {
	api := newFake()
	term := `{"total":1,"total_pages":1,"categories":[` + withLanguage(categoryTerms[2], "en",
		`{"fr":{"id":8,"url":"http://demo.example/fr/events/category/musique/rock-fr/"}}`) + `]}`
	tag := `{"total":1,"total_pages":1,"tags":[` +
		withLanguage(tagTerms[0], "en", `{"nl-BE":{"id":10,"url":"http://demo.example/nl/tag/eten/"}}`) +
		`]}`
	api.items = map[string]string{
		root + "/venues/by-slug/molenpark": withLanguage(parkVenue, "en",
			`{"fr":{"id":51,"url":"http://demo.example/fr/lieu/parc-du-moulin"}}`),
		root + "/organizers/by-slug/beekdal": withLanguage(valleyOrganizer, "en",
			`{"nl-BE":{"id":61,"url":"http://demo.example/nl/?tribe_organizer=de-vallei"}}`),
		root + "/categories": term, root + "/tags": tag, "/fr" + root + "/tags": `{"total":0,"total_pages":0,"tags":[]}`,
		"/nl" + root + "/categories": term,
	}
	return api
}

func TestAddressesOfVersions(t *testing.T) {
	for address, want := range map[string]string{
		"http://demo.example/event/a-b/": "a-b", "http://demo.example/fr/event/%d0%bf": "%d0%bf", "http://demo.example/?tag=x": "x",
		"http://demo.example/fr/?p=8": "", "": "", "http://demo.example/": "", "http://[": "",
	} {
		item := calendar.Localized{Language: "en", Translations: map[string]calendar.Translation{"fr": {URL: address}}}
		if got := slugIn(item, "fr"); got != want || slugIn(item, "nl") != "" {
			t.Errorf("%s: %q, want %q", address, got, want)
		}
	}
}
