package resource

import (
	"context"
	"maps"
	"slices"

	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/schema"
)

// maxReads limits the statements of a Load. Each reads what the one before named;
// nested pages take one for each level.
const maxReads = 8

// wants are rows that an answer needs, each read once.
type wants struct {
	next  store.ContentQuery
	asked struct {
		ids, attached map[int64]bool
		embeds        map[string]bool
	}
}

func newWants() *wants {
	w := &wants{}
	w.asked.ids, w.asked.attached, w.asked.embeds = map[int64]bool{}, map[int64]bool{}, map[string]bool{}
	return w
}

func add[T comparable](list *[]T, asked map[T]bool, more ...T) {
	for _, one := range more {
		if !asked[one] {
			asked[one] = true
			*list = append(*list, one)
		}
	}
}

func (w *wants) posts(ids ...int64) { add(&w.next.IDs, w.asked.ids, ids...) }

// take returns what is to be read now, and whether that is anything.
func (w *wants) take(keys []string) (store.ContentQuery, bool) {
	ask := w.next
	w.next, ask.Keys = store.ContentQuery{}, keys
	return ask, len(ask.IDs)+len(ask.Attached)+len(ask.Embeds) > 0
}

// Load reads what the posts of an answer show besides their own rows and meta rows:
// the posts that are linked to them, with their rows of the given keys, the pictures
// that meta rows name, and what descriptions embed. It returns what it read; pictures
// and embedded things are stored in the view.
func (v *View) Load(ctx context.Context, own *store.Content, linked []int64, keys []string) (*store.Content, error) {
	w := newWants()
	w.posts(linked...)
	v.want(w, own, slices.Collect(maps.Keys(own.Posts)))
	found := &store.Content{Posts: map[int64]*store.Post{}, Meta: map[int64]store.Meta{}, Embeds: map[string]string{}}
	v.loaded = []*store.Content{own}
	keys = slices.Concat(keys, fileKeys)
	for range maxReads {
		ask, any := w.take(keys)
		if !any {
			break
		}
		read, err := v.env.Store.Content(ctx, ask)
		if err != nil {
			return nil, err
		}
		maps.Copy(found.Posts, read.Posts)
		maps.Copy(found.Meta, read.Meta)
		maps.Copy(found.Embeds, read.Embeds)
		v.loaded = append(v.loaded, read)
		if keys = fileKeys; len(v.loaded) == 2 { // the linked posts are loaded
			v.want(w, found, linked)
		}
		v.follow(w, found)
	}
	v.Images = &Images{texts: v.env.Texts, uploads: v.Uploads(), posts: found.Posts, meta: found.Meta}
	v.texts.Embeds = found.Embeds
	v.attach(ctx)
	return found, nil
}

// want adds the images that the meta rows of posts name, and what their descriptions
// show.
func (v *View) want(w *wants, c *store.Content, posts []int64) {
	for _, id := range posts {
		if image := phpval.Int(c.Meta[id].Text(schema.MetaThumbnailID)); image > 0 {
			w.posts(image)
		}
		p := c.Posts[id]
		if p == nil {
			continue
		}
		n := v.need(p)
		w.posts(n.Files...)
		w.posts(n.Posts...)
		add(&w.next.Attached, w.asked.attached, n.Posts...)
		add(&w.next.Embeds, w.asked.embeds, n.Embeds...)
		if n.Own && p.Type == v.env.Types.Events().PostType {
			add(&w.next.Attached, w.asked.attached, id)
		}
	}
}

// follow adds what the files of descriptions need: the posts that they are attached
// to, which are part of their addresses, and the pictures of tracks.
func (v *View) follow(w *wants, found *store.Content) {
	for _, n := range v.needs {
		for _, id := range n.Pages {
			if a := found.Posts[id]; a != nil && a.Parent > 0 && v.post(a.Parent) == nil {
				w.posts(a.Parent)
			}
		}
		for _, id := range n.Tracks {
			if picture := phpval.Int(found.Meta[id].Text(schema.MetaThumbnailID)); picture > 0 {
				w.posts(picture)
			}
		}
	}
	for id := range w.asked.ids {
		if p := found.Posts[id]; p != nil && p.Type == schema.TypePage && p.Parent > 0 {
			w.posts(p.Parent)
		}
	}
}

// post returns a loaded post, nil if it is not loaded.
func (v *View) post(id int64) *store.Post {
	for _, c := range v.loaded {
		if p := c.Posts[id]; p != nil {
			return p
		}
	}
	return nil
}
