// Package phpval implements PHP's values: their serialization format and the
// conversions between types. Settings, capabilities and attachment data are
// stored that way, and other programs read what is written back.
package phpval

import (
	"iter"
	"strconv"
)

// Value is nil, bool, int64, float64, string or *Array; those of Stored may be an *Object too.
type Value = any

// Key is the key of an array element: an integer or a text.
type Key struct {
	text string
	num  int64
	str  bool
}

// IntKey is the integer key n.
func IntKey(n int64) Key { return Key{num: n} }

// StrKey is the key that PHP makes of the text s: the text itself, or an integer
// if s is one in its canonical decimal form ("5", "-1", not "05").
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

// Int returns the integer of an integer key.
func (k Key) Int() (int64, bool) { return k.num, !k.str }

// String returns the key as text.
func (k Key) String() string {
	if k.str {
		return k.text
	}
	return strconv.FormatInt(k.num, 10)
}

// indexFrom is the length from which an array has an index of its entries;
// shorter ones are searched faster without.
const indexFrom = 12

type entry struct {
	key  Key
	val  Value
	gone bool
}

// Array is PHP's array: a map that keeps the order in which keys were added.
// The zero Array is empty and usable; a nil one can be read.
type Array struct {
	entries []entry
	index   map[Key]int
	live    int
}

// List returns an array of the values with the keys 0, 1, 2 …
func List(values ...Value) *Array {
	a := &Array{entries: make([]entry, 0, len(values))}
	for i, v := range values {
		a.Set(IntKey(int64(i)), v)
	}
	return a
}

// Members returns an array of alternating names and values.
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

// Get returns the element that PHP finds by key: Get("5") finds the
// integer key 5.
func (a *Array) Get(key string) (Value, bool) { return a.GetKey(StrKey(key)) }

// GetKey returns the element with the key.
func (a *Array) GetKey(k Key) (Value, bool) {
	i := a.find(k)
	if i < 0 {
		return nil, false
	}
	return a.entries[i].val, true
}

// At returns the element that PHP finds by key, nil if there is none.
func (a *Array) At(key string) Value {
	v, _ := a.Get(key)
	return v
}

// ArrayAt returns the array that PHP finds by key, nil if there is none.
func (a *Array) ArrayAt(key string) *Array {
	list, _ := a.At(key).(*Array)
	return list
}

// All yields the elements in order. The array must not be changed meanwhile.
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

// Set replaces the element with the key in its place, or appends it.
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
	// Gaps are closed only when they are many, so that deleting many elements
	// is cheap.
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

// IsList reports whether the keys are 0, 1, 2 … in that order: what JSON writes
// as an array. An empty array is one.
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
