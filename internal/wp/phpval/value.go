// Package phpval implements PHP's values: their serialization format and conversions between types. WordPress stores
// settings, capabilities and attachment metadata in that format, and reads what is written back.
package phpval

import (
	"iter"
	"strconv"
)

// Value is nil, bool, int64, float64, string or *Array. Stored may also return an *Object.
type Value = any

// Key is the key of an array element: an integer or a string.
type Key struct {
	text string
	num  int64
	str  bool
}

// IntKey returns the integer key n.
func IntKey(n int64) Key { return Key{num: n} }

// StrKey returns the key that PHP uses for the string s: an integer if s is one in canonical decimal form ("5" or "-1",
// but not "05"), otherwise s itself.
func StrKey(s string) Key {
	if n, ok := canonicalInt(s); ok {
		return IntKey(n)
	}
	return Key{text: s, str: true}
}

func canonicalInt(s string) (int64, bool) {
	if s == "" || len(s) > 20 || s[0] != '-' && (s[0] < '0' || s[0] > '9') {
		return 0, false
	}
	n, err := strconv.ParseInt(s, 10, 64)
	return n, err == nil && strconv.FormatInt(n, 10) == s
}

// Int returns the value of an integer key. The second result is false for a string key.
func (k Key) Int() (int64, bool) { return k.num, !k.str }

// String returns the key as a string.
func (k Key) String() string {
	if k.str {
		return k.text
	}
	return strconv.FormatInt(k.num, 10)
}

// indexFrom is the number of elements from which an array has an index. Shorter arrays are searched faster without one.
const indexFrom = 12

type entry struct {
	key  Key
	val  Value
	gone bool
}

// Array is a PHP array: a map that keeps the order in which keys were added. The zero value is an empty array. A nil
// *Array can be read like an empty one.
type Array struct {
	entries []entry
	index   map[Key]int
	live    int
}

// List returns an array with the keys 0, 1, 2 and so on.
func List(values ...Value) *Array {
	a := &Array{entries: make([]entry, 0, len(values))}
	for i, v := range values {
		a.Set(IntKey(int64(i)), v)
	}
	return a
}

// Members returns an array of alternating keys and values.
func Members(pairs ...Value) *Array {
	a := &Array{}
	for i := 0; i < len(pairs); i += 2 {
		name, _ := pairs[i].(string)
		a.Set(StrKey(name), pairs[i+1])
	}
	return a
}

// Len returns the number of elements.
func (a *Array) Len() int {
	if a == nil {
		return 0
	}
	return a.live
}

// Get returns an element by its key, with PHP's conversion of keys: Get("5") finds the integer key 5.
func (a *Array) Get(key string) (Value, bool) { return a.GetKey(StrKey(key)) }

// GetKey returns an element by its key.
func (a *Array) GetKey(k Key) (Value, bool) {
	i := a.find(k)
	if i < 0 {
		return nil, false
	}
	return a.entries[i].val, true
}

// At returns an element by its key, like Get, or nil if there is none.
func (a *Array) At(key string) Value {
	v, _ := a.Get(key)
	return v
}

// ArrayAt returns an element that is an array by its key, like Get, or nil.
func (a *Array) ArrayAt(key string) *Array {
	list, _ := a.At(key).(*Array)
	return list
}

// All yields the elements in order. Meanwhile the array must not be modified, except that the current element may be deleted.
func (a *Array) All() iter.Seq2[Key, Value] {
	return func(yield func(Key, Value) bool) {
		if a == nil {
			return
		}
		for _, e := range a.entries {
			if !e.gone && !yield(e.key, e.val) {
				return
			}
		}
	}
}

// Set replaces the element with the key, or appends a new one.
func (a *Array) Set(k Key, v Value) {
	if i := a.find(k); i >= 0 {
		a.entries[i].val = v
		return
	}
	a.entries = append(a.entries, entry{key: k, val: v})
	a.live++
	switch {
	case a.index != nil:
		a.index[k] = len(a.entries) - 1
	case len(a.entries) >= indexFrom:
		a.reindex()
	}
}

// Delete removes the element with the key, if there is one.
func (a *Array) Delete(k Key) {
	i := a.find(k)
	if i < 0 {
		return
	}
	a.entries[i] = entry{gone: true}
	a.live--
	if a.index != nil {
		delete(a.index, k)
	}
	// Gaps are closed only when there are many, so that deleting many elements is cheap.
	if a.live < len(a.entries)/2 {
		a.compact()
	}
}

func (a *Array) find(k Key) int {
	if a == nil {
		return -1
	}
	if a.index != nil {
		if i, ok := a.index[k]; ok {
			return i
		}
		return -1
	}
	for i := range a.entries {
		if !a.entries[i].gone && a.entries[i].key == k {
			return i
		}
	}
	return -1
}

func (a *Array) compact() {
	kept := make([]entry, 0, a.live)
	for _, e := range a.entries {
		if !e.gone {
			kept = append(kept, e)
		}
	}
	a.entries, a.index = kept, nil
	if len(kept) >= indexFrom {
		a.reindex()
	}
}

func (a *Array) reindex() {
	a.index = make(map[Key]int, len(a.entries))
	for i, e := range a.entries {
		if !e.gone {
			a.index[e.key] = i
		}
	}
}

// IsList reports whether the keys are 0, 1, 2 and so on, in that order, so that JSON encodes the elements as an array.
// An empty array is a list.
func IsList(a *Array) bool {
	next := int64(0)
	for k := range a.All() {
		if n, ok := k.Int(); !ok || n != next {
			return false
		}
		next++
	}
	return true
}
