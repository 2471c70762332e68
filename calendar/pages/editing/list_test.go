package editing_test

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/must"
)

// TestListsAndTheirButtons checks the actions of the buttons and their messages.
func TestListsAndTheirButtons(t *testing.T) {
	f := ownSite(t, withSeries(t))
	b := f.as("editor1")
	for _, e := range [][]string{
		{"publish", "Concert", "2026-12-01", "no", ""}, {"draft", "Sketch", "2026-12-02", "no", ""}, {"publish", "Old", "2026-11-01",
			"no", ""},
		{"publish", "Weekly", "2026-12-03", "weekly", "2026-12-31"}, {"draft", "Idea", "2026-12-04", "weekly", "2026-12-31"},
	} {
		wantCode(t, b.fillIn("/edit/events/new/", e[0], "title", e[1], "day", e[2], "from", "20:00", "repeats", e[3], "until", e[4]),
			http.StatusSeeOther)
	}
	shows := func(path string, want, not string) {
		t.Helper()
		a := b.get(path)
		wantCode(t, a, http.StatusOK)
		body := a.Body.String()
		for _, title := range strings.Fields(want) {
			if !strings.Contains(body, title) {
				t.Errorf("%s lacks %s", path, title)
			}
		}
		for _, title := range strings.Fields(not) {
			if strings.Contains(body, title) {
				t.Errorf("%s has %s", path, title)
			}
		}
	}
	shows("/edit/events/", "Concert Weekly", "Sketch Idea >Old<")
	shows("/edit/events/?view=drafts", "Sketch Idea", "Concert")
	shows("/edit/events/?view=past", ">Old<", "Concert")
	shows("/edit/events/?q=conc", "Concert", "Weekly")
	do := func(title, act string) {
		t.Helper()
		a := b.post("/edit/events/"+f.stored(title, "ID")+"/do/", url.Values{"act": {act}})
		wantCode(t, a, http.StatusSeeOther)
		if to := a.Header().Get("Location"); !strings.Contains(to, "done="+act) {
			t.Error(to)
		}
	}
	do("Concert", "cancel")
	shows("/edit/events/", "Cancelled", "")
	do("Concert", "postpone")
	do("Concert", "plan")
	if f.meta("Concert", "_tribe_events_status") != "" {
		t.Error("it is still cancelled")
	}
	do("Concert", "bin")
	shows("/edit/events/?view=bin", "Concert Restore", "")
	do("Concert", "restore")
	shows("/edit/events/?view=drafts", "Concert", "")
	do("Concert", "bin")
	wantCode(t, b.post("/edit/events/"+f.stored("Concert", "ID")+"/do/", url.Values{"act": {"delete"}}), http.StatusSeeOther)
	if f.value("SELECT COUNT(*) FROM wp_posts WHERE post_title = 'Concert'") != "0" {
		t.Error("it is still there")
	}
	// A recurring event is one row. Its buttons apply to the whole event, even with the id of an occurrence.
	row := regexp.MustCompile(`/edit/events/(\d+)/do/`).FindAllStringSubmatch(b.get("/edit/events/?q=Weekly").Body.String(), -1)
	if len(row) != 1 {
		t.Fatal(row)
	}
	date := f.value("SELECT MAX(occurrence_id) + 10000000 FROM wp_tec_occurrences WHERE post_id = " + row[0][1])
	a := b.get("/edit/events/" + date + "/")
	if to := a.Header().Get("Location"); to != "/edit/events/"+f.stored("Weekly", "ID")+"/" {
		t.Fatal(a.Code, to)
	}
	wantCode(t, b.post("/edit/events/"+date+"/do/", url.Values{"act": {"bin"}}), http.StatusSeeOther)
	if f.stored("Weekly", "post_status") != "trash" {
		t.Error("the series is not in the bin")
	}
	for _, act := range []string{"", "explode"} {
		wantCode(t, b.post("/edit/events/"+f.stored("Sketch", "ID")+"/do/", url.Values{"act": {act}}), http.StatusBadRequest)
	}
	draft := regexp.MustCompile(`/edit/events/\d+/`).FindString(b.get("/edit/events/?view=drafts&q=Idea").Body.String())
	if draft != "/edit/events/"+f.stored("Idea", "ID")+"/" {
		t.Error("the row of a draft:", draft)
	}
	form := formOf(t, b.get(draft))
	if form.Get("repeats") != "weekly" || form.Get("until") != "2026-12-31" {
		t.Error("the rule of a draft:", form)
	}
}

