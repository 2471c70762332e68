// Package compress compresses answers with zstd or gzip for the clients that accept it, caches the compressed forms,
// and adapts the headers of an answer that depend on its coding: validators, length and Vary.
package compress

import (
	"mime"
	"net/http"
	"strconv"
	"strings"
)

// smallest is the size in bytes from which answers are compressed. A smaller one fits into one packet anyway.
const smallest = 1400

// maxStreams is the maximal number of answers that are compressed while they are sent. The encoder of each takes up to two
// megabytes for as long as its client takes.
const maxStreams = 64

// Handler compresses the answers of a handler. An answer that is written in one call is compressed only once for all
// clients; the cached forms occupy at most keep bytes of memory, and 0 disables that cache.
func Handler(next http.Handler, keep int64) http.Handler {
	kept, streams := newCache(keep), make(chan struct{}, maxStreams)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		wanted := chooseCoding(r.Header.Values("Accept-Encoding"))
		if wanted.nothing() { // before the handler has any effect
			w.Header().Set("Vary", "Accept-Encoding")
			w.WriteHeader(http.StatusNotAcceptable)
			return
		}
		a := &answer{ResponseWriter: w, request: r, wanted: wanted, kept: kept, streams: streams}
		defer a.endStream()
		a.known = compressedValidators(r.Header)
		if a.known != "" || wanted.must && r.Header.Get("Range") != "" {
			r = r.Clone(r.Context())
			plainValidators(r.Header)
			if wanted.must { // ranges are not compressed
				r.Header.Del("Range")
			}
		}
		next.ServeHTTP(a, r)
		a.close()
	})
}

// validators lists the request headers that contain validators of answers that the client has.
var validators = [...]string{"If-None-Match", "If-Match"}

// compressedValidators returns the validators of compressed answers in a request.
func compressedValidators(h http.Header) (all string) {
	for _, name := range validators {
		for _, given := range h.Values(name) {
			for _, c := range codings {
				if strings.Contains(given, c.suffix()) {
					all += given
					break
				}
			}
		}
	}
	return all
}

// plainValidators replaces the validators of compressed answers in a request by those of the uncompressed answers.
func plainValidators(h http.Header) {
	for _, name := range validators {
		for i, given := range h[name] {
			for _, c := range codings {
				given = strings.ReplaceAll(given, c.suffix(), `"`)
			}
			h[name][i] = given
		}
	}
}

// answer is an answer whose header is held back until the size of its body is known.
type answer struct {
	http.ResponseWriter
	request *http.Request
	wanted  choice
	kept    *cache
	known   string  // the validators of compressed answers in the request
	status  int     // 0 until the handler sets one
	begun   bool    // the header was sent
	as      *coding // coding of the body, nil if it is uncompressed
	out     encoder // of a body that is written in parts
	streams chan struct{}
	counted bool // the answer is one of streams
	plain   bool // the answer is not compressed, because there are too many streams
}

// Unwrap serves http.ResponseController.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// WriteHeader holds the status back, unless it is that of an interim answer.
func (a *answer) WriteHeader(status int) {
	switch {
	case status < 200:
		a.ResponseWriter.WriteHeader(status)
	case a.status == 0:
		a.status = status
	}
}

// Write sends the header before the first part of the body.
func (a *answer) Write(p []byte) (int, error) {
	if !a.begun {
		if body := a.whole(p); body != nil {
			_, err := a.ResponseWriter.Write(body)
			return len(p), err
		}
		a.begin(len(p))
	}
	if a.out != nil {
		return a.out.Write(p)
	}
	return a.ResponseWriter.Write(p)
}

// whole sends the header of an answer whose first part is all of it, and returns its compressed form. It returns nil
// for any other answer.
func (a *answer) whole(p []byte) []byte {
	h := a.Header()
	length, err := strconv.Atoi(h.Get("Content-Length"))
	if err != nil || length != len(p) || a.request.Method != http.MethodGet || a.status > http.StatusOK || a.coding(len(p)) == nil {
		return nil
	}
	body := a.kept.compressed(a.wanted.best, p, !strings.Contains(h.Get("Cache-Control"), "no-store"))
	if body == nil {
		return nil
	}
	a.head(len(p))
	h.Set("Content-Length", strconv.Itoa(len(body)))
	a.ResponseWriter.WriteHeader(a.status)
	return body
}

