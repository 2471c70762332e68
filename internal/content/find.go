package content

import (
	"context"
	"slices"
	"strings"

	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/schema"
)

// AmbiguousSlug is the error of a write to a slug that several posts have.
type AmbiguousSlug struct{ Slug string }

func (e *AmbiguousSlug) Error() string { return "several posts have the slug " + e.Slug }

// FindSlug returns the post of a type for a slug from a URL that is not unescaped yet, nil if there is none. If several
// match, it prefers the published one, then one that the caller may read, then one in the request's language, then the
// lowest id.
func (s *Slugs) FindSlug(ctx context.Context, postType, raw string) (*store.Post, error) {
	named, _, err := s.slugged(ctx, postType, raw)
	if err != nil || len(named) == 0 {
		return nil, err
	}
	named = preferred(named, isPublished)
	return preferred(named, func(p *store.Post) bool { return s.types.CanRead(ctx, p) })[0], nil
}

// FindSlugToWrite returns the post of a type for a slug from a URL that is not unescaped yet, nil if there is none. If
// several match, it prefers the published one; if several or none are published, the one in the request's language. If
// more than one is left, the error is AmbiguousSlug.
func (s *Slugs) FindSlugToWrite(ctx context.Context, postType, raw string) (*store.Post, error) {
	named, native, err := s.slugged(ctx, postType, raw)
	if err != nil || len(named) == 0 {
		return nil, err
	}
	named = preferred(named, isPublished)
	named = preferred(named, func(p *store.Post) bool { return native[p] })
	if len(named) > 1 {
		return nil, &AmbiguousSlug{param.Unescape(raw)}
	}
	return named[0], nil
}

func isPublished(p *store.Post) bool { return p.Status == schema.StatusPublish }

// preferred returns the posts for which good returns true, or all posts if there are none.
func preferred(posts []*store.Post, good func(*store.Post) bool) []*store.Post {
	kept := slices.DeleteFunc(slices.Clone(posts), func(p *store.Post) bool { return !good(p) })
	if len(kept) == 0 {
		return posts
	}
	return kept
}

// slugged returns the posts of a type for a slug from a URL that is not unescaped yet: first those in the request's
// language, which are native, then by id. The path is the post's slug, optionally preceded by the slugs of its
// ancestors.
func (s *Slugs) slugged(ctx context.Context, postType, raw string) (named []*store.Post, native map[*store.Post]bool, err error) {
	path := strings.Split(strings.Trim(param.Unescape(raw), "/"), "/")
	slugs := make([]string, len(path))
	for i, part := range path {
		if slugs[i] = wp.SlugLookup(wp.FormEncode(part)); slugs[i] == "" || len(path) > maxAncestors {
			return nil, nil, nil
		}
	}
	found, natives, err := s.store.Posts.Slugs(ctx, postType, s.languages.Filter(ctx, postType), slugs)
	if err != nil {
		return nil, nil, err
	}
	byID := make(map[int64]*store.Post, len(found))
	for _, p := range found {
		byID[p.ID] = p
	}
	native = map[*store.Post]bool{}
	for i, p := range found {
		if matches(byID, p, slugs) {
			named = append(named, p)
			native[p] = i < natives
		}
	}
	return named, native, nil
}

const maxAncestors = 20

// matches reports whether the slugs of a post and its ancestors equal a path of slugs.
func matches(found map[int64]*store.Post, p *store.Post, slugs []string) bool {
	for i := len(slugs) - 1; i >= 0; i-- {
		if p == nil || !strings.EqualFold(p.Name, slugs[i]) {
			return false
		}
		p = found[p.Parent]
	}
	return true
}
