package contract

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/uptrace/bun"
	"golang.org/x/net/html"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/apitest"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/schema"
)

// textFields contains the fields of each resource whose texts are stored in meta rows.
var textFields = map[string][]string{
	"venues":     {"address", "city", "country", "province", "state", "stateprovince", "zip", "phone"},
	"organizers": {"phone", "email"},
	"events":     {"cost"},
}

var requiredFields = map[string]string{
	"venues": `"venue":"Hall"`, "organizers": `"organizer":"Club"`,
	"events": `"title":"Fair","start_date":"2030-07-01 10:00","end_date":"2030-07-01 11:00"`,
}

// storedAsTexts checks that other programs that use the tables read every stored text as a string. If they unserialized
// it to an object, that would run code of its class.
func storedAsTexts(t *testing.T, e Engine) {
	s := built(t, e, "office")
	c, texts := s.client(calendar.Options{}), words("texts that look serialized")
	for kind, fields := range textFields {
		for _, text := range texts {
			body := "{" + requiredFields[kind]
			for _, f := range fields {
				body += `,"` + f + `":` + quoted(text)
			}
			a := c.Must(http.StatusCreated, "author", http.MethodPost, "/"+kind, body+"}")
			path := "/" + kind + "/" + a.At("id")
			read := c.Get("author", path)
			for _, f := range fields {
				if f != "cost" && read.Word(f) != text {
					t.Errorf("%s: %s is %q, sent was %q", path, f, read.Word(f), text)
				}
			}
			before := s.Rows()
			r := c.Do("author", http.MethodPut, path, body+"}", "If-Match", read.Header.Get("ETag"))
			if changed := before.Differences(s.Rows()); r.Status != http.StatusOK || len(changed) > 0 {
				t.Errorf("%s: the same again: %d, changed %q\n%s", path, r.Status, changed, apitest.Clip(r.Text))
			}
		}
	}
	found := 0
	for _, m := range rowsOf[schema.PostMeta](s, "meta_id") {
		v, err := phpval.Unserialize(strings.TrimSpace(m.Value))
		_, isText := v.(string)
		found += map[bool]int{true: 1}[isText]
		object := strings.HasPrefix(m.Value, "O:") || strings.HasPrefix(m.Value, "E:")
		if object || err == nil && !isText && m.Key != schema.MetaModifiedFields {
			t.Errorf("%s holds %q", m.Key, m.Value)
		}
	}
	if want := len(texts) * (8 + 2 + 1); found != want {
		t.Errorf("%d texts are stored as such, want %d", found, want)
	}
}

// running returns the part of a text that runs code where the text is shown, or "".
func running(text string) string {
	for z := html.NewTokenizer(strings.NewReader(text)); ; {
		kind := z.Next()
		if kind == html.ErrorToken {
			return ""
		}
		tag := z.Token()
		if kind != html.StartTagToken && kind != html.SelfClosingTagToken {
			continue
		}
		switch tag.Data {
		case "script", "iframe", "embed", "svg", "style", "base", "form", "meta", "link", "noscript", "template", "input":
			return tag.String()
		}
		for _, a := range tag.Attr {
			value := strings.ToLower(strings.Map(func(c rune) rune {
				if c <= ' ' {
					return -1
				}
				return c
			}, a.Val))
			if strings.HasPrefix(a.Key, "on") || a.Key == "srcdoc" || a.Key == "formaction" ||
				strings.Contains(a.Key, "style") && strings.Contains(value, "javascript:") ||
				strings.HasPrefix(value, "javascript:") || strings.HasPrefix(value, "vbscript:") || strings.HasPrefix(value, "data:text") {
				return tag.String()
			}
		}
	}
}

// textsIn calls see for all strings of a response.
func textsIn(v any, see func(string)) {
	switch x := v.(type) {
	case string:
		see(x)
	case []any:
		for _, e := range x {
			textsIn(e, see)
		}
	case map[string]any:
		for _, e := range x {
			textsIn(e, see)
		}
	}
}

