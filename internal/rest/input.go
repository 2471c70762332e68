package rest

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"net/http"
	"os"
	"slices"
	"strings"

	"github.com/agendahq/agenda/internal/apierror"
	"github.com/agendahq/agenda/internal/budget"
	"github.com/agendahq/agenda/internal/param"
)

// readBody reads the parameters of the body, if the method and the media type allow a body.
func (c *request) readBody() error {
	if c.bodyRead {
		return c.bodyErr
	}
	c.bodyRead = true
	c.src.JSON, c.src.Form, c.bodyErr = c.body()
	return c.bodyErr
}

// formField returns a text field of the form body.
func (c *request) formField(name string) (string, bool) {
	if !c.hasForm() || c.readBody() != nil {
		return "", false
	}
	v, given := c.src.Form.Get(name)
	s, _ := v.(string)
	return s, given
}

// writes reports whether the method may have a form body.
func (c *request) writes() bool {
	return c.method != http.MethodGet && c.method != http.MethodHead && c.method != http.MethodOptions
}

// hasForm reports whether the body is a form with parameters. A body without a media type is a form, except in a POST.
// Only a POST may contain files.
func (c *request) hasForm() bool {
	media := c.HTTP.Header.Get("Content-Type")
	base, _, _ := mime.ParseMediaType(media)
	post := c.HTTP.Method == http.MethodPost
	return c.writes() && (base == formMedia || base == multipartMedia && post || media == "" && !post)
}

const (
	formMedia      = "application/x-www-form-urlencoded"
	multipartMedia = "multipart/form-data"
)

func (c *request) body() (fromJSON, form *param.Map, err error) {
	media := c.HTTP.Header.Get("Content-Type")
	isJSON := jsonMedia(media)
	if c.HTTP.Body == nil || c.HTTP.Body == http.NoBody || !isJSON && !c.hasForm() {
		return nil, nil, nil
	}
	c.taken = true
	c.deadline.beginReading()
	if base, parts, _ := mime.ParseMediaType(media); !isJSON && base == multipartMedia {
		form, err = c.readParts(parts["boundary"])
	} else {
		fromJSON, form, err = c.readWhole(isJSON)
	}
	c.unread = errors.Is(err, errTooLarge) || errors.Is(err, budget.ErrFull)
	if errors.Is(err, param.ErrTooMany) {
		err = errTooMany
	}
	return fromJSON, form, err
}

// readWhole reads a body that is JSON or a urlencoded form.
func (c *request) readWhole(isJSON bool) (fromJSON, form *param.Map, err error) {
	claim := c.memory()
	limit, parse := c.engine.MaxBody, param.ParseJSON
	switch {
	case c.op == nil:
	case c.op.Batch:
		limit, parse = maxBatchBody, param.ParseBatch
	case c.op.MaxBody > 0:
		limit = c.op.MaxBody
	}
	body, err := io.ReadAll(&bounded{c.HTTP.Body, claim, limit})
	if err != nil {
		return nil, nil, bodyFailure(err)
	}
	c.deadline.endReading()
	if err := claim.Wait(parsing * int64(len(body))); err != nil {
		return nil, nil, err
	}
	if isJSON {
		var scalar bool
		if fromJSON, scalar, err = parse(body); err == nil && scalar && !c.writes() {
			err = errScalarBody
		}
	} else {
		text := bytes.TrimSpace(body)
		c.jsonForm = bytes.HasPrefix(text, []byte("{")) && string(text) != "{}"
		form, err = param.ParseForm(string(body))
	}
	return fromJSON, form, err
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

// misread reports whether the body of a write may contain parameters that were not read because of its Content-Type: by
// default curl sends JSON as a form.
func (c *request) misread() bool {
	sent := c.HTTP.Body != nil && c.HTTP.Body != http.NoBody && c.HTTP.ContentLength != 0
	return c.writes() && (c.jsonForm || !c.taken && sent)
}

// mediaFailure returns the error of a request's parameters. Where some are missing because the body was misread, it
// says which Content-Type to send.
func (c *request) mediaFailure(err error) error {
	var failure *param.Failure
	if !errors.As(err, &failure) || failure.Missing == nil || !c.misread() {
		return err
	}
	return &param.Failure{Missing: failure.Missing, Reason: &c.mediaError().Message}
}

// refuseMisread rejects an update whose parameters can only be in a body that was misread, because it would succeed and
// change nothing. An update with a parameter that was read is carried out, as by The Events Calendar.
func (c *request) refuseMisread() error {
	if len(c.Path.Keys()) == 0 || !c.misread() || c.method == http.MethodDelete || !c.jsonForm && c.HTTP.ContentLength < 0 {
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
	return c.mediaError()
}

// mediaError is the error of a body whose Content-Type does not match its content.
func (c *request) mediaError() *apierror.Error {
	if base, _, err := mime.ParseMediaType(c.HTTP.Header.Get("Content-Type")); err == nil {
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
