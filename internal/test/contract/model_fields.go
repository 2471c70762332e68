package contract

import (
	"slices"
	"strconv"

	"github.com/agendahq/agenda/internal/test/apitest"
	"pgregory.net/rapid"
)

// wanted contains what a request asks for besides the values of fields.
type wanted struct {
	possible     bool   // no field has to be rejected
	status       string // "" for none
	dated, named bool   // contains a future date, contains a slug
	venue        *item  // a new venue
	renamed      string // new name of the venue
	people       []*item
	organizers   bool // the request contains organizers
	categories   []string
	tags         []string
}

// fields draws the fields of a request and sets them in an item and a body. For an item in the trash, only the texts
// change.
func (m *machine) fields(rt *rapid.T, p *item, body object, isNew bool) *wanted {
	w := &wanted{possible: true}
	given := func(name string) bool { return draw(rt, "give "+name, false, true) }
	if isNew || given("title") {
		p.title = draw(rt, "title", titles...)
		body[kindOf[p.kind].name] = p.title
	}
	if given("description") {
		p.text = draw(rt, "description", "", "One", "Two")
		body["description"] = p.text
	}
	if p.status == "trash" {
		return w
	}
	if given("status") {
		w.status = draw(rt, "status", "publish", "draft", "pending", "private", "future", "trash")
		if isNew && w.status == "trash" {
			w.possible = false
		}
		body["status"] = w.status
	}
	if draw(rt, "give date", false, false, false, true) {
		w.dated = true
		body["date"] = "2031-01-01 10:00:00"
	}
	for _, name := range ownFields[p.kind] {
		if given(name) {
			p.own[name] = draw(rt, name, "", "http://one.example/", "http://two.example/")
			body[name] = p.own[name]
		}
	}
	if p.kind == "events" {
		m.eventFields(rt, p, body, w, isNew)
	}
	return w
}

func (m *machine) eventFields(rt *rapid.T, p *item, body object, w *wanted, isNew bool) {
	given := func(name string) bool { return draw(rt, "give "+name, false, true) }
	if isNew || given("start_date") {
		p.start = draw(rt, "start_date", "2030-07-01 10:00:00", "2030-07-02 10:00:00", "2030-07-05 10:00:00")
		body["start_date"] = p.start
	}
	if isNew || given("end_date") {
		p.end = draw(rt, "end_date", "2030-07-06 10:00:00", "2030-07-05 10:00:00", "2030-07-01 12:00:00")
		body["end_date"] = p.end
	}
	if p.end < p.start {
		w.possible = false
	}
	if given("featured") {
		p.featured = draw(rt, "featured", false, true)
		body["featured"] = p.featured
	}
	if given("sticky") {
		p.sticky = draw(rt, "sticky", false, true)
		body["sticky"] = p.sticky
	}
	if draw(rt, "give slug", false, false, true) {
		w.named = true
		p.slug = draw(rt, "slug", "alpha", "own")
		body["slug"] = p.slug
	}
	if given("categories") {
		p.categories, w.categories = m.assigned(rt, "categories", body)
	}
	if given("tags") {
		p.tags, w.tags = m.assigned(rt, "tags", body)
	}
	if given("venue") {
		m.drawVenue(rt, p, body, w)
	}
	if given("organizer") {
		m.drawOrganizers(rt, p, body, w)
	}
}

// assigned draws the terms of an event: by id, by slug, or new ones by name.
func (m *machine) assigned(rt *rapid.T, kind string, body object) (ids []int64, names []string) {
	list := []any{}
	for _, s := range m.symbols(kind) {
		switch draw(rt, "term", 0, 0, 1, 2) {
		case 1:
			ids, list = append(ids, s.id), append(list, s.id)
		case 2:
			ids, list = append(ids, s.id), append(list, s.slug)
		}
	}
	if draw(rt, "new term", false, false, true) {
		m.made++
		names = append(names, "New "+strconv.Itoa(m.made))
		list = append(list, names[0])
	}
	body[kind] = list
	return ids, names
}

// linkable returns the ids of the items of a resource that are not in the trash.
func (m *machine) linkable(kind string) (ids []int64) {
	for _, p := range m.itemsOf(kind) {
		if p.status != "trash" {
			ids = append(ids, p.id)
		}
	}
	return ids
}

