package jsonschema

import (
	"fmt"
	"math"
	"runtime"
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
	c.Members = make([]Member, len(s.Members))
	for i, m := range s.Members {
		c.Members[i] = m
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
	if list == nil {
		return nil
	}
	all := make([]*Schema, len(list))
	for i, s := range list {
		all[i] = s.Shared()
	}
	return all
}

// key returns a text that two schemas have in common if and only if they are equal. The schemas within it are shared
// ones, which the text contains by their addresses: these do not change as long as this schema is used.
func (s *Schema) key() string {
	k := make(key, 0, 256)
	k.texts(s.Name, s.About, s.Type, s.Format, s.Pattern)
	k.values(s.Only...)
	k.values(s.Known...)
	k.numbers(len(s.Members))
	for _, m := range s.Members {
		k.texts(m.Name, m.About)
		k.flags(m.Optional)
		k.schemas(m.Shape)
	}
	k.flags(s.Plain, s.Open, s.Empty)
	k.schemas(s.Others, s.Items)
	for _, list := range [][]*Schema{s.OneOf, s.AnyOf, s.AllOf} {
		k.flags(list == nil)
		k.schemas(list...)
		k.texts("")
	}
	k.numbers(s.MinItems, s.MaxItems, s.MinChars, s.MaxChars)
	for _, limit := range []*float64{s.Min, s.Max} {
		k.flags(limit == nil)
		if limit != nil {
			k = strconv.AppendUint(k, math.Float64bits(*limit), 36)
		}
	}
	k.values(s.DefaultValue, s.Sample)
	return string(k)
}

// key builds the text of a schema. After each part it adds a byte that no part contains.
type key []byte

func (k *key) texts(list ...string) {
	for _, text := range list {
		*k = append(append(*k, text...), 0)
	}
}

func (k *key) numbers(list ...int) {
	for _, n := range list {
		*k = append(strconv.AppendInt(*k, int64(n), 36), 0)
	}
}

func (k *key) flags(list ...bool) {
	for _, flag := range list {
		*k = append(strconv.AppendBool(*k, flag), 0)
	}
}

func (k *key) schemas(list ...*Schema) {
	for _, s := range list {
		*k = fmt.Appendf(*k, "%p\x00", s)
	}
}

// values adds values with their types.
func (k *key) values(list ...any) {
	k.numbers(len(list))
	for _, v := range list {
		if v == nil {
			k.texts("")
			continue
		}
		*k = fmt.Appendf(*k, "%T %#v\x00", v, v)
	}
}
