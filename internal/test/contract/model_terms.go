package contract

import (
	"net/http"
	"slices"
	"strings"

	"github.com/agendahq/agenda/internal/test/apitest"
	"pgregory.net/rapid"
)

// createTerm creates a category or a tag, unless it exists.
func (m *machine) createTerm(rt *rapid.T, kind string) {
	s := &symbol{kind: kind, name: draw(rt, "name", "Red", "Blue", "Light Green"), text: draw(rt, "description", "", "Words")}
	body := object{"name": s.name}
	if s.text != "" {
		body["description"] = s.text
	}
	if kind == "categories" && draw(rt, "below another", false, true) {
		if s.parent = m.parent(rt); s.parent != 0 {
			body["parent"] = s.parent
		}
	}
	there := slices.ContainsFunc(m.symbols(kind), func(o *symbol) bool { return o.parent == s.parent && strings.EqualFold(o.name, s.name) })
	m.last.kind, m.last.item = kind, nil
	if there {
		m.send(rt, "POST", "/"+kind, body, http.StatusBadRequest)
		return
	}
	s.slug = m.newSlug(s)
	a := m.send(rt, "POST", "/"+kind, body, http.StatusCreated)
	s.id = a.Number("id")
	m.terms[s.id] = s
	m.doneTerm(rt, s, a)
}

func (m *machine) parent(rt *rapid.T) int64 {
	ids := []int64{0}
	for _, s := range m.symbols("categories") {
		ids = append(ids, s.id)
	}
	return rapid.SampledFrom(ids).Draw(rt, "parent")
}

func (m *machine) pickTerm(rt *rapid.T) *symbol {
	list := append(m.symbols("categories"), m.symbols("tags")...)
	if len(list) == 0 {
		rt.Skip("no terms")
	}
	return rapid.SampledFrom(list).Draw(rt, "term")
}

// changeTerm changes some fields of a term. The write must fail if the new slug is taken, or if the term would become
// its own descendant.
func (m *machine) changeTerm(rt *rapid.T) {
	was := m.pickTerm(rt)
	s, body, status := *was, object{}, http.StatusOK
	if draw(rt, "give name", false, true) {
		s.name = draw(rt, "name", "Red", "Blue", "Light Green", "Odd")
		body["name"] = s.name
	}
	if draw(rt, "give description", false, true) {
		s.text = draw(rt, "description", "", "Words", "More")
		body["description"] = s.text
	}
	if s.kind == "categories" && draw(rt, "give parent", false, true) {
		s.parent = m.parent(rt)
		if body["parent"] = s.parent; m.below(s.parent, s.id) {
			status = http.StatusBadRequest
		}
	}
	if draw(rt, "give slug", false, false, true) {
		s.slug = draw(rt, "slug", "red", "odd", "blue")
		body["slug"] = s.slug
		if slices.ContainsFunc(m.symbols(s.kind), func(o *symbol) bool { return o.id != s.id && o.slug == s.slug }) && s.slug != was.slug {
			status = http.StatusConflict
		}
	}
	a := m.send(rt, "PATCH", "/"+s.kind+"/"+itoa(s.id), body, status)
	m.last.kind, m.last.item = s.kind, nil
	if status == http.StatusOK {
		m.terms[s.id] = &s
		m.doneTerm(rt, &s, a)
	}
}

// deleteTerm deletes a term. The response must show it as it was.
func (m *machine) deleteTerm(rt *rapid.T) {
	s := m.pickTerm(rt)
	a := m.send(rt, "DELETE", "/"+s.kind+"/"+itoa(s.id), nil, http.StatusOK)
	m.doneTerm(rt, s, a)
	m.drop(s)
	m.send(rt, "GET", "/"+s.kind+"/"+itoa(s.id), nil, http.StatusBadRequest)
}

func (m *machine) doneTerm(rt *rapid.T, s *symbol, a apitest.Answer) {
	if d := m.shownTerm(s).differs(seenTerm(s.kind, a.Body)); d != "" {
		rt.Fatalf("%s\n answered: %s", a.Request, d)
	}
	m.last.kind, m.last.item = s.kind, nil
}
