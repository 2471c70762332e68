package exchange

import (
	"context"
	"strconv"
	"strings"
)

// numbered returns the stored item whose id is the name of a record, or nil. Only some columns contain names or ids.
func (m *recordImport) numbered(k *resource, rec *Record) *storedPost {
	id, err := strconv.ParseInt(strings.TrimSpace(rec.stringValue(k.Title)), 10, 64)
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
// name exists, or else one for each part of the cell. Parts that together are the name of an item are that item.
func (m *recordImport) unsplit(ctx context.Context, k *resource, rec *Record, code string) ([]*Record, error) {
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
	var list []*Record
	for i := 0; i < len(records); i++ {
		one, n := m.joinedName(k, records[i:], code)
		list = append(list, one)
		i += n - 1
	}
	return list, nil
}

// longestName is the number of parts of a cell that are tried as a single name.
const longestName = 4

// joinedName returns the first of the parts of a cell, or the record of the most parts that are the name of an item, and
// their number. Each part with further values is an item of its own.
func (m *recordImport) joinedName(k *resource, parts []*Record, code string) (*Record, int) {
	named := func(rec *Record) bool { return len(rec.Values) == 1 && rec.Image == "" && rec.Position == nil }
	names := []string{}
	for _, part := range parts[:min(len(parts), longestName)] {
		if !named(part) {
			break
		}
		names = append(names, part.stringValue(k.Title))
	}
	for n := len(names); n > 1; n-- {
		one := *parts[0]
		one.Values, one.mayBeID = map[string]any{k.Title: strings.Join(names[:n], ", ")}, false
		if found, _ := m.findPost(k, &one, code); found != nil {
			return &one, n
		}
	}
	return parts[0], 1
}
