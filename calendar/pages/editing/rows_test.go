package editing_test

import (
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
)

// TestCopiesThatMayBeMade checks that the list offers a copy of exactly those events whose copy can be opened.
func TestCopiesThatMayBeMade(t *testing.T) {
	f := ownSite(t)
	con, editor := f.as("contrib1"), f.as("editor1")
	wantCode(t, con.fillIn("/edit/events/new/", "publish", "title", "Proposal", "day", "2026-12-01", "from", "10:00"), http.StatusSeeOther)
	wantCode(t, editor.fillIn("/edit/events/new/", "publish", "title", "Public", "day", "2026-12-01", "from", "10:00"), http.StatusSeeOther)
	links := regexp.MustCompile(`/edit/events/new/\?copy=\d+`)
	for b, want := range map[*browser]string{con: "Proposal", editor: "Public"} {
		body := b.get("/edit/events/?view=drafts&q=Proposal").Body.String() + b.get("/edit/events/?q=Public").Body.String()
		if !strings.Contains(body, f.stored(want, "CONCAT('copy=', ID, '\"')")) {
			t.Errorf("no copy of %s", want)
		}
		for _, link := range links.FindAllString(body, -1) {
			if a := b.get(link); a.Code != http.StatusOK {
				t.Errorf("%s: %d", link, a.Code)
			}
		}
	}
}

// TestTwoDatesOfADay checks that each of two occurrences on the same day can be reached and changed.
func TestTwoDatesOfADay(t *testing.T) {
	f := ownSite(t, withSeries(t))
	b := f.as("editor1")
	wantCode(t, b.fillIn("/edit/events/new/", "publish", "title", "Show", "day", "2026-12-01", "from", "10:00", "to", "11:00",
		"dates", "2026-12-01 15:00-16:00"), http.StatusSeeOther)
	id := f.stored("Show", "ID")
	links := regexp.MustCompile(`/edit/events/\d+/dates/[^"]+`).FindAllString(b.get("/edit/events/"+id+"/").Body.String(), -1)
	if len(links) != 2 {
		t.Fatal(links)
	}
	wantCode(t, b.fillIn(links[1], "move", "from", "17:00", "to", "18:00"), http.StatusSeeOther)
	const starts = "SELECT GROUP_CONCAT(start_date ORDER BY start_date) FROM wp_tec_occurrences WHERE post_id = ?"
	if got := f.value(starts, id); got != "2026-12-01 10:00:00,2026-12-01 17:00:00" {
		t.Error("the second date was moved:", got)
	}
}

// TestButtonsLeadBack checks that the button of a row leads back to the page of the list that it was on.
func TestButtonsLeadBack(t *testing.T) {
	f := ownSite(t)
	b := f.as("editor1")
	wantCode(t, b.fillIn("/edit/events/new/", "publish", "title", "Past one", "day", "2026-11-01", "from", "10:00"), http.StatusSeeOther)
	body := b.get("/edit/events/?view=past&q=Past+one").Body.String()
	for _, input := range []string{`name="view" value="past"`, `name="q" value="Past one"`, `name="page" value="1"`} {
		if _, form, _ := strings.Cut(body, `<div class="acts">`); !strings.Contains(form, input) {
			t.Errorf("no %s", input)
		}
	}
	path := "/edit/events/" + f.stored("Past one", "ID") + "/do/"
	for page, want := range map[string]string{
		"1": "/edit/events/?done=cancel&q=Past+one&view=past", "3": "/edit/events/?done=cancel&page=3&q=Past+one&view=past",
	} {
		a := b.post(path, url.Values{"act": {"cancel"}, "view": {"past"}, "q": {"Past one"}, "page": {page}})
		if to := a.Header().Get("Location"); to != want {
			t.Errorf("page %s: %d to %s", page, a.Code, to)
		}
	}
	if body := b.get("/edit/events/?done=cancel&page=3&q=Past+one&view=past").Body.String(); !strings.Contains(body, "Past one<") {
		t.Error("a page that is gone shows nothing")
	}
}

// TestEmptyEnd checks that the form says what happens if the end of an event stays empty.
func TestEmptyEnd(t *testing.T) {
	f := ownSite(t)
	body := f.as("editor1").get("/edit/events/new/").Body.String()
	if !strings.Contains(body, `id="note-to">If “To” stays empty`) || !strings.Contains(body, `aria-describedby="note-to"`) {
		t.Error(body)
	}
}

