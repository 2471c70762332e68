package term_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/test/apitest"
)

const self = apitest.Root

// D25: Location and _links lead to this service's own routes.
func TestD25Create(t *testing.T) {
	s := newServer(t)
	before := s.rows()
	a := s.must(201, "POST", "/categories",
		`{"name":" <i>Vol</i> & leeg ","slug":"Eigen Slug","description":"A <b>b</b> & c<script>","parent":6,"id":6}`)
	id := a.ID()
	want := fmt.Sprintf(`{"id":%d,"count":0,"description":"A <b>b</b> &amp; c","name":"Vol &amp; leeg","slug":"eigen-slug",`+
		`"taxonomy":"tribe_events_cat","parent":6,"meta":[],"url":"http://site.test/events/category/muziek/eigen-slug/",`+
		`"urls":{"self":"%[2]s/categories/%[1]d","collection":"%[2]s/categories","up":"%[2]s/categories/6"},`+
		`"_links":{"self":[{"href":"%[2]s/categories/%[1]d"}],"collection":[{"href":"%[2]s/categories"}],`+
		`"up":[{"href":"%[2]s/categories/6"}],"events":[{"href":"%[2]s/events?categories=%[1]d"}]}}`, id, self)
	if a.Text != want {
		t.Errorf("%s\nwant\n%s", a.Text, want)
	}
	if got := a.Header.Get("Location"); got != fmt.Sprintf("%s/categories/%d", self, id) {
		t.Errorf("Location %q", got)
	}
	if read := s.must(200, "GET", fmt.Sprintf("/categories/%d", id), ""); read.Text != a.Text {
		t.Errorf("read: %s", read.Text)
	}
	lines := []string{
		fmt.Sprintf("term|%d|Vol &amp; leeg|eigen-slug|0", id),
		fmt.Sprintf("place|%[1]d|%[1]d|tribe_events_cat|A <b>b</b> &amp; c|6|0", id),
		fmt.Sprintf("tribe_events_cat_children|a:2:{i:6;a:4:{i:0;i:7;i:1;i:8;i:2;i:9;i:3;i:%d;}i:10;a:1:{i:0;i:11;}}", id),
	}
	if got := added(before, s.rows()); !slices.Equal(got, lines) {
		t.Errorf("stored %q, want %q", got, lines)
	}
	a = s.must(201, "POST", "/tags", `{"name":"Été & co"}`)
	want = fmt.Sprintf(`{"id":%d,"count":0,"description":"","name":"Été &amp; co","slug":"ete-co","taxonomy":"post_tag","meta":[],`+
		`"url":"http://site.test/tag/ete-co/","urls"`, a.ID())
	if !strings.HasPrefix(a.Text, want) || a.Header.Get("Location") != fmt.Sprintf("%s/tags/%d", self, a.ID()) {
		t.Errorf("%s\nwant\n%s", a.Text, want)
	}
	created := []content.Change{
		{Kind: "categories", ID: id, Slug: "eigen-slug", Op: "create"}, {Kind: "tags", ID: a.ID(), Slug: "ete-co", Op: "create"},
	}
	if got := s.takeChanges(); !slices.Equal(got, created) {
		t.Errorf("hooks called with %v, want %v", got, created)
	}
}

