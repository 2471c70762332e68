package linked_test

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/api"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/test/apitest"
	"github.com/agendahq/agenda/schema"
)

// published is what the index prints of an operation's parameters: names with the
// keys before "required", "!" for required ones.
func published(o *rest.Operation) string {
	short := map[string]string{"type": "t", "default": "0", "description": "d"}
	var list []string
	for _, p := range o.Params {
		if p.Unlisted || p.Name == "i18n_language" {
			continue
		}
		s := p.Name + ":"
		for _, key := range p.Published() {
			s += short[key]
		}
		if p.Type != jsonschema.TypeText {
			s += "/" + p.Type
		}
		if p.Required {
			s += "!"
		}
		list = append(list, s)
	}
	return strings.Join(list, " ")
}

func TestPublishedParameters(t *testing.T) {
	c := open(t)
	const (
		venue = "author:td/integer date:td date_utc:td venue:td%s description:t0d status:td show_map:t0d show_map_link:t0d " +
			"address:t0d city:t0d country:t0d province:t0d state:t0d zip:t0d phone:t0d stateprovince:t0d website:t0d image:t0d"
		organizer = "author:t0d/integer date:t0d date_utc:t0d organizer:t0d%s description:t0d status:t0d phone:t0d website:t0d " +
			"email:t0d image:t0d"
		id, slug = "id:td/integer!", "slug:td!"
	)
	a := api.New(c.Env)
	for _, k := range []struct {
		rest.Operations
		fields string
	}{{a.Places(c.venues), venue}, {a.Places(c.organizers), organizer}} {
		update := fmt.Sprintf(k.fields, "")
		for _, w := range []struct {
			operation *rest.Operation
			want      string
		}{
			{k.Create, fmt.Sprintf(k.fields, "!")},
			{k.Item.Get, id}, {k.Item.Delete, id}, {k.Item.Update, id + " " + update},
			{k.BySlug.Get, slug}, {k.BySlug.Delete, slug}, {k.BySlug.Update, slug + " " + update},
		} {
			if got := published(w.operation); got != w.want {
				t.Errorf("%s\n got %s\nwant %s", w.operation.ID, got, w.want)
			}
		}
	}
}

func TestCreate(t *testing.T) {
	c := open(t)
	a := c.Must(201, "admin", "POST", "/venues",
		`{"venue":" Vooruit \\ Co ","city":"Gent","country":"Belgium","state":"ST","province":"OVL","show_map":"false",`+
			`"description":"D","image":"182"}`)
	id := a.ID()
	if want := fmt.Sprintf("%s/venues/%d", apitest.Root, id); a.Header.Get("Location") != want || a.Header.Get("Allow") != "GET, POST" {
		t.Errorf("Location %s, Allow %s", a.Header.Get("Location"), a.Header.Get("Allow"))
	}
	_, linked := a.Body["json_ld"]
	if linked || a.Body["venue"] != `Vooruit \ Co` || a.Body["stateprovince"] != "OVL" || a.Body["show_map"] != false ||
		a.Body["show_map_link"] != true {
		t.Errorf("%s", a.Text)
	}
	const keys = "_VenueOrigin _tribe_modified_fields _EventShowMapLink _EventShowMap _VenueShowMapLink _VenueShowMap _thumbnail_id " +
		"_VenueCity _VenueCountry _VenueProvince _VenueState _VenueStateProvince"
	got := strings.Join(c.Scan("SELECT meta_key FROM wp_postmeta WHERE post_id = ? ORDER BY meta_id", id), " ")
	if got != keys {
		t.Errorf("rows %s", got)
	}
	if n := len(c.Changes); n != 1 || c.Changes[0] != (content.Change{
		Kind: "venues", ID: id, Slug: "vooruit-co", Op: content.OpCreate, After: "publish",
	}) {
		t.Errorf("%v", c.Changes)
	}
	// D35: always a new one, and the first is as it was.
	b := c.Must(201, "author", "POST", "/venues", `{"venue":"Vooruit \\ Co","city":"Other"}`)
	if b.ID() == id || b.Body["slug"] != "vooruit-co-2" || !slices.Equal(c.Meta(id, schema.MetaVenueCity), []string{"Gent"}) {
		t.Errorf("D35: %s", b.Text)
	}
	o := c.Must(201, "contributor", "POST", "/organizers", `{"organizer":"Wij","email":"not checked","website":"","phone":"+32"}`)
	if o.Body["status"] != "draft" || o.Body["slug"] != "wij" || o.Body["email"] != "not checked" ||
		!slices.Equal(c.Meta(o.ID(), schema.MetaOrganizerWebsite), []string{""}) {
		t.Errorf("%s", o.Text)
	}
	for _, key := range []string{"_Organizerpost_status", "_OrganizerDescription", "_Venuepost_date", "_VenueDescription"} {
		if len(c.Meta(o.ID(), key))+len(c.Meta(id, key)) > 0 {
			t.Errorf("D42: %s is written", key)
		}
	}
}

