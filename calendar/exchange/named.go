package exchange

import (
	"context"
	"strconv"
	"strings"
)

// numbered returns the stored item whose id is the name of a record, or nil. Only some columns contain names or ids.
func (m *recordImport) numbered(k *kind, rec *Record) *storedPost {
	id, err := strconv.ParseInt(strings.TrimSpace(rec.text(k.title)), 10, 64)
	if !rec.mayBeID || err != nil || id <= 0 {
		return nil
	}
	for known := m.state; known != nil; known = known.below {
		if list := known.posts[k.Collection]; list != nil && list.byID[id] != nil {
			return list.byID[id]
		}
	}
	return nil
}

// unsplit returns the records of a resource that an event links: the one that the whole cell names, if an item of that
// name exists, or else one for each part of the cell.
func (m *recordImport) unsplit(ctx context.Context, k *kind, rec *Record, code string) ([]*Record, error) {
	records, whole := rec.Linked[k.Collection], rec.wholes[k.Collection]
	if whole == nil {
		return records, nil
	}
	if err := m.loadPosts(ctx, k); err != nil {
		return nil, err
	}
	if found, _ := m.findPost(k, whole, code); found != nil {
		return []*Record{whole}, nil
	}
	return records, nil
}
