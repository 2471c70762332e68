package phpval

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

// Limits of what is parsed, since the texts come from other programs. minElement is the length of the shortest array
// element, "i:0;N;".
const (
	minElement = 6

	maxBytes  = 16 << 20
	maxDepth  = 256
	maxValues = 1 << 20
)

// errFormat is the error for a text that is not a serialized value.
var errFormat = errors.New("phpval: not a serialized value")

// Unserialize decodes one serialized value. It rejects objects and references, which do not occur in the values that it
// is used for, and anything after the value. Strings share memory with s.
func Unserialize(s string) (Value, error) {
	if len(s) > maxBytes {
		return nil, errFormat
	}
	r := &reader{rest: s, left: min(maxValues, len(s)/minElement)}
	v, ok := r.value(0)
	if !ok || r.rest != "" {
		return nil, errFormat
	}
	return v, nil
}

// ArrayOf returns the array in a serialized string, or nil, which can be read like an empty one, for any other string.
func ArrayOf(s string) *Array {
	v, _ := Unserialize(s)
	list, _ := v.(*Array)
	return list
}

// reader parses a text. left is the number of elements that its arrays may still have. An array subtracts its count
// before reading elements, so that the counts of nested arrays together never exceed what the text can contain.
type reader struct {
	rest    string
	left    int
	objects *slots // nil if objects and references are rejected
}

func (r *reader) value(depth int) (Value, bool) {
	if len(r.rest) < 2 {
		return nil, false
	}
	tag := r.rest[:2]
	r.rest = r.rest[2:]
	if r.objects == nil {
		return r.tagged(tag, depth)
	}
	if tag == "R:" || tag == "r:" {
		return r.reference()
	}
	before := r.objects.total
	slot := r.objects.open()
	v, ok := Value(nil), false
	if tag == "O:" {
		v, ok = r.object(depth + 1)
	} else {
		v, ok = r.tagged(tag, depth)
	}
	r.objects.close(slot, v, before)
	return v, ok
}

func (r *reader) tagged(tag string, depth int) (Value, bool) {
	switch tag {
	case "N;":
		return nil, true
	case "b:":
		t, ok := r.until(';')
		return t == "1", ok && (t == "0" || t == "1")
	case "i:":
		t, ok := r.until(';')
		n, err := strconv.ParseInt(t, 10, 64)
		return n, ok && (err == nil || r.objects != nil && errors.Is(err, strconv.ErrRange))
	case "d:":
		t, ok := r.until(';')
		if !ok {
			return nil, false
		}
		return readFloat(t)
	case "s:":
		return r.readString()
	case "a:":
		return r.array(depth + 1)
	}
	return nil, false
}

// until consumes the text before the next end byte, and that byte.
func (r *reader) until(end byte) (string, bool) {
	i := strings.IndexByte(r.rest, end)
	if i < 0 {
		return "", false
	}
	t := r.rest[:i]
	r.rest = r.rest[i+1:]
	return t, true
}

// size consumes a count and the colon after it.
func (r *reader) size() (int, bool) {
	t, ok := r.until(':')
	if !ok || t == "" || t[0] < '0' || t[0] > '9' {
		return 0, false
	}
	n, err := strconv.ParseInt(t, 10, 32)
	return int(n), err == nil
}

func (r *reader) readString() (Value, bool) {
	n, ok := r.size()
	// The comparison must not overflow if the length is greater than that of the text.
	if !ok || n > len(r.rest)-3 || r.rest[0] != '"' || r.rest[n+1:n+3] != `";` {
		return nil, false
	}
	t := r.rest[1 : n+1]
	r.rest = r.rest[n+3:]
	return t, true
}

func (r *reader) array(depth int) (Value, bool) {
	n, ok := r.size()
	// A count that the text cannot contain is rejected before memory is allocated.
	if !ok || depth > maxDepth || !strings.HasPrefix(r.rest, "{") || n > len(r.rest)/minElement || n > r.left {
		return nil, false
	}
	r.left -= n
	r.rest = r.rest[1:]
	a := &Array{}
	if n > 0 {
		a.entries = make([]entry, 0, n)
	}
	for range n {
		k, ok := r.key()
		if !ok {
			return nil, false
		}
		v, ok := r.value(depth)
		if !ok {
			return nil, false
		}
		a.Set(k, v)
	}
	if !strings.HasPrefix(r.rest, "}") {
		return nil, false
	}
	r.rest = r.rest[1:]
	return a, true
}

func (r *reader) key() (Key, bool) {
	switch {
	case strings.HasPrefix(r.rest, "i:"):
		r.rest = r.rest[2:]
		t, ok := r.until(';')
		n, err := strconv.ParseInt(t, 10, 64)
		return IntKey(n), ok && err == nil
	case strings.HasPrefix(r.rest, "s:"):
		r.rest = r.rest[2:]
		v, ok := r.readString()
		if !ok {
			return Key{}, false
		}
		return StrKey(v.(string)), true
	}
	return Key{}, false
}

func readFloat(t string) (Value, bool) {
	switch t {
	case "NAN":
		return math.NaN(), true
	case "INF":
		return math.Inf(1), true
	case "-INF":
		return math.Inf(-1), true
	}
	num, rest := Number(t)
	if num == "" || rest != "" || len(num) != len(t) {
		return nil, false
	}
	return number(num), true
}