// Whatever is wrong, nothing is written and the answer says what it was.
func TestRefusals(t *testing.T) {
	c := open(t)
	before := c.Dump()
	for _, w := range []struct {
		as, method, path, body string
		status                 int
		code, param            string
	}{
		{"contributor", "POST", "/venues", `{}`, 400, "rest_missing_callback_param", ""},
		{"contributor", "POST", "/venues", `{"venue":null}`, 400, "rest_missing_callback_param", ""},
		{"contributor", "POST", "/venues", `{"venue":""}`, 400, "rest_invalid_param", "venue"},
		{"admin", "POST", "/venues", `{"venue":" \n"}`, 400, "could-not-create-venue", ""},
		{"admin", "POST", "/organizers", `{"organizer":"\t"}`, 400, "could-not-create-organizer", ""},
		{"", "POST", "/venues", `{"venue":" "}`, 401, "rest_forbidden", ""},
		{"contributor", "POST", "/venues", `{"venue":"<script></script>"}`, 400, "rest_invalid_param", "venue"},
		{"admin", "PATCH", "/venues/8", `{"venue":" "}`, 400, "rest_invalid_param", "venue"},
		{"admin", "PATCH", "/venues/8", `{"venue":""}`, 400, "rest_invalid_param", "venue"},
		{"admin", "POST", "/venues", `{"venue":"x","phone":5}`, 400, "rest_invalid_param", "phone"},
		{"admin", "POST", "/venues", `{"venue":"x","phone":null}`, 400, "rest_invalid_param", "phone"},
		{"admin", "POST", "/venues", `{"venue":"x","show_map":true}`, 400, "rest_invalid_param", "show_map"},
		{"admin", "POST", "/venues", `{"venue":"x","website":"nope"}`, 400, "rest_invalid_param", "website"},
		{"admin", "POST", "/venues", `{"venue":"x","status":"bogus"}`, 400, "rest_invalid_param", "status"},
		{"admin", "POST", "/venues", `{"venue":"x","status":"trash"}`, 400, "rest_invalid_param", "status"},
		{"admin", "POST", "/venues", `{"venue":"x","author":99}`, 400, "rest_invalid_param", "author"},
		{"author", "POST", "/venues", `{"venue":"x","author":1}`, 403, "rest_forbidden", ""},
		{"admin", "POST", "/venues", `{"venue":"` + strings.Repeat("a", 70000) + `"}`, 400, "rest_invalid_param", "venue"},
		{"", "PATCH", "/venues/999999", `{}`, 401, "rest_forbidden", ""}, // D52
		{"contributor", "PATCH", "/venues/999999", `{}`, 400, "rest_invalid_param", "id"},
		{"admin", "PATCH", "/venues/18", `{}`, 400, "rest_invalid_param", "id"},
		{"admin", "DELETE", "/organizers/8", "", 400, "rest_invalid_param", "id"},
		{"", "GET", "/venues/18", "", 400, "rest_invalid_param", "id"},
		{"subscriber", "DELETE", "/venues/by-slug/nothing", "", 403, "rest_forbidden", ""},
		{"contributor", "DELETE", "/venues/by-slug/nothing", "", 400, "rest_invalid_param", "slug"},
		{"admin", "PATCH", "/venues/by-slug/ville-de-liege", `{}`, 400, "rest_invalid_param", "slug"},
		{"", "PATCH", "/venues/8", `{"city":"x"}`, 401, "rest_forbidden", ""},
		{"subscriber", "PATCH", "/venues/8", `{"city":"x"}`, 403, "rest_forbidden", ""},
		{"contributor", "PATCH", "/venues/by-slug/de-vooruit-co", `{"city":"x"}`, 403, "rest_forbidden", ""},
		{"author", "DELETE", "/venues/by-slug/de-vooruit-co", "", 403, "rest_forbidden", ""},
		{"author", "DELETE", "/venues/8?force=true", "", 403, "rest_forbidden", ""},
		{"admin", "DELETE", "/venues/8?force=please", "", 400, "rest_invalid_param", "force"},
	} {
		a := c.Do(w.as, w.method, w.path, w.body)
		if a.Status != w.status || a.Code() != w.code || w.param != "" && a.Fault(w.param) == "" {
			t.Errorf("%s %s %s %.60s: %d %.200s", w.as, w.method, w.path, w.body, a.Status, a.Text)
		}
	}
	if c.Dump() != before {
		t.Error("a refused request changed something")
	}
	for as, want := range map[string]string{"": "GET", "subscriber": "GET", "admin": "GET"} {
		if a := c.Do(as, "PATCH", "/venues/999999", `{}`); a.Header.Get("Allow") != want {
			t.Errorf("%s: Allow %s of a venue that does not exist", as, a.Header.Get("Allow"))
		}
	}
	if a := c.Do("admin", "PATCH", "/venues/8", `{"website":"nope"}`); a.Header.Get("Allow") != "GET, DELETE, POST, PUT, PATCH" {
		t.Errorf("Allow %s", a.Header.Get("Allow"))
	}
}

