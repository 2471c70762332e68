package phpjson

import (
	"strconv"
	"strings"
)

// Selection is a tree of selected names; a nil map means all, also below a name.
type Selection map[string]Selection

// SelectionOf reads names such as "id" and "venue.city", nil for none. A name given whole
// wins over parts of it.
func SelectionOf(names []string) Selection {
	root := Selection{}
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
				below = Selection{}
				at[part] = below
			}
			at = below
		}
	}
	if len(root) == 0 {
		return nil
	}
	return root
}

// Has reports whether any of what is called by a name is selected.
func (s Selection) Has(name string) bool {
	_, ok := s[name]
	return ok || s == nil
}

// Members returns what is selected below a name, where that is an object, or a list of objects of which any may be the one: it is nil
// if all is.
func (s Selection) Members(name string) Selection {
	below := s[name]
	if s == nil || below == nil && s.Has(name) {
		return nil
	}
	members := Selection{}
	for part, of := range below {
		if _, err := strconv.Atoi(part); err != nil {
			of = Selection{part: of}
		} else if of == nil {
			return nil
		}
		members.add(of)
	}
	return members
}

// add adds what another selection has.
func (s Selection) add(other Selection) {
	for name, below := range other {
		switch known, ok := s[name]; {
		case !ok && below != nil:
			s[name] = Selection{}
			s[name].add(below)
		case !ok || below == nil:
			s[name] = nil
		case known != nil:
			known.add(below)
		}
	}
}

// Select keeps of doc only the named members: "a" a top-level one, "a.b" a
// member of one, "a.0.b" a member of a list's item. Names in always stay. A
// list that is left with gaps becomes an object of its indexes, and an object
// with nothing left becomes [].
func Select(doc []byte, names, always []string) []byte {
	wanted := SelectionOf(names)
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

func (n *node) narrow(wanted Selection) {
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