// noScripts checks that callers who may not store any HTML cannot store HTML that runs code, in any field.
func noScripts(t *testing.T, e Engine) {
	s := built(t, e, "office")
	c := s.client(calendar.Options{})
	written := 0
	scripts := texts("scripts")
	for _, script := range scripts {
		text := quoted("x " + script)
		fill := strings.NewReplacer("$TEXT", text, "$ADDRESS", quoted("http://x.test/?"+script))
		for _, l := range texts("writes of scripts") {
			m := requestLine.FindStringSubmatch(l)
			as, method, path, body := m[1], m[2], m[4], fill.Replace(m[5])
			a := c.Do(as, method, path, body)
			written += map[bool]int{true: 1}[a.Status == http.StatusCreated]
			textsIn(a.Body, func(shown string) {
				if a.Status != http.StatusBadRequest && running(shown) != "" {
					t.Errorf("%s %s: %s\n in %q", as, path, running(shown), shown)
				}
			})
		}
	}
	if written < 3*len(scripts) {
		t.Errorf("only %d of %d texts were taken", written, 7*len(scripts))
	}
	stored := []string{}
	for _, p := range rowsOf[schema.Post](s, "ID") {
		stored = append(stored, p.Title, p.Content, p.Excerpt, p.Name, p.GUID)
	}
	for _, m := range rowsOf[schema.PostMeta](s, "meta_id") {
		stored = append(stored, m.Value)
	}
	for _, text := range stored {
		if found := running(text); found != "" {
			t.Errorf("stored: %s\n in %q", found, text)
		}
	}
}

// cheapRefusals checks that callers without any right to write cannot cause more statements by sending more.
func cheapRefusals(t *testing.T, e Engine) {
	var counter *testdb.Counter
	e.Blank = func(t testing.TB) (db *bun.DB) {
		db, counter = e.Counted(t)
		return db
	}
	s := newSite(t, e)
	s.users().Insert(&schema.User{ID: 1, Login: "admin", Nicename: "admin", DisplayName: "admin", Registered: "2020-01-01 00:00:00"})
	c := s.client(calendar.Options{})
	list := "[" + strings.Repeat(`{"venue":"v","organizer":"o","author":1},`, 99) + `{"venue":"v","organizer":"o"}]`
	body := `{"title":"x","start_date":"2030-07-01 10:00","end_date":"2030-07-01 11:00","venue":` + list + `,"organizer":` + list + `}`
	for as, want := range map[string]string{"": "401 rest_forbidden", "subscriber": "403 rest_forbidden"} {
		c.Do(as, http.MethodGet, "/events", "") // reads the settings
		counter.Reset()
		a := c.Do(as, http.MethodPost, "/events", body)
		if n := len(counter.Statements()); a.Verdict() != want || n > 5 {
			t.Errorf("%q: %s after %d statements", as, a.Verdict(), n)
		}
	}
}

// ownFieldsOnly checks that a request only sets declared fields.
func ownFieldsOnly(t *testing.T, e Engine) {
	s := built(t, e, "office")
	c := s.client(calendar.Options{})
	s.venue(thing{slug: "hall", author: 3})
	c.Do("author", http.MethodPut, s.fill("/venues/{hall}"), `{"city":"Gent"}`) // the first write adds more rows than later ones
	other, was := s.idText("e-publish"), s.Rows()
	for i, value := range []string{`1`, `"1"`, quoted("page"), `{"a":"b"}`, other, `[` + other + `]`} {
		for k, name := range words("members that nobody may set") {
			if name == "password" && value[0] != '"' || name == "force" || e.skips(i+k) {
				continue
			}
			for _, target := range []string{"/events/{a-publish}", "/venues/{hall}", "/events/by-slug/a-publish"} {
				a := c.Do("author", http.MethodPut, s.fill(target), fmt.Sprintf(`{%q:%s}`, name, value))
				is := s.Rows()
				changed := was.Differences(is)
				was = is
				other := a.Status == http.StatusOK && a.Word("slug") != "a-publish" && a.Word("slug") != "hall"
				if a.Status >= 500 || len(changed) > 0 || other {
					t.Errorf("%d %s: %s, changed %q\n%s", i, a.Request, a.Verdict(), changed, apitest.Clip(a.Text))
				}
			}
		}
	}
}
