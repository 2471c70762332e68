package contract

import (
	"net/http"
	"slices"

	"pgregory.net/rapid"
)

// check compares responses to reads with the model: for the item that was written last, and for the list of its
// resource.
func (m *machine) check(rt *rapid.T) {
	if p := m.last.item; p != nil {
		path := "/" + p.kind + "/" + itoa(p.id)
		if p.kind == "events" && p.status == "trash" {
			m.send(rt, "GET", path, nil, http.StatusForbidden)
		} else if d := m.shown(p, true).differs(seen(p.kind, m.send(rt, "GET", path, nil, http.StatusOK).Body)); d != "" {
			rt.Fatalf("GET %s: %s", path, d)
		}
		a := m.b.DoWithin(m.b.T.Context(), "", "GET", path, "")
		switch {
		case (a.Status == http.StatusOK) != (p.status == "publish"):
			rt.Fatalf("GET %s, which is %s, for everybody: %d", path, p.status, a.Status)
		case a.Status == http.StatusOK:
			if d := m.shown(p, false).differs(seen(p.kind, a.Body)); d != "" {
				rt.Fatalf("GET %s for everybody: %s", path, d)
			}
		}
	}
	switch m.last.kind {
	case "":
	case "categories", "tags":
		m.checkTerms(rt, m.last.kind)
	default:
		m.checkItems(rt, m.last.kind)
	}
	m.last.kind, m.last.item = "", nil
}

// checkItems compares the lists of a resource.
func (m *machine) checkItems(rt *rapid.T, kind string) {
	path := "/" + kind + "?per_page=50"
	if kind == "events" {
		path += "&start_date=2000-01-01&end_date=2099-01-01"
	}
	all := slices.DeleteFunc(m.itemsOf(kind), func(p *item) bool { return p.status == "trash" && kind == "events" })
	living := slices.DeleteFunc(slices.Clone(all), func(p *item) bool { return p.status == "trash" })
	public := slices.DeleteFunc(slices.Clone(all), func(p *item) bool { return p.status != "publish" })
	list := m.list(rt, path, kind, "admin", len(living))
	slugs := map[string]bool{}
	for _, o := range list {
		p := m.items[number(asText(o["id"]))]
		if p == nil {
			rt.Fatalf("GET %s shows %v, which is not there", path, o["id"])
		}
		if d := m.shown(p, true).differs(seen(kind, o)); d != "" {
			rt.Fatalf("GET %s, item %d: %s", path, p.id, d)
		}
		if slugs[p.slug] && !isDraft(p.status) {
			rt.Fatalf("GET %s: %s is there twice", path, p.slug)
		}
		slugs[p.slug] = slugs[p.slug] || !isDraft(p.status)
	}
	m.list(rt, path, kind, "", len(public))
}

// list returns a list, which must have the given number of items.
func (m *machine) list(rt *rapid.T, path, kind, as string, total int) []object {
	a := m.b.DoWithin(m.b.T.Context(), as, "GET", path, "")
	list := objects(a.Body[kind])
	if a.Status != http.StatusOK || a.Number("total") != int64(total) || len(list) != min(total, 50) {
		rt.Fatalf("%s\n answered %d with %d of %d items, want %d", a.Request, a.Status, len(list), a.Number("total"), total)
	}
	return list
}

// checkTerms compares the lists of terms, with and without empty ones. A category is listed together with its
// ancestors.
func (m *machine) checkTerms(rt *rapid.T, kind string) {
	all, used := m.symbols(kind), map[int64]bool{}
	for _, s := range all {
		for up := s; up != nil && m.published(s.id) > 0; up = m.terms[up.parent] {
			used[up.id] = true
		}
	}
	for _, o := range m.list(rt, "/"+kind+"?per_page=50&hide_empty=0", kind, "", len(all)) {
		s := m.terms[number(asText(o["id"]))]
		if s == nil {
			rt.Fatalf("a term that is not there: %v", o)
		}
		if d := m.shownTerm(s).differs(seenTerm(kind, o)); d != "" {
			rt.Fatalf("%s in the list: %s", s.name, d)
		}
	}
	m.list(rt, "/"+kind+"?per_page=50", kind, "", len(used))
}

// whole compares all lists, and checks that the rows are consistent.
func (m *machine) whole(rt *rapid.T) {
	for _, kind := range []string{"events", "venues", "organizers"} {
		m.checkItems(rt, kind)
	}
	for _, kind := range []string{"categories", "tags"} {
		m.checkTerms(rt, kind)
	}
	for _, line := range disagreements(m.b.T, m.b.DB) {
		rt.Errorf("%s", line)
	}
}