// TestCopies checks that a copy has all values except the slug, on the next day with the same weekday.
func TestCopies(t *testing.T) {
	f := ownSite(t)
	b := f.as("editor1")
	wantCode(t, b.fillIn("/edit/events/new/", "publish", "title", "Market", "day", "2026-10-07", "from", "9:00", "to", "13:00",
		"venue", "Square",
		"venue_city", "Gent", "organizer", "Nobody\r\nSomebody", "organizer_new", "Nobody", "text", "Come"), http.StatusUnprocessableEntity)
	wantCode(t, b.fillIn("/edit/events/new/", "publish", "title", "Market", "day", "2026-10-07", "from", "9:00", "to", "13:00",
		"venue", "Square",
		"venue_city", "Gent", "organizer", "Nobody", "organizer_new", "Nobody", "text", "Come"), http.StatusSeeOther)
	f.exec("UPDATE wp_posts SET post_content = CONCAT(post_content, '<!-- wp:quote --><blockquote>Kept</blockquote><!-- /wp:quote -->') " +
		"WHERE post_title = 'Market'")
	copied := "/edit/events/new/?copy=" + f.stored("Market", "ID")
	form := formOf(t, b.get(copied))
	if form.Get("day") != "2026-11-25" || form.Get("title") != "Market" || form.Get("slug") != "" || form.Get("from") != "09:00" {
		t.Error(form)
	}
	wantCode(t, b.again("/edit/events/new/", form, "publish", "title", "Market 2"), http.StatusSeeOther)
	for _, key := range []string{"_EventVenueID", "_EventOrganizerID"} {
		if f.meta("Market", key) == "" || f.meta("Market", key) != f.meta("Market 2", key) {
			t.Error(key, f.meta("Market", key), f.meta("Market 2", key))
		}
	}
	if f.stored("Market", "post_content") != f.stored("Market 2", "post_content") {
		t.Error(f.stored("Market 2", "post_content"))
	}
	// The form mentions another event on the same day at the same place.
	wantCode(t, b.get(copied), http.StatusOK)
	if body := b.get(copied).Body.String(); !strings.Contains(body, "On the same day at this venue: Market 2, 09:00") {
		t.Error(body)
	}
}

// TestKeptTexts checks that parts of a description that the form cannot represent are preserved in their places.
func TestKeptTexts(t *testing.T) {
	f := ownSite(t)
	b := f.as("editor1")
	wantCode(t, b.fillIn("/edit/events/new/", "publish", "title", "Play", "day", "2026-12-01", "from", "20:00", "text", "Before"),
		http.StatusSeeOther)
	const kept = "<!-- wp:table {\"x\":\"y\"} -->\r\n<table><tr><td>1</td></tr></table>\n<!-- /wp:table -->\n\n"
	before, after := f.stored("Play", "post_content")+"\n\n", "<!-- wp:paragraph -->\n<p>After</p>\n<!-- /wp:paragraph -->"
	f.exec("UPDATE wp_posts SET post_content = ? WHERE post_title = 'Play'", before+kept+after)
	path := "/edit/events/" + f.stored("Play", "ID") + "/"
	form := formOf(t, b.get(path))
	if len(form["text"]) != 2 || form["text"][1] != "After" {
		t.Fatal(form["text"])
	}
	wantCode(t, b.again(path, form, "save"), http.StatusSeeOther)
	if got := f.stored("Play", "post_content"); got != before+kept+after {
		t.Errorf("%q", got)
	}
	form = formOf(t, b.get(path))
	form["text"][1] = "Later"
	wantCode(t, b.again(path, form, "save"), http.StatusSeeOther)
	if got := f.stored("Play", "post_content"); got != before+kept+strings.Replace(after, "After", "Later", 1) {
		t.Errorf("%q", got)
	}
}

