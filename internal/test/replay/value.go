package replay

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"
)

// object is a JSON object that remembers the order in which its keys came. A key
// that came twice stands twice in keys; vals holds its last value.
//
// Other values are nil, bool, string, json.Number and []any.
type object struct {
	keys []string
	vals map[string]any
}

func newObject() *object { return &object{vals: map[string]any{}} }

func (o *object) get(key string) (any, bool) {
	v, ok := o.vals[key]
	return v, ok
}

func (o *object) add(key string, v any) {
	o.keys = append(o.keys, key)
	o.vals[key] = v
}

// with returns a copy in which key, at its place or at the end, has another value.
func (o *object) with(key string, v any) *object {
	c := &object{keys: slices.Clone(o.keys), vals: maps.Clone(o.vals)}
	if _, ok := o.vals[key]; !ok {
		c.keys = append(c.keys, key)
	}
	c.vals[key] = v
	return c
}

// without returns a copy that lacks the keys for which drop is true.
func (o *object) without(drop func(string) bool) *object {
	c := newObject()
	for _, k := range o.keys {
		if !drop(k) {
			c.add(k, o.vals[k])
		}
	}
	return c
}

// MarshalJSON writes the members in their order.
func (o *object) MarshalJSON() ([]byte, error) {
	var b bytes.Buffer
	b.WriteByte('{')
	for i, k := range o.keys {
		if i > 0 {
			b.WriteByte(',')
		}
		for _, part := range []any{k, o.vals[k]} {
			text, err := encode(part)
			if err != nil {
				return nil, err
			}
			b.Write(text)
			b.WriteByte(':')
		}
		b.Truncate(b.Len() - 1)
	}
	b.WriteByte('}')
	return b.Bytes(), nil
}

// encode writes JSON without escaping what only HTML needs escaped.
func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, err
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n")), nil
}

// show prints a value for a report.
func show(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case marker:
		return string(v)
	}
	text, err := encode(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(text)
}

var errNotJSON = errors.New("not one JSON value in UTF-8")

// decode reads one JSON value, keeping the order of keys and numbers as written.
func decode(text []byte) (any, error) {
	if !utf8.Valid(text) || !json.Valid(text) {
		return nil, errNotJSON
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	v, err := decodeValue(dec)
	if err != nil {
		return nil, err
	}
	if _, err := dec.Token(); !errors.Is(err, io.EOF) {
		return nil, errNotJSON
	}
	return v, nil
}

func decodeValue(dec *json.Decoder) (any, error) {
	tok, err := dec.Token()
	if err != nil {
		return nil, err
	}
	switch tok {
	case json.Delim('{'):
		o := newObject()
		for dec.More() {
			key, err := dec.Token()
			if err != nil {
				return nil, err
			}
			v, err := decodeValue(dec)
			if err != nil {
				return nil, err
			}
			o.add(key.(string), v)
		}
		_, err := dec.Token()
		return o, err
	case json.Delim('['):
		list := []any{}
		for dec.More() {
			v, err := decodeValue(dec)
			if err != nil {
				return nil, err
			}
			list = append(list, v)
		}
		_, err := dec.Token()
		return list, err
	}
	return tok, nil
}

// isWhole tells an integer from a number written with a fraction or an exponent:
// to a strictly typed client they are different types.
func isWhole(n json.Number) bool { return !strings.ContainsAny(string(n), ".eE") }

func sameNumber(w, g json.Number) bool {
	if isWhole(w) != isWhole(g) {
		return false
	}
	if isWhole(w) {
		return w == g || strings.Trim(string(w), "-") == "0" && strings.Trim(string(g), "-") == "0"
	}
	wf, werr := w.Float64()
	gf, gerr := g.Float64()
	return werr == nil && gerr == nil && wf == gf
}
