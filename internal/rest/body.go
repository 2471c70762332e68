package rest

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"net/http"
	"os"

	"github.com/agendahq/agenda/internal/budget"
	"github.com/agendahq/agenda/internal/param"
)

// requestBody is the body of a request, as far as it was read.
type requestBody struct {
	err      error
	read     bool // as far as it will be
	taken    bool // reading it began
	unread   bool // only a part of it was read, since the request was rejected meanwhile
	jsonForm bool // it is JSON, and was read as a form
}

// receive reads a body and returns its parameters: those of JSON or those of a form.
func (b *requestBody) receive(media string, in *bodyReader) (fromJSON, form *param.Map) {
	b.taken = true
	in.deadline.beginReading()
	isJSON := jsonMedia(media)
	if base, parts, _ := mime.ParseMediaType(media); !isJSON && base == multipartMedia {
		form, b.err = in.readParts(parts["boundary"])
	} else if text, err := in.readWhole(); err != nil {
		b.err = err
	} else if isJSON {
		fromJSON, b.err = in.parseJSON(text)
	} else {
		start := bytes.TrimSpace(text)
		b.jsonForm = bytes.HasPrefix(start, []byte("{")) && string(start) != "{}"
		form, b.err = param.ParseForm(string(text))
	}
	b.unread = errors.Is(b.err, errTooLarge) || errors.Is(b.err, budget.ErrFull)
	if errors.Is(b.err, param.ErrTooMany) {
		b.err = errTooMany
	}
	return fromJSON, form
}

// misread reports whether the body of a write may contain parameters that were not read because of its Content-Type: by
// default curl sends JSON as a form.
func (b *requestBody) misread(r *http.Request) bool {
	sent := r.Body != nil && r.Body != http.NoBody && r.ContentLength != 0
	return b.jsonForm || !b.taken && sent
}

// coming reports whether some of the body may still arrive.
func (b *requestBody) coming(r *http.Request) bool {
	return b.unread || !b.taken && r.ContentLength != 0 && r.Header.Get("Expect") == ""
}

// bodyReader reads a body within the limits of its operation.
type bodyReader struct {
	from     io.Reader
	claim    *budget.Claim // of the memory
	deadline *deadlines
	limit    int64                                  // in bytes, of a body that is JSON or a urlencoded form
	parse    func([]byte) (*param.Map, bool, error) // of JSON
	scalars  bool                                   // JSON may be a bare scalar
	fields   int64                                  // maximum size of a multipart form without its file
	files    files                                  // of a multipart form
}

// readWhole returns a body that is JSON or a urlencoded form, with enough memory to parse it.
func (r *bodyReader) readWhole() ([]byte, error) {
	text, err := io.ReadAll(&bounded{r.from, r.claim, r.limit})
	if err != nil {
		return nil, bodyFailure(err)
	}
	r.deadline.endReading()
	if err := r.claim.Wait(parsing * int64(len(text))); err != nil {
		return nil, err
	}
	return text, nil
}

func (r *bodyReader) parseJSON(text []byte) (*param.Map, error) {
	members, scalar, err := r.parse(text)
	if err == nil && scalar && !r.scalars {
		err = errScalarBody
	}
	return members, err
}

// bodyFailure returns the answer for an error of reading a body.
func bodyFailure(err error) error {
	var limit *http.MaxBytesError // set by the host
	switch {
	case errors.Is(err, budget.ErrFull):
		return err
	case errors.Is(err, errTooLarge), errors.As(err, &limit):
		return errTooLarge
	case errors.Is(err, os.ErrDeadlineExceeded):
		return errBodyTimeout
	}
	return errBody
}
