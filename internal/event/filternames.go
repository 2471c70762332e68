package event

import (
	"context"

	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/term"
	"github.com/agendahq/agenda/internal/wp"
)

// FilterNames returns the names of everything that a list is filtered by, in the requested language: categories and
// tags, linked posts such as a venue, and the search string.
func (k *UseCases) FilterNames(ctx context.Context, v *param.Values) (names []string, err error) {
	var terms []*store.TaxonomyTerm
	for _, key := range []param.Key[term.Assigned]{paramCategories, paramTags} {
		given := key.Value(v)
		terms = append(terms, given.Named()...)
	}
	var posts []int64
	for _, kind := range k.Linked {
		posts = append(posts, param.Key[[]int64](kind.Name).Value(v)...)
	}
	versions := k.Service.Versions(ctx)
	if err := versions.Load(ctx, posts, terms); err != nil {
		return nil, err
	}
	for _, t := range versions.ShownTerms(terms) {
		names = append(names, wp.PlainText(t.Name))
	}
	if posts = versions.ShownPosts(ctx, posts); len(posts) > 0 {
		titles, err := k.Service.Content.Store.Posts.Titles(ctx, posts)
		if err != nil {
			return nil, err
		}
		for _, id := range posts {
			names = append(names, wp.PlainText(titles[id]))
		}
	}
	if text := item.Search.Value(v); text != "" {
		names = append(names, text)
	}
	return names, nil
}
