package param

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// JSONError reports that a body is not valid JSON. The codes are those of PHP's json_last_error.
type JSONError struct{ Code int }

func (e *JSONError) Error() string { return fmt.Sprintf("param: invalid JSON (%d)", e.Code) }

// Codes of a JSONError: nesting that is too deep, a syntax error, a body that is not UTF-8, and an escaped surrogate
// without its other half.
const (
	JSONDepth  = 1
	JSONSyntax = 4
	JSONUTF8   = 5
	JSONHalf   = 10
)

const maxJSONDepth = 511

// maxMembers bounds the total number of members and elements in all objects and lists of a request, nested ones
// included, in JSON as in a form (D59).
const maxMembers = 10000

// decoder decodes a body and counts its members and elements.
type decoder struct {
	*json.Decoder
	left  int
	batch bool // the body is read by ParseBatch
}

// ParseJSON parses a JSON body. Only an object has fields: for any other value the Map is empty, and scalar reports
// whether the body was a bare scalar. The error is ErrTooMany for too many members and elements, and a *JSONError
// otherwise.
func ParseJSON(body []byte) (m *Map, scalar bool, err error) { return parseJSON(body, false) }

// Raw is a value of a JSON body in its original bytes.
type Raw []byte

// ParseBatch is like ParseJSON, for a body that contains a list of requests. The body of each request, which is the
// member "body" of an object in a list of the outermost object, stays undecoded as a Raw. Its members and elements do
// not count towards the limit.
func ParseBatch(body []byte) (m *Map, scalar bool, err error) { return parseJSON(body, true) }

// batchDepth is the nesting depth of a batch's request objects: they are in a list of the outermost object.
const batchDepth = 3

func parseJSON(body []byte, batch bool) (m *Map, scalar bool, err error) {
	if len(body) == 0 {
		return NewMap(), false, nil
	}
	if !utf8.Valid(body) {
		return nil, false, &JSONError{JSONUTF8}
	}
	d := &decoder{json.NewDecoder(bytes.NewReader(body)), maxMembers, batch}
	d.UseNumber()
	v, err := decode(d, 0)
	if err == nil {
		_, err = d.Token()
		switch {
		case err != io.EOF:
			err = &JSONError{JSONSyntax}
		case halfCharacter(body):
			err = &JSONError{JSONHalf}
		default:
			err = nil
		}
	}
	if err != nil {
		if _, ok := err.(*JSONError); !ok && err != ErrTooMany {
			err = &JSONError{JSONSyntax}
		}
		return nil, false, err
	}
	switch x := v.(type) {
	case *Map:
		return x, false, nil
	case []any, nil:
		return NewMap(), false, nil
	case int64:
		return NewMap(), x != 0, nil
	}
	return NewMap(), true, nil
}

// halfCharacter reports whether the body contains an escaped surrogate without its other half. encoding/json would
// silently replace it.
func halfCharacter(body []byte) bool {
	unit := func(s []byte) rune {
		if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
			return 0
		}
		n, _ := strconv.ParseUint(string(s[2:6]), 16, 16)
		return rune(n)
	}
	for {
		i := bytes.IndexByte(body, '\\')
		if i < 0 || i+1 >= len(body) {
			return false
		}
		c := unit(body[i:])
		if utf16.IsSurrogate(c) {
			if utf16.DecodeRune(c, unit(body[i+6:])) == unicode.ReplacementChar {
				return true
			}
			i += 6
		}
		body = body[i+2:]
	}
}

func decode(d *decoder, depth int) (any, error) {
	t, err := d.Token()
	if err != nil {
		return nil, err
	}
	switch x := t.(type) {
	case json.Delim:
		if depth++; depth > maxJSONDepth {
			return nil, &JSONError{JSONDepth}
		}
		if x == '[' {
			return decodeList(d, depth)
		}
		return decodeObject(d, depth)
	case json.Number:
		return number(x)
	}
	return t, nil
}

func decodeList(d *decoder, depth int) (any, error) {
	list := []any{}
	for d.More() {
		if d.left--; d.left < 0 {
			return nil, ErrTooMany
		}
		v, err := decode(d, depth)
		if err != nil {
			return nil, err
		}
		list = append(list, v)
	}
	_, err := d.Token()
	return list, err
}

func decodeObject(d *decoder, depth int) (any, error) {
	m := NewMap()
	for d.More() {
		if d.left--; d.left < 0 {
			return nil, ErrTooMany
		}
		k, err := d.Token()
		if err != nil {
			return nil, err
		}
		var v any
		if d.batch && depth == batchDepth && k == "body" {
			var raw json.RawMessage
			err = d.Decode(&raw)
			v = Raw(raw)
		} else {
			v, err = decode(d, depth)
		}
		if err != nil {
			return nil, err
		}
		m.Set(k.(string), v)
	}
	_, err := d.Token()
	return m, err
}
