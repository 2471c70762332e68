package contract

import (
	"bytes"
	"cmp"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strconv"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
)

// authorizationMatrix proves the table of who may do what, cell for cell: every
// method of every route of the server's own index, by every caller, for posts
// in every state. What is refused changes no row; what is allowed changes its
// own post and no other.
func authorizationMatrix(t *testing.T, e Engine) {
	table, err := parseTable(authorizationFile)
	if err != nil {
		t.Fatal(err)
	}
	s := newSite(t, e)
	c := s.client(calendar.Options{})
	for _, r := range c.indexed() {
		t.Run(cmp.Or(r.template[1:], "index"), func(t *testing.T) {
			here := *s
			here.t = t
			p := &plan{hall: newHall(&here), table: table}
			p.add(r)
			p.furnish()
			p.run(&client{t, c.h})
			p.clear()
			s.next = here.next
		})
	}
	for _, line := range table.unused() {
		t.Error(line)
	}
}

// run asks everything about a route: first what changes nothing.
func (p *plan) run(c *client) {
	complaints := &complaints{t: p.t, byCell: map[string][]string{}}
	before := p.snapshot()
	for _, in := range p.inquiries {
		if !in.changes() {
			complaints.of(in, p.wrong(c, in))
		}
	}
	between := p.snapshot()
	p.compare(complaints, before, between, false)
	for _, in := range p.inquiries {
		if in.changes() {
			complaints.of(in, p.wrong(c, in))
		}
	}
	after := p.snapshot()
	p.compare(complaints, between, after, true)
	p.effects(complaints, between, after)
	complaints.print()
}

// complaints are what is wrong, by the cell of the table.
type complaints struct {
	t      testing.TB
	byCell map[string][]string
}

func (c *complaints) of(in *inquiry, what string) {
	if what == "" {
		return
	}
	where := "authorization.txt:" + strconv.Itoa(in.cell.line) + ": " + in.cell.mark.name + " for " + in.caller
	c.byCell[where] = append(c.byCell[where], in.String()+": "+what)
}

// print tells some of what is wrong with each cell.
func (c *complaints) print() {
	c.t.Helper()
	for where, list := range c.byCell {
		c.t.Errorf("%s (%d answers)\n %s", where, len(list), strings.Join(list[:min(len(list), 3)], "\n "))
	}
}

// wrong asks and tells what is wrong with the answer.
func (p *plan) wrong(c *client, in *inquiry) string {
	method, _, _ := strings.Cut(in.method, "?")
	a := c.ask(method, in.path, callerOf(in.caller), in.body)
	m := in.cell.mark
	kind := indexedRoute{template: in.route}.collection()
	code := strings.Replace(m.code, "{kind}", kindOf[kind].singular, 1)
	allow := a.header.Get("Allow")
	switch {
	case a.status != m.status, method != http.MethodHead && a.text("code") != code:
		return "answered " + strconv.Itoa(a.status) + " " + clipped(string(a.body))
	case in.allow != "?" && allow != in.allow:
		return "Allow is " + strconv.Quote(allow) + ", want " + strconv.Quote(in.allow)
	case method == http.MethodHead && len(a.body) > 0:
		return "HEAD has a body"
	case in.caller != "anon" && !strings.Contains(a.header.Get("Cache-Control"), "no-store"):
		return "no no-store for a caller who is logged in"
	case m.status >= 400 && bytes.Contains(a.body, []byte(inside)):
		return "the refusal shows the post: " + clipped(string(a.body))
	case a.status == http.StatusOK && in.subject != nil && method != http.MethodHead && method != http.MethodOptions:
		return in.wrongItem(a)
	}
	return ""
}

// wrongItem looks at the item of an answer.
func (in *inquiry) wrongItem(a *answer) string {
	if a.at("id") != itoa(in.subject.id) {
		return "another item: " + a.at("id")
	}
	if in.state == "" {
		return ""
	}
	shown := bytes.Contains(a.body, []byte(inside))
	if hidden := strings.HasSuffix(in.cell.mark.name, ":masked"); shown == hidden {
		return "what a password protects is shown: " + strconv.FormatBool(shown)
	}
	return ""
}

// ask sends a request with any method, and a JSON body if it is not empty.
func (c *client) ask(method, path, as, body string) *answer {
	c.t.Helper()
	r := httptest.NewRequest(method, Root+path, strings.NewReader(body))
	if as != "" {
		r.Header.Set(callerHeader, as)
	}
	if body != "" {
		r.Header.Set("Content-Type", "application/json")
	}
	w := httptest.NewRecorder()
	c.h.ServeHTTP(w, r)
	a := &answer{request: clipped(as + " " + method + " " + path + " " + body), status: w.Code, header: w.Header(), body: w.Body.Bytes()}
	if len(a.body) > 0 {
		if err := decodeBody(a); err != nil {
			c.t.Fatalf("%s: %d, no JSON: %v\n%s", a.request, a.status, err, clipped(string(a.body)))
		}
	}
	return a
}

// decodeBody reads the body, whose member names count only if it is an object.
func decodeBody(a *answer) error {
	d := json.NewDecoder(bytes.NewReader(a.body))
	d.UseNumber()
	var v any
	err := d.Decode(&v)
	a.json, _ = v.(map[string]any)
	return err
}
