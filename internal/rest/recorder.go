package rest

import (
	"bytes"
	"net/http"
)

// Recorder is the http.ResponseWriter of an answer that is read in the process.
type Recorder struct {
	Status int
	Body   bytes.Buffer
	Most   int  // maximal number of bytes of a body that is kept; 0 is no limit
	Beyond bool // the body was over the limit, and nothing of it is kept
	header http.Header
}

// Header returns the header.
func (w *Recorder) Header() http.Header {
	if w.header == nil {
		w.header = http.Header{}
	}
	return w.header
}

// WriteHeader sets the status.
func (w *Recorder) WriteHeader(status int) { w.Status = status }

// Write appends to the body.
func (w *Recorder) Write(p []byte) (int, error) {
	if w.Beyond = w.Beyond || w.Most > 0 && w.Body.Len()+len(p) > w.Most; w.Beyond {
		w.Body = bytes.Buffer{}
		return len(p), nil
	}
	return w.Body.Write(p)
}
