package rest

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strconv"

	"github.com/agendahq/agenda/internal/budget"
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
	status := cmp.Or(resp.Status, http.StatusOK)
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
	format := c.Format
	if failed {
		format = nil // errors are JSON
	}
	a := &answer{status: status, body: body, query: c.HTTP.URL.RawQuery}
	a.header = c.engine.genericHeaders(slices.Clone(c.header), c.Language, format, c.op.negotiates(c.src))
	if c.storable(status) {
		a.header = append(a.header, c.keyHeaders(failed)...)
	} else {
		a.header = append(a.header, Header{"Cache-Control", noStore}, Header{"Expires", longAgo})
	}
	if c.envelope {
		a.body, a.status = envelope(c.claim, body, status, own, c.part != nil), http.StatusOK
	} else {
		a.page = resp.Page
		a.header = append(a.header, own...)
		if resp.Page != nil {
			a.header = append(a.header, resp.Page.totals("X-WP-Total", "X-WP-TotalPages")...)
		}
		if status == http.StatusOK && c.validates() {
			c.mark(a)
		}
	}
	a.links = links(c.Root, a.page, a.query, bodied(c.src))
	for i, x := range a.header {
		a.header[i] = Header{http.CanonicalHeaderKey(x.Name), fmt.Sprint(x.Value)}
	}
	if _, pretty := option(c.src, optionPretty); pretty {
		a.body = indented(c.claim, a.body)
	}
	return a
}

// delivery is an answer on its way to a client.
type delivery struct {
	w        http.ResponseWriter
	deadline deadlines
	status   int   // that was sent
	written  int64 // bytes of the body
}

// send delivers an answer to the request.
func (c *request) send(a *answer) {
	r := c.HTTP
	body := a.body
	if c.method == http.MethodHead && r.Method != http.MethodHead {
		body = nil // for net/http it is not a HEAD request, so the announced body would have to follow
	}
	if r.ProtoMajor == 1 && c.body.coming(r) {
		c.deadline.pass(r.Body, c.engine.MaxBody)
	}
	c.deliver(c.engine, r, c.route, a, a.linksFor(c.Root, r.URL.RawQuery, bodied(c.src)), body)
}

// linksFor returns the Link header of the answer to a raw query: see links.
func (a *answer) linksFor(root *call.Root, query string, bodied bool) string {
	if a.page == nil || a.query == query {
		return a.links
	}
	return links(root, a.page, query, bodied)
}

// deliver writes an answer of a route, with the links of this request, or 304 if the client has it.
func (d *delivery) deliver(e *Engine, r *http.Request, route *Route, a *answer, link string, body []byte) {
	h := d.w.Header()
	values := make([]string, 0, len(a.header)+2) // one slice for all, since the headers are most of the cost of a cached answer
	set := func(name, value string) {
		values = append(values, value)
		h[name] = values[len(values)-1 : len(values) : len(values)]
	}
	for _, x := range a.header {
		if x.Name == "Vary" && len(h[x.Name]) > 0 { // that of the host
			h.Add(x.Name, x.Value.(string))
			continue
		}
		set(x.Name, x.Value.(string))
	}
	set("Link", link)
	e.allowOrigin(h, r, route)
	status := a.status
	if a.tag != "" && matches(r, a.tag) {
		status, body = http.StatusNotModified, nil
	} else {
		set("Content-Length", strconv.Itoa(len(body)))
	}
	if r.Method == http.MethodHead {
		body = nil
	}
	if err := d.writeAnswer(status, body); err != nil {
		e.Logger.Debug("client did not accept the response", "path", r.URL.Path, "error", err)
	}
}

// writeAnswer sends an answer whose header is set, within its deadline.
func (d *delivery) writeAnswer(status int, body []byte) (err error) {
	d.deadline.beginWriting()
	d.status = status
	d.w.WriteHeader(status)
	if len(body) > 0 {
		var n int
		n, err = d.w.Write(body)
		d.written = int64(n)
	}
	if err == nil {
		d.deadline.endWriting()
	}
	return err
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

// genericHeaders appends the headers of every answer, except Link and those that send adds for an origin. format is that
// of the answer; negotiated says whether it follows from the header Accept.
func (e *Engine) genericHeaders(h []Header, language string, format *Format, negotiated bool) []Header {
	media, vary := contentType, "Authorization, Cookie"
	if format != nil {
		media = format.Media + "; charset=utf-8"
	}
	if !e.NoCORS {
		vary += ", Origin"
	}
	if negotiated {
		vary += ", Accept"
	}
	h = append(h, Header{"Content-Type", media}, Header{"X-Robots-Tag", "noindex"}, Header{"X-Content-Type-Options", "nosniff"},
		Header{"Content-Language", language}, Header{"Vary", vary})
	if e.NoCORS {
		return h
	}
	return append(h, Header{"Access-Control-Expose-Headers", exposedHeaders}, Header{"Access-Control-Allow-Headers", allowedHeaders})
}

// envelope returns an answer with its status and its own headers as members. If there are none, they are an empty list,
// as PHP writes them, except in a batch, whose clients rely on an object. Without memory for it the result is nil.
func envelope(claim *budget.Claim, body []byte, status int, own []Header, batch bool) []byte {
	if claim.Wait(int64(len(body))) != nil {
		return nil
	}
	var w phpjson.Writer
	w.Object()
	w.Key("body")
	w.Raw(body)
	w.KeyInt("status", int64(status))
	w.Key("headers")
	if batch && len(own) == 0 {
		w.RawString("{}")
		w.End()
		return w.Bytes()
	}
	w.Object()
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
