package rest

import (
	"errors"
	"io"
	"mime"
	"net/http"
	"strings"

	"github.com/agendahq/agenda/internal/param"
)

// MaxBody is the largest body that is read, in bytes.
const MaxBody = 1 << 20

// sources reads the request's parameters from its address and, as far as the
// method and the media type let it count, its body.
func sources(r *http.Request, method string, path *param.Map) (param.Sources, error) {
	s := param.Sources{Path: path}
	var err error
	if s.Query, err = param.ParseForm(r.URL.RawQuery); err != nil {
		return s, errTooMany
	}
	isForm := method != http.MethodGet && method != http.MethodHead && method != http.MethodOptions
	media := r.Header.Get("Content-Type")
	isJSON := jsonMedia(media)
	if r.Body == nil || !isJSON && !isForm {
		return s, nil
	}
	body, err := io.ReadAll(io.LimitReader(r.Body, MaxBody+1))
	var limit *http.MaxBytesError // of the host
	switch {
	case len(body) > MaxBody, errors.As(err, &limit):
		return s, errTooLarge
	case err != nil:
		return s, errBody
	}
	if isJSON {
		var scalar bool
		if s.JSON, scalar, err = param.ParseJSON(body); err == nil && scalar && !isForm {
			err = errScalarBody
		}
		return s, err
	}
	base, _, _ := mime.ParseMediaType(media)
	if base == "application/x-www-form-urlencoded" || media == "" && method != http.MethodPost {
		if s.Form, err = param.ParseForm(string(body)); errors.Is(err, param.ErrTooMany) {
			return s, errTooMany
		}
	}
	return s, err
}

// jsonMedia finds application/json or application/…+json in a Content-Type.
func jsonMedia(contentType string) bool {
	for part := range strings.FieldsFuncSeq(strings.ToLower(contentType), func(c rune) bool { return c == ',' || c == ';' || c == ' ' }) {
		if part == "application/json" || strings.HasPrefix(part, "application/") && strings.HasSuffix(part, "+json") {
			return true
		}
	}
	return false
}

// option returns a generic option such as _fields from whichever source has it.
func option(s param.Sources, name string) (any, bool) {
	for _, m := range [...]*param.Map{s.JSON, s.Form, s.Query} {
		if v, ok := m.Get(name); ok && v != nil {
			return v, true
		}
	}
	return nil, false
}

// fieldNames reads _fields: names separated by commas or white space, or a list.
func fieldNames(s param.Sources) []string {
	v, ok := option(s, "_fields")
	if !ok {
		return nil
	}
	if list, ok := param.Elements(v); ok {
		var names []string
		for _, e := range list {
			if t, ok := param.Scalar(e); ok {
				names = append(names, t)
			}
		}
		return names
	}
	t, _ := param.Scalar(v)
	return strings.FieldsFunc(t, func(c rune) bool { return c == ',' || strings.ContainsRune(" \t\r\n\v\f", c) })
}
