package api_test

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/schema"
)

// revisions are the stored copies of a post, oldest first.
func (c *calendar) revisions(id int64) (list []schema.Post) {
	c.T.Helper()
	err := c.DB.NewSelect().Model(&list).Where("post_parent = ? AND post_type = 'revision'", id).Order("ID").Scan(c.T.Context())
	if err != nil {
		c.T.Fatal(err)
	}
	return list
}

// The first update keeps a copy of the post as it is then, later ones only when
// its texts are others.
func TestRevisions(t *testing.T) {
	c := open(t)
	for _, kind := range []string{"title", "venue", "organizer"} {
		path := map[string]string{"title": "/events", "venue": "/venues", "organizer": "/organizers"}[kind]
		c.Now = time.Date(2026, 11, 21, 7, 10, 50, 0, time.UTC)
		id := c.must("author", "POST", path, fmt.Sprintf(`{%q:"First",%s,"description":"D","date":"2025-01-01"}`, kind, evening)).ID()
		item := fmt.Sprint(path, "/", id)
		if n := len(c.revisions(id)); n != 0 {
			t.Errorf("%s: %d revisions of a new post", path, n)
		}
		for i, w := range []struct {
			fields string
			want   int
		}{
			{`"status":"private"`, 1},
			{`"status":"publish"`, 1},
			{fmt.Sprintf(`%q:"Second"`, kind), 2},
			{`"date":"2025-02-01"`, 2},
			{`"description":"E"`, 3},
			{`"description":"E"`, 3},
			{`"description":"D"`, 4},
			{`"author":2`, 4},
		} {
			c.Now = c.Now.Add(time.Minute)
			as := map[bool]string{true: "editor", false: "author"}[i >= 4]
			c.must(as, "PATCH", item, "{"+w.fields+"}")
			if n := len(c.revisions(id)); n != w.want {
				t.Fatalf("%s %s: %d revisions, want %d", path, w.fields, n, w.want)
			}
		}
		list := c.revisions(id)
		r := list[2]
		if r.Author != 2 || r.Status != "inherit" || r.Name != fmt.Sprint(id, "-revision-v1") || r.Title != "Second" || r.Content != "E" ||
			r.CommentStatus != "closed" || r.PingStatus != "closed" || r.MenuOrder != 0 ||
			r.GUID != fmt.Sprintf("http://site.test/?p=%d", r.ID) {
			t.Errorf("%s: %+v", path, r)
		}
		at := "2026-11-21 08:15:50"
		if r.Date != at || r.Modified != at || r.DateGMT != "2026-11-21 07:15:50" || r.ModifiedGMT != r.DateGMT {
			t.Errorf("%s: %s %s %s %s", path, r.Date, r.DateGMT, r.Modified, r.ModifiedGMT)
		}
		if list[0].Title != "First" || list[0].Author != 3 || list[3].Content != "D" {
			t.Errorf("%s: %q by %d, %q", path, list[0].Title, list[0].Author, list[3].Content)
		}
		if n := len(c.Scan("SELECT meta_key FROM wp_postmeta WHERE post_id = ?", r.ID)); n != 0 {
			t.Errorf("%s: %d meta rows of a revision", path, n)
		}
	}
	c.Now = c.Now.Add(time.Minute)
	sticky := c.create("author", "Sticky", `,"sticky":true,"date":"2025-01-01"`)
	p := c.row(sticky)
	list := c.revisions(sticky)
	if len(list) != 1 || list[0].Title != "Sticky" || p.MenuOrder != -1 || p.Date != "2025-01-01 00:00:00" ||
		p.Modified != list[0].Modified {
		t.Errorf("a sticky event: %+v, %+v", p, list)
	}
	trashed := c.create("author", "Trashed", "")
	c.trash(trashed)
	if list := c.revisions(trashed); len(list) != 1 || list[0].Title != "Trashed" || list[0].Author != 1 {
		t.Errorf("in the trash: %+v", list)
	}
}

var modifiedEntry = regexp.MustCompile(`s:\d+:"([^"]+)";i:(\d+);`)

