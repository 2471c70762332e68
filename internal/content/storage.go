package content

import (
	"strings"

	"github.com/agendahq/agenda/internal/wp/permalink"
)

// Storage is the part of the declaration of a resource that says how its items are stored: as posts or as terms. The
// members below Taxonomy are those of posts.
type Storage struct {
	Collection string // name of all items: "events"
	PostType   string // type of the posts, "" for terms
	Taxonomy   string // taxonomy of the terms, "" for posts
	// Segment returns the part of a page's address before the slug.
	Segment  func(permalink.Settings) string
	LinkKey  string // meta key by which events link posts of this type, "" for events
	LinksOne bool   // an event links at most one
	Origin   string // meta key with the program that created a post
	// Rows are meta keys in the order of a new post's rows; other keys come after them.
	Rows []string
}

// Types contains how the resources of posts are stored: events first, then those that events link.
type Types []*Storage

// Events returns how events are stored.
func (t Types) Events() *Storage { return t[0] }

// ForPostType returns the Storage of a post type, nil for types that are not served.
func (t Types) ForPostType(postType string) *Storage {
	for _, one := range t {
		if one.PostType == postType {
			return one
		}
	}
	return nil
}

// Named returns the Storage of a collection, nil if the collection does not consist of posts.
func (t Types) Named(collection string) *Storage {
	for _, one := range t {
		if one.Collection == collection {
			return one
		}
	}
	return nil
}

// LinkKeys returns the meta keys by which events link posts, by post type.
func (t Types) LinkKeys() map[string]string {
	keys := make(map[string]string, len(t))
	for _, one := range t[1:] {
		keys[one.PostType] = one.LinkKey
	}
	return keys
}

// Linker returns what makes the addresses of a site's pages. taxonomies are those of categories and tags.
func (t Types) Linker(s permalink.Settings, taxonomies []string) *permalink.Linker {
	segments := make(map[string]string, len(t))
	for _, one := range t {
		segments[one.PostType] = one.Segment(s)
	}
	return permalink.New(s, segments, taxonomies[0], taxonomies[1])
}

// Family returns the name of a post type in capabilities.
func Family(postType string) string {
	if strings.HasSuffix(postType, "s") {
		return postType
	}
	return postType + "s"
}