// D14: a field that is not in the request stays, whatever the verb, and nothing
// changed writes nothing.
func TestD14Updates(t *testing.T) {
	c := open(t)
	full := `{"venue":"V","description":"D","status":"private","author":2,"date":"2026-01-02 03:04:05","address":"A 1","city":"C",` +
		`"country":"US","province":"P","state":"S","zip":"Z","phone":"T","stateprovince":"XX","website":"https://ex.org/","image":"182",` +
		`"show_map":"0"}`
	id := c.Must(201, "admin", "POST", "/venues", full).ID()
	path := fmt.Sprintf("/venues/%d", id)
	c.Must(200, "admin", "PATCH", path, `{"phone":"T"}`) // the first one keeps a revision if anything
	before := c.Dump()
	c.Changes = nil
	for _, body := range []string{`{}`, full, `{"state":"S"}`, `{"website":"https://ex.org/"}`, `{"image":182}`,
		`{"image":"182","slug":"ignored","excerpt":"ignored","title":"ignored","id":8}`} {
		for _, method := range []string{"POST", "PUT", "PATCH"} {
			c.Must(200, "admin", method, path, body)
			if got := c.Dump(); got != before {
				t.Fatalf("%s %s changed something", method, body)
			}
		}
	}
	if len(c.Changes) > 0 {
		t.Errorf("hooks called with %v", c.Changes)
	}
	was := c.Must(200, "admin", "GET", path, "").Body
	a := c.Must(200, "admin", "PUT", path, `{"city":"Gent"}`)
	for name, value := range was {
		now := a.Body[name]
		switch name {
		case "city":
			value = "Gent"
		case "modified", "modified_utc", "json_ld":
			continue
		}
		if fmt.Sprint(now) != fmt.Sprint(value) {
			t.Errorf("%s was %v and is %v", name, value, now)
		}
	}
	a = c.Must(200, "admin", "POST", "/venues/by-slug/v", `{"state":"T","image":"","description":""}`)
	if a.Body["stateprovince"] != "XX" || a.Body["image"] != nil || a.Body["description"] != nil {
		t.Errorf("%s", a.Text)
	}
	a = c.Must(200, "admin", "PATCH", path, `{"venue":"W & co"}`)
	if a.Body["venue"] != "W &#038; co" || a.Body["slug"] != "v" {
		t.Errorf("%s", a.Text)
	}
}

// D13: the right to that very post counts, however it is addressed.
func TestD13Rights(t *testing.T) {
	c := open(t)
	id := c.Must(201, "contributor", "POST", "/organizers", `{"organizer":"Mine"}`).ID()
	path := fmt.Sprintf("/organizers/%d", id)
	for _, address := range []string{path, "/organizers/by-slug/mine"} {
		c.Must(200, "contributor", "PATCH", address, `{"phone":"1"}`)
		c.Must(403, "author", "PATCH", address, `{"phone":"2"}`)
		c.Must(403, "author", "DELETE", address, "")
	}
	c.Must(200, "admin", "PATCH", path, `{"status":"publish"}`)
	c.Must(403, "contributor", "PATCH", "/organizers/by-slug/mine", `{"phone":"3"}`)
	c.Must(403, "contributor", "PATCH", path, `{"phone":"3"}`)
	c.Must(200, "editor", "PATCH", path, `{"phone":"4"}`)
}

