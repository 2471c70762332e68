package exchange

import "maps"

// importState is what an import has found or created so far. Each transaction works on a separate layer, which is
// merged once the transaction is committed.
type importState struct {
	below  *importState
	items  map[string]int64         // ids of venues, organizers and terms by recordImport.key
	groups map[string]member        // the first item of each translation group
	claims map[int64]bool           // events that a record of this import has written
	shown  map[int64]bool           // items that were private because of events that are not public, and that this import has published
	posts  map[Collection]*postList // stored posts of the resources that events link
	terms  map[Collection]*termList // stored terms of the resources that events link
}

// member is an item together with its language.
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

// mergeState merges a layer into k.
func (k *importState) mergeState(l *importState) {
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
		k.terms[kind].mergeTerms(list)
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
