package contract

import (
	"maps"
	"slices"
	"strconv"
	"strings"
)

// model is a simple model of a site: all items that it must show.
type model struct {
	items map[int64]*item   // events, venues and organizers
	terms map[int64]*symbol // categories and tags
}

// item is an event, a venue or an organizer.
type item struct {
	id                int64
	kind              string
	title, text, slug string
	status            string
	kept              string // the slug that an item gets when it is restored
	undated           bool   // it has no publication date yet
	ahead             bool   // its publication date is in the future
	start, end        string
	featured, sticky  bool
	own               map[string]string // fields of venues and organizers
	venue             int64
	organizers        []int64
	categories, tags  []int64
	linkedBefore      []int64 // for an item in the trash: the events to link again
}

// symbol is a category or a tag.
type symbol struct {
	id               int64
	kind             string
	name, slug, text string
	parent           int64
}

func (p *item) clone() *item {
	c := *p
	c.own = maps.Clone(p.own)
	c.organizers, c.categories, c.tags = slices.Clone(p.organizers), slices.Clone(p.categories), slices.Clone(p.tags)
	return &c
}

// isDraft reports whether a post with a status does not require a unique slug.
func isDraft(status string) bool { return status == "draft" || status == "pending" }

// slugOf returns the slug for the simple names that the model uses.
func slugOf(name string) string { return strings.ReplaceAll(strings.ToLower(name), " ", "-") }

// itemsOf returns the items of a resource, "" for all, sorted by id.
func (m *model) itemsOf(kind string) (list []*item) {
	for _, id := range slices.Sorted(maps.Keys(m.items)) {
		if kind == "" || m.items[id].kind == kind {
			list = append(list, m.items[id])
		}
	}
	return list
}

// symbols returns the terms of a taxonomy, sorted by id.
func (m *model) symbols(kind string) (list []*symbol) {
	for _, id := range slices.Sorted(maps.Keys(m.terms)) {
		if m.terms[id].kind == kind {
			list = append(list, m.terms[id])
		}
	}
	return list
}

// free returns a slug, or its first numbered variant that no other item has.
func (m *model) free(p *item, slug string) string {
	taken := func(s string) bool {
		return slices.ContainsFunc(m.itemsOf(p.kind), func(o *item) bool { return o.id != p.id && o.slug == s })
	}
	candidate := slug
	for n := 2; taken(candidate); n++ {
		candidate = slug + "-" + strconv.Itoa(n)
	}
	return candidate
}

// become sets the status of an item, with the slug and the date that result from it. was is the previous item, nil for
// a new one; wanted "" keeps the status, dated reports whether the request contains a future date, and named whether it
// contains a slug.
func (m *model) become(p, was *item, wanted string, dated, named bool) {
	bin := wanted == "trash" && (was == nil || was.status != "trash")
	if bin || was != nil && wanted == was.status {
		wanted = ""
	}
	if was == nil && wanted == "" {
		wanted = "publish"
	}
	if wanted != "" {
		p.status = wanted
	}
	if dated {
		p.ahead, p.undated = true, false
	}
	if wanted != "" || dated {
		m.settleDate(p, was, dated)
	}
	m.settleSlug(p, was, named)
	if was != nil && was.status == "trash" && p.status != "trash" {
		m.relink(p)
	}
	if bin {
		m.trash(p)
	}
}

func (m *model) settleDate(p, was *item, dated bool) {
	fresh := was == nil || p.undated || was.status == "future" && p.status == "publish"
	switch {
	case dated:
	case isDraft(p.status):
		p.undated = p.undated || was == nil
	case fresh:
		p.ahead, p.undated = false, false
	}
	switch waits := p.ahead && !p.undated; {
	case p.status == "publish" && waits:
		p.status = "future"
	case p.status == "future" && !waits:
		p.status = "publish"
	}
}

func (m *model) settleSlug(p, was *item, named bool) {
	back := was != nil && was.status == "trash" && p.status != "trash"
	if back && !named {
		p.slug = p.kept
	}
	if p.slug == "" && (!isDraft(p.status) || was == nil && p.kind != "events") {
		p.slug = slugOf(p.title)
	}
	same := was != nil && !back && !isDraft(was.status) && p.slug == was.slug
	if !isDraft(p.status) && p.status != "trash" && !same {
		p.slug = m.free(p, p.slug)
	}
}

// trash moves an item to the trash, and removes it from the events that link it.
func (m *model) trash(p *item) {
	if p.undated { // it gets the current time
		p.undated, p.ahead = false, false
	}
	p.kept, p.status = p.slug, "trash"
	p.slug = m.free(p, p.slug+"__trashed")
	p.linkedBefore = m.unlink(p)
}

// unlink removes an item from all events and returns their ids.
func (m *model) unlink(p *item) (events []int64) {
	for _, e := range m.itemsOf("events") {
		if p.kind == "venues" && e.venue == p.id {
			e.venue = 0
			events = append(events, e.id)
		}
		if i := slices.Index(e.organizers, p.id); p.kind == "organizers" && i >= 0 {
			e.organizers = slices.Delete(e.organizers, i, i+1)
			events = append(events, e.id)
		}
	}
	return events
}

// relink links a restored item to the events that linked it before.
func (m *model) relink(p *item) {
	for _, id := range p.linkedBefore {
		switch e := m.items[id]; {
		case e == nil:
		case p.kind == "venues" && e.venue == 0:
			e.venue = p.id
		case p.kind == "organizers" && !slices.Contains(e.organizers, p.id):
			e.organizers = append(e.organizers, p.id)
		}
	}
	p.linkedBefore = nil
}

// published returns the count of a term.
func (m *model) published(term int64) (n int64) {
	for _, e := range m.itemsOf("events") {
		if e.status == "publish" && (slices.Contains(e.categories, term) || slices.Contains(e.tags, term)) {
			n++
		}
	}
	return n
}

// newSlug returns the slug of a new term: that of its name, if necessary extended by those of its ancestors, or by a
// number.
func (m *model) newSlug(s *symbol) string {
	slug := slugOf(s.name)
	if !slices.ContainsFunc(m.symbols(s.kind), func(o *symbol) bool { return o.slug == slug }) {
		return slug
	}
	taken := func(slug string) bool {
		return slices.ContainsFunc(append(m.symbols("categories"), m.symbols("tags")...), func(o *symbol) bool { return o.slug == slug })
	}
	for above := m.terms[s.parent]; above != nil; above = m.terms[above.parent] {
		if slug += "-" + above.slug; !taken(slug) {
			return slug
		}
	}
	base := slug
	for n := 2; taken(slug); n++ {
		slug = base + "-" + strconv.Itoa(n)
	}
	return slug
}

// below reports whether a term is another one, or a descendant of it.
func (m *model) below(id, other int64) bool {
	for ; id != 0; id = m.terms[id].parent {
		if id == other {
			return true
		}
	}
	return false
}

// drop removes a term. Its children get its parent.
func (m *model) drop(s *symbol) {
	delete(m.terms, s.id)
	for _, o := range m.terms {
		if o.parent == s.id {
			o.parent = s.parent
		}
	}
	for _, e := range m.itemsOf("events") {
		without := func(ids []int64) []int64 {
			return slices.DeleteFunc(ids, func(id int64) bool { return id == s.id })
		}
		e.categories, e.tags = without(e.categories), without(e.tags)
	}
}
