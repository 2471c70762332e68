package term

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/phpval"
)

// maxSlug is the width of the column wp_terms.slug.
const maxSlug = 200

// duplicate returns the stored term with the same name and parent as a new one, unless another slug was given for the
// new one. stored are the terms with its name or slug. Of names, WordPress ignores the case of A to Z alone.
func duplicate(stored []*store.TaxonomyTerm, t *store.TaxonomyTerm, slugGiven, tree bool) *store.TaxonomyTerm {
	var named, slugged *store.TaxonomyTerm
	for _, s := range stored {
		if named == nil && s.Parent == t.Parent && phpval.Lower(s.Name) == phpval.Lower(t.Name) {
			named = s
		}
		if slugged == nil && t.Slug != "" && strings.EqualFold(s.Slug, t.Slug) {
			slugged = s
		}
	}
	switch {
	case named == nil:
		return nil
	case !slugGiven || strings.EqualFold(named.Slug, t.Slug):
		return named
	case slugged != nil && !tree:
		return named
	case slugged != nil && slugged.Parent == t.Parent:
		return slugged
	}
	return nil
}

// slugTaken reports whether one of the terms has a slug.
func slugTaken(terms []*store.TaxonomyTerm, slug string) bool {
	return slices.ContainsFunc(terms, func(t *store.TaxonomyTerm) bool { return strings.EqualFold(t.Slug, slug) })
}

// freeSlug returns a variant of a slug that is not in use: with the slugs of ancestors appended, starting with the
// parent, as many as needed, and after those with a number. Parts that would make it too long are left out.
func freeSlug(slug string, above []string, used map[string]bool) string {
	base := slug
	for _, parent := range above {
		if parent == "" {
			continue
		}
		next := base + "-" + parent
		if len(next) > maxSlug {
			break
		}
		if base = next; !used[strings.ToLower(base)] {
			return base
		}
	}
	free := base
	for n := 2; used[strings.ToLower(free)]; n++ {
		free = wp.SuffixSlug(base, n)
	}
	return free
}

// above returns the slugs of a term's ancestors, starting with its parent.
func above(tree map[int64]*store.TaxonomyTerm, t *store.TaxonomyTerm) (slugs []string) {
	for _, up := range t.Ancestors(tree) {
		slugs = append(slugs, up.Slug)
	}
	return slugs
}

// slugs finds slugs for the terms of a taxonomy.
type slugs struct {
	store    *store.Store
	taxonomy string
}

// free returns the slug if no other term of the taxonomy has it, else a variant that no term of any taxonomy has.
func (s slugs) free(ctx context.Context, slug string, above []string, except int64) (string, error) {
	if slug == "" {
		return "", nil
	}
	same, err := s.taken(ctx, slug, except)
	if err != nil || !same {
		return slug, err
	}
	used, err := s.store.Terms.Slugs(ctx, slug)
	return freeSlug(slug, above, used), err
}

// taken reports whether a term of the taxonomy, other than except, has the slug.
func (s slugs) taken(ctx context.Context, slug string, except int64) (bool, error) {
	found, err := s.store.Terms.Matching(ctx, s.taxonomy, nil, []string{slug}, nil)
	for _, t := range found {
		if t.ID != except {
			return true, err
		}
	}
	return false, err
}

// number sets a term's slug to its id, because its name has no characters that a slug can contain.
func (s slugs) number(ctx context.Context, t *store.TaxonomyTerm) error {
	was := *t
	var err error
	if t.Slug, err = s.free(ctx, strconv.FormatInt(t.ID, 10), nil, t.ID); err != nil {
		return err
	}
	return s.store.Terms.Update(ctx, &was, t)
}
