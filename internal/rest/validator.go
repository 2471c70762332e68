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
	c.omitted = !c.caching && matches(c.HTTP, c.validator().tag(nil))
	return c.omitted
}

// plain reports whether an answer is the same for everybody and depends only on its address.
func (c *request) plain() bool { return c.Principal.Anonymous() && !c.private && !c.offAddress() }

// validator returns what the ETag of the answer is made from.
func (c *request) validator() validator {
	v := validator{revision: c.Revision}
	if c.fingerprint != "" {
		v.view = strings.Join([]string{
			c.engine.Version, c.Root.URL, c.Language, c.address(c.route.Path), formatName(c.Format), c.fingerprint,
		}, "\n")
	}
	return v
}

// validator makes the ETag of an answer.
type validator struct {
	revision string // of the item that a single read shows, "" for none
	view     string // identifies what was read and how it is shown; "" if the answer itself does
}

// tag returns the ETag of an answer with a body.
func (v validator) tag(body []byte) string {
	if v.view != "" {
		body = []byte(v.view)
	}
	sum := sha256.Sum256(body)
	tag := base64.RawURLEncoding.EncodeToString(sum[:18])
	if v.revision != "" {
		tag = v.revision + "." + tag
	}
	return `"` + tag + `"`
}

// mark adds the ETag to an answer; that of a list is weak.
func (v validator) mark(a *answer, list bool) {
	a.tag = v.tag(a.body)
	header := Header{"ETag", a.tag}
	if list {
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
