// Package compress sends answers with gzip to the clients that take it, and keeps what answers say of
// themselves right: validators, lengths and what caches need to know.
package compress

import (
	"mime"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/klauspost/compress/gzip"
)

// smallest is the size from which an answer is compressed: below it little is won, and it fits into
// one packet.
const smallest = 1400

// suffix ends the validators of compressed answers. A weak validator in its place would make If-Match
// of every client fail, and the same one would let a cache mix both forms.
const suffix = "-gzip"

// writers are kept, since each has a megabyte of tables.
var writers = sync.Pool{New: func() any {
	w, err := gzip.NewWriterLevel(nil, gzip.BestSpeed)
	if err != nil {
		panic(err) // the level is a constant
	}
	return w
}}

// Handler compresses the answers of a handler.
func Handler(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a := &answer{ResponseWriter: w, request: r, wanted: accepts(r.Header.Values("Accept-Encoding"))}
		for _, name := range [...]string{"If-None-Match", "If-Match"} {
			if given := r.Header.Get(name); strings.Contains(given, suffix+`"`) {
				if a.known == "" {
					r = r.Clone(r.Context())
				}
				a.known += given
				r.Header.Set(name, strings.ReplaceAll(given, suffix+`"`, `"`))
			}
		}
		next.ServeHTTP(a, r)
		a.close()
	})
}

// answer is an answer whose header is held back until the size of its body is known.
type answer struct {
	http.ResponseWriter
	request *http.Request
	wanted  bool   // the client takes gzip
	known   string // the validators of compressed answers that the client gave
	status  int    // 0 until the handler gave one
	begun   bool   // the header was sent
	zip     *gzip.Writer
}

// Unwrap is for http.ResponseController.
func (a *answer) Unwrap() http.ResponseWriter { return a.ResponseWriter }

// WriteHeader holds the status back, unless it is of an interim answer.
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
		a.begin(len(p))
	}
	if a.zip != nil {
		return a.zip.Write(p)
	}
	return a.ResponseWriter.Write(p)
}

// Flush sends what was written.
func (a *answer) Flush() {
	if !a.begun {
		a.begin(0)
	}
	if a.zip != nil {
		_ = a.zip.Flush()
	}
	_ = http.NewResponseController(a.ResponseWriter).Flush()
}

// begin sends the header. size is that of the first part of the body.
func (a *answer) begin(size int) {
	a.begun = true
	h := a.Header()
	if a.status == 0 {
		a.status = http.StatusOK
	}
	if h.Get("Content-Type") != "" && compressible(h.Get("Content-Type")) || a.status == http.StatusNotModified {
		h.Add("Vary", "Accept-Encoding")
	}
	if length, err := strconv.Atoi(h.Get("Content-Length")); err == nil {
		size = length
	}
	switch {
	case a.status == http.StatusNotModified && strings.Contains(a.known, compressed(h.Get("ETag"))):
		h.Set("ETag", compressed(h.Get("ETag")))
	case a.wanted && size >= smallest && a.mayCompress(h):
		if tag := h.Get("ETag"); tag != "" {
			h.Set("ETag", compressed(tag))
		}
		h.Set("Content-Encoding", "gzip")
		h.Del("Content-Length")
		h.Del("Accept-Ranges")
		if a.request.Method != http.MethodHead {
			a.zip = writers.Get().(*gzip.Writer)
			a.zip.Reset(a.ResponseWriter)
		}
	}
	a.ResponseWriter.WriteHeader(a.status)
}

// mayCompress reports whether an answer with this header may have another form.
func (a *answer) mayCompress(h http.Header) bool {
	return compressible(h.Get("Content-Type")) && a.status != http.StatusPartialContent && a.status != http.StatusNoContent &&
		a.status != http.StatusNotModified && h.Get("Content-Encoding") == "" && h.Get("Content-Range") == "" &&
		!strings.Contains(h.Get("Cache-Control"), "no-transform")
}

// close ends the body.
func (a *answer) close() {
	if !a.begun && a.status != 0 {
		a.begin(0)
	}
	if a.zip != nil {
		_ = a.zip.Close() // an error is one of the connection
		a.zip.Reset(nil)
		writers.Put(a.zip)
	}
}

// compressed returns the validator of the compressed form of an answer.
func compressed(tag string) string { return strings.TrimSuffix(tag, `"`) + suffix + `"` }

// compressible reports whether a type is one of texts, which become smaller.
func compressible(contentType string) bool {
	kind, _, _ := mime.ParseMediaType(contentType)
	switch kind {
	case "application/json", "application/javascript", "application/xml", "image/svg+xml":
		return true
	}
	return strings.HasPrefix(kind, "text/") || strings.HasSuffix(kind, "+json") || strings.HasSuffix(kind, "+xml")
}

// accepts reports whether Accept-Encoding takes gzip.
func accepts(header []string) bool {
	others := false
	for part := range strings.SplitSeq(strings.Join(header, ","), ",") {
		name, parameters, _ := strings.Cut(part, ";")
		taken := true
		if q, ok := strings.CutPrefix(strings.ReplaceAll(strings.ToLower(parameters), " ", ""), "q="); ok {
			weight, err := strconv.ParseFloat(q, 64)
			taken = err == nil && weight > 0
		}
		switch strings.ToLower(strings.TrimSpace(name)) {
		case "gzip", "x-gzip":
			return taken
		case "*":
			others = taken
		}
	}
	return others
}