// modifiedFields are the fields in the list of a post, in its order, with the
// minutes on the site's clock since that of the tests began; "!" marks one by
// the true clock, which is an hour less.
func (c *calendar) modifiedFields(id int64) string {
	c.T.Helper()
	value := c.meta(id, schema.MetaModifiedFields)
	start := time.Date(2026, 11, 21, 7, 10, 50, 0, time.UTC).Unix()
	var list []string
	for _, m := range modifiedEntry.FindAllStringSubmatch(value, -1) {
		at, err := strconv.ParseInt(m[2], 10, 64)
		if err != nil {
			c.T.Fatal(err)
		}
		mark := "!"
		if at -= start; at >= 3600 {
			at, mark = at-3600, ""
		}
		list = append(list, fmt.Sprint(strings.NewReplacer("_Event", "", "_wp_", "").Replace(m[1]), mark, at/60))
	}
	if want := fmt.Sprintf("a:%d:{", len(list)); !strings.HasPrefix(value, want) {
		c.T.Errorf("%s does not begin with %s", value, want)
	}
	return strings.Join(list, " ")
}

// Which field of a post was changed when: in the order of first changes.
func TestModifiedFields(t *testing.T) {
	c := open(t)
	id := c.create("admin", "Kept", "")
	const created = "Origin0 ShowMapLink0 ShowMap0 StartDate0 EndDate0 StartDateUTC0 EndDateUTC0 Duration0 Timezone0 TimezoneAbbr0"
	for _, w := range []struct{ fields, want string }{
		{`"title":"Other"`, created + " post_title1"},
		{`"cost":"5"`, created + " post_title1 Cost2"},
		{`"show_map":true,"description":"D","slug":"s","date":"2025-01-01"`, strings.Replace(created, "ShowMap0", "ShowMap3", 1) +
			" post_title1 Cost2 post_content3 old_slug3 old_date3"},
		{`"title":"Third","excerpt":"E"`, strings.Replace(created, "ShowMap0", "ShowMap3", 1) +
			" post_title4 Cost2 post_content3 old_slug3 old_date3 post_excerpt4"},
	} {
		c.Now = c.Now.Add(time.Minute)
		c.change("admin", id, "{"+w.fields+"}")
		if got := c.modifiedFields(id); got != w.want {
			t.Errorf("%s:\n got  %s\n want %s", w.fields, got, w.want)
		}
	}

	c.Now = time.Date(2026, 11, 21, 7, 10, 50, 0, time.UTC)
	id = c.create("admin", "With terms", `,"categories":[16],"tags":[26]`)
	keys := c.Scan("SELECT meta_key FROM wp_postmeta WHERE post_id = ? ORDER BY meta_id LIMIT 2", id)
	got := c.modifiedFields(id)
	if got != "tribe_events_cat!0 post_tag!0 "+created || fmt.Sprint(keys) != "[_tribe_modified_fields _EventOrigin]" {
		t.Errorf("with terms: %s, rows %v", got, keys)
	}
	c.Now = c.Now.Add(time.Minute)
	c.change("admin", id, `{"tags":[]}`)
	if got := c.modifiedFields(id); got != "tribe_events_cat!0 post_tag!1 "+created {
		t.Errorf("without a tag: %s", got)
	}
	c.Now = c.Now.Add(time.Minute)
	c.trash(id)
	want := "tribe_events_cat!0 post_tag!1 " + created + " _tribe_ignored_event_previous_status2 " +
		"trash_meta_status2 trash_meta_time2 desired_post_slug2 post_status2"
	if got := c.modifiedFields(id); got != want {
		t.Errorf("in the trash:\n got  %s\n want %s", got, want)
	}
	// A value that cannot be read is replaced.
	c.Exec("UPDATE wp_postmeta SET meta_value = 'a:1:{broken' WHERE post_id = ? AND meta_key = '_tribe_modified_fields'", id)
	c.change("admin", id, `{"description":"D"}`)
	if got := c.modifiedFields(id); got != "post_content2" {
		t.Errorf("after a broken list: %s", got)
	}
}

