package rest

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"
)

// NotModified reports whether the client already has the answer, so that nothing needs to be written. Handlers of reads
// call it after they have read everything on which the answer depends, and before they write it. fingerprint identifies
// what they read, without the address; the ETag is made from it instead of from the answer. "" means that it is not
// known.
func (r *Request) NotModified(fingerprint string) bool {
	r.fingerprint = fingerprint
	return fingerprint != "" && r.unchanged()
}

// validates reports whether the answer to a call may have a validator: it must be a read. Lists have one only for
// anonymous callers.
func (c *request) validates() bool {
	read := c.method == http.MethodGet || c.method == http.MethodHead
	return read && !c.envelope && !c.Unkept && c.op != nil && (!c.op.List || c.Principal.Anonymous())
}

// unwritten reports whether the client has an answer that is not written yet.
func (c *request) unwritten() bool {
	if !c.validates() || !c.plain() {
		c.fingerprint = ""
		return false
	}
	c.omitted = !c.caching && matches(c.HTTP, c.tag(nil))
	return c.omitted
}

// plain reports whether an answer is the same for everybody and depends only on its address.
func (c *request) plain() bool { return c.Principal.Anonymous() && !c.private && !c.offAddress() }

// tag returns the ETag of the answer with a body. Without a fingerprint it follows from the body.
func (c *request) tag(body []byte) string {
	if c.fingerprint != "" {
		body = []byte(strings.Join([]string{
			c.engine.Version, c.Root.URL, c.Language, c.address(c.route.Path), formatName(c.Format), c.fingerprint,
		}, "\n"))
	}
	sum := sha256.Sum256(body)
	tag := base64.RawURLEncoding.EncodeToString(sum[:18])
	if c.Revision != "" {
		tag = c.Revision + "." + tag
	}
	return `"` + tag + `"`
}

// mark adds the ETag to an answer; that of a list is weak.
func (c *request) mark(a *answer) {
	a.tag = c.tag(a.body)
	header := Header{"ETag", a.tag}
	if c.op.List {
		header.Value = "W/" + a.tag
	}
	a.header = append(a.header, header)
}

// matches reports whether the client already has the answer with an ETag, according to its request.
func matches(r *http.Request, tag string) bool {
	match := r.Header.Get("If-None-Match")
	found := match == "*"
	for t := range strings.SplitSeq(match, ",") {
		found = found || strings.TrimPrefix(strings.TrimSpace(t), "W/") == tag
	}
	return found
}