// D21, D22: whatever is wrong with a field is a 400 that names it.
func TestD21Faults(t *testing.T) {
	s := newServer(t)
	s.must(200, "GET", "/categories/6", "")
	before := s.rows()
	for _, c := range []struct{ method, path, body, code, field string }{
		{"POST", "/categories", `{}`, "rest_missing_callback_param", ""},
		{"POST", "/categories", `{"name":null}`, "rest_missing_callback_param", ""},
		{"POST", "/tags", `{"name":""}`, "rest_invalid_param", "name"},
		{"POST", "/tags", `{"name":"0"}`, "rest_invalid_param", "name"},
		{"POST", "/tags", `{"name":" "}`, "rest_invalid_param", "name"},
		{"POST", "/tags", `{"name":"<b></b>"}`, "rest_invalid_param", "name"},
		{"POST", "/tags", `{"name":7}`, "rest_invalid_param", "name"},
		{"POST", "/tags", `{"name":["x"]}`, "rest_invalid_param", "name"},
		{"POST", "/tags", `{"name":{"a":["x"]}}`, "rest_invalid_param", "name"},
		{"POST", "/tags", `{"name":"` + strings.Repeat("é", 201) + `"}`, "rest_invalid_param", "name"},
		{"POST", "/tags", `{"name":"` + strings.Repeat("&", 41) + `"}`, "rest_invalid_param", "name"}, // five characters each
		{"POST", "/tags", `{"name":"a\u0000b"}`, "rest_invalid_param", "name"},
		{"POST", "/tags", `{"name":"x","slug":""}`, "rest_invalid_param", "slug"},
		{"POST", "/tags", `{"name":"x","slug":5}`, "rest_invalid_param", "slug"},
		{"POST", "/tags", `{"name":"x","description":[]}`, "rest_invalid_param", "description"},
		{"POST", "/tags", `{"name":"x","description":null}`, "rest_invalid_param", "description"},
		{"POST", "/tags", `{"name":"x","parent":6}`, "rest_taxonomy_not_hierarchical", ""},
		{"POST", "/tags", `{"name":"x","parent":""}`, "rest_taxonomy_not_hierarchical", ""},
		{"PATCH", "/tags/17?parent=0", `{}`, "rest_taxonomy_not_hierarchical", ""},
		{"POST", "/categories", `{"name":"x","parent":999999}`, "rest_invalid_param", "parent"},
		{"POST", "/categories", `{"name":"x","parent":17}`, "rest_invalid_param", "parent"},
		{"POST", "/categories", `{"name":"x","parent":-6}`, "rest_invalid_param", "parent"},
		{"POST", "/categories", `{"name":"x","parent":""}`, "rest_invalid_param", "parent"},
		{"POST", "/categories", `{"name":"x","parent":6.5}`, "rest_invalid_param", "parent"},
		{"POST", "/categories", `{"name":"x","parent":[6]}`, "rest_invalid_param", "parent"},
		{"POST", "/categories", `{"name":"x","parent":1e300}`, "rest_invalid_param", "parent"},
		{"PATCH", "/categories/6", `{"parent":6}`, "rest_invalid_param", "parent"},
		{"PATCH", "/categories/6", `{"parent":7}`, "rest_invalid_param", "parent"},
		{"PATCH", "/categories/6", `{"name":" \n"}`, "rest_invalid_param", "name"},
		{"PATCH", "/categories/17", `{}`, "rest_invalid_param", "id"},
		{"DELETE", "/categories/999999", ``, "rest_invalid_param", "id"},
		{"DELETE", "/tags/99999999999999999999", ``, "rest_invalid_param", "id"},
		{"DELETE", "/tags/0", `5`, "rest_invalid_param", "id"},
		{"PATCH", "/tags/1", `{}`, "rest_invalid_param", "id"}, // of another taxonomy
	} {
		a := s.must(400, c.method, c.path, c.body)
		if a.Body["code"] != c.code || c.field != "" && !strings.Contains(a.Text, `"params":{"`+c.field+`":`) {
			t.Errorf("%s %s %.80s: %v", c.method, c.path, c.body, a)
		}
	}
	if s.rows() != before || len(s.takeChanges()) != 0 {
		t.Error("something was written")
	}
	for _, c := range []struct{ path, body string }{
		{"/tags", `{"name":"` + strings.Repeat("日", 200) + `"}`}, {"/tags", `{"name":"&"}`},
		{"/categories", `{"name":"🎉","slug":"???","parent":0}`},
		{"/tags", `{"name":"\\ %41 'q' \"","description":"","slug":"` + strings.Repeat("a", 500) + `"}`},
		{"/categories", `{"name":"x","parent":"10"}`},
	} {
		s.must(201, "POST", c.path, c.body)
	}
}

