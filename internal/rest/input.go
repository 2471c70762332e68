package rest

import (
	"bytes"
	"errors"
	"io"
	"mime"
	"mime/multipart"
	"net/http"
	"os"
	"strings"

	"github.com/agendahq/agenda/internal/budget"
	"github.com/agendahq/agenda/internal/param"
)

// readBody reads the parameters of the body, if the method and the media type allow
// any.
func (c *call) readBody() error {
	if c.bodyRead {
		return c.bodyErr
	}
	c.bodyRead = true
	c.src.JSON, c.src.Form, c.bodyErr = c.body()
	return c.bodyErr
}

// formField returns a text field of the form body.
func (c *call) formField(name string) (string, bool) {
	if !c.hasForm() || c.readBody() != nil {
		return "", false
	}
	v, given := c.src.Form.Get(name)
	s, _ := v.(string)
	return s, given
}

// writes reports whether the method is one with form bodies.
func (c *call) writes() bool {
	return c.method != http.MethodGet && c.method != http.MethodHead && c.method != http.MethodOptions
}

// hasForm reports whether the body is a form with parameters. Without a media type it
// is one, except in a POST; files are for POST only.
func (c *call) hasForm() bool {
	media := c.HTTP.Header.Get("Content-Type")
	base, _, _ := mime.ParseMediaType(media)
	post := c.HTTP.Method == http.MethodPost
	return c.writes() && (base == formMedia || base == multipartMedia && post || media == "" && !post)
}

const (
	formMedia      = "application/x-www-form-urlencoded"
	multipartMedia = "multipart/form-data"
)

func (c *call) body() (fromJSON, form *param.Map, err error) {
	media := c.HTTP.Header.Get("Content-Type")
	isJSON := jsonMedia(media)
	if c.HTTP.Body == nil || c.HTTP.Body == http.NoBody || !isJSON && !c.hasForm() {
		return nil, nil, nil
	}
	c.taken = true
	c.deadline.beginReading()
	claim := c.memory()
	body, err := io.ReadAll(claimed{io.LimitReader(c.HTTP.Body, c.engine.MaxBody+1), claim})
	var limit *http.MaxBytesError // of the host
	switch {
	case errors.Is(err, budget.ErrFull):
		return nil, nil, err
	case int64(len(body)) > c.engine.MaxBody, errors.As(err, &limit):
		return nil, nil, errTooLarge
	case errors.Is(err, os.ErrDeadlineExceeded):
		return nil, nil, errBodyTimeout
	case err != nil:
		return nil, nil, errBody
	}
	c.deadline.endReading()
	if err := claim.Take(parsing * int64(len(body))); err != nil {
		return nil, nil, err
	}
	if isJSON {
		var scalar bool
		if fromJSON, scalar, err = param.ParseJSON(body); err == nil && scalar && !c.writes() {
			err = errScalarBody
		}
	} else if base, parts, _ := mime.ParseMediaType(media); base == multipartMedia {
		form, err = multipartFields(body, parts["boundary"])
	} else {
		c.jsonForm = bytes.HasPrefix(bytes.TrimLeft(body, " \t\r\n"), []byte("{"))
		form, err = param.ParseForm(string(body))
	}
	if errors.Is(err, param.ErrTooMany) {
		err = errTooMany
	}
	return fromJSON, form, err
}

// mediaFailure returns the error of a request's parameters. Where some are missing because of the Content-Type of a body that may have
// them, as curl sends JSON unless told otherwise, it says which one to send.
func (c *call) mediaFailure(err error) error {
	var failure *param.Failure
	sent := c.HTTP.Body != nil && c.HTTP.Body != http.NoBody && c.HTTP.ContentLength != 0
	if !errors.As(err, &failure) || failure.Missing == nil || !c.writes() || !c.jsonForm && (c.taken || !sent) {
		return err
	}
	reason := &param.Message{ID: "error_no_media_type"}
	if base, _, invalid := mime.ParseMediaType(c.HTTP.Header.Get("Content-Type")); invalid == nil {
		reason = &param.Message{ID: "error_media_type", Data: map[string]any{"Type": base}}
	}
	return &param.Failure{Missing: failure.Missing, Reason: reason}
}

// multipartFields reads the fields of a form. A file is refused: nothing takes one, and
// it must not look as if something did (D74).
func multipartFields(body []byte, boundary string) (*param.Map, error) {
	form, parts := param.NewForm(), 0
	for r := multipart.NewReader(bytes.NewReader(body), boundary); ; {
		part, err := r.NextRawPart()
		if err == io.EOF {
			return form.Map, nil
		}
		if err != nil {
			return nil, errBody
		}
		if parts++; parts > param.MaxFields {
			return nil, param.ErrTooMany
		}
		switch {
		case part.FileName() != "":
			return nil, param.Refuse(fileField(part.FormName()), param.Invalid("fault_file"))
		case part.FormName() == "":
			continue
		}
		value, err := io.ReadAll(part)
		if err != nil {
			return nil, errBody
		}
		if err := form.Add(part.FormName(), string(value)); err != nil {
			return nil, err
		}
	}
}

// fileField returns the name of a file's field as errors name it.
func fileField(name string) string {
	name = strings.ReplaceAll(strings.ToValidUTF8(name, "\ufffd"), "\x00", "\ufffd")
	if name == "" || len(name) > maxFieldName {
		return "file"
	}
	return name
}

// maxFieldName is the length of the longest name of a file's field that an error repeats.
const maxFieldName = 100

// jsonMedia finds application/json or application/…+json in a Content-Type.
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
	optionEnvelope = "_envelope" // in the query alone
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
