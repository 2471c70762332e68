package rest

import (
	"cmp"
	"fmt"
	"net/http"
	"slices"
	"strconv"

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
		a.header = append(a.header, c.keys.headers(c.engine.KeysHeader, failed)...)
	} else {
		a.header = append(a.header, Header{"Cache-Control", noStore}, Header{"Expires", longAgo})
	}
	if c.envelope {
		a.body, a.status = enveloped(c.claim, body, status, own, c.part != nil), http.StatusOK
	} else {
		a.page = resp.Page
		a.header = append(a.header, own...)
		if resp.Page != nil {
			a.header = append(a.header, resp.Page.totals("X-WP-Total", "X-WP-TotalPages")...)
		}
		if status == http.StatusOK && c.validates() {
			c.validator().mark(a, c.op.List)
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

// send writes an answer, or 304 if the client has it.
func (c *request) send(a *answer) {
	h := c.w.Header()
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
	link := a.links
	if a.page != nil && a.query != c.HTTP.URL.RawQuery {
		link = links(c.Root, a.page, c.HTTP.URL.RawQuery, bodied(c.src))
	}
	set("Link", link)
	c.engine.allowOrigin(h, c.HTTP, c.route)
	if a.tag != "" && matches(c.HTTP, a.tag) {
		c.writeBody(http.StatusNotModified, nil)
		return
	}
	body := a.body
	if c.method == http.MethodHead && c.HTTP.Method != http.MethodHead {
		body = nil // for net/http it is not a HEAD request, so the announced body would have to follow
	}
	set("Content-Length", strconv.Itoa(len(body)))
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
// as PHP writes them, except in a batch, whose clients rely on an object.
func envelope(body []byte, status int, own []Header, batch bool) []byte {
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