// A caller without the right changes nothing, and is refused first (D52).
func TestRights(t *testing.T) {
	s := newServer(t)
	before := s.rows()
	for _, c := range []struct {
		role, method, path, body string
		status                   int
		allow                    string
	}{
		{"", "POST", "/tags", `{"name":"x"}`, 401, "GET"},
		{"", "POST", "/tags", `{}`, 401, "GET"},
		{"editor", "POST", "/tags", `{}`, 400, "GET, POST"},
		{"", "PATCH", "/categories/8", `{"name":"x"}`, 401, "GET"},
		{"", "DELETE", "/categories/8", ``, 401, "GET"},
		{"", "DELETE", "/categories/999999", ``, 401, "GET"},
		{"author", "DELETE", "/tags/999999", ``, 403, "GET"},
		{"subscriber", "POST", "/categories", `{"name":"x"}`, 403, "GET"},
		{"contributor", "POST", "/categories", `{"name":"x"}`, 403, "GET"},
		{"contributor", "PUT", "/categories/8", `{"name":"x"}`, 403, "GET"},
		{"author", "POST", "/tags", `{"name":"x"}`, 403, "GET"},
		{"author", "POST", "/tags", `{"name":"x","parent":1}`, 403, "GET"},
		{"author", "DELETE", "/tags/19", ``, 403, "GET"},
		{"author", "GET", "/categories/8", ``, 200, "GET, POST, PUT, PATCH, DELETE"},
		{"editor", "DELETE", "/tags/999999", ``, 400, "GET, POST, PUT, PATCH, DELETE"},
		{"editor", "PUT", "/tags", `{"name":"x"}`, 404, ""},
	} {
		if a := s.Do(c.role, c.method, c.path, c.body); a.Status != c.status || a.Header.Get("Allow") != c.allow {
			t.Errorf("%s %s %s: %v, Allow %q", c.role, c.method, c.path, a, a.Header.Get("Allow"))
		}
	}
	if s.rows() != before {
		t.Error("something was written")
	}
	if a := s.Do("author", "POST", "/categories", `{"name":"By author"}`); a.Status != 201 || a.Header.Get("Allow") != "GET, POST" {
		t.Errorf("an author: %v", a)
	}
}

// D14: an update changes what is in it. One that changes nothing writes nothing and
// calls no hook.
func TestD14Update(t *testing.T) {
	s := newServer(t)
	before := s.rows()
	for _, body := range []string{
		`{}`, ``, `{"name":"Klassiek"}`, `{"name":" <b>Klassiek</b> ","slug":"Klassiek X","description":"","parent":6}`, `{"slug":"???"}`,
		`{"unknown":1,"id":5,"count":3}`,
	} {
		for _, verb := range []string{"POST", "PUT", "PATCH"} {
			a := s.must(200, verb, "/categories/8", body)
			if !strings.HasPrefix(a.Text, `{"id":8,"count":10,"description":"","name":"Klassiek"`) {
				t.Errorf("%s: %v", body, a)
			}
		}
	}
	if s.rows() != before || len(s.takeChanges()) != 0 {
		t.Error("an update without a change wrote something")
	}
	s.must(200, "PATCH", "/categories/8", `{"description":"<p>Oud</p> & nieuw"}`)
	want := []string{"place|8|8|tribe_events_cat|Oud &amp; nieuw|6|10"}
	if got := added(before, s.rows()); !slices.Equal(got, want) {
		t.Errorf("stored %q", got)
	}
	// Renaming to a name that is in use leaves the slug.
	a := s.must(200, "PUT", "/categories/8", `{"name":"Jazz"}`)
	if !strings.Contains(a.Text, `"name":"Jazz","slug":"klassiek-x"`) || !strings.Contains(a.Text, `"_links":{`) {
		t.Errorf("%v", a)
	}
	// D45: an empty description clears.
	if a := s.must(200, "PATCH", "/categories/6", `{"description":""}`); a.Body["description"] != "" {
		t.Errorf("%v", a)
	}
	// D44: to the top, and below another one.
	if a := s.must(200, "PATCH", "/categories/8", `{"parent":0}`); a.At("parent") != "0" || strings.Contains(a.Text, `"up"`) {
		t.Errorf("%v", a)
	}
	const moved = "http://site.test/events/category/theater/impro-x/klassiek-x/"
	if a := s.must(200, "PATCH", "/categories/8?parent=11", ``); a.Body["url"] != moved {
		t.Errorf("%v", a)
	}
	tree := added(before, s.rows())
	if !slices.Contains(tree, "tribe_events_cat_children|a:3:{i:6;a:2:{i:0;i:7;i:1;i:9;}i:11;a:1:{i:0;i:8;}i:10;a:1:{i:0;i:11;}}") {
		t.Errorf("%q", tree)
	}
	for _, c := range s.takeChanges() {
		if c.Kind != "categories" || c.Op != content.OpUpdate {
			t.Errorf("hooks called with %v", c)
		}
	}
}

