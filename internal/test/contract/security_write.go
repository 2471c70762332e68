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

// looksStored are texts that programs in PHP would make objects and lists of, if
// they stood in a meta row as they are.
var looksStored = []string{
	`O:8:"stdClass":0:{}`, `a:1:{i:0;O:8:"stdClass":0:{}}`, `s:19:"O:8:"stdClass":0:{}";`, `E:7:"Foo:Bar";`, "N;", "b:1;", "i:5;", "d:0.5;", `s:3:"abc";`,
}

// textFields are the fields of each kind that hold texts in meta rows.
var textFields = map[string][]string{
	"venues":     {"address", "city", "country", "province", "state", "stateprovince", "zip", "phone"},
	"organizers": {"phone", "email"},
	"events":     {"cost"},
}

var requiredFields = map[string]string{
	"venues": `"venue":"Hall"`, "organizers": `"organizer":"Club"`, "events": `"title":"Fair","start_date":"2030-07-01 10:00","end_date":"2030-07-01 11:00"`,
}

// storedAsTexts proves that nobody can have other programs on the tables make
// anything but the text of a text: an object made of it runs code of its class.
func storedAsTexts(t *testing.T, e Engine) {
	s := built(t, e, "office")
	c := s.client(calendar.Options{})
	for kind, fields := range textFields {
		for _, text := range looksStored {
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
		if object := strings.HasPrefix(m.Value, "O:") || strings.HasPrefix(m.Value, "E:"); object || err == nil && !isText && m.Key != schema.MetaModifiedFields {
			t.Errorf("%s holds %q", m.Key, m.Value)
		}
	}
	if want := len(looksStored) * (8 + 2 + 1); found != want {
		t.Errorf("%d texts are stored as such, want %d", found, want)
	}
}

// scripts are texts that run code where they are shown unchanged.
var scripts = []string{
	`<script>alert(1)</script>`, `<img src=x onerror=alert(1)>`, `"><svg onload=alert(1)>`, `<a href="javascript:alert(1)">x</a>`, `<a href="java&#x0a;script:alert(1)">x</a>`,
	`<a href="&#1;javascript:alert(1)">x</a>`, `<iframe srcdoc="&lt;script&gt;alert(1)&lt;/script&gt;"></iframe>`, `<scr<script>ipt>alert(1)</scr</script>ipt>`,
	`<<script>script>alert(1)</script>`, `&lt;script&gt;alert(1)&lt;/script&gt;`, `&amp;lt;script&amp;gt;alert(1)`, `<p style="background:url(javascript:alert(1))">x</p>`,
	`<div onmouseover='alert(1)'>x</div>`, `<details open ontoggle=alert(1)>`, `<math href="javascript:alert(1)">x</math>`, "<a\x0bhref=javascript:alert(1)>x</a>",
	`<!-- wp:image {"id":"\u0022\u003e\u003cscript\u003ealert(1)\u003c/script\u003e","data-id":"\u0022 onerror=\u0022x"} --><figure><img src="x.jpg"/></figure><!-- /wp:image -->`,
	`<!-- wp:group {"layout":{"type":"\u0022\u003e\u003cscript\u003e","orientation":"\u0022 onclick=\u0022x"}} --><div>x</div><!-- /wp:group -->`,
	`<!-- wp:html --><script>alert(1)</script><!-- /wp:html -->`, `<!--><script>alert(1)</script>-->`, `<![CDATA[><script>alert(1)</script>]]>`,
	`[caption width="1" caption='<a href="' ">]</a><a href="http://onMouseOver='alert(1)'">x</a>`, `[caption width=1 caption="\x3cimg src=x onerror=alert(1)\x3e"]x[/caption]`,
	`[caption width=1 align='"><script>alert(1)</script>' caption=x]x[/caption]`, `[audio src="javascript:alert(1)"]`, `[video mp4="javascript:alert(1)//.mp4" poster='"onerror=alert(1) x="']x[/video]`,
	`[gallery ids=1 itemtag="script" size='"><script>']`, `[embed]javascript:alert(1)[/embed]`, `<a title="[caption width=1 caption='&quot;onmouseover=alert(1) x=']x[/caption]">x</a>`,
	`<textarea></textarea><img src=x onerror=alert(1)>`, `<form action="javascript:alert(1)"><button formaction="javascript:alert(1)">x</button></form>`,
	`<object data="javascript:alert(1)"></object>`, `<embed src="data:text/html,<script>alert(1)</script>">`, `<base href="javascript:/a/">`, `<meta http-equiv=refresh content="0;url=javascript:alert(1)">`,
	`<video><source onerror="alert(1)"></video>`, `<a href="vbscript:x">x</a>`, `<a href="data:text/html;base64,PHNjcmlwdD4=">x</a>`, `<noscript><p title="</noscript><img src=x onerror=alert(1)>">`,
}

// running tells what in a text as it is shown runs code, "" if nothing does.
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
			if strings.HasPrefix(a.Key, "on") || a.Key == "srcdoc" || a.Key == "formaction" || strings.Contains(a.Key, "style") && strings.Contains(value, "javascript:") ||
				strings.HasPrefix(value, "javascript:") || strings.HasPrefix(value, "vbscript:") || strings.HasPrefix(value, "data:text") {
				return tag.String()
			}
		}
	}
}

// texts walks all texts of an answer.
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

// noScripts proves that who may not store any HTML stores none that runs code, in
// whatever field.
func noScripts(t *testing.T, e Engine) {
	s := built(t, e, "office")
	c := s.client(calendar.Options{})
	written := 0
	for _, script := range scripts {
		text := quoted("x " + script)
		nested := `,"venue":{"venue":` + text + `,"description":` + text + `,"address":` + text + `,"city":` + text + `},"organizer":{"organizer":` + text + `,"phone":` + text + `,"email":` + text + `}`
		shared := `,"description":` + text + `,"excerpt":` + text
		for _, w := range []struct{ as, method, path, body string }{
			{"author", "POST", "/events", `{"title":` + text + shared + `,"slug":` + text + `,"cost":` + text + `,"start_date":"2030-07-01 10:00","end_date":"2030-07-01 11:00","categories":[` + text + `]` + nested + `}`},
			{"contributor", "POST", "/events", `{"title":` + text + shared + `,"website":` + quoted("http://x.test/?"+script) + `,"start_date":"2030-07-01 10:00","end_date":"2030-07-01 11:00"` + nested + `}`},
			{"author", "POST", "/venues", `{"venue":` + text + `,"description":` + text + `,"address":` + text + `,"zip":` + text + `,"province":` + text + `,"country":` + text + `}`},
			{"contributor", "POST", "/organizers", `{"organizer":` + text + `,"description":` + text + `,"email":` + text + `,"phone":` + text + `}`},
			{"author", "POST", "/categories", `{"name":` + text + `,"description":` + text + `,"slug":` + text + `}`},
			{"editor", "POST", "/tags", `{"name":` + text + `,"description":` + text + `}`},
			{"author", "POST", "/events", `{"title":"x","timezone":` + text + `,"website":` + text + `,"start_date":` + text + `,"end_date":"2030-07-01 11:00"}`},
		} {
			a := c.Do(w.as, w.method, w.path, w.body)
			written += map[bool]int{true: 1}[a.Status == http.StatusCreated]
			textsIn(a.Body, func(shown string) {
				if a.Status != http.StatusBadRequest && running(shown) != "" {
					t.Errorf("%s %s: %s\n in %q", w.as, w.path, running(shown), shown)
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
