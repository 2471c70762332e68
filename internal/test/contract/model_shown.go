package contract

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// view contains the values of an item that a response shows, or should show, by field.
type view map[string]string

// differs returns the fields in which two views differ.
func (v view) differs(got view) string {
	var lines []string
	for _, name := range slices.Sorted(maps.Keys(v)) {
		if v[name] != got[name] {
			lines = append(lines, fmt.Sprintf("%s is %q, want %q", name, got[name], v[name]))
		}
	}
	return strings.Join(lines, "; ")
}

// shown returns the view of an item that a response should have, for a caller who may read everything, or only what is published.
func (m *model) shown(p *item, everything bool) view {
	v := view{"id": itoa(p.id), "status": p.status, "slug": p.slug, "title": p.title, "text": p.text}
	if p.kind != "events" {
		for name, value := range p.own {
			v[name] = value
		}
		return v
	}
	v["start"], v["end"], v["featured"], v["sticky"] = p.start, p.end, fmt.Sprint(p.featured), fmt.Sprint(p.sticky)
	sees := func(id int64) bool {
		return m.items[id] != nil && (everything || m.items[id].status == "publish")
	}
	v["venue"], v["organizers"] = "", ""
	if p.venue != 0 && sees(p.venue) {
		v["venue"] = itoa(p.venue) + " " + m.items[p.venue].title
	}
	for _, id := range p.organizers {
		if sees(id) {
			v["organizers"] += itoa(id) + " " + m.items[id].title + "; "
		}
	}
	for name, ids := range map[string][]int64{"categories": p.categories, "tags": p.tags} {
		v[name] = ""
		for _, id := range slices.Sorted(slices.Values(ids)) {
			v[name] += m.shownTerm(m.terms[id]).line()
		}
	}
	return v
}

// line returns the members of a term that an event shows.
func (v view) line() string {
	return v["id"] + " " + v["name"] + " " + v["slug"] + " " + v["count"] + "; "
}

func (m *model) shownTerm(s *symbol) view {
	v := view{"id": itoa(s.id), "name": s.name, "slug": s.slug, "text": s.text, "count": itoa(m.published(s.id))}
	if s.kind == "categories" {
		v["parent"] = itoa(s.parent)
	}
	return v
}

type object = map[string]any

func asText(v any) string {
	if v == nil {
		return ""
	}
	return fmt.Sprint(v)
}

// seen returns the view of an item in a response.
func seen(kind string, o object) view {
	v := view{"id": asText(o["id"]), "status": asText(o["status"]), "slug": asText(o["slug"]), "text": plain(o["description"])}
	v["title"] = asText(o[kindOf[kind].name])
	if kind != "events" {
		for _, name := range ownFields[kind] {
			v[name] = asText(o[name])
		}
		return v
	}
	v["start"], v["end"] = asText(o["start_date"]), asText(o["end_date"])
	v["featured"], v["sticky"] = asText(o["featured"]), asText(o["sticky"])
	v["venue"], v["organizers"] = "", ""
	if one, ok := o["venue"].(object); ok {
		v["venue"] = asText(one["id"]) + " " + asText(one["venue"])
	}
	for _, one := range objects(o["organizer"]) {
		v["organizers"] += asText(one["id"]) + " " + asText(one["organizer"]) + "; "
	}
	for _, name := range []string{"categories", "tags"} {
		list := objects(o[name])
		slices.SortFunc(list, func(a, b object) int { return int(number(asText(a["id"])) - number(asText(b["id"]))) })
		v[name] = ""
		for _, one := range list {
			v[name] += seenTerm(name, one).line()
		}
	}
	return v
}

func seenTerm(kind string, o object) view {
	v := view{"text": asText(o["description"])}
	for _, name := range []string{"id", "name", "slug", "count"} {
		v[name] = asText(o[name])
	}
	if kind == "categories" {
		v["parent"] = asText(o["parent"])
	}
	return v
}

// objects returns the elements of a list of objects.
func objects(v any) (list []object) {
	all, _ := v.([]any)
	for _, x := range all {
		if o, ok := x.(object); ok {
			list = append(list, o)
		}
	}
	return list
}

// plain removes the paragraph tags around a description.
func plain(v any) string {
	s := strings.TrimSpace(asText(v))
	return strings.TrimSuffix(strings.TrimPrefix(s, "<p>"), "</p>")
}

// jsonText encodes a body as JSON.
func jsonText(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err)
	}
	return string(b)
}
