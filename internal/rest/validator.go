package rest

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"strings"
)

// NotModified reports whether the client has the answer, so that nothing is to be
// written. It is for handlers of reads that have read all that an answer to
// anybody is made of, and not written it yet. The fingerprint is that of what they
// read, the address left out; it becomes the ETag in the place of the answer
// itself. An empty one says that this is not known.
func (r *Request) NotModified(fingerprint string) bool {
	r.fingerprint = fingerprint
	return fingerprint != "" && r.unchanged()
}

// validates reports whether the answer to a call may carry a validator: a read that
// succeeds. Lists carry one only for anonymous callers.
func (c *call) validates() bool {
	read := c.method == http.MethodGet || c.method == http.MethodHead
	return read && !c.envelope && c.op != nil && (!c.op.List || c.Principal.Anonymous())
}

// unwritten reports whether the client has an answer that is not written yet.
func (c *call) unwritten() bool {
	if !c.validates() || !c.plain() {
		c.fingerprint = ""
		return false
	}
	return c.has(c.tag(nil))
}

// plain reports whether an answer is everybody's, and its address's alone.
func (c *call) plain() bool { return c.Principal.Anonymous() && !c.private && !c.offAddress() }

// notModified sets the validator of a successful read and reports whether the
// client already has it.
func (c *call) notModified(h http.Header, status int, body []byte) bool {
	if status != http.StatusOK || !c.validates() {
		return false
	}
	tag := c.tag(body)
	if c.op.List {
		h.Set("ETag", "W/"+tag)
	} else {
		h.Set("ETag", tag)
	}
	return c.has(tag)
}

// tag is the validator of an answer: of what it is made of, or of itself.
func (c *call) tag(body []byte) string {
	if c.fingerprint != "" {
		body = []byte(c.engine.Version + "\n" + c.Root.URL + "\n" + c.Language + "\n" + c.HTTP.URL.RequestURI() + "\n" + c.fingerprint)
	}
	sum := sha256.Sum256(body)
	tag := base64.RawURLEncoding.EncodeToString(sum[:18])
	if c.Revision != "" {
		tag = c.Revision + "." + tag
	}
	return `"` + tag + `"`
}

// has reports whether the client says that it has the answer with a validator.
func (c *call) has(tag string) bool {
	match := c.HTTP.Header.Get("If-None-Match")
	found := match == "*"
	for t := range strings.SplitSeq(match, ",") {
		found = found || strings.TrimPrefix(strings.TrimSpace(t), "W/") == tag
	}
	return found
}
