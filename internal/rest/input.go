package rest

import (
	"errors"
	"mime"
	"net/http"
	"slices"
	"strings"

	"github.com/agendahq/agenda/internal/apierror"
	"github.com/agendahq/agenda/internal/param"
)

// readBody reads the parameters of the body, if the method and the media type allow a body.
func (c *request) readBody() error {
	b := &c.body
	if b.read {
		return b.err
	}
	b.read = true
	media := c.HTTP.Header.Get("Content-Type")
	if c.HTTP.Body != nil && c.HTTP.Body != http.NoBody && (jsonMedia(media) || hasForm(c.HTTP, c.writes())) {
		in := c.bodyReader()
		c.src.JSON, c.src.Form = b.receive(media, &in)
	}
	return b.err
}

// bodyReader returns what reads the body. While the caller is being looked for, the operation is not known yet.
func (c *request) bodyReader() bodyReader {
	in := bodyReader{
		from: c.HTTP.Body, claim: c.memory(), deadline: &c.deadline, scalars: c.writes(),
		limit: c.engine.MaxBody, parse: param.ParseJSON, fields: c.engine.MaxBody,
	}
	var asked *Operation
	if c.asked != nil {
		asked = c.asked.operation(c.method)
	}
	in.files = c.engine.files(asked, c.Principal)
	switch {
	case c.op == nil:
	case c.op.Batch:
		in.limit, in.parse = maxBatchBody, param.ParseBatch
	case c.op.MaxBody > 0:
		in.limit = c.op.MaxBody
	}
	return in
}

// formField returns a text field of the form body.
func (c *request) formField(name string) (string, bool) {
	if !hasForm(c.HTTP, c.writes()) || c.readBody() != nil {
		return "", false
	}
	v, given := c.src.Form.Get(name)
	s, _ := v.(string)
	return s, given
}

// hasForm reports whether the body is a form with parameters. A body without a media type is a form, except in a POST.
// Only a POST may contain files. writes says whether the method may have a form: it may override that of the request.
func hasForm(r *http.Request, writes bool) bool {
	media := r.Header.Get("Content-Type")
	base, _, _ := mime.ParseMediaType(media)
	post := r.Method == http.MethodPost
	return writes && (base == formMedia || base == multipartMedia && post || media == "" && !post)
}

const (
	formMedia      = "application/x-www-form-urlencoded"
	multipartMedia = "multipart/form-data"
)

// refuseMisread rejects an update whose parameters can only be in a body that was misread, because it would succeed and
// change nothing. An update with a parameter that was read is carried out, as by The Events Calendar.
func (c *request) refuseMisread() error {
	if len(c.Path.Keys()) == 0 || !c.writes() || !c.body.misread(c.HTTP) || c.method == http.MethodDelete ||
		!c.body.jsonForm && c.HTTP.ContentLength < 0 {
		return nil
	}
	given := func(p *param.Param) bool {
		return slices.ContainsFunc([]*param.Map{c.src.JSON, c.src.Form, c.src.Query}, func(m *param.Map) bool {
			_, in := m.Get(p.Name)
			return in
		})
	}
	if slices.ContainsFunc(c.op.Params, given) {
		return nil
	}
	return mediaError(c.HTTP)
}

// explainMissing returns the error of a request's parameters. Where some are missing because the body was misread, it
// says which Content-Type to send.
func explainMissing(err error, r *http.Request, misread bool) error {
	var failure *param.Failure
	if !misread || !errors.As(err, &failure) || failure.Missing == nil {
		return err
	}
	return &param.Failure{Missing: failure.Missing, Reason: &mediaError(r).Message}
}

// mediaError is the error of a body whose Content-Type does not match its content.
func mediaError(r *http.Request) *apierror.Error {
	if base, _, err := mime.ParseMediaType(r.Header.Get("Content-Type")); err == nil {
		return errMediaType.With("Type", base)
	}
	return errNoMediaType
}

// jsonMedia reports whether a Content-Type contains application/json or application/…+json.
func jsonMedia(contentType string) bool {
	for part := range strings.FieldsFuncSeq(strings.ToLower(contentType), func(c rune) bool { return c == ',' || c == ';' || c == ' ' }) {
		if part == "application/json" || strings.HasPrefix(part, "application/") && strings.HasSuffix(part, "+json") {
			return true
		}
	}
	return false
}

// Options of every operation that change the shape of its answer.
const (
	optionFields   = "_fields"
	optionEnvelope = "_envelope" // in the query only
	optionPretty   = "_pretty"
)

// option returns a generic option such as _fields from any source.
func option(s param.Sources, name string) (any, bool) {
	for _, m := range [...]*param.Map{s.JSON, s.Form, s.Query} {
		if v, ok := m.Get(name); ok && v != nil {
			return v, true
		}
	}
	return nil, false
}
