package contract

import (
	"net/http"
	"slices"
	"strings"

	"github.com/agendahq/agenda/internal/test/apitest"
	"pgregory.net/rapid"
)

// machine does random things to a site and to its model.
type machine struct {
	*model
	b    *bench
	made int // number of names given to new terms
	last struct {
		kind string
		item *item
	}
}

// ownFields contains the fields of venues and organizers in addition to the shared ones.
var ownFields = map[string][]string{"venues": {"city", "phone", "website"}, "organizers": {"email", "phone", "website"}}

// titles is short, so that slugs conflict.
var titles = []string{"Alpha", "Beta", "Gamma Delta"}

func draw[T any](rt *rapid.T, label string, values ...T) T {
	return rapid.SampledFrom(values).Draw(rt, label)
}

// actions returns all possible actions.
func (m *machine) actions() map[string]func(*rapid.T) {
	all := map[string]func(*rapid.T){
		"":             m.check,
		"update event": func(rt *rapid.T) { m.update(rt, "events") }, "update event again": func(rt *rapid.T) { m.update(rt, "events") },
		"trash": m.remove, "trash linked": m.removeLinked, "restore": m.restore, "delete": m.forceDelete,
		"change term": m.changeTerm, "delete term": m.deleteTerm,
	}
	for _, kind := range []string{"events", "venues", "organizers"} {
		all["create "+kind] = func(rt *rapid.T) { m.create(rt, kind) }
	}
	for _, kind := range []string{"venues", "organizers"} {
		all["update "+kind] = func(rt *rapid.T) { m.update(rt, kind) }
	}
	for _, kind := range []string{"categories", "tags"} {
		all["create "+kind] = func(rt *rapid.T) { m.createTerm(rt, kind) }
	}
	return all
}

// send sends a request as the administrator, and fails unless the response has the status.
func (m *machine) send(rt *rapid.T, method, path string, body object, status int) apitest.Answer {
	text := ""
	if body != nil {
		text = jsonText(body)
	}
	a := m.b.DoWithin(m.b.T.Context(), "admin", method, path, text)
	if a.Status != status {
		rt.Fatalf("%s\n answered %d %s, want %d", a.Request, a.Status, apitest.Clip(a.Text), status)
	}
	return a
}

// pick chooses an item of a resource, "" for any.
func (m *machine) pick(rt *rapid.T, kind string, fits func(*item) bool) *item {
	list := slices.DeleteFunc(m.itemsOf(kind), func(p *item) bool { return fits != nil && !fits(p) })
	if len(list) == 0 {
		rt.Skip("nothing of this kind")
	}
	return rapid.SampledFrom(list).Draw(rt, "item")
}

func (m *machine) anyKind(rt *rapid.T) string {
	return draw(rt, "kind", "events", "venues", "organizers")
}

// create creates an event, a venue or an organizer.
func (m *machine) create(rt *rapid.T, kind string) {
	p, body := &item{kind: kind, own: map[string]string{}}, object{}
	for _, name := range ownFields[kind] {
		p.own[name] = ""
	}
	w := m.fields(rt, p, body, true)
	if !w.possible {
		m.send(rt, "POST", "/"+kind, body, http.StatusBadRequest)
		return
	}
	a := m.send(rt, "POST", "/"+kind, body, http.StatusCreated)
	if p.id = a.Number("id"); m.items[p.id] != nil {
		rt.Fatalf("%s\n answered with %d, which is not new", a.Request, p.id)
	}
	m.adopt(rt, p, w, a)
	m.become(p, nil, w.status, w.dated, w.named)
	m.items[p.id] = p
	m.done(rt, p, a)
}

// update changes some fields of an item.
func (m *machine) update(rt *rapid.T, kind string) {
	was := m.pick(rt, kind, nil)
	p, body := was.clone(), object{}
	m.b.settle()
	w := m.fields(rt, p, body, false)
	method, path := draw(rt, "method", "PATCH", "PUT", "POST"), m.path(rt, was)
	if !w.possible {
		m.send(rt, method, path, body, http.StatusBadRequest)
		return
	}
	a := m.send(rt, method, path, body, http.StatusOK)
	m.adopt(rt, p, w, a)
	m.become(p, was, w.status, w.dated, w.named)
	m.items[p.id] = p
	changed := jsonText(m.all(p)) != jsonText(m.all(was))
	if p.kind == "events" && p.status == "publish" && changed {
		m.publishLinked(was, p)
	}
	m.reported(rt, a, p, changed)
	m.done(rt, p, a)
}

