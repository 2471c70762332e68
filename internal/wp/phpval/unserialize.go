package phpval

import (
	"errors"
	"math"
	"strconv"
	"strings"
)

// Other programs store texts too, so the cost of reading one is bounded. The
// smallest element of an array, "i:0;N;", has minElement bytes.
const (
	minElement = 6

	maxBytes  = 16 << 20
	maxDepth  = 256
	maxValues = 1 << 20
)

// errFormat is the reason why a text is not a serialized value.
var errFormat = errors.New("phpval: not a serialized value")

// Unserialize reads one serialized value. Objects and references, which the
// values that we read never hold, are refused, and so is anything after the
// value. Strings share memory with s.
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

// reader reads a text. left is how many elements its arrays may still have: an
// array subtracts its whole count at once, so that the counts of all arrays
// together are no more than the text can hold, however deep they are nested.
type reader struct {
	rest    string
	left    int
	objects *slots // nil where objects and references are refused
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
		return r.text()
	case "a:":
		return r.array(depth + 1)
	}
	return nil, false
}

// until takes the text before the next end byte, and the end byte.
func (r *reader) until(end byte) (string, bool) {
	i := strings.IndexByte(r.rest, end)
	if i < 0 {
		return "", false
	}
	t := r.rest[:i]
	r.rest = r.rest[i+1:]
	return t, true
}

// size takes a count and the colon after it.
func (r *reader) size() (int, bool) {
	t, ok := r.until(':')
	if !ok || t == "" || t[0] < '0' || t[0] > '9' {
		return 0, false
	}
	n, err := strconv.ParseInt(t, 10, 32)
	return int(n), err == nil
}

func (r *reader) text() (Value, bool) {
	n, ok := r.size()
	// A length beyond the text must not overflow the sums below.
	if !ok || n > len(r.rest)-3 || r.rest[0] != '"' || r.rest[n+1:n+3] != `";` {
		return nil, false
	}
	t := r.rest[1 : n+1]
	r.rest = r.rest[n+3:]
	return t, true
}

func (r *reader) array(depth int) (Value, bool) {
	n, ok := r.size()
	// A count that the text cannot hold is refused before anything is reserved.
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
		v, ok := r.text()
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
