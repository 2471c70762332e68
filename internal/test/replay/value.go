package replay

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// object is a JSON object that preserves the order of its keys and repeated keys.
//
// Other values are nil, bool, string, json.Number and []any.
type object []member

type member struct {
	key string
	val any
}

// get returns the last value of a key.
func (o object) get(key string) (any, bool) {
	for _, m := range slices.Backward(o) {
		if m.key == key {
			return m.val, true
		}
	}
	return nil, false
}

func (o object) has(key string) bool { _, ok := o.get(key); return ok }

func (o object) keys() []string {
	keys := make([]string, len(o))
	for i, m := range o {
		keys[i] = m.key
	}
	return keys
}

// with returns a copy in which the value of a key is changed.
func (o object) with(key string, change func(any) any) object {
	o = slices.Clone(o)
	for i, m := range o {
		if m.key == key {
			o[i].val = change(m.val)
		}
	}
	return o
}

// without returns a copy without the keys for which drop is true.
func (o object) without(drop func(key string) bool) object {
	return slices.DeleteFunc(slices.Clone(o), func(m member) bool { return drop(m.key) })
}

// MarshalJSON encodes the members in their order.
func (o object) MarshalJSON() ([]byte, error) {
	members := make([]string, len(o))
	for i, m := range o {
		members[i] = encode(m.key) + ":" + encode(m.val)
	}
	return []byte("{" + strings.Join(members, ",") + "}"), nil
}

// encode encodes a value as JSON without the escapes that only HTML requires.
func encode(v any) string {
	var b strings.Builder
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Sprint(v)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// show formats a value for a report.
func show(v any) string {
	switch v := v.(type) {
	case string:
		return v
	case marker:
		return string(v)
	}
	return encode(v)
}

// decode parses one JSON value, and preserves the order of keys and the notation of numbers.
func decode(text []byte) (any, error) {
	if !utf8.Valid(text) || !json.Valid(text) {
		return nil, errors.New("not one JSON value in UTF-8")
	}
	dec := json.NewDecoder(bytes.NewReader(text))
	dec.UseNumber()
	return decodeValue(dec), nil
}

// decodeValue parses the next value of a valid text.
func decodeValue(dec *json.Decoder) any {
	token, _ := dec.Token()
	switch token {
	case json.Delim('{'):
		o := object{}
		for dec.More() {
			key, _ := dec.Token()
			o = append(o, member{key.(string), decodeValue(dec)})
		}
		_, _ = dec.Token()
		return o
	case json.Delim('['):
		list := []any{}
		for dec.More() {
			list = append(list, decodeValue(dec))
		}
		_, _ = dec.Token()
		return list
	}
	return token
}

// isWhole reports whether a number has no fraction and no exponent. For a statically typed client, numbers with one
// have another type.
func isWhole(n json.Number) bool { return !strings.ContainsAny(string(n), ".eE") }

func sameNumber(w, g json.Number) bool {
	wf, werr := w.Float64()
	gf, gerr := g.Float64()
	switch {
	case isWhole(w) != isWhole(g):
		return false
	case isWhole(w) && wf != 0:
		return w == g
	}
	return werr == nil && gerr == nil && wf == gf
}