// TestDateOfSeveralDays checks that an occurrence of several days keeps their number when it is moved: its page asks for
// one day only.
func TestDateOfSeveralDays(t *testing.T) {
	f := ownSite(t, withSeries(t))
	b := f.as("editor1")
	for title, values := range map[string][]string{
		"Camp": {"all_day", "1"}, "Fest": {"from", "10:00", "to", "18:00"}, "Vigil": {"from", "20:00", "to", "18:00"},
	} {
		values = append(values, "title", title, "day", "2026-12-01", "last", "2026-12-02", "repeats", "weekly", "until", "2026-12-15")
		wantCode(t, b.fillIn("/edit/events/new/", "publish", values...), http.StatusSeeOther)
		id := f.stored(title, "ID")
		if form := formOf(t, b.get("/edit/events/"+id+"/")); form.Get("last") != "2026-12-02" {
			t.Errorf("%s: the form says that it ends on %q", title, form.Get("last"))
		}
		links := regexp.MustCompile(`/edit/events/\d+/dates/[^"]+`).FindAllString(b.get("/edit/events/"+id+"/").Body.String(), -1)
		if len(links) != 3 {
			t.Fatal(title, links)
		}
		wantCode(t, b.fillIn(links[1], "move", "day", "2026-12-10"), http.StatusSeeOther)
		const days = "SELECT CONCAT(DATE(start_date), ' ', DATE(end_date)) FROM wp_tec_occurrences WHERE post_id = ? " +
			"AND DATE(start_date) = '2026-12-10'"
		if got := f.value(days, id); got != "2026-12-10 2026-12-11" {
			t.Errorf("%s was moved to %s", title, got)
		}
	}
}

// TestTwoNewOrganizers checks that several names that are not known yet are asked about one by one, and each once.
func TestTwoNewOrganizers(t *testing.T) {
	f := ownSite(t)
	b := f.as("editor1")
	const path = "/edit/events/new/"
	a := b.fillIn(path, "publish", "title", "Duo", "day", "2026-12-01", "from", "10:00", "organizer", "Anna\r\nBert")
	wantCode(t, a, http.StatusUnprocessableEntity)
	for _, name := range []string{"Anna", "Bert"} {
		if wrong := strings.Join(wrongs(a), " "); !strings.Contains(wrong, "“"+name+"”") {
			t.Fatalf("not asked about %s: %s", name, wrong)
		}
		a = b.again(path, formOf(t, a), "publish")
	}
	wantCode(t, a, http.StatusSeeOther)
	const names = "SELECT GROUP_CONCAT(post_title ORDER BY post_title) FROM wp_posts WHERE post_type = 'tribe_organizer' " +
		"AND post_title IN ('Anna', 'Bert')"
	if got := f.value(names); got != "Anna,Bert" {
		t.Error("stored:", got)
	}
}

// TestNewEndOfSeries checks that a day that is entered as the end replaces the stored end, in a custom rule and where the
// series had none, and that a copy has no end until one is entered.
func TestNewEndOfSeries(t *testing.T) {
	f := ownSite(t, withSeries(t))
	b := f.as("editor1")
	for title, values := range map[string][]string{
		"Custom":  {"repeats", "own", "rule", "FREQ=DAILY;INTERVAL=3", "until", "2026-12-12"},
		"Endless": {"repeats", "weekly", "endless", "1"},
	} {
		values = append(values, "title", title, "day", "2026-12-01", "from", "20:00")
		wantCode(t, b.fillIn("/edit/events/new/", "publish", values...), http.StatusSeeOther)
		id := f.stored(title, "ID")
		copied := formOf(t, b.get("/edit/events/new/?copy="+id))
		if copied.Has("endless") || copied.Get("until") != "" || strings.Contains(copied.Get("rule"), "UNTIL") {
			t.Error("the end was copied:", copied)
		}
		wantCode(t, b.fillIn("/edit/events/"+id+"/", "save", "until", "2026-12-24"), http.StatusSeeOther)
		form := formOf(t, b.get("/edit/events/"+id+"/"))
		if form.Get("until") != "2026-12-24" || form.Has("endless") {
			t.Errorf("%s ends on %q, without an end: %q", title, form.Get("until"), form["endless"])
		}
	}
}
