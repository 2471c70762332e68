package item

import (
	"maps"
	"slices"

	"github.com/agendahq/agenda/internal/store"
)

// MetaEdit contains the stored meta rows of a term and the changes of a write.
type MetaEdit struct{ stored, given store.Meta }

// NewMetaEdit returns an edit of stored rows, which may be nil.
func NewMetaEdit(stored store.Meta) *MetaEdit { return &MetaEdit{stored, store.Meta{}} }

// Meta returns the values of a key after the changes.
func (e *MetaEdit) Meta(key string) []string {
	if rows, given := e.given[key]; given {
		return rows
	}
	return e.stored[key]
}

// Set replaces the values of a key.
func (e *MetaEdit) Set(key string, values ...string) { e.given[key] = values }

// Changed reports whether any key was set.
func (e *MetaEdit) Changed() bool { return len(e.given) > 0 }

// Keys returns the keys that were set, sorted.
func (e *MetaEdit) Keys() []string { return slices.Sorted(maps.Keys(e.given)) }

// all returns all rows after the changes.
func (e *MetaEdit) all() store.Meta {
	all := store.Meta{}
	maps.Copy(all, e.stored)
	for key, rows := range e.given {
		if all[key] = rows; len(rows) == 0 {
			delete(all, key)
		}
	}
	return all
}
