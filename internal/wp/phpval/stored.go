package phpval

import (
	"regexp"
	"strconv"
	"strings"
)

// Object is a PHP object of any class, with its public members. Reading one never instantiates a class.
type Object struct {
	Class string
	*Array
	protected *Array
}

// ObjectText returns a public or protected string member of a serialized object.
func ObjectText(text, name string) (string, bool) {
	o, ok := Stored(text).(*Object)
	if !ok {
		return "", false
	}
	v, ok := o.Get(name)
	if !ok {
		v, _ = o.protected.Get(name)
	}
	s, ok := v.(string)
	return s, ok
}

// serialized matches what WordPress's is_serialized accepts, so that PHP programs try to unserialize it.
var serialized = regexp.MustCompile(`^(?s:N;|[bid]:[0-9.E+-]+;|[aOE]:[0-9]+:.*[;}]|s:[0-9]+:.*";)$`)

// Stored returns the value that WordPress reads from a meta row (maybe_unserialize): the unserialized value, with
// objects and references; false if the text only looks serialized; otherwise the text itself.
func Stored(text string) Value {
	trimmed := Trim(text)
	if trimmed != "N;" && (len(trimmed) < 4 || trimmed[1] != ':') || !serialized.MatchString(trimmed) {
		return text
	}
	if len(trimmed) > maxBytes {
		return false
	}
	r := &reader{rest: trimmed, left: min(maxValues, len(trimmed)/minElement), objects: &slots{}}
	v, ok := r.value(0)
	if !ok || r.rest != "" {
		return false
	}
	return v
}

// slots are the values to which references in a text may refer, in the order in which they begin, with their sizes.
// Sizes are counted because nested references could otherwise make a value larger than any memory when it is written.
type slots struct {
	values []Value
	sizes  []int // number of values in each; 0 while it is being read, since a reference to it would be endless
	total  int
}

// open adds the slot of a value that begins.
func (s *slots) open() int {
	s.values, s.sizes = append(s.values, nil), append(s.sizes, 0)
	s.total++
	return len(s.values) - 1
}

func (s *slots) close(slot int, v Value, before int) {
	s.values[slot], s.sizes[slot] = v, s.total-before
}

// reference parses "R:3;" or "r:3;", a reference to the third value of the text.
func (r *reader) reference() (Value, bool) {
	t, ok := r.until(';')
	n, err := strconv.Atoi(t)
	if !ok || err != nil || n < 1 || n > len(r.objects.values) || r.objects.sizes[n-1] == 0 {
		return nil, false
	}
	r.objects.total += r.objects.sizes[n-1]
	return r.objects.values[n-1], r.objects.total <= maxValues
}

// object parses an object after "O:". Only its public and protected members are kept.
func (r *reader) object(depth int) (Value, bool) {
	n, ok := r.size()
	if !ok || n > len(r.rest)-3 || r.rest[0] != '"' || r.rest[n+1:n+3] != `":` {
		return nil, false
	}
	class := r.rest[1 : n+1]
	r.rest = r.rest[n+3:]
	members, ok := r.array(depth)
	if !ok {
		return nil, false
	}
	public, protected := &Array{}, &Array{}
	if class != "stdClass" {
		public.Set(StrKey("__PHP_Incomplete_Class_Name"), class)
	}
	for k, v := range members.(*Array).All() {
		switch name, hidden := strings.CutPrefix(k.String(), "\x00"); {
		case !hidden:
			public.Set(k, v)
		case strings.HasPrefix(name, "*\x00"):
			protected.Set(StrKey(name[2:]), v)
		}
	}
	return &Object{class, public, protected}, true
}

// WithoutID removes an id from a stored value, which is a number or a serialized list of numbers. found reports whether
// it contained the id. rest is "" if nothing is left.
func WithoutID(value string, id int64) (rest string, found bool) {
	if !strings.HasPrefix(value, "a:") {
		return "", Int(Stored(value)) == id
	}
	v, err := Unserialize(value)
	list, ok := v.(*Array)
	if err != nil || !ok {
		return value, false
	}
	var kept []Value
	for _, x := range list.All() {
		if Int(x) == id {
			found = true
		} else {
			kept = append(kept, x)
		}
	}
	if len(kept) == 0 {
		return "", found
	}
	return Serialize(List(kept...)), found
}