// TestOtherKinds checks the lists and forms of venues, organizers and categories, and that all forms contain the host's
// own fields if the user may write them.
func TestOtherKinds(t *testing.T) {
	f := ownSite(t, func(o *calendar.Options) {
		o.Fields = []calendar.Field{
			{Kind: "events", Name: "seats", Key: "seats", Type: calendar.FieldNumber, Label: "Seats",
				Labels: map[string]string{"nl": "Plaatsen"}},
			{Kind: "events", Name: "secret", Key: "secret", Type: calendar.FieldText, Read: "manage_options"},
			{Kind: "venues", Name: "step_free", Key: "step_free", Type: calendar.FieldYesNo},
			{Kind: "organizers", Name: "genres", Key: "genres", Type: calendar.FieldList},
			{Kind: "categories", Name: "shade", Key: "shade", Type: calendar.FieldChoice, Choices: []string{"red", "blue"}},
		}
		for i := range o.Fields {
			o.Fields[i].Description = "What it is."
		}
	})
	b := f.as("editor1")
	for _, c := range []struct {
		kind, name string
		values     []string
		want       string
	}{
		{"venues", "venue", []string{"venue", "Barn & Co", "city", "Gent", "text", "In the *yard*", "own.step_free", "1", "website",
			"barn.example.org"}, "Barn"},
		{"organizers", "organizer", []string{"organizer", "Band", "email", "band@example.org", "own.genres", "jazz\r\nfolk"}, "Band"},
		{"categories", "name", []string{"name", "Choirs", "description", "All who sing", "own.shade", "blue"}, "Choirs"},
	} {
		a := b.fillIn("/edit/"+c.kind+"/new/", "save")
		wantCode(t, a, http.StatusUnprocessableEntity)
		act := "publish"
		if c.kind == "categories" {
			act = "save"
		}
		wantCode(t, b.fillIn("/edit/"+c.kind+"/new/", act, c.values...), http.StatusSeeOther)
		list := b.get("/edit/" + c.kind + "/?q=" + c.want).Body.String()
		path := regexp.MustCompile(`/edit/` + c.kind + `/\d+/`).FindString(list)
		if path == "" {
			t.Fatalf("%s: no row in %s", c.kind, list)
		}
		form := formOf(t, b.get(path))
		for i := 0; i < len(c.values); i += 2 {
			if got := form.Get(c.values[i]); got != c.values[i+1] && got != "https://"+c.values[i+1] {
				t.Errorf("%s: %s is %q", c.kind, c.values[i], got)
			}
		}
		wantCode(t, b.again(path, form, "save", c.name, c.want+" 2"), http.StatusSeeOther)
		wantCode(t, b.fillIn(path, "preview"), http.StatusOK)
		act = "bin"
		if c.kind == "categories" {
			act = "delete"
		}
		wantCode(t, b.post(path+"do/", url.Values{"act": {act}}), http.StatusSeeOther)
	}
	if body := b.get("/nl/edit/events/new/").Body.String(); !strings.Contains(body, "Plaatsen") || strings.Contains(body, "own.secret") {
		t.Error(body)
	}
	a := b.fillIn("/edit/events/new/", "publish", "title", "Seated", "day", "2026-12-01", "from", "20:00", "own.seats", "many")
	wantCode(t, a, http.StatusUnprocessableEntity)
	if !strings.Contains(a.Body.String(), `id="wrong-seats"`) || formOf(t, a).Get("own.seats") != "many" {
		t.Error(a.Body)
	}
	wantCode(t, b.again("/edit/events/new/", formOf(t, a), "publish", "own.seats", "120"), http.StatusSeeOther)
	if f.meta("Seated", "seats") != "120" {
		t.Error(f.meta("Seated", "seats"))
	}
}

func aPicture(t testing.TB) []byte {
	t.Helper()
	var b bytes.Buffer
	img := image.NewRGBA(image.Rect(0, 0, 40, 30))
	img.Set(1, 1, color.White)
	must.Succeed(t, png.Encode(&b, img))
	return b.Bytes()
}

