package editing_test

import (
	"bytes"
	"mime/multipart"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"golang.org/x/net/html"

	"github.com/agendahq/agenda/internal/test/must"
)

// formOf returns the values that a browser would send from the form of an item on a page.
func formOf(t testing.TB, a *httptest.ResponseRecorder) url.Values {
	t.Helper()
	page := must.Get(html.Parse(strings.NewReader(a.Body.String())))(t)
	v := url.Values{}
	for n := range page.Descendants() {
		if n.Type == html.ElementNode && n.Data == "form" && attribute(n, "class") == "edit" {
			fill(n, v)
			return v
		}
	}
	t.Fatalf("no form: %d %s", a.Code, a.Body)
	return nil
}

func fill(form *html.Node, v url.Values) {
	for n := range form.Descendants() {
		name := attribute(n, "name")
		if n.Type != html.ElementNode || name == "" {
			continue
		}
		kind := attribute(n, "type")
		switch {
		case n.Data == "textarea":
			v.Add(name, strings.ReplaceAll(nodeText(n), "\n", "\r\n"))
		case n.Data == "select":
			for option := range n.Descendants() {
				if option.Data == "option" && hasAttribute(option, "selected") || option.Data == "option" && !v.Has(name) {
					v.Set(name, attribute(option, "value"))
				}
			}
		case n.Data != "input" || kind == "file" || (kind == "checkbox" || kind == "radio") && !hasAttribute(n, "checked"):
		default:
			v.Add(name, attribute(n, "value"))
		}
	}
}

func attribute(n *html.Node, name string) string {
	for _, a := range n.Attr {
		if a.Key == name {
			return a.Val
		}
	}
	return ""
}

func hasAttribute(n *html.Node, name string) bool {
	for _, a := range n.Attr {
		if a.Key == name {
			return true
		}
	}
	return false
}

func nodeText(n *html.Node) string {
	var b strings.Builder
	for c := range n.Descendants() {
		if c.Type == html.TextNode {
			b.WriteString(c.Data)
		}
	}
	return b.String()
}

// fillIn opens a page and sends its form with other values. act is the button.
func (b *browser) fillIn(path, act string, values ...string) *httptest.ResponseRecorder {
	b.t.Helper()
	return b.again(path, formOf(b.t, b.get(path)), act, values...)
}

// again sends a form with other values.
func (b *browser) again(path string, form url.Values, act string, values ...string) *httptest.ResponseRecorder {
	b.t.Helper()
	form.Set("act", act)
	for i := 0; i < len(values); i += 2 {
		form[values[i]] = []string{values[i+1]}
	}
	return b.post(path, form)
}

// attach sends a form with an image.
func (b *browser) attach(path string, form url.Values, file []byte) *httptest.ResponseRecorder {
	b.t.Helper()
	var body bytes.Buffer
	w := multipart.NewWriter(&body)
	for name, list := range form {
		for _, value := range list {
			_ = w.WriteField(name, value)
		}
	}
	part, err := w.CreateFormFile("image_file", "hall.png")
	if err == nil {
		_, err = part.Write(file)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		b.t.Fatal(err)
	}
	return b.send(http.MethodPost, path, &body, w.FormDataContentType())
}

// wantCode fails the test unless an answer has a status.
func wantCode(t testing.TB, a *httptest.ResponseRecorder, code int) {
	t.Helper()
	if a.Code != code {
		t.Fatalf("%d, want %d: %v %s", a.Code, code, wrongs(a), a.Header().Get("Location"))
	}
}

// hostile returns the first element or attribute in HTML that executes code other than the files of these pages, or ""
// if there is none.
func hostile(t testing.TB, page string) string {
	t.Helper()
	parsed := must.Get(html.Parse(strings.NewReader(page)))(t)
	for n := range parsed.Descendants() {
		if n.Type != html.ElementNode {
			continue
		}
		if n.Data == "iframe" || n.Data == "svg" || n.Data == "script" && !strings.HasPrefix(attribute(n, "src"), "/edit/assets/") {
			return n.Data
		}
		for _, a := range n.Attr {
			if strings.HasPrefix(a.Key, "on") || (a.Key == "href" || a.Key == "src" || a.Key == "action") && strings.Contains(a.Val,
				"script:") {
				return n.Data + " " + a.Key + "=" + a.Val
			}
		}
	}
	return ""
}

// wrongs returns the heading of a page and the errors that it shows.
func wrongs(a *httptest.ResponseRecorder) (list []string) {
	page, err := html.Parse(strings.NewReader(a.Body.String()))
	if err != nil {
		return nil
	}
	for n := range page.Descendants() {
		if n.Data == "h1" || attribute(n, "class") == "wrong" || n.Data == "p" && n.Parent.Data == "div" {
			list = append(list, strings.TrimSpace(nodeText(n)))
		}
	}
	return list
}

// value returns the single value of a query.
func (f *fixture) value(query string, args ...any) (v string) {
	f.t.Helper()
	if err := f.db.NewRaw(query, args...).Scan(f.t.Context(), &v); err != nil {
		f.t.Fatal(query, err)
	}
	return v
}
