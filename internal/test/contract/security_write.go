package contract

import (
	"net/http"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/apitest"
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
			a := c.Do("author", http.MethodPost, "/"+kind, body+"}")
			if a.Status != http.StatusCreated {
				t.Fatalf("%s: %s", a.Request, apitest.Clip(a.Text))
			}
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
