package pages

import (
	"context"
	"maps"
	"net/url"
	"slices"
	"strings"
)

// categoryTree are the categories that have events, or whose descendants do.
type categoryTree struct {
	byID    map[int]term
	list    []term      // by name, as in the interface
	colours map[int]int // of those of the first level, from 1
}

// colours is how many colours categories have.
const colours = 8

// categories reads the tree for the menu, for the addresses of categories, which contain the parents, and for their colours.
func (s *site) categories(ctx context.Context, v *version) (categoryTree, error) {
	list, err := readAll(ctx, s, v, "/categories", url.Values{}, menuPages, func(l termList) ([]term, int) {
		return l.Categories,
			l.TotalPages
	})
	tree := categoryTree{byID: map[int]term{}, list: list, colours: map[int]int{}}
	for _, t := range list {
		tree.byID[t.ID] = t
	}
	for _, t := range tree.roots() {
		// By its first id in all languages, so that it has the same colour in each.
		first := t.ID
		for _, other := range t.Translations {
			first = min(first, other.ID)
		}
		tree.colours[t.ID] = first
	}
	rank := slices.Sorted(maps.Values(tree.colours))
	for id, first := range tree.colours {
		tree.colours[id] = slices.Index(rank, first)%colours + 1
	}
	return tree, err
}

// parents returns the categories above one, from the first level on. A parent that is not in the tree ends them, as does one that was
// met already.
func (c categoryTree) parents(t term) []term {
	var list []term
	met := map[int]bool{t.ID: true}
	for parent, ok := c.byID[t.Parent]; ok && !met[parent.ID]; parent, ok = c.byID[parent.Parent] {
		met[parent.ID] = true
		list = append([]term{parent}, list...)
	}
	return list
}

// colour returns the colour of an event: that of the first level of its first category, 0 if it has none.
func (c categoryTree) colour(e event) int {
	if len(e.Categories) == 0 {
		return 0
	}
	t := e.Categories[0]
	return c.colours[append(c.parents(t), t)[0].ID]
}

// roots returns the categories of the first level.
func (c categoryTree) roots() []term {
	var list []term
	for _, t := range c.list {
		if _, hasParent := c.byID[t.Parent]; !hasParent {
			list = append(list, t)
		}
	}
	return list
}

// route returns the route of a category.
func (c categoryTree) route(t term) route {
	var path []string
	for _, parent := range append(c.parents(t), t) {
		path = append(path, parent.Slug)
	}
	return route{kind: oneCategory, slug: t.Slug, path: strings.Join(path, "/")}
}

func (c categoryTree) children(id int) []term {
	var found []term
	for _, t := range c.list {
		if t.Parent == id && id != 0 {
			found = append(found, t)
		}
	}
	return found
}

// ordered returns the categories with children after their parents, as a menu
// shows them.
func (c categoryTree) ordered() []term {
	var out []term
	listed := map[int]bool{}
	var add func(t term)
	add = func(t term) {
		if listed[t.ID] {
			return
		}
		listed[t.ID] = true
		out = append(out, t)
		for _, child := range c.children(t.ID) {
			add(child)
		}
	}
	for _, t := range c.roots() {
		add(t)
	}
	return out
}
