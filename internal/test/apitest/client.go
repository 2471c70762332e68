package apitest

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// Base is the URL of the REST API of the sites that tests serve. Paths of requests are relative to Root.
const (
	Base = "http://site.test/wp-json"
	Root = Base + "/tribe/events/v1"
)

// CallerHeader is the header that names the caller of a request.
const CallerHeader = "X-Test-Caller"

// Client sends requests to a handler that identifies the caller by CallerHeader.
type Client struct {
	T       testing.TB
	Handler http.Handler
}

// Do sends a request as a caller, "" for an anonymous one. The path is relative to Root, or a whole URL. The body is
// JSON, and headers are pairs of name and value. Do may be called from any goroutine.
func (c *Client) Do(as, method, path, body string, headers ...string) Answer {
	c.T.Helper()
	return c.DoWithin(c.T.Context(), as, method, path, body, headers...)
}

// Get is Do for a GET request.
func (c *Client) Get(as, path string) Answer {
	c.T.Helper()
	return c.Do(as, http.MethodGet, path, "")
}

// DoWithin is Do with a context.
func (c *Client) DoWithin(ctx context.Context, as, method, path, body string, headers ...string) Answer {
	c.T.Helper()
	if as != "" {
		headers = append(headers, CallerHeader, as)
	}
	if body != "" && !slices.Contains(headers, "Content-Type") {
		headers = append(headers, "Content-Type", "application/json")
	}
	w := Send(ctx, c.Handler, method, path, body, headers...)
	a := Answer{Request: Clip(as + " " + method + " " + path + " " + body), Status: w.Code, Header: w.Header(), Text: w.Body.String()}
	asksHead := method == http.MethodHead || strings.HasSuffix(path, "_method=HEAD")
	none := asksHead || a.Status == http.StatusNotModified || ctx.Err() != nil
	if a.Text == "" && none || a.Calendar() {
		return a
	}
	var v any
	d := json.NewDecoder(strings.NewReader(a.Text))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		c.T.Errorf("%s: %d, no JSON: %v\n%s", a.Request, a.Status, err, Clip(a.Text))
	}
	a.Body, _ = v.(map[string]any) // an empty object is encoded as a list
	return a
}

