package exchange

import "maps"

// importState is what an import has found or made so far. A transaction works on a layer of its
// own, which counts once it is committed.
type importState struct {
	below  *importState
	items  map[string]int64         // ids of venues, organizers and terms by what the source says of them
	groups map[string]member        // the first item of a group of versions
	claims map[int64]bool           // events that a record of this import is
	shown  map[int64]bool           // what was private for hidden events, and was published
	posts  map[Collection]*postList // stored items of kinds of posts that events link
	terms  map[Collection]*termList // and of kinds of terms
}

// member is an item in its language.
type member struct {
	id   int64
	code string
}

func newImportState() *importState {
	return &importState{
		items: map[string]int64{}, groups: map[string]member{}, claims: map[int64]bool{}, shown: map[int64]bool{},
		posts: map[Collection]*postList{}, terms: map[Collection]*termList{},
	}
}

// layer returns an empty state above k.
func (k *importState) layer() *importState {
	l := newImportState()
	l.below = k
	return l
}

// take adds a layer.
func (k *importState) take(l *importState) {
	maps.Copy(k.items, l.items)
	maps.Copy(k.groups, l.groups)
	maps.Copy(k.claims, l.claims)
	maps.Copy(k.shown, l.shown)
	for kind, list := range l.posts {
		k.addPosts(kind, list)
	}
	for kind, list := range l.terms {
		if k.terms[kind] == nil {
			k.terms[kind] = &termList{}
		}
		k.terms[kind].take(list)
	}
}

func (k *importState) item(key string) (int64, bool) {
	for ; k != nil; k = k.below {
		if id, ok := k.items[key]; ok {
			return id, true
		}
	}
	return 0, false
}

func (k *importState) group(key string) (member, bool) {
	for ; k != nil; k = k.below {
		if m, ok := k.groups[key]; ok {
			return m, true
		}
	}
	return member{}, false
}

func (k *importState) claimed(event int64) bool {
	for ; k != nil; k = k.below {
		if k.claims[event] {
			return true
		}
	}
	return false
}

func (k *importState) isShown(id int64) bool {
	for ; k != nil; k = k.below {
		if k.shown[id] {
			return true
		}
	}
	return false
}
