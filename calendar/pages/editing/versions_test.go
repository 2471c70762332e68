package editing_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/must"
)

// On a site whose items have languages, the form contains the item whose translation an event is, by its title or its
// number.
func TestVersions(t *testing.T) {
	f := ownSite(t, func(o *calendar.Options) {
		_, err := o.DB.NewRaw("CREATE TABLE wp_icl_translations (translation_id bigint NOT NULL AUTO_INCREMENT PRIMARY KEY, " +
			"element_type varchar(60) NOT NULL, element_id bigint, trid bigint NOT NULL, language_code varchar(7) NOT NULL, " +
			"source_language_code varchar(7), UNIQUE KEY (element_type, element_id), UNIQUE KEY (trid, language_code))").Exec(t.Context())
		must.Succeed(t, err)
		o.Site.Translations = calendar.TranslationsTable
	})
	b := f.as("editor1")
	add := func(path, title string, more ...string) int {
		t.Helper()
		return b.fillIn(path, "publish", append([]string{"title", title, "day", "2026-12-01", "from", "20:00"}, more...)...).Code
	}
	group := func(title string) string {
		t.Helper()
		return f.value("SELECT GROUP_CONCAT(language_code ORDER BY language_code) FROM wp_icl_translations WHERE trid = "+
			"(SELECT trid FROM wp_icl_translations WHERE element_type = 'post_tribe_events' AND element_id = ?)", f.stored(title, "ID"))
	}
	const english, dutch = "/edit/events/new/", "/nl/edit/events/new/"
	if code := add(english, "Fair"); code != http.StatusSeeOther {
		t.Fatal(code)
	}
	fair := f.stored("Fair", "ID")
	if a := b.get(dutch); !strings.Contains(a.Body.String(), `<option value="Fair (2026-12-01) #`+fair+`">`) {
		t.Error("the other one is not offered")
	}
	if code := add(dutch, "Kermis", "translation_of", "fair"); code != http.StatusSeeOther || group("Kermis") != "en,nl" {
		t.Fatal(code, group("Kermis"))
	}
	path := "/edit/events/" + f.stored("Kermis", "ID") + "/"
	form := formOf(t, b.get(path))
	if got := form.Get("translation_of"); got != "Fair (2026-12-01) #"+fair {
		t.Error(got)
	}
	wantCode(t, b.again(path, form, "save", "title", "Kermis!"), http.StatusSeeOther)
	if group("Kermis!") != "en,nl" {
		t.Error("a form that says nothing else of it changed it")
	}
	if copied := formOf(t, b.get("/edit/events/new/?copy="+f.stored("Kermis!", "ID"))); copied.Get("translation_of") != "" {
		t.Error("a copy would be a version")
	}
	refused := func(path, of, said string) {
		t.Helper()
		a := b.fillIn(path, "publish", "title", "Markt", "day", "2026-12-01", "from", "20:00", "translation_of", of)
		wantCode(t, a, http.StatusUnprocessableEntity)
		if wrong := strings.Join(wrongs(a), "|"); !strings.Contains(wrong, said) || formOf(t, a).Get("translation_of") != of {
			t.Errorf("%q: %s", of, wrong)
		}
	}
	refused(dutch, "#"+fair, "Er is al een vertaling in deze taal.")
	refused(dutch, "Fancy", "Er is geen item ‘Fancy’ in een andere taal.")
	refused(english, fair, "That item is in the same language. Use the id of an item in another language.")
	wantCode(t, b.fillIn(path, "save", "translation_of", ""), http.StatusSeeOther)
	if group("Kermis!") != "nl" || group("Fair") != "en" {
		t.Error(group("Kermis!"), group("Fair"))
	}
	if code := add(english, "Fair"); code != http.StatusSeeOther {
		t.Fatal(code)
	}
	refused(dutch, "Fair", "Meerdere items heten ‘Fair’")
	wantCode(t, b.fillIn(path, "save", "translation_of", fair), http.StatusSeeOther)
	if group("Kermis!") != "en,nl" {
		t.Error(group("Kermis!"))
	}
	for kind, name := range map[string]string{"venues": "venue", "organizers": "organizer"} {
		wantCode(t, b.fillIn("/edit/"+kind+"/new/", "publish", name, "Barn"), http.StatusSeeOther)
		wantCode(t, b.fillIn("/nl/edit/"+kind+"/new/", "publish", name, "Schuur", "translation_of", "Barn"), http.StatusSeeOther)
	}
	if got := f.value("SELECT COUNT(*) FROM wp_icl_translations WHERE source_language_code = 'en'"); got != "3" {
		t.Error(got, "versions")
	}
	if formOf(t, ownSite(t).as("editor1").get(dutch)).Has("translation_of") {
		t.Error("a site without languages has versions")
	}
}