func TestD26IfMatch(t *testing.T) {
	c := open(t)
	tag := c.Must(200, "", "GET", "/venues/8", "").Header.Get("ETag")
	other := c.Must(200, "admin", "GET", "/venues/8?context=edit&_fields=id", "").Header.Get("ETag")
	if tag == "" || tag == other {
		t.Fatalf("tags %s %s", tag, other)
	}
	c.Must(412, "admin", "PATCH", "/venues/8", `{"phone":"1"}`, "If-Match", `"other.x"`)
	c.Must(412, "admin", "DELETE", "/venues/8", "", "If-Match", `W/`+tag)
	c.Must(200, "admin", "PATCH", "/venues/8", `{"phone":"1"}`, "If-Match", tag)
	c.Must(412, "admin", "PATCH", "/venues/8", `{"phone":"2"}`, "If-Match", tag)
	c.Must(412, "admin", "PATCH", "/venues/8", `{"phone":"2"}`, "If-Match", other)
	if got := c.Meta(8, schema.MetaVenuePhone); !slices.Equal(got, []string{"1"}) {
		t.Errorf("phone %q", got)
	}
	tag = c.Must(200, "", "GET", "/venues/by-slug/de-vooruit-co", "").Header.Get("ETag")
	c.Exec("UPDATE wp_posts SET post_content = 'by another program' WHERE ID = 8")
	c.Must(412, "admin", "PATCH", "/venues/8", `{}`, "If-Match", tag)
	c.Must(200, "admin", "PATCH", "/venues/8", `{}`, "If-Match", "*")
}

func TestD27Raw(t *testing.T) {
	c := open(t)
	id := c.Must(201, "admin", "POST", "/venues", `{"venue":"A & \"b\"","description":"One\n\nTwo"}`).ID()
	c.Exec("UPDATE wp_posts SET post_password = 'secret', post_excerpt = 'E & f' WHERE ID = ?", id)
	path := fmt.Sprintf("/venues/%d?context=edit", id)
	a := c.Must(200, "admin", "GET", path, "")
	if a.Body["title_raw"] != `A & "b"` || a.Body["description_raw"] != "One\n\nTwo" || a.Body["excerpt_raw"] != "E & f" ||
		a.Body["description"] != "<p>One</p>\n<p>Two</p>" {
		t.Errorf("%s", a.Text)
	}
	c.Must(403, "contributor", "GET", path, "")
	if a := c.Must(200, "admin", "GET", fmt.Sprintf("/venues/%d", id), ""); a.Body["title_raw"] != nil || a.Body["description"] != "" {
		t.Errorf("%s", a.Text)
	}
	// The answer to its author shows what was written.
	a = c.Must(200, "admin", "PATCH", fmt.Sprintf("/venues/%d", id), `{"description":"Three"}`)
	if a.Body["description"] != "<p>Three</p>\n" && a.Body["description"] != "<p>Three</p>" {
		t.Errorf("%s", a.Text)
	}
}

// A failure at any statement of a write leaves every row as it was.
func TestD20AllOrNothing(t *testing.T) {
	c := open(t)
	before := c.Dump()
	for _, w := range []struct{ method, path, body string }{
		{"POST", "/venues", `{"venue":"New","city":"Gent"}`}, {"PATCH", "/venues/8", `{"venue":"Other","phone":"5"}`},
		{"DELETE", "/organizers/17", ""}, {"DELETE", "/venues/9?force=true", ""},
	} {
		places := 0
		for n := 1; ; n++ {
			c.Counter.Reset()
			c.Counter.FailAt(n, errors.New("injected"))
			a := c.Do("admin", w.method, w.path, w.body)
			if a.Status < 400 {
				break
			}
			places++
			c.Counter.Reset()
			if a.Code() == "" {
				t.Fatalf("%s %s at %d: %s", w.method, w.path, n, a.Text)
			}
			if c.Dump() != before {
				t.Fatalf("%s %s: a failure at statement %d leaves something behind", w.method, w.path, n)
			}
		}
		c.Counter.Reset()
		if places < 8 {
			t.Errorf("%s %s failed at %d places only", w.method, w.path, places)
		}
		before = c.Dump()
	}
}