// D21: the slug of another term is refused; that of a term of another taxonomy
// is not.
func TestD21SlugInUse(t *testing.T) {
	s := newServer(t)
	before := s.rows()
	a := s.must(409, "PATCH", "/categories/8", `{"name":"New","slug":"Pop Rock X"}`)
	if a.Text != `{"code":"duplicate_term_slug","message":"error_term_slug","data":{"status":409}}` {
		t.Errorf("%v", a)
	}
	if s.rows() != before {
		t.Error("something was written")
	}
	if a := s.must(200, "PATCH", "/categories/8", `{"slug":"gratis"}`); a.Body["slug"] != "gratis" {
		t.Errorf("%v", a)
	}
}

// The duplicates of new terms, and the slugs of those that have none.
func TestDuplicates(t *testing.T) {
	s := newServer(t)
	for _, c := range []struct {
		path, body string
		slug       string  // of the new term, or
		taken      float64 // the duplicate
	}{
		{"/categories", `{"name":"Muziek"}`, "", 6},
		{"/categories", `{"name":"MUZIEK","slug":"muziek"}`, "", 6},
		{"/categories", `{"name":"dans & beweging"}`, "", 13},
		{"/categories", `{"name":"Muziek","slug":"anders"}`, "anders", 0},
		{"/categories", `{"name":"Muziek","slug":"theater"}`, "", 10},         // a sibling's slug
		{"/categories", `{"name":"Muziek","slug":"jazz-x"}`, "jazz-x-2", 0},   // not a sibling's
		{"/categories", `{"name":"Muziek","parent":10}`, "muziek-theater", 0}, // elsewhere
		{"/categories", `{"name":"Muziek","parent":11}`, "muziek-impro-x", 0}, //
		{"/categories", `{"name":"Músiek","slug":"muziek"}`, "muziek-3", 0},   // -2 is a tag's by then
		{"/categories", `{"name":"Jazz","parent":6}`, "", 7},                  //
		{"/categories", `{"name":"Gratis","slug":"gratis"}`, "gratis", 0},     // of another taxonomy
		{"/categories", `{"name":"Gratis 2","slug":"gratis"}`, "gratis-2", 0}, //
		{"/categories", `{"name":"x","slug":"muziek","parent":7}`, "muziek-jazz-x", 0},
		{"/categories", `{"name":"y","slug":"muziek","parent":7}`, "muziek-jazz-x-muziek", 0},
		{"/categories", `{"name":"z","slug":"muziek","parent":7}`, "muziek-jazz-x-muziek-2", 0},
		{"/tags", `{"name":"GRATIS"}`, "", 17},
		{"/tags", `{"name":"Première"}`, "", 24},
		{"/tags", `{"name":"Premiere"}`, "premiere-2", 0}, // accents make names different
		{"/tags", `{"name":"gratis","slug":"buiten"}`, "", 17},
		{"/tags", `{"name":"gratis","slug":"vrij"}`, "vrij", 0},
		{"/tags", `{"name":"uit & thuis"}`, "", 23},
		{"/tags", `{"name":"uit &amp; thuis"}`, "", 23},
	} {
		if strings.Contains(c.slug, "muziek-3") {
			s.must(201, "POST", "/tags", `{"name":"m","slug":"muziek-2"}`)
		}
		if c.taken == 0 {
			if a := s.must(201, "POST", c.path, c.body); a.Body["slug"] != c.slug {
				t.Errorf("%s: %v, want %s", c.body, a, c.slug)
			}
			continue
		}
		want := fmt.Sprintf(`{"code":"term_exists","message":"error_term_exists","data":{"status":400,"term_id":%v},`+
			`"additional_data":[%[1]v,%[1]v]}`, c.taken)
		if a := s.must(400, "POST", c.path, c.body); a.Text != want {
			t.Errorf("%s: %v", c.body, a)
		}
	}
	// A name of which no slug can be made has its id for one, unless that is one.
	a := s.must(201, "POST", "/tags", `{"name":"&"}`)
	if a.Body["slug"] != fmt.Sprint(a.ID()) {
		t.Errorf("%v", a)
	}
	s.must(201, "POST", "/tags", fmt.Sprintf(`{"name":"early","slug":"%d"}`, a.ID()+2))
	if b := s.must(201, "POST", "/tags", `{"name":"&&"}`); b.ID() != a.ID()+2 ||
		b.Body["slug"] != fmt.Sprint(b.ID(), "-2") && b.Body["slug"] != fmt.Sprintf("%d-2", b.ID()) {
		t.Errorf("%v", b)
	}
}