// TestPictures checks that an image in a form that was rejected is kept for an hour, only for the user who sent it, and
// is stored with its alternative text.
func TestPictures(t *testing.T) {
	dir := t.TempDir()
	storing := func(o *calendar.Options) {
		o.Uploads = calendar.Uploads{Dir: dir, BaseURL: "https://site.test/wp-content/uploads"}
	}
	f := ownSite(t, storing)
	b, other := f.as("author1"), f.as("editor1")
	form := formOf(t, b.get("/edit/events/new/"))
	form.Set("title", "Show")
	form.Set("image_alt", "A stage")
	form.Set("act", "publish")
	a := b.attach("/edit/events/new/", form, aPicture(t))
	wantCode(t, a, http.StatusUnprocessableEntity)
	form = formOf(t, a)
	shown := "/edit/pictures/" + form.Get("image_new") + "/"
	f.serve(storing) // again: it is kept beside the uploads
	if got := b.get(shown); got.Code != http.StatusOK || got.Header().Get("Content-Type") != "image/png" ||
		got.Header().Get("Cache-Control") != "private, no-store" || !bytes.Equal(got.Body.Bytes(), aPicture(t)) {
		t.Error(got.Code, got.Header())
	}
	wantCode(t, other.get(shown), http.StatusNotFound)
	if entries, _ := os.ReadDir(dir); len(entries) != 0 {
		t.Error("it is among the uploads already:", entries)
	}
	wantCode(t, b.again("/edit/events/new/", form, "preview", "day", "2026-12-01", "from", "20:00"), http.StatusOK)
	if entries, _ := os.ReadDir(dir); len(entries) != 0 {
		t.Error("a preview stored it:", entries)
	}
	wantCode(t, b.again("/edit/events/new/", form, "publish", "day", "2026-12-01", "from", "20:00"), http.StatusSeeOther)
	alt := "SELECT meta_value FROM wp_postmeta WHERE meta_key = '_wp_attachment_image_alt' AND post_id = ?"
	if got := f.value(alt, f.meta("Show", "_thumbnail_id")); got != "A stage" {
		t.Error(got)
	}
	wantCode(t, b.get(shown), http.StatusNotFound)

	path := "/edit/events/" + f.stored("Show", "ID") + "/"
	before := f.meta("Show", "_thumbnail_id")
	form = formOf(t, b.get(path))
	form.Set("act", "save")
	form.Set("title", "Show 2")
	form.Set("image_alt", "Another stage")
	wantCode(t, b.attach(path, form, aPicture(t)), http.StatusSeeOther)
	if now := f.meta("Show 2", "_thumbnail_id"); now == before || f.value(alt, now) != "Another stage" || f.value(alt,
		before) != "A stage" {
		t.Error("the picture was not replaced", before, now)
	}
	form = formOf(t, b.get(path))
	form.Set("act", "save")
	form.Set("title", "Show 3")
	a = b.attach(path, form, []byte("no picture"))
	wantCode(t, a, http.StatusUnprocessableEntity)
	if !strings.Contains(a.Body.String(), `id="wrong-image"`) || f.stored("Show 2", "COUNT(*)") != "1" {
		t.Error("a part of a refused form was stored:", wrongs(a))
	}
	wantCode(t, b.again(path, formOf(t, b.get(path)), "save", "image_remove", "1"), http.StatusSeeOther)
	if f.meta("Show 2", "_thumbnail_id") != "" {
		t.Error("the picture is still there")
	}
	form = formOf(t, b.get(path))
	form.Set("title", "")
	form.Set("act", "save")
	form = formOf(t, b.attach(path, form, aPicture(t)))
	f.wait(61 * time.Minute)
	a = b.again(path, form, "save", "title", "Show 4")
	wantCode(t, a, http.StatusUnprocessableEntity)
	if !strings.Contains(a.Body.String(), "no longer kept") {
		t.Error(wrongs(a))
	}
}

// TestLinkOnThePageOfAnEvent checks that the public page of an event has a link to its form only for users who may edit
// it. This page is not cached, only scripts of this server run on it, and forms of other sites cannot be sent to it.
func TestLinkOnThePageOfAnEvent(t *testing.T) {
	f := ownSite(t)
	b := f.as("author1")
	wantCode(t, b.fillIn("/edit/events/new/", "publish", "title", "Linked", "day", "2026-12-01", "from", "20:00"), http.StatusSeeOther)
	link := "/edit/events/" + f.stored("Linked", "ID") + "/"
	for user, want := range map[string]bool{"author1": true, "editor1": true, "contrib1": false, "sub1": false, "": false} {
		a := f.as(user).get("/event/linked/")
		wantCode(t, a, http.StatusOK)
		h := a.Header()
		private, policy := h.Get("Cache-Control") == "private, no-store", h.Get("Content-Security-Policy")
		alone := h.Get("Referrer-Policy") == "no-referrer" && strings.Contains(policy, "script-src 'self';") &&
			strings.Contains(policy, "frame-ancestors 'none'")
		if has := strings.Contains(a.Body.String(), link); has != want || private != want || alone != want {
			t.Errorf("%q: %v, %v", user, has, h)
		}
	}
	for _, c := range []struct {
		user, site string
		want       int
	}{
		{"author1", "same-origin", http.StatusOK}, {"author1", "cross-site", http.StatusForbidden}, {"", "cross-site", http.StatusOK},
	} {
		visitor := f.as(c.user)
		visitor.site = c.site
		if a := visitor.post("/event/linked/", nil); a.Code != c.want {
			t.Errorf("a form from %s for %q: %d", c.site, c.user, a.Code)
		}
	}
}

// TestNamesOfPlaces checks the suggestions of venue names.
func TestNamesOfPlaces(t *testing.T) {
	f := ownSite(t)
	b := f.as("editor1")
	if a := b.get("/edit/names/venues/?q=vooruit"); a.Code != http.StatusOK || a.Body.String() != "De Vooruit & Co" {
		t.Errorf("%d %q", a.Code, a.Body)
	}
	if a := b.get("/edit/names/venues/?q="); a.Code != http.StatusOK || a.Body.Len() != 0 {
		t.Errorf("%d %q", a.Code, a.Body)
	}
	wantCode(t, f.as("").get("/edit/names/venues/?q=v"), http.StatusSeeOther)
}
