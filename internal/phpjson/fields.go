package phpjson

import (
	"strconv"
	"strings"
)

// selection is a tree of selected names; a nil map below a name means all of
// it.
type selection map[string]selection

// selectionOf reads names such as "id" and "venue.city". A name given whole
// wins over parts of it.
func selectionOf(names []string) selection {
	root := selection{}
	for _, name := range names {
		name = strings.TrimSpace(name)
		if name == "" {
			continue
		}
		at := root
		parts := strings.Split(name, ".")
		for i, part := range parts {
			below, seen := at[part]
			if seen && below == nil {
				break
			}
			if i == len(parts)-1 {
				at[part] = nil
				break
			}
			if !seen {
				below = selection{}
				at[part] = below
			}
			at = below
		}
	}
	return root
}

// Select keeps of doc only the named members: "a" a top-level one, "a.b" a
// member of one, "a.0.b" a member of a list's item. Names in always stay. A
// list that is left with gaps becomes an object of its indexes, and an object
// with nothing left becomes [].
func Select(doc []byte, names, always []string) []byte {
	wanted := selectionOf(names)
	if len(wanted) == 0 {
		return doc
	}
	n, err := parse(doc)
	if err != nil || n.kind == 0 {
		return doc
	}
	for _, k := range always {
		wanted[k] = nil
	}
	n.narrow(wanted)
	var w Writer
	n.write(&w)
	return w.Bytes()
}

func (n *node) narrow(wanted selection) {
	var keys []string
	var kids []*node
	gap := false
	for i, kid := range n.kids {
		key := strconv.Itoa(i)
		if n.kind == '{' {
			key = n.keys[i]
		}
		below, ok := wanted[key]
		if !ok {
			continue
		}
		if below != nil && kid.kind != 0 {
			kid.narrow(below)
		}
		gap = gap || i != len(kids)
		keys, kids = append(keys, key), append(kids, kid)
	}
	if n.kind == '[' && gap {
		n.kind = '{'
	}
	n.keys, n.kids = keys, kids
}