// D46: a term is deleted for good, with what belongs to it; terms below it move up.
// The answer is the term as it was.
func TestD46Delete(t *testing.T) {
	s := newServer(t)
	s.Exec("INSERT INTO wp_termmeta (term_id, meta_key, meta_value) VALUES (6, 'color', 'red'), (7, 'color', 'blue')")
	s.must(200, "PATCH", "/categories/6", `{"parent":10}`)
	s.takeChanges()
	before := s.rows()
	read := s.must(200, "GET", "/categories/6", "")
	want, _, _ := strings.Cut(read.Text, `,"_links"`)
	if a := s.must(200, "DELETE", "/categories/6?force=false", ""); a.Text != want+"}" {
		t.Errorf("%s\nwant\n%s}", a.Text, want)
	}
	after := s.rows()
	if got, want := added(before, after), []string{
		"place|7|7|tribe_events_cat||10|15", "place|8|8|tribe_events_cat||10|10", "place|9|9|tribe_events_cat||10|11",
		"tribe_events_cat_children|a:1:{i:10;a:4:{i:0;i:7;i:1;i:8;i:2;i:9;i:3;i:11;}}",
	}; !slices.Equal(got, want) {
		t.Errorf("stored %q", got)
	}
	gone := added(after, before)
	relations := slices.DeleteFunc(slices.Clone(gone), func(line string) bool { return !strings.HasPrefix(line, "has|") })
	if len(relations) < 8 || !slices.Contains(gone, "term|6|Muziek|muziek|0") ||
		!slices.ContainsFunc(gone, func(l string) bool { return strings.HasSuffix(l, "|6|color|red") }) {
		t.Errorf("gone: %q", gone)
	}
	for _, l := range relations {
		if !strings.HasSuffix(l, "|6|0") {
			t.Errorf("gone too: %s", l)
		}
	}
	s.must(400, "DELETE", "/categories/6", "")
	s.must(400, "GET", "/categories/6", "")
	if got := s.takeChanges(); !slices.Equal(got, []content.Change{{Kind: "categories", ID: 6, Slug: "muziek", Op: content.OpDelete}}) {
		t.Errorf("hooks called with %v", got)
	}
	// A term of two taxonomies, as old sites have them, stays in the other one.
	s.Exec("INSERT INTO wp_term_taxonomy (term_id, taxonomy, description) VALUES (17, 'tribe_events_cat', 'both')")
	s.Exec("INSERT INTO wp_termmeta (term_id, meta_key, meta_value) VALUES (17, 'color', 'green')")
	s.must(200, "DELETE", "/tags/17", `{"force":true}`)
	if a := s.must(200, "GET", "/categories/17", ""); a.Body["name"] != "gratis" {
		t.Errorf("%v", a)
	}
	s.must(400, "GET", "/tags/17", "")
	if !strings.Contains(s.rows(), "|17|color|green") {
		t.Error("its meta rows are gone")
	}
	s.Exec("DROP TABLE wp_termmeta")
	s.must(200, "DELETE", "/categories/17", "")
	s.must(400, "GET", "/categories/17", "")
}

