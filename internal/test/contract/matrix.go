package contract

import (
	"cmp"
	"net/http"
	"strconv"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/apitest"
	"github.com/agendahq/agenda/internal/test/must"
)

// authorizationMatrix checks every cell of the table of authorization: every method of every route of the server's
// index, by every caller, for posts in every status. A rejected request must not change any row, and an accepted one
// only rows of its own post.
func authorizationMatrix(t *testing.T, e Engine) {
	table := must.Get(parseTable(authorizationFile))(t)
	s := newSite(t, e)
	c := s.client(calendar.Options{})
	for _, r := range c.indexed() {
		t.Run(cmp.Or(r.template[1:], "index"), func(t *testing.T) {
			here := *s
			here.T = t
			p := &plan{matrixSite: newMatrixSite(&here), engine: e, table: table}
			p.addRoute(r)
			p.insert()
			p.run(&client{Client: apitest.Client{T: t, Handler: c.Handler}})
			p.clear()
			s.next = here.next
		})
	}
	for _, line := range table.unused() {
		t.Error(line)
	}
}

// run sends all requests of a route, those that change nothing first.
func (p *plan) run(c *client) {
	complaints := &complaints{t: p.T, byCell: map[string][]string{}}
	before := p.snapshot()
	for _, in := range p.inquiries {
		if !in.changes() {
			complaints.record(in, p.wrong(c, in))
		}
	}
	between := p.snapshot()
	p.compare(complaints, before, between, false)
	for _, in := range p.inquiries {
		if in.changes() {
			complaints.record(in, p.wrong(c, in))
		}
	}
	after := p.snapshot()
	p.compare(complaints, between, after, true)
	p.effects(complaints, between, after)
	complaints.print()
}

// complaints contains the failures, by cell of the table.
type complaints struct {
	t      testing.TB
	byCell map[string][]string
}

func (c *complaints) record(in *inquiry, what string) {
	if what == "" {
		return
	}
	where := "authorization.txt:" + strconv.Itoa(in.cell.line) + ": " + in.cell.mark.name + " for " + in.caller
	c.byCell[where] = append(c.byCell[where], in.String()+": "+what)
}

// print reports some of the failures of each cell.
func (c *complaints) print() {
	c.t.Helper()
	for where, list := range c.byCell {
		c.t.Errorf("%s (%d answers)\n %s", where, len(list), strings.Join(list[:min(len(list), 3)], "\n "))
	}
}

// wrong sends the request, and returns what is wrong with the response, or "".
func (p *plan) wrong(c *client, in *inquiry) string {
	method, _, _ := strings.Cut(in.method, "?")
	a := c.Do(callerOf(in.caller), method, in.path, in.body)
	m := in.cell.mark
	kind := indexedRoute{template: in.route}.collection()
	code := strings.Replace(m.code, "{kind}", kindOf[kind].singular, 1)
	allow := a.Header.Get("Allow")
	switch {
	case a.Status != m.status, method != http.MethodHead && a.Word("code") != code:
		return "answered " + strconv.Itoa(a.Status) + " " + apitest.Clip(a.Text)
	case in.allow != "?" && allow != in.allow:
		return "Allow is " + strconv.Quote(allow) + ", want " + strconv.Quote(in.allow)
	case method == http.MethodHead && len(a.Text) > 0:
		return "HEAD has a body"
	case in.caller != "anon" && !strings.Contains(a.Header.Get("Cache-Control"), "no-store"):
		return "no no-store for a caller who is logged in"
	case m.status >= 400 && strings.Contains(a.Text, inside):
		return "the refusal shows the post: " + apitest.Clip(a.Text)
	case a.Status == http.StatusOK && in.subject != nil && method != http.MethodHead && method != http.MethodOptions:
		return in.wrongItem(a)
	}
	return ""
}

// wrongItem returns what is wrong with the item in a response, or "".
func (in *inquiry) wrongItem(a apitest.Answer) string {
	if a.At("id") != itoa(in.subject.id) {
		return "another item: " + a.At("id")
	}
	if in.state == "" {
		return ""
	}
	shown := strings.Contains(a.Text, inside)
	if hidden := strings.HasSuffix(in.cell.mark.name, ":masked"); shown == hidden {
		return "what a password protects is shown: " + strconv.FormatBool(shown)
	}
	return ""
}
