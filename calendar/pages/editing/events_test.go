package editing_test

import (
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// withSeries creates the tables for recurring events of standalone sites.
func withSeries(t *testing.T) func(*calendar.Options) {
	return func(o *calendar.Options) {
		must.Succeed(t, schema.InstallDates(t.Context(), o.DB, "wp_"))
	}
}

// stored returns an expression over the row of the event with a title.
func (f *fixture) stored(title, what string) string {
	return f.value("SELECT " + what + " FROM wp_posts WHERE post_type = 'tribe_events' AND post_title = '" + title + "'")
}

func (f *fixture) meta(title, key string) string {
	return f.value("SELECT COALESCE(MAX(meta_value), '') FROM wp_postmeta WHERE meta_key = ? AND post_id = ("+
		"SELECT MAX(ID) FROM wp_posts WHERE post_type = 'tribe_events' AND post_title = ?)", key, title)
}

// TestWeeklyRehearsal checks that a weekly event is stored as entered. Without an end, the form asks for one, suggests
// a year, and shows the occurrences.
func TestWeeklyRehearsal(t *testing.T) {
	f := ownSite(t, withSeries(t))
	b := f.as("editor1")
	given := []string{"title", "Rehearsal", "day", "2026-12-01", "from", "20:00", "to", "22:00", "repeats", "weekly", "venue", "New Barn",
		"venue_city", "Gent", "cost", "5", "text", "Bring:\n- your voice\n\nSee https://example.org."}
	a := b.fillIn("/edit/events/new/", "publish", given...)
	wantCode(t, a, http.StatusUnprocessableEntity)
	form := formOf(t, a)
	if form.Get("until") != "2027-12-01" || !strings.Contains(a.Body.String(), "Until when?") ||
		!strings.Contains(a.Body.String(), "Tuesday 8 December 2026, 20:00") || form.Get("title") != "Rehearsal" {
		t.Errorf("without an end: %v\n%s", form, a.Body)
	}
	a = b.again("/edit/events/new/", form, "publish", "until", "2026-12-31", "skip", "2026-12-22")
	wantCode(t, a, http.StatusSeeOther)
	id := f.stored("Rehearsal", "ID")
	if got := f.stored("Rehearsal", "CONCAT(post_status, ' ', post_author)"); got != "publish 2" {
		t.Error(got)
	}
	if got := f.value("SELECT GROUP_CONCAT(start_date ORDER BY start_date) FROM wp_tec_occurrences WHERE post_id = ?", id); got !=
		"2026-12-01 20:00:00,2026-12-08 20:00:00,2026-12-15 20:00:00,2026-12-29 20:00:00" {
		t.Error(got)
	}
	if got := f.value("SELECT post_title FROM wp_posts WHERE ID = ?", f.meta("Rehearsal", "_EventVenueID")); got != "New Barn" {
		t.Error(got)
	}
	if got := f.stored("Rehearsal", "post_content"); !strings.Contains(got, `<ul class="wp-block-list">`) ||
		!strings.Contains(got, `<a href="https://example.org">`) {
		t.Error(got)
	}
	if f.meta("Rehearsal", "_EventCost") != "5" {
		t.Error(f.meta("Rehearsal", "_EventCost"))
	}
	// Sending the form again unchanged writes no row.
	before := f.stored("Rehearsal", "post_modified_gmt")
	f.wait(3600e9)
	path := "/edit/events/" + id + "/"
	wantCode(t, b.fillIn(path, "save"), http.StatusSeeOther)
	if after := f.stored("Rehearsal", "post_modified_gmt"); after != before {
		t.Error("nothing was changed, but the event is of", after)
	}
	a = b.fillIn(path, "save", "day", "2026-12-02", "text", "Only this")
	wantCode(t, a, http.StatusSeeOther)
	if got := f.value("SELECT GROUP_CONCAT(start_date ORDER BY start_date) FROM wp_tec_occurrences WHERE post_id = ?",
		id); !strings.HasPrefix(got,
		"2026-12-02 20:00:00,2026-12-09 20:00:00,2026-12-16 20:00:00,2026-12-23") {
		t.Error(got)
	}
}

// TestOneDate checks that one occurrence of a recurring event can be moved or removed without any other change.
func TestOneDate(t *testing.T) {
	f := ownSite(t, withSeries(t))
	b := f.as("editor1")
	wantCode(t, b.fillIn("/edit/events/new/", "publish", "title", "Choir", "day", "2026-12-01", "from", "20:00", "to", "22:00",
		"repeats", "weekly",
		"until", "2026-12-31"), http.StatusSeeOther)
	id := f.stored("Choir", "ID")
	starts := func() string {
		return f.value("SELECT GROUP_CONCAT(start_date ORDER BY start_date) FROM wp_tec_occurrences WHERE post_id = ?", id)
	}
	a := b.get("/edit/events/" + id + "/")
	if !strings.Contains(a.Body.String(), "/edit/events/"+id+"/dates/2026-12-08-200000/") {
		t.Fatal(a.Body)
	}
	day := "/edit/events/" + id + "/dates/2026-12-08-200000/"
	wantCode(t, b.fillIn(day, "move", "day", "2026-12-09", "from", "x"), http.StatusUnprocessableEntity)
	wantCode(t, b.fillIn(day, "move", "day", "2026-12-09", "from", "19:00"), http.StatusSeeOther)
	if got := starts(); got != "2026-12-01 20:00:00,2026-12-09 19:00:00,2026-12-15 20:00:00,2026-12-22 20:00:00,2026-12-29 20:00:00" {
		t.Fatal(got)
	}
	form := formOf(t, b.get("/edit/events/"+id+"/"))
	if form.Get("dates") != "2026-12-09 19:00-22:00" || form.Get("skip") != "2026-12-08" {
		t.Error(form)
	}
	for _, day := range []string{"2026-12-09-190000", "2026-12-22-200000", "2026-12-01-200000"} {
		wantCode(t, b.post("/edit/events/"+id+"/dates/"+day+"/", url.Values{"act": {"skip"}}), http.StatusSeeOther)
	}
	if got := starts(); got != "2026-12-15 20:00:00,2026-12-29 20:00:00" {
		t.Error(got)
	}
	wantCode(t, b.get("/edit/events/"+id+"/dates/2026-12-02-200000/"), http.StatusNotFound)
}

// TestTwoEditors checks that fields that two users changed at the same time are shown side by side, and that the second
// one chooses.
func TestTwoEditors(t *testing.T) {
	f := ownSite(t)
	one, two := f.as("editor1"), f.as("admin")
	wantCode(t, one.fillIn("/edit/events/new/", "publish", "title", "Fair", "day", "2026-12-01", "from", "10:00", "cost", "1"),
		http.StatusSeeOther)
	path := "/edit/events/" + f.stored("Fair", "ID") + "/"
	first, second := formOf(t, one.get(path)), formOf(t, two.get(path))
	wantCode(t, one.again(path, first, "save", "from", "11:00", "cost", "2"), http.StatusSeeOther)
	a := two.again(path, second, "save", "day", "2026-12-02", "cost", "3", "title", "Fair <b>2</b>")
	wantCode(t, a, http.StatusPreconditionFailed)
	if body := a.Body.String(); !strings.Contains(body, "Someone else changed this") || !strings.Contains(body, "2026-12-01 · 11:00") {
		t.Error(body)
	}
	if f.meta("Fair", "_EventCost") != "2" {
		t.Error("the change of the other was overwritten")
	}
	form := formOf(t, a)
	if form.Get("cost") != "3" || form.Get("title") != "Fair <b>2</b>" {
		t.Error(form)
	}
	wantCode(t, two.again(path, form, "save", "keep.when", "theirs", "title", "Fair 2"), http.StatusSeeOther)
	if got := f.meta("Fair 2", "_EventStartDate") + " " + f.meta("Fair 2", "_EventCost"); got != "2026-12-01 11:00:00 3" {
		t.Error(got)
	}
	// Fields that only one of them changed are not in conflict.
	first, second = formOf(t, one.get(path)), formOf(t, two.get(path))
	wantCode(t, one.again(path, first, "save", "website", "tickets.example.org"), http.StatusSeeOther)
	wantCode(t, two.again(path, second, "save", "cost", "4"), http.StatusSeeOther)
	if got := f.meta("Fair 2", "_EventURL") + " " + f.meta("Fair 2", "_EventCost"); got != "https://tickets.example.org 4" {
		t.Error(got)
	}
	// If the event was deleted, the form says so and keeps the values.
	wantCode(t, one.post(path+"do/", url.Values{"act": {"bin"}}), http.StatusSeeOther)
	a = two.again(path, second, "save", "cost", "9")
	if a.Code < 400 || a.Code >= 500 || !strings.Contains(a.Body.String(), `value="9"`) {
		t.Errorf("%d %s", a.Code, a.Body)
	}
}

// TestRolesOfForms checks the rights of each role: what a contributor publishes is pending, and items of others require
// the right to edit them.
func TestRolesOfForms(t *testing.T) {
	f := ownSite(t)
	wantCode(t, f.as("sub1").get("/edit/events/new/"), http.StatusForbidden)
	wantCode(t, f.as("").get("/edit/events/new/"), http.StatusSeeOther)
	con, author := f.as("contrib1"), f.as("author1")
	if body := con.get("/edit/events/new/").Body.String(); !strings.Contains(body, "Send for review") {
		t.Error(body)
	}
	wantCode(t, con.fillIn("/edit/events/new/", "publish", "title", "Wait", "day", "2026-12-01", "from", "10:00"), http.StatusSeeOther)
	wantCode(t, author.fillIn("/edit/events/new/", "publish", "title", "Own", "day", "2026-12-01", "from", "10:00"), http.StatusSeeOther)
	if f.stored("Wait", "post_status") != "pending" || f.stored("Own", "post_status") != "publish" {
		t.Error(f.stored("Wait", "post_status"), f.stored("Own", "post_status"))
	}
	for title, b := range map[string]*browser{"Wait": author, "Own": con} {
		path := "/edit/events/" + f.stored(title, "ID") + "/"
		if a := b.get(path); a.Code != http.StatusForbidden {
			t.Errorf("%s: %d", title, a.Code)
		}
		if a := b.post(path, url.Values{"act": {"save"}, "was": {`{"title":["x"]}`}, "title": {"Taken"}}); a.Code != http.StatusForbidden &&
			a.Code != http.StatusUnprocessableEntity {
			t.Errorf("%s: %d %s", title, a.Code, a.Body)
		}
		if a := b.post(path+"do/", url.Values{"act": {"bin"}}); a.Code != http.StatusForbidden {
			t.Errorf("%s: %d", title, a.Code)
		}
	}
	if f.stored("Wait", "post_status") != "pending" || f.stored("Own", "post_status") != "publish" {
		t.Error("somebody else wrote them")
	}
	wantCode(t, con.get("/edit/categories/"), http.StatusForbidden)
	wantCode(t, author.fillIn("/edit/categories/new/", "save", "name", "Choirs & more"), http.StatusSeeOther)
	if !strings.Contains(author.get("/edit/categories/?q=choirs").Body.String(), "Choirs &amp; more") {
		t.Error("the category is not in the list")
	}
}

// TestPreview checks that a preview writes no row and shows what would be stored, filtered according to the author's
// rights.
func TestPreview(t *testing.T) {
	f := ownSite(t)
	b := f.as("contrib1")
	count := func() string {
		return f.value("SELECT CONCAT((SELECT COUNT(*) FROM wp_posts), ' ', (SELECT COUNT(*) FROM wp_postmeta), ' ', " +
			"(SELECT COUNT(*) FROM wp_tec_occurrences), ' ', (SELECT COUNT(*) FROM wp_terms))")
	}
	before := count()
	a := b.fillIn("/edit/events/new/", "preview", "title", "Fete <i>x</i><script>alert(1)</script>", "day", "2026-12-01", "from",
		"10:00", "to", "12:00",
		"venue", "Somewhere", "venue_city", "Gent", "text", "**Hello** <img src=x onerror=alert(1)>")
	wantCode(t, a, http.StatusOK)
	body := a.Body.String()
	for _, want := range []string{"Nothing is saved yet", "<strong>Hello</strong>", "Tuesday 1 December 2026, 10:00–12:00",
		"Somewhere, Gent"} {
		if !strings.Contains(body, want) {
			t.Errorf("no %s in %s", want, body)
		}
	}
	if strings.Contains(body, "<script>alert") || strings.Contains(body, "<img src=x") {
		t.Error(body)
	}
	if after := count(); after != before {
		t.Errorf("%s rows were %s", after, before)
	}
	if form := formOf(t, a); form.Get("title") == "" || form.Get("venue") != "Somewhere" {
		t.Error(form)
	}
}

// TestPreviewShowsAllFields checks that a preview also shows organizers, tags, further dates and the host's own fields
// that the user may read, and what venues and organizers have.
func TestPreviewShowsAllFields(t *testing.T) {
	f := ownSite(t, withSeries(t), func(o *calendar.Options) {
		o.Fields = []calendar.Field{
			{Kind: "events", Name: "seats", Key: "seats", Type: calendar.FieldNumber, Label: "Seats",
				Labels: map[string]string{"nl": "Plaatsen"}},
			{Kind: "events", Name: "note", Key: "note", Type: calendar.FieldText, Label: "Note", Read: "manage_options"},
			{Kind: "venues", Name: "ramp", Key: "ramp", Type: calendar.FieldYesNo, Label: "Ramp"},
		}
		for i := range o.Fields {
			o.Fields[i].Description = "What it is."
		}
	})
	b := f.as("editor1")
	typed := []string{"title", "Fair", "day", "2026-12-01", "from", "10:00", "to", "12:00",
		"organizer", "Choir & Band", "organizer_new", "Choir & Band",
		"tags", "craft, wool & yarn", "dates", "2026-12-05 14:00-15:00", "own.seats", "40", "own.note", "secret"}
	for prefix, wants := range map[string][]string{
		"":    {"Organizer: Choir &amp; Band", "Tags: craft, wool &amp; yarn", "Other dates: 2026-12-05 14:00-15:00", "Seats: 40"},
		"/nl": {"Plaatsen: 40"},
	} {
		a := b.fillIn(prefix+"/edit/events/new/", "preview", typed...)
		wantCode(t, a, http.StatusOK)
		shown, _, _ := strings.Cut(a.Body.String(), "<form class=\"edit\"")
		for _, want := range wants {
			if !strings.Contains(shown, want) {
				t.Errorf("no %q in %s", want, shown)
			}
		}
		if strings.Contains(shown, "secret") || strings.Contains(shown, "Ramp") {
			t.Errorf("a field that the user may not read, or of venues, is in %s", shown)
		}
	}
	a := b.fillIn("/edit/venues/new/", "preview", "venue", "Barn", "city", "Gent", "phone", "09 1", "own.ramp", "1")
	shown, _, _ := strings.Cut(a.Body.String(), "<form class=\"edit\"")
	for _, want := range []string{"Town: Gent", "Telephone: 09 1", "Ramp: yes"} {
		if !strings.Contains(shown, want) {
			t.Errorf("no %q in %s", want, shown)
		}
	}
}

// TestNothingTypedIsHTML checks that input in every field is shown as text, not as HTML, and never causes a server
// error.
func TestNothingTypedIsHTML(t *testing.T) {
	f := ownSite(t, withSeries(t))
	b := f.as("admin")
	for _, attack := range []string{
		`"><script>alert(1)</script>`, `'"><img src=x onerror=alert(1)>`, `</textarea><svg onload=alert(1)>`, `javascript:alert(1)`,
		`{{7*7}}<!--`, `"onfocus=alert(1) autofocus="`, `</title><iframe src="javascript:alert(1)">`, "a\x00b\xff",
		"[x](javascript:alert(1))",
		`**<b onclick=alert(1)>**`, "[a](https://x.org/\"onclick=alert(1))", strings.Repeat("9", 400),
	} {
		for _, kind := range []string{"events", "venues", "organizers", "categories"} {
			form := formOf(t, b.get("/edit/"+kind+"/new/"))
			for name := range form {
				form[name] = []string{attack}
			}
			form.Set("was", "")
			a := b.again("/edit/"+kind+"/new/", form, "preview")
			if bad := hostile(t, a.Body.String()); a.Code >= http.StatusInternalServerError || bad != "" {
				t.Fatalf("%s %q: %d %s", kind, attack, a.Code, bad)
			}
		}
		a := b.fillIn("/edit/events/new/", "publish", "title", "Attack "+attack, "day", "2026-12-01", "from", "10:00", "text", attack,
			"cost", attack[:min(99, len(attack))])
		if a.Code == http.StatusSeeOther {
			id := f.value("SELECT MAX(ID) FROM wp_posts WHERE post_type = 'tribe_events'")
			for _, path := range []string{"/edit/events/", "/edit/events/" + id + "/"} {
				if bad := hostile(t, b.get(path).Body.String()); bad != "" {
					t.Errorf("%s after %q: %s", path, attack, bad)
				}
			}
			if bad := hostile(t, f.value("SELECT post_content FROM wp_posts WHERE ID = ?", id)); bad != "" {
				t.Errorf("%q is stored as %s", attack, bad)
			}
		} else if a.Code >= http.StatusInternalServerError {
			t.Errorf("%q: %d", attack, a.Code)
		}
	}
}