// Flush sends what was written.
func (a *answer) Flush() {
	if !a.begun {
		a.begin(0)
	}
	if a.out != nil {
		_ = a.out.Flush()
	}
	_ = http.NewResponseController(a.ResponseWriter).Flush()
}

// begin sends the header. size is the size of the first part of the body.
func (a *answer) begin(size int) {
	if length, err := strconv.Atoi(a.Header().Get("Content-Length")); err == nil {
		size = length
	}
	if a.request.Method != http.MethodHead && a.coding(size) != nil {
		a.beginStream()
	}
	a.head(size)
	if a.as != nil && a.request.Method != http.MethodHead {
		a.out = a.as.encoder(a.ResponseWriter)
	}
	a.ResponseWriter.WriteHeader(a.status)
}

// beginStream counts an answer that is compressed while it is sent. If there are too many, it is sent uncompressed; a client
// that refuses that waits.
func (a *answer) beginStream() {
	select {
	case a.streams <- struct{}{}:
		a.counted = true
		return
	default:
	}
	if a.plain = !a.wanted.must; a.plain {
		return
	}
	select {
	case a.streams <- struct{}{}:
		a.counted = true
	case <-a.request.Context().Done(): // nobody reads the answer any more
	}
}

// endStream is called when the answer has been sent.
func (a *answer) endStream() {
	if a.counted {
		<-a.streams
	}
}

// head selects the coding for a body of a size, and completes the header.
func (a *answer) head(size int) {
	a.begun = true
	h := a.Header()
	if a.status == 0 {
		a.status = http.StatusOK
	}
	a.as = a.coding(size)
	if h.Get("Content-Type") != "" && compressible(h.Get("Content-Type")) || a.status == http.StatusNotModified || a.as != nil {
		h.Add("Vary", "Accept-Encoding")
	}
	if a.status == http.StatusNotModified {
		for _, c := range codings {
			if tag := c.tag(h.Get("ETag")); strings.Contains(a.known, tag) {
				h.Set("ETag", tag)
				return
			}
		}
		return
	}
	if a.as == nil {
		return
	}
	if tag := h.Get("ETag"); tag != "" {
		h.Set("ETag", a.as.tag(tag))
	}
	h.Set("Content-Encoding", a.as.name)
	h.Del("Content-Length")
	h.Del("Accept-Ranges")
}

// coding returns the coding of an answer with a body of a size, or nil if it is sent uncompressed.
func (a *answer) coding(size int) *coding {
	h := a.Header()
	if a.plain || size == 0 && h.Get("Content-Length") != "" || a.status == http.StatusPartialContent || a.status == http.StatusNoContent ||
		a.status == http.StatusNotModified || h.Get("Content-Encoding") != "" || h.Get("Content-Range") != "" ||
		strings.Contains(h.Get("Cache-Control"), "no-transform") {
		return nil
	}
	if a.wanted.must || size >= smallest && compressible(h.Get("Content-Type")) {
		return a.wanted.best
	}
	return nil
}

// close ends the body.
func (a *answer) close() {
	if !a.begun && a.status != 0 {
		a.begin(0)
	}
	if a.out != nil {
		_ = a.out.Close() // an error can only come from the connection
		a.as.release(a.out)
	}
}

// compressible reports whether content of a type is text, which becomes smaller.
func compressible(contentType string) bool {
	kind, _, _ := mime.ParseMediaType(contentType)
	switch kind {
	case "application/json", "application/javascript", "application/xml", "image/svg+xml":
		return true
	}
	return strings.HasPrefix(kind, "text/") || strings.HasSuffix(kind, "+json") || strings.HasSuffix(kind, "+xml")
}