func (m *machine) drawVenue(rt *rapid.T, p *item, body object, w *wanted) {
	ids := m.linkable("venues")
	switch how := draw(rt, "venue", "id", "list", "new", "renamed", "none"); {
	case how == "new":
		one := m.newLinked(rt, "venues")
		if p.venue, body["venue"] = m.alike(one), (object{"venue": one.title}); p.venue == 0 {
			w.venue = one
		}
	case how == "none" || len(ids) == 0:
		p.venue, body["venue"] = 0, nil
	default:
		p.venue = rapid.SampledFrom(ids).Draw(rt, "venue id")
		switch body["venue"] = any(p.venue); how {
		case "list":
			body["venue"] = []any{itoa(p.venue)}
		case "renamed":
			w.renamed = draw(rt, "new name", titles...)
			body["venue"] = object{"id": p.venue, "venue": w.renamed}
		}
	}
}

func (m *machine) drawOrganizers(rt *rapid.T, p *item, body object, w *wanted) {
	p.organizers, w.organizers = nil, true
	list := []any{}
	for _, id := range m.linkable("organizers") {
		if draw(rt, "organizer", false, true) {
			p.organizers, list = append(p.organizers, id), append(list, id)
		}
	}
	if draw(rt, "reversed", false, true) {
		slices.Reverse(p.organizers)
		slices.Reverse(list)
	}
	if draw(rt, "new organizer", false, false, true) {
		one := m.newLinked(rt, "organizers")
		list = append(list, object{"organizer": one.title})
		if stored := m.alike(one); stored == 0 {
			w.people = append(w.people, one)
		} else if !slices.Contains(p.organizers, stored) {
			p.organizers = append(p.organizers, stored)
		}
	}
	body["organizer"] = list
}

// alike returns the id of the only published item of a resource with the name of a new one, which is linked instead
// (D71), or 0.
func (m *machine) alike(p *item) (id int64) {
	for _, other := range m.itemsOf(p.kind) {
		switch {
		case other.status != "publish" || other.title != p.title:
		case id != 0:
			return 0
		default:
			id = other.id
		}
	}
	return id
}

// newLinked returns a venue or organizer that the request of an event names.
func (m *machine) newLinked(rt *rapid.T, kind string) *item {
	p := &item{kind: kind, title: draw(rt, "new title", titles...), own: map[string]string{}}
	for _, name := range ownFields[kind] {
		p.own[name] = ""
	}
	return p
}

// adopt adds to the model the items that an event's request has created, with the ids in the response.
func (m *machine) adopt(rt *rapid.T, p *item, w *wanted, a apitest.Answer) {
	enter := func(one *item, id int64) {
		if one.id = id; id == 0 || m.items[id] != nil {
			rt.Fatalf("%s\n answered with %d, which is not new", a.Request, id)
		}
		m.become(one, nil, "", false, false)
		m.items[id] = one
	}
	if w.venue != nil {
		venue, _ := a.Body["venue"].(object)
		enter(w.venue, number(asText(venue["id"])))
		p.venue = w.venue.id
	}
	if w.renamed != "" {
		m.items[p.venue].title = w.renamed
	}
	people := objects(a.Body["organizer"])
	for i, one := range w.people {
		at := len(people) - len(w.people) + i
		if at < 0 {
			rt.Fatalf("%s\n answered without its new organizer", a.Request)
		}
		enter(one, number(asText(people[at]["id"])))
		p.organizers = append(p.organizers, one.id)
	}
	for _, g := range []struct {
		kind  string
		names []string
		ids   *[]int64
	}{{"categories", w.categories, &p.categories}, {"tags", w.tags, &p.tags}} {
		for _, name := range g.names {
			s := &symbol{kind: g.kind, name: name}
			for _, o := range objects(a.Body[g.kind]) {
				if o["name"] == name {
					s.id = number(asText(o["id"]))
				}
			}
			if s.id == 0 || m.terms[s.id] != nil {
				rt.Fatalf("%s\n answered without the new term %q", a.Request, name)
			}
			s.slug = m.newSlug(s)
			m.terms[s.id] = s
			*g.ids = append(*g.ids, s.id)
		}
	}
}
