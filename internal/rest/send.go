package rest

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/phpjson"
)

const (
	contentType = jsonType + "; charset=UTF-8"
	noStore     = "no-cache, must-revalidate, max-age=0, no-store, private"
	longAgo     = "Wed, 11 Jan 1984 05:00:00 GMT"
)

// complete makes the answer of a response: it adds the generic headers, applies _fields, adds the response's own
// headers or the envelope, and the validator, and applies _pretty.
func (c *request) complete(resp *Response, failed bool) *answer {
	status := resp.Status
	if status == 0 {
		status = http.StatusOK
	}
	body := c.Out.Bytes()
	if !failed && c.op != nil {
		body = selected(c.claim, body, c.fields, c.op.keep)
	}
	own := resp.Header
	if c.part != nil {
		own = append(slices.Clone(c.header), own...) // the other headers of an answer in a batch are not shown
	}
	if resp.Page != nil {
		own = append(own, resp.Page.totals("X-TEC-Total", "X-TEC-TotalPages")...)
	}
	if c.matched {
		if !failed {
			c.allowed = c.allow(c.ctx)
		}
		own = append(own, Header{"Allow", c.allowed})
	}
	a := &answer{
		status: status, body: body, header: c.genericHeaders(slices.Clone(c.header), failed),
		page: resp.Page, links: c.links(resp.Page), query: c.HTTP.URL.RawQuery,
	}
	a.header = append(a.header, c.storing(status, failed)...)
	if c.envelope {
		a.body, a.status = enveloped(c.claim, body, status, own), http.StatusOK
	} else {
		a.header = append(a.header, own...)
		if resp.Page != nil {
			a.header = append(a.header, resp.Page.totals("X-WP-Total", "X-WP-TotalPages")...)
		}
		c.validate(a)
	}
	for i, x := range a.header {
		a.header[i] = Header{http.CanonicalHeaderKey(x.Name), fmt.Sprint(x.Value)}
	}
	if _, pretty := option(c.src, optionPretty); pretty {
		a.body = indented(c.claim, a.body)
	}
	return a
}

// send writes an answer, or 304 if the client has it.
func (c *request) send(a *answer) {
	h := c.w.Header()
	values := make([]string, len(a.header)) // one slice for all, since the headers are most of the cost of a cached answer
	for i, x := range a.header {
		if x.Name == "Vary" { // the host may have set one too
			h.Add(x.Name, x.Value.(string))
			continue
		}
		values[i] = x.Value.(string)
		h[x.Name] = values[i : i+1 : i+1]
	}
	links := a.links
	if a.page != nil && a.query != c.HTTP.URL.RawQuery {
		links = c.links(a.page)
	}
	h["Link"] = []string{links}
	c.allowOrigin(h)
	if a.tag != "" && c.has(a.tag) {
		c.writeBody(http.StatusNotModified, nil)
		return
	}
	body := a.body
	if c.method == http.MethodHead && c.HTTP.Method != http.MethodHead {
		body = nil // for net/http it is not a HEAD request, so the announced body would have to follow
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	if c.HTTP.Method == http.MethodHead {
		body = nil
	}
	c.writeBody(a.status, body)
}

// writeBody sends an answer, within its deadline.
func (c *request) writeBody(status int, body []byte) {
	if r := c.HTTP; r.ProtoMajor == 1 && c.body.coming(r) {
		c.deadline.pass(r.Body, c.engine.MaxBody)
	}
	c.deadline.beginWriting()
	c.status = status
	c.w.WriteHeader(status)
	if len(body) > 0 {
		n, err := c.w.Write(body)
		if c.written = int64(n); err != nil {
			c.engine.Logger.Debug("client did not accept the response", "path", c.HTTP.URL.Path, "error", err)
			return
		}
	}
	c.deadline.endWriting()
}

// offAddress reports whether an answer to a GET depends on more than its address: on a body, or on a header that
// overrides the method. Caches know only the address and would serve the answer to everybody, for example one that
// needed a password in the body.
func (c *request) offAddress() bool {
	if c.HTTP.Method != http.MethodGet && c.HTTP.Method != http.MethodHead {
		return false
	}
	return c.byHeader || bodied(c.src) || c.body.err != nil
}

// bodied reports whether the body contained parameters.
func bodied(s param.Sources) bool { return s.JSON.Len() > 0 || s.Form.Len() > 0 }

// genericHeaders appends the headers of every answer, except Link and those that send adds for an origin.
func (c *request) genericHeaders(h []Header, failed bool) []Header {
	media, vary := contentType, "Authorization, Cookie"
	if c.Format != nil && !failed {
		media = c.Format.Media + "; charset=utf-8"
	}
	if !c.engine.NoCORS {
		vary += ", Origin"
	}
	if c.op.negotiates(c.src) {
		vary += ", Accept"
	}
	h = append(h, Header{"Content-Type", media}, Header{"X-Robots-Tag", "noindex"}, Header{"X-Content-Type-Options", "nosniff"},
		Header{"Content-Language", c.Language}, Header{"Vary", vary})
	if c.engine.NoCORS {
		return h
	}
	return append(h, Header{"Access-Control-Expose-Headers", exposedHeaders}, Header{"Access-Control-Allow-Headers", allowedHeaders})
}

// maxLinked is the maximum length of an address in a Link header: proxies reject answers with headers of more than 4 or
// 8 KiB.
const maxLinked = 1500

// links returns the Link header: the REST root, and the next and the previous page of a list; page is nil for other
// answers. An envelope links only the REST root, as in the recorded answers.
func (c *request) links(page *Page) string {
	links := "<" + c.Root.BaseURL + `/>; rel="https://api.w.org/"`
	if page == nil || c.envelope {
		return links
	}
	add := func(number int64, rel string) {
		address := call.WithQuery(page.Base, withPage(c.HTTP.URL.RawQuery, number))
		if bodied(c.src) { // it contained some of the parameters
			address = page.address(number)
		}
		if len(address) <= maxLinked {
			links += ", <" + address + `>; rel="` + rel + `"`
		}
	}
	if page.hasNext() {
		add(page.Number+1, "next")
	}
	if page.hasPrevious() {
		add(page.Number-1, "prev")
	}
	return links
}

// envelope returns an answer with its status and its own headers as members.
func envelope(body []byte, status int, own []Header) []byte {
	var w phpjson.Writer
	w.Object()
	w.Key("body")
	w.Raw(body)
	w.KeyInt("status", int64(status))
	w.KeyObject("headers")
	for _, x := range own {
		if n, ok := x.Value.(int64); ok {
			w.KeyInt(x.Name, n)
			continue
		}
		w.KeyString(x.Name, fmt.Sprint(x.Value))
	}
	w.End()
	w.End()
	return w.Bytes()
}
