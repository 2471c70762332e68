// Package surrogate collects surrogate keys (cache tags), by which caches in front of the API purge responses. There is a
// key for each item that a response shows, such as events-12, and one for each kind of list that it depends on, such as
// events.
package surrogate

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// MaxLength is the greatest length, in bytes, of a response's keys. Beyond it the keys of items are replaced by those of
// their lists, since caches and proxies limit the length of headers.
const MaxLength = 4 << 10

// Item returns the key of an item.
func Item(kind string, id int64) string { return kind + "-" + strconv.FormatInt(id, 10) }

// Keys collects the keys of a response. It is safe for concurrent use. Adding to a nil *Keys does nothing.
type Keys struct {
	mu        sync.Mutex
	lists     map[string]bool
	items     map[item]bool
	forbidden bool
}

type item struct {
	kind string
	id   int64
}

// New returns an empty collection.
func New() *Keys { return &Keys{lists: map[string]bool{}, items: map[item]bool{}} }

// List adds the keys of lists, for responses that depend on any item of these kinds.
func (k *Keys) List(kinds ...string) {
	if k == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	for _, kind := range kinds {
		k.lists[kind] = true
	}
}

// Item adds the key of an item.
func (k *Keys) Item(kind string, id int64) {
	if k == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.items[item{kind, id}] = true
}

// Forbid marks the response as one that no cache may store (D88).
func (k *Keys) Forbid() {
	if k == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.forbidden = true
}

// Forbidden reports whether no cache may store the response.
func (k *Keys) Forbidden() bool {
	if k == nil {
		return false
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.forbidden
}

// Add adds the keys of a part of the response.
func (k *Keys) Add(part *Keys) {
	if k == nil || part == nil || k == part {
		return
	}
	part.mu.Lock()
	lists, items, forbidden := maps.Clone(part.lists), maps.Clone(part.items), part.forbidden
	part.mu.Unlock()
	k.mu.Lock()
	defer k.mu.Unlock()
	maps.Copy(k.lists, lists)
	maps.Copy(k.items, items)
	k.forbidden = k.forbidden || forbidden
}

// Text returns the sorted keys. If they exceed MaxLength, it returns only the keys of lists, including those of the
// items' kinds.
func (k *Keys) Text(separator string) string {
	if k == nil {
		return ""
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	kinds := maps.Clone(k.lists)
	keys := slices.Sorted(maps.Keys(k.lists))
	for _, i := range slices.SortedFunc(maps.Keys(k.items), func(a, b item) int {
		return cmp.Or(cmp.Compare(a.kind, b.kind), cmp.Compare(a.id, b.id))
	}) {
		kinds[i.kind] = true
		keys = append(keys, Item(i.kind, i.id))
	}
	if text := strings.Join(keys, separator); len(text) <= MaxLength {
		return text
	}
	return strings.Join(slices.Sorted(maps.Keys(kinds)), separator)
}

type contextKey struct{}

// With returns a context whose keys are collected in k.
func With(ctx context.Context, k *Keys) context.Context {
	return context.WithValue(ctx, contextKey{}, k)
}

// From returns the collection of a context, or nil if it has none.
func From(ctx context.Context) *Keys {
	k, _ := ctx.Value(contextKey{}).(*Keys)
	return k
}
