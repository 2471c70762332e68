package pages

import (
	"context"
	"net/url"
	"strconv"
	"strings"
)

// categoryTree are the categories that have events, or whose descendants do.
type categoryTree struct {
	byID map[int]term
	list []term // by name, as in the interface
}

// categoryPages bounds how many pages are read: 200 categories are more than a menu can show.
const categoryPages = 4

// categories reads the tree for the menu and for the addresses of categories, which contain the
// parents.
func (s *site) categories(ctx context.Context, v *version) (categoryTree, error) {
	tree := categoryTree{byID: map[int]term{}}
	for page := 1; page <= categoryPages; page++ {
		var found termList
		err := s.client.get(ctx, v.lang, "/categories", url.Values{"per_page": {"50"}, "page": {strconv.Itoa(page)}}, &found)
		if err != nil {
			return categoryTree{}, err
		}
		for _, t := range found.Categories {
			tree.byID[t.ID] = t
			tree.list = append(tree.list, t)
		}
		if page >= found.TotalPages {
			break
		}
	}
	return tree, nil
}

// route returns the route of a category. A parent that is not in the tree ends its path, as does one that is in the
// path already.
func (c categoryTree) route(t term) route {
	path := []string{t.Slug}
	met := map[int]bool{t.ID: true}
	for parent, ok := c.byID[t.Parent]; ok && !met[parent.ID]; parent, ok = c.byID[parent.Parent] {
		met[parent.ID] = true
		path = append([]string{parent.Slug}, path...)
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
	for _, t := range c.list {
		if _, hasParent := c.byID[t.Parent]; !hasParent {
			add(t)
		}
	}
	return out
}