// reported checks that the change hook is called for an update if and only if it changes something.
func (m *machine) reported(rt *rapid.T, a apitest.Answer, p *item, changed bool) {
	about := " " + p.kind + " " + itoa(p.id) + " "
	called := slices.ContainsFunc(m.b.settle(), func(line string) bool { return strings.Contains(line, about) })
	if called != changed {
		rt.Fatalf("%s\n changes something: %v, the hook is called: %v", a.Request, changed, called)
	}
}

// all returns everything that the model contains about an item. Without organizers, the model may contain nil or an
// empty list.
func (m *machine) all(p *item) any {
	return []any{
		p.title, p.text, p.slug, p.status, p.undated, p.ahead, p.start, p.end, p.featured, p.sticky, p.venue, p.own,
		append([]int64{}, p.organizers...), sorted(p.categories), sorted(p.tags),
	}
}

func sorted(ids []int64) []int64 {
	list := append([]int64{}, ids...)
	slices.Sort(list)
	return list
}

// publishLinked publishes the drafts that a published event linked before it was saved and still links.
func (m *machine) publishLinked(was, p *item) {
	ids := slices.DeleteFunc(slices.Clone(was.organizers), func(id int64) bool { return !slices.Contains(p.organizers, id) })
	if was.venue != 0 && was.venue == p.venue {
		ids = slices.Insert(ids, 0, was.venue)
	}
	for _, id := range ids {
		if before := m.items[id]; isDraft(before.status) {
			next := before.clone()
			m.become(next, before, "publish", false, false)
			m.items[id] = next
		}
	}
}

// path returns one of the two paths of an item. Drafts may have the same slug.
func (m *machine) path(rt *rapid.T, p *item) string {
	same := 0
	for _, o := range m.itemsOf(p.kind) {
		if o.slug == p.slug {
			same++
		}
	}
	if same == 1 && p.slug != "" && draw(rt, "by slug", false, true) {
		return "/" + p.kind + "/by-slug/" + p.slug
	}
	return "/" + p.kind + "/" + itoa(p.id)
}

// remove sends DELETE.
func (m *machine) remove(rt *rapid.T) {
	m.removeItem(rt, m.pick(rt, m.anyKind(rt), nil))
}

// removeLinked sends DELETE for a post that an event links.
func (m *machine) removeLinked(rt *rapid.T) {
	e := m.pick(rt, "events", func(p *item) bool { return p.venue != 0 || len(p.organizers) > 0 })
	ids := slices.Clone(e.organizers)
	if e.venue != 0 {
		ids = append(ids, e.venue)
	}
	m.removeItem(rt, m.items[rapid.SampledFrom(ids).Draw(rt, "linked")])
}

func (m *machine) removeItem(rt *rapid.T, was *item) {
	if was.status == "trash" {
		m.send(rt, "DELETE", m.path(rt, was), nil, http.StatusGone)
		return
	}
	a := m.send(rt, "DELETE", m.path(rt, was), nil, http.StatusOK)
	p := was.clone()
	m.become(p, was, "trash", false, false)
	m.items[p.id] = p
	m.done(rt, p, a)
}

// restore restores an item from the trash.
func (m *machine) restore(rt *rapid.T) {
	was := m.pick(rt, "", func(p *item) bool { return p.status == "trash" })
	status := draw(rt, "status", "publish", "draft", "private", "pending", "future")
	a := m.send(rt, "PATCH", m.path(rt, was), object{"status": status}, http.StatusOK)
	p := was.clone()
	m.items[p.id] = p
	m.become(p, was, status, false, false)
	if p.kind == "events" && p.status == "publish" {
		m.publishLinked(was, p)
	}
	m.done(rt, p, a)
}

// forceDelete deletes an item permanently. The response must show it as it was.
func (m *machine) forceDelete(rt *rapid.T) {
	p := m.pick(rt, m.anyKind(rt), nil)
	a := m.send(rt, "DELETE", m.path(rt, p)+"?force=true", nil, http.StatusOK)
	if d := m.shown(p, true).differs(seen(p.kind, a.Body)); d != "" {
		rt.Fatalf("%s\n answered: %s", a.Request, d)
	}
	delete(m.items, p.id)
	m.unlink(p)
	m.last.kind, m.last.item = p.kind, nil
	if a := m.b.DoWithin(m.b.T.Context(), "admin", "GET", "/"+p.kind+"/"+itoa(p.id), ""); a.Status/100 != 4 {
		rt.Fatalf("%s, which is deleted\n answered %d", a.Request, a.Status)
	}
}

// done compares a response, and the reads after it, with the model.
func (m *machine) done(rt *rapid.T, p *item, a apitest.Answer) {
	if d := m.shown(p, true).differs(seen(p.kind, a.Body)); d != "" {
		rt.Fatalf("%s\n answered: %s", a.Request, d)
	}
	m.last.kind, m.last.item = p.kind, p
}
