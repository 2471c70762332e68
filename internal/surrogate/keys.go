// Package surrogate collects the keys by which caches in front of the API drop answers: those of the objects that an answer shows,
// such as events-12, and of the lists that it belongs to, such as events.
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

// MaxLength is the length of the keys of an answer, in bytes, beyond which only kinds are named: caches and proxies bound headers.
const MaxLength = 4 << 10

// Item returns the key of an object.
func Item(kind string, id int64) string { return kind + "-" + strconv.FormatInt(id, 10) }

// Keys are those of an answer in the making. Several goroutines may add to them; to nil nothing is added.
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

// New returns no keys.
func New() *Keys { return &Keys{lists: map[string]bool{}, items: map[item]bool{}} }

// List adds the key of the lists of kinds: of what depends on any of their objects.
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

// Item adds the key of an object.
func (k *Keys) Item(kind string, id int64) {
	if k == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.items[item{kind, id}] = true
}

// Forbid says that no cache may have the answer (D88).
func (k *Keys) Forbid() {
	if k == nil {
		return
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	k.forbidden = true
}

// Forbidden reports whether no cache may have the answer.
func (k *Keys) Forbidden() bool {
	if k == nil {
		return false
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.forbidden
}

// Add adds the keys of a part of the answer.
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

// Text returns the keys in their order. Where they are too long, the kinds of the objects take their place.
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

// With returns a context with keys, to which is added what is read with it.
func With(ctx context.Context, k *Keys) context.Context {
	return context.WithValue(ctx, contextKey{}, k)
}

// From returns the keys of a context, nil without any.
func From(ctx context.Context) *Keys {
	k, _ := ctx.Value(contextKey{}).(*Keys)
	return k
}
