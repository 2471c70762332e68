package phpjson

import (
	"strconv"
	"strings"
)

// Selection is a tree of selected member names. nil selects everything at that level and below.
type Selection map[string]Selection

// SelectionOf builds a tree from names such as "id" and "venue.city". It returns nil if there are none. A name takes
// precedence over names below it: "venue" selects more than "venue.city".
func SelectionOf(names []string) Selection {
	if len(names) == 0 {
		return nil
	}
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

// Has reports whether a member, or any part of it, is selected.
func (s Selection) Has(name string) bool {
	_, ok := s[name]
	return ok || s == nil
}

// Members returns what is selected below a member that is an object, or a list of objects. Of a list, it merges what is
// selected of any element. It returns nil if everything is selected.
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
		members.merge(of)
	}
	return members
}

// merge adds what another selection selects.
func (s Selection) merge(other Selection) {
	for name, below := range other {
		switch known, ok := s[name]; {
		case !ok && below != nil:
			s[name] = Selection{}
			s[name].merge(below)
		case !ok || below == nil:
			s[name] = nil
		case known != nil:
			known.merge(below)
		}
	}
}

// Select returns doc with only the named members: "a" is a top-level member, "a.b" a member of it, "a.0.b" a member of
// a list's element. Members in always are kept. As in WordPress (_fields), a list that is left with gaps becomes an
// object with its indexes as names, and an empty object becomes [].
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
	n.writeTo(&w)
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