// Send sends a request to a handler. The path is relative to Root, or a whole URL. Headers are pairs of name and value.
// It panics if the URL is invalid.
func Send(ctx context.Context, h http.Handler, method, path, body string, headers ...string) *httptest.ResponseRecorder {
	if !strings.HasPrefix(path, "http") {
		path = Root + path
	}
	r, err := http.NewRequestWithContext(ctx, method, path, strings.NewReader(body))
	if err != nil {
		panic(err)
	}
	r.RequestURI, r.RemoteAddr = r.URL.RequestURI(), "192.0.2.1:1234"
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Add(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	return w
}

// Calendar reports whether the response is an iCalendar object.
func (a Answer) Calendar() bool {
	return strings.HasPrefix(a.Header.Get("Content-Type"), "text/calendar")
}

// Must is Do, and fails the test unless the response has the status.
func (c *Client) Must(status int, as, method, path, body string, headers ...string) Answer {
	c.T.Helper()
	a := c.Do(as, method, path, body, headers...)
	if a.Status != status {
		c.T.Fatalf("%s: %v, want %d", a.Request, a, status)
	}
	return a
}

// Clip shortens a string for a message.
func Clip(s string) string {
	if s = strings.TrimSpace(s); len(s) > 300 {
		return fmt.Sprintf("%s… (%d bytes)", s[:300], len(s))
	}
	return s
}

// Answer is the response to a request.
type Answer struct {
	Request string // for messages
	Status  int
	Header  http.Header
	Text    string
	Body    map[string]any // with numbers as json.Number; nil if the body is not an object
}

func (a Answer) String() string { return fmt.Sprintf("%d %s", a.Status, Clip(a.Text)) }

// ID returns the id of the item in the response, or 0.
func (a Answer) ID() int64 { return a.Number("id") }

// Code returns the code of an error response, or "".
func (a Answer) Code() string { return a.Word("code") }

// Fault returns the message about a parameter in an error response, or "".
func (a Answer) Fault(name string) string {
	s, _ := a.follow("data", "params", name).(string)
	return s
}

// Word returns a string member, or "".
func (a Answer) Word(name string) string {
	s, _ := a.Body[name].(string)
	return s
}

// Number returns a member that is a whole number, or 0.
func (a Answer) Number(name string) int64 {
	n, _ := a.Body[name].(json.Number)
	i, _ := n.Int64()
	return i
}

// Verdict returns the status, followed by the code of an error.
func (a Answer) Verdict() string { return strings.TrimSpace(strconv.Itoa(a.Status) + " " + a.Code()) }

// List returns the items of a list.
func (a Answer) List() (items []any, isList bool) {
	if _, ok := a.Body["total"]; !ok { // an event also contains lists, of terms
		return nil, false
	}
	for _, member := range a.Body {
		if items, ok := member.([]any); ok { // the only list of the page
			return items, true
		}
	}
	return nil, false
}

// Members returns a member of each item of a list, formatted as strings.
func (a Answer) Members(name string) []string {
	items, _ := a.List()
	return Words(items, name)
}

// Words returns a member of each object of a list, or of v if it is an object, formatted as strings.
func Words(v any, name string) []string {
	items, isList := v.([]any)
	if !isList {
		items = []any{v}
	}
	words := []string{}
	for _, item := range items {
		m, _ := item.(map[string]any)
		words = append(words, fmt.Sprint(m[name]))
	}
	return words
}

// Summary returns the response in one line: the slugs of a list, followed by "of" and its total if there are more
// pages; the slug of an item; or the status, the code and the invalid parameters of an error.
func (a Answer) Summary() string {
	if a.Status != http.StatusOK {
		text := fmt.Sprintf("%d %v", a.Status, a.Body["code"])
		if names := a.Keys("data", "params"); names != nil {
			text += " " + strings.Join(names, ",")
		}
		return text
	}
	items, isList := a.List()
	if !isList {
		return fmt.Sprint(a.Body["slug"])
	}
	words := a.Members("slug")
	if total := fmt.Sprint(a.Body["total"]); total != strconv.Itoa(len(items)) {
		words = append(words, "of "+total)
	}
	return strings.Join(words, " ")
}

// absent is the result of At for a missing member.
const absent = "absent"

// At follows a path of member names and indexes, and returns the value there as JSON with sorted members, or "absent".
// A step of the form "rest_url?page" selects a parameter in the query of a URL, and "rest_url?" the names of its
// parameters. The step "*" returns the member that the rest of the path names, of each object of a list, or of an
// object.
func (a Answer) At(path ...string) string {
	var names *string
	for i, step := range path {
		if step == "*" {
			return strings.Join(Words(a.follow(path[:i]...), path[i+1]), " ")
		}
		if member, name, ok := strings.Cut(step, "?"); ok {
			path = append(slices.Clone(path[:i]), member)
			names = &name
		}
	}
	v := a.follow(path...)
	if v == nothing(absent) {
		return absent
	}
	if names != nil {
		return queried(fmt.Sprint(v), *names)
	}
	var b strings.Builder
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v)
	return strings.TrimSuffix(b.String(), "\n")
}

// nothing is the result of follow for a missing member.
type nothing string

func (a Answer) follow(path ...string) any {
	var v any = a.Body
	for _, step := range path {
		switch x := v.(type) {
		case map[string]any:
			member, ok := x[step]
			if v = member; !ok {
				return nothing(absent)
			}
		case []any:
			i, err := strconv.Atoi(step)
			if err != nil || i >= len(x) {
				return nothing(absent)
			}
			v = x[i]
		default:
			return nothing(absent)
		}
	}
	return v
}

// queried returns a parameter of a URL or, for "", the names of all of them in their order.
func queried(address, name string) string {
	_, query, _ := strings.Cut(address, "?")
	values, err := url.ParseQuery(query)
	switch {
	case err != nil:
		return err.Error()
	case name == "":
		var names []string
		for pair := range strings.SplitSeq(query, "&") {
			name, _, _ := strings.Cut(pair, "=")
			names = append(names, name)
		}
		return strings.Join(names, " ")
	case !values.Has(name):
		return absent
	}
	return values.Get(name)
}

// Keys returns the names of the members of an object in their order in the text, or nil if there is no object.
func (a Answer) Keys(path ...string) []string {
	raw := json.RawMessage(a.Text)
	for _, step := range path {
		var object map[string]json.RawMessage
		var list []json.RawMessage
		if i, err := strconv.Atoi(step); err == nil && json.Unmarshal(raw, &list) == nil && i < len(list) {
			raw = list[i]
		} else if json.Unmarshal(raw, &object) == nil && object[step] != nil {
			raw = object[step]
		} else {
			return nil
		}
	}
	d := json.NewDecoder(strings.NewReader(string(raw)))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	keys := []string{}
	for d.More() {
		k, err := d.Token()
		if err != nil {
			return keys
		}
		keys = append(keys, k.(string))
		var skipped json.RawMessage
		if d.Decode(&skipped) != nil {
			return keys
		}
	}
	return keys
}
