package jsonschema

import (
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"weak"
)

// inUse holds the schemas that Shared returned and that are still used, by their attributes.
var inUse = struct {
	sync.Mutex
	of map[string]weak.Pointer[Schema]
}{of: map[string]weak.Pointer[Schema]{}}

// Shared returns a schema that equals s and that all calendars of the program share. Their schemas are nearly the same,
// and would otherwise take more than half of the memory of a calendar. The result must not be changed.
func (s *Schema) Shared() *Schema {
	if s == nil || s.shared == s {
		return s
	}
	c := *s
	c.Others, c.Items = s.Others.Shared(), s.Items.Shared()
	c.OneOf, c.AnyOf, c.AllOf = sharedAll(s.OneOf), sharedAll(s.AnyOf), sharedAll(s.AllOf)
	c.Members = slices.Clone(s.Members)
	for i, m := range s.Members {
		c.Members[i].Shape = m.Shape.Shared()
	}
	if len(c.Members) == 0 {
		c.Members = nil
	}
	c.shared = nil
	key := c.key()
	inUse.Lock()
	defer inUse.Unlock()
	if known := inUse.of[key].Value(); known != nil {
		return known
	}
	c.shared = &c
	inUse.of[key] = weak.Make(&c)
	runtime.AddCleanup(&c, forget, key)
	return &c
}

// forget removes a schema that is no longer used.
func forget(key string) {
	inUse.Lock()
	defer inUse.Unlock()
	if inUse.of[key].Value() == nil { // otherwise an equal schema has been shared since
		delete(inUse.of, key)
	}
}

func sharedAll(list []*Schema) []*Schema {
	list = slices.Clone(list)
	for i, s := range list {
		list[i] = s.Shared()
	}
	return list
}

// key returns a text that two schemas have in common if and only if they are equal. The schemas within it are shared
// ones, which the text contains by their addresses: these do not change as long as this schema is used.
func (s *Schema) key() string {
	k := make(key, 0, 256)
	k.addParts(s.Name, s.About, s.Type, s.Format, s.Pattern, s.Plain, s.Open, s.Empty, s.Others, s.Items)
	k.addParts(s.MinItems, s.MaxItems, s.MinChars, s.MaxChars, s.DefaultValue, s.Sample)
	for _, values := range [][]any{s.Only, s.Known} {
		k.addParts(len(values))
		k.addParts(values...)
	}
	k.addParts(len(s.Members))
	for _, m := range s.Members {
		k.addParts(m.Name, m.About, m.Optional, m.Shape)
	}
	for _, list := range [][]*Schema{s.OneOf, s.AnyOf, s.AllOf} {
		k.addParts(list == nil, len(list))
		for _, one := range list {
			k.addParts(one)
		}
	}
	for _, limit := range []*float64{s.Min, s.Max} {
		if k.addParts(limit == nil); limit != nil {
			k.addParts(*limit)
		}
	}
	return string(k)
}

// key builds the text of a schema.
type key []byte

// addParts adds values, each in a form that no value of another type has, and after each a byte that none of them contains.
func (k *key) addParts(values ...any) {
	for _, v := range values {
		switch v := v.(type) {
		case string:
			*k = strconv.AppendQuote(*k, v)
		case bool:
			*k = strconv.AppendBool(*k, v)
		case int:
			*k = strconv.AppendInt(*k, int64(v), 10)
		case *Schema:
			*k = fmt.Appendf(*k, "%p", v)
		default:
			*k = fmt.Appendf(*k, "%T %#v", v, v)
		}
		*k = append(*k, 0)
	}
}