// Terms that another program put in a circle can be deleted, and nothing ends
// below itself.
func TestDeleteInCircle(t *testing.T) {
	s := newServer(t)
	s.Exec("UPDATE wp_term_taxonomy SET parent = 7 WHERE term_id = 6")
	s.Exec("UPDATE wp_term_taxonomy SET parent = 12 WHERE term_id = 12")
	s.Exec("UPDATE wp_term_taxonomy SET parent = 12 WHERE term_id = 13")
	s.must(200, "DELETE", "/categories/6", "")
	s.must(200, "DELETE", "/categories/12", "")
	for id, parent := range map[int]int64{7: 0, 8: 7, 13: 0} {
		if a := s.must(200, "GET", fmt.Sprintf("/categories/%d", id), ""); a.At("parent") != fmt.Sprint(parent) {
			t.Errorf("%v", a)
		}
	}
}

// D26: a write with If-Match happens only if the term is what the caller has read, in
// any view.
func TestD26Match(t *testing.T) {
	s := newServer(t)
	tag := s.must(200, "GET", "/tags/19", "").Header.Get("ETag")
	narrow := s.must(200, "GET", "/tags/19?_fields=name&context=embed", "").Header.Get("ETag")
	if tag == "" || tag == narrow || tag[:strings.IndexByte(tag, '.')] != narrow[:strings.IndexByte(narrow, '.')] {
		t.Fatalf("%s, %s", tag, narrow)
	}
	// How often a term is used is not its own.
	s.Exec("UPDATE wp_term_taxonomy SET count = 99 WHERE term_id = 19")
	s.must(200, "PATCH", "/tags/19", `{"description":"first"}`, "If-Match", `"other.x", `+narrow)
	before := s.rows()
	for _, match := range []string{tag, narrow, "W/" + tag, `"x"`, "x"} {
		s.must(412, "PATCH", "/tags/19", `{"description":"second"}`, "If-Match", match)
		s.must(412, "DELETE", "/tags/19", "", "If-Match", match)
	}
	if s.rows() != before {
		t.Error("something was written")
	}
	s.must(200, "DELETE", "/tags/19", "", "If-Match", "*")
	s.must(400, "DELETE", "/tags/19", "", "If-Match", "*")
}

// D20: if any statement of a write fails, nothing of it is stored, no hook is called
// and the answer is an error.
func TestD20Rollback(t *testing.T) {
	s := newServer(t)
	for name, c := range map[string]struct {
		method, path, body string
		least              int
	}{
		"create": {"POST", "/categories", `{"name":"Muziek","parent":10}`, 12},
		"number": {"POST", "/tags", `{"name":"&"}`, 8},
		"update": {"PATCH", "/categories/8", `{"name":"x","slug":"y","description":"z","parent":10}`, 12},
		"delete": {"DELETE", "/categories/12", ``, 12},
	} {
		before := s.rows()
		n := 0
		for status := 0; status/100 != 2 && n < 100; {
			n++
			s.Counter.Reset()
			s.Counter.FailAt(n, errors.New("a broken statement"))
			a := s.Do("editor", c.method, c.path, c.body)
			s.Counter.Reset()
			if status = a.Status; status/100 == 2 {
				break
			}
			if status != 500 || a.Body["code"] != "internal_server_error" || s.rows() != before || len(s.takeChanges()) != 0 {
				t.Fatalf("%s, statement %d: %v, changed: %q", name, n, a, added(before, s.rows()))
			}
		}
		if n < c.least || len(s.takeChanges()) != 1 || s.rows() == before {
			t.Errorf("%s: done after %d statements", name, n)
		}
	}
}
