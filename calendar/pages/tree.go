package pages

import (
	"context"
	"maps"
	"net/url"
	"slices"
	"strings"

	"github.com/agendahq/agenda/calendar"
)

// categoryTree contains the categories that have events, or whose descendants have.
type categoryTree struct {
	byID    map[int64]calendar.Term
	list    []calendar.Term // by name, in the order of the API
	colours map[int64]int   // of top-level categories, from 1
}

// colours is the number of colours for categories.
const colours = 12

// tree reads the categories: for the menu, for the addresses of categories, which contain their parents, and for their
// colours.
func (c *client) tree(ctx context.Context, v *version) (categoryTree, error) {
	list, err := readAll(ctx, c, v, oneCategory, url.Values{}, menuPages, func(l items) []calendar.Term { return l.Terms })
	tree := categoryTree{byID: map[int64]calendar.Term{}, list: list, colours: map[int64]int{}}
	for _, t := range list {
		tree.byID[t.ID] = t
	}
	ids := map[int64]int64{}
	for _, t := range tree.roots() {
		// The lowest id in all languages, so that a category has the same colour in each language.
		first := t.ID
		for _, other := range t.Translations {
			first = min(first, other.ID)
		}
		ids[t.ID] = first
	}
	rank := slices.Sorted(maps.Values(ids))
	for id, first := range ids {
		tree.colours[id] = slices.Index(rank, first)%colours + 1
	}
	return tree, err
}

// parents returns the categories above t, from the top level down. They end at a parent that is not in the tree or that
// occurs for the second time.
func (c categoryTree) parents(t calendar.Term) []calendar.Term {
	var list []calendar.Term
	met := map[int64]bool{t.ID: true}
	for parent, ok := c.byID[t.ParentID]; ok && !met[parent.ID]; parent, ok = c.byID[parent.ParentID] {
		met[parent.ID] = true
		list = append([]calendar.Term{parent}, list...)
	}
	return list
}

// colour returns the colour of an event: that of the top-level parent of its first category, or 0 if it has none.
func (c categoryTree) colour(e calendar.Event) int {
	if len(e.Categories) == 0 {
		return 0
	}
	t := e.Categories[0]
	return c.colours[append(c.parents(t), t)[0].ID]
}

// roots returns the top-level categories.
func (c categoryTree) roots() []calendar.Term {
	var list []calendar.Term
	for _, t := range c.list {
		if _, hasParent := c.byID[t.ParentID]; !hasParent {
			list = append(list, t)
		}
	}
	return list
}

// route returns the route of a category.
func (c categoryTree) route(t calendar.Term) route {
	var path []string
	for _, parent := range append(c.parents(t), t) {
		path = append(path, parent.Slug)
	}
	return route{kind: oneCategory, slug: t.Slug, path: strings.Join(path, "/")}
}

func (c categoryTree) children(id int64) []calendar.Term {
	var found []calendar.Term
	for _, t := range c.list {
		if t.ParentID == id && id != 0 {
			found = append(found, t)
		}
	}
	return found
}

// ordered returns the categories, each followed by its children, as in a menu.
func (c categoryTree) ordered() []calendar.Term {
	var out []calendar.Term
	listed := map[int64]bool{}
	var add func(t calendar.Term)
	add = func(t calendar.Term) {
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
