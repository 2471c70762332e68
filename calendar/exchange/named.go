package exchange

import (
	"context"
	"strconv"
	"strings"
)

// numbered returns the stored item whose id the name of a record is, where the columns of its file hold names or ids; nil for none.
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

// unsplit returns the records of a kind that an event links: the one of the whole cell, if something is called so, or one for each
// part of it.
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
