package item

import (
	"context"
	"maps"
	"slices"

	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/schema"
)

// maxReads limits the number of statements of a Load. Each one reads what the previous one referred to; nested pages
// require one per level.
const maxReads = 8

// required collects the rows that a response needs. Each is read once.
type required struct {
	next store.ContentQuery
	seen struct {
		ids, attached map[int64]bool
		embeds        map[string]bool
	}
}

func newRequired() *required {
	r := &required{}
	r.seen.ids, r.seen.attached, r.seen.embeds = map[int64]bool{}, map[int64]bool{}, map[string]bool{}
	return r
}

func addNew[T comparable](list *[]T, seen map[T]bool, more ...T) {
	for _, one := range more {
		if !seen[one] {
			seen[one] = true
			*list = append(*list, one)
		}
	}
}

func (r *required) posts(ids ...int64) { addNew(&r.next.IDs, r.seen.ids, ids...) }

// takeNext returns the rows to read next, and reports whether there are any.
func (r *required) takeNext(keys []string) (store.ContentQuery, bool) {
	ask := r.next
	r.next, ask.Keys = store.ContentQuery{}, keys
	return ask, len(ask.IDs)+len(ask.Attached)+len(ask.Embeds) > 0
}

// Load reads what the posts of a response show besides their own rows and meta rows: the posts linked to them, with
// their meta rows of the given keys and without some columns; the images that meta rows name; and what descriptions
// embed. It returns what it read. It stores images and embedded content in the view.
func (v *View) Load(ctx context.Context, own *store.Content, linked []int64, keys []string, without store.Texts) (*store.Content, error) {
	r := newRequired()
	r.posts(linked...)
	v.require(r, own, slices.Collect(maps.Keys(own.Posts)))
	found := &store.Content{Posts: map[int64]*store.Post{}, Meta: map[int64]store.Meta{}, Embeds: map[string]string{}}
	v.loaded = []*store.Content{own}
	keys = slices.Concat(keys, fileKeys)
	for range maxReads {
		ask, any := r.takeNext(keys)
		if !any {
			break
		}
		ask.Without, without = without, 0
		read, err := v.env.Content.Store.Posts.Content(ctx, ask)
		if err != nil {
			return nil, err
		}
		maps.Copy(found.Posts, read.Posts)
		maps.Copy(found.Meta, read.Meta)
		maps.Copy(found.Embeds, read.Embeds)
		v.loaded = append(v.loaded, read)
		if keys = fileKeys; len(v.loaded) == 2 { // the linked posts are loaded now
			v.require(r, found, linked)
		}
		v.follow(r, found)
	}
	v.Images = &Images{texts: v.env.Texts, uploads: v.Uploads(), posts: found.Posts, meta: found.Meta}
	v.texts.Embeds = found.Embeds
	v.attach(ctx)
	return found, nil
}

// require adds the images that the meta rows of posts name, and what their descriptions embed.
func (v *View) require(r *required, c *store.Content, posts []int64) {
	for _, id := range posts {
		if image := phpval.Int(c.Meta[id].Text(schema.MetaThumbnailID)); image > 0 {
			r.posts(image)
		}
		p := c.Posts[id]
		if p == nil {
			continue
		}
		v.describe(r, p)
	}
}

// describe adds what the description of a post embeds, as far as that is known by now.
func (v *View) describe(r *required, p *store.Post) {
	n := v.need(p)
	r.posts(n.Patterns...)
	r.posts(n.Files...)
	r.posts(n.Posts...)
	addNew(&r.next.Attached, r.seen.attached, n.Posts...)
	addNew(&r.next.Embeds, r.seen.embeds, n.Embeds...)
	if n.Own && p.Type == v.env.Content.Types.Events().PostType {
		addNew(&r.next.Attached, r.seen.attached, p.ID)
	}
}

// follow adds what the patterns in descriptions embed, and what the files of descriptions need: the posts that they are
// attached to, whose URLs are part of theirs, and the pictures of tracks.
func (v *View) follow(r *required, found *store.Content) {
	for _, id := range slices.Collect(maps.Keys(v.needs)) {
		if p := v.post(id); p != nil && p.Type != schema.TypePattern && len(v.needs[id].Patterns) > 0 {
			v.describe(r, p)
		}
	}
	for _, n := range v.needs {
		for _, id := range n.Pages {
			if a := found.Posts[id]; a != nil && a.Parent > 0 && v.post(a.Parent) == nil {
				r.posts(a.Parent)
			}
		}
		for _, id := range n.Tracks {
			if picture := phpval.Int(found.Meta[id].Text(schema.MetaThumbnailID)); picture > 0 {
				r.posts(picture)
			}
		}
	}
	for id := range r.seen.ids {
		if p := found.Posts[id]; p != nil && p.Type == schema.TypePage && p.Parent > 0 {
			r.posts(p.Parent)
		}
	}
}

// post returns a loaded post, or nil if it is not loaded.
func (v *View) post(id int64) *store.Post {
	for _, c := range v.loaded {
		if p := c.Posts[id]; p != nil {
			return p
		}
	}
	return nil
}