// The global address is that of the page if there is one at first, and stays.
func TestGUID(t *testing.T) {
	c := open(t)
	for _, w := range []struct{ path, fields, page string }{
		{"/events", `"title":"Guided"`, "event/guided/"},
		{"/events", `"title":"Guided","status":"private"`, "event/guided/"},
		{"/events", `"title":"Guided","status":"draft"`, ""},
		{"/events", `"title":"Guided","status":"pending"`, ""},
		{"/events", `"title":"Guided","date":"2030-01-01"`, ""},
		{"/venues", `"venue":"Guided"`, "venue/guided/"},
		{"/venues", `"venue":"Guided","status":"draft"`, ""},
		{"/organizers", `"organizer":"Guided"`, "organizer/guided/"},
		{"/organizers", `"organizer":"Guided","status":"private","date":"2030-01-01"`, "organizer/guided/"},
	} {
		id := c.must("admin", "POST", w.path, fmt.Sprintf(`{%s,%s}`, w.fields, evening)).ID()
		created := "http://site.test/" + w.page
		again := created
		if w.page == "" {
			postType := "tribe_" + w.path[1:]
			if w.path != "/events" {
				postType = strings.TrimSuffix(postType, "s")
			}
			created = fmt.Sprintf("http://site.test/?post_type=%s&p=%d", postType, id)
			again = strings.ReplaceAll(created, "&", "&#038;") // as other programs store it when they save a post again
		}
		if got := c.row(id).GUID; got != created {
			t.Errorf("%s %s: %s, want %s", w.path, w.fields, got, created)
		}
		for _, update := range []string{`{}`, `{"description":"D","slug":"elsewhere"}`, `{"status":"publish"}`, `{"status":"draft"}`} {
			c.must("admin", "PATCH", fmt.Sprint(w.path, "/", id), update)
			want := again
			if update == `{}` { // changes nothing
				want = created
			}
			if got := c.row(id).GUID; got != want {
				t.Errorf("%s %s, %s: %s, want %s", w.path, w.fields, update, got, want)
			}
		}
		c.must("admin", "DELETE", fmt.Sprint(w.path, "/", id), "")
		if got := c.row(id).GUID; got != again {
			t.Errorf("%s %s in the trash: %s, want %s", w.path, w.fields, got, again)
		}
	}
	long := c.create("admin", "Long", `,"slug":"`+strings.Repeat("a", 200)+`"`)
	if got := c.row(long).GUID; len(got) > 255 || !strings.HasSuffix(got, "/") {
		t.Errorf("of a long slug: %s", got)
	}
}

// Former slugs and days of a published post lead to it still.
func TestOldSlugsAndDates(t *testing.T) {
	c := open(t)
	id := c.create("admin", "One", `,"date":"2025-01-01 10:00"`)
	for _, w := range []struct{ fields, slugs, dates string }{
		{`"title":"Two"`, "", ""},
		{`"slug":"two"`, "one", ""},
		{`"slug":"three"`, "one,two", ""},
		{`"slug":"one"`, "two,three", ""},
		{`"slug":"two"`, "three,one", ""},
		{`"date":"2025-01-01 23:00"`, "three,one", ""},
		{`"date":"2025-01-02 10:00"`, "three,one", "2025-01-01"},
		{`"date":"2025-01-03 10:00"`, "three,one", "2025-01-01,2025-01-02"},
		{`"date":"2025-01-01 10:00"`, "three,one", "2025-01-02,2025-01-03"},
		{`"status":"private","slug":"four","date":"2025-01-04"`, "three,one", "2025-01-02,2025-01-03"},
		{`"slug":"five"`, "three,one", "2025-01-02,2025-01-03"},
		{`"status":"publish"`, "three,one", "2025-01-02,2025-01-03"},
		{`"slug":"six"`, "three,one,five", "2025-01-02,2025-01-03"},
		{`"date":"2030-01-01"`, "three,one,five", "2025-01-02,2025-01-03"}, // it waits now
	} {
		c.change("admin", id, "{"+w.fields+"}")
		if slugs, dates := c.meta(id, schema.MetaOldSlug), c.meta(id, schema.MetaOldDate); slugs != w.slugs || dates != w.dates {
			t.Errorf("%s: %s and %s, want %s and %s", w.fields, slugs, dates, w.slugs, w.dates)
		}
	}
	id = c.create("admin", "Gone", "")
	c.trash(id)
	c.change("admin", id, `{"status":"publish"}`)
	if got := c.meta(id, schema.MetaOldSlug); got != "gone__trashed" {
		t.Errorf("out of the trash: %s", got)
	}
}
