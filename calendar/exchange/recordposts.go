package exchange

import (
	"fmt"
	"slices"

	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/linked"
	"github.com/agendahq/agenda/schema"
)

// linkedPosts returns the posts of a resource that an event links.
func (r *recorder) linkedPosts(k *resource, it *item.Item) (list []*Record, err error) {
	at := slices.Index(r.resources.posts(), k)
	if at >= len(it.Linked) || len(it.Linked[at]) == 0 {
		return nil, nil
	}
	items := slices.DeleteFunc(slices.Clone(it.Linked[at]), func(one *item.Item) bool { return one.Post.Status == schema.StatusTrash })
	if r.linked {
		if err := r.posts(k, items); err != nil {
			return nil, err
		}
	}
	known, err := r.names(items)
	if err != nil {
		return nil, err
	}
	for _, one := range items {
		rec, err := r.post(k, one, known)
		if err != nil {
			return nil, err
		}
		if r.linked || r.hides(k, one) {
			rec.Values = map[string]any{k.Title: rec.Values[k.Title]}
			rec.Group, rec.Image, rec.Position, rec.Rows = "", "", nil, nil
			rec.Password = ""
		}
		list = append(list, rec)
	}
	return list, nil
}

// hides reports whether only the name of a linked post may be exported, because the format cannot protect the rest with
// its password or the user may not read it. It reports that once per post.
func (r *recorder) hides(k *resource, it *item.Item) bool {
	reason := "this format cannot protect it"
	switch {
	case it.Masked:
		reason = hiddenByPassword
	case it.Post.Password == "":
		return false
	}
	if key := fmt.Sprint(k.Collection, it.Post.ID); !r.written[key] {
		r.written[key] = true
		r.left(&Problem{Item: plainText(it.Post.Title), Field: "password", Reason: reason})
	}
	return true
}

// hiddenByPassword is the reason for leaving out what the user may not read.
const hiddenByPassword = "a password hides it from the user"

// post returns the record of a linked post.
func (r *recorder) post(k *resource, it *item.Item, known names) (*Record, error) {
	rec, err := r.base(k, it, known)
	if err != nil {
		return nil, err
	}
	if it.Post.Name != "" {
		rec.Values[fieldSlug] = it.Post.Name
	}
	if lat, lng, ok := linked.Coordinates(it); ok && k.position {
		rec.Position = &Position{lat, lng}
		for key, n := range map[string]float64{schema.MetaVenueLat: lat, schema.MetaVenueLng: lng} {
			if text := it.Meta.Text(key); text != degrees(n) { // it is stored in another notation, which is preserved
				if rec.Rows == nil {
					rec.Rows = map[string][]string{}
				}
				rec.Rows[key] = []string{text}
			}
		}
	}
	return rec, nil
}

// posts writes the linked posts that were not written yet.
func (r *recorder) posts(k *resource, items []*item.Item) error {
	var fresh []*item.Item
	for _, it := range items {
		key := fmt.Sprint(k.Collection, it.Post.ID)
		switch {
		case r.written[key]:
			continue
		case it.Masked:
			r.left(&Problem{Item: plainText(it.Post.Title), Field: "password", Reason: hiddenByPassword})
		default:
			fresh = append(fresh, it)
		}
		r.written[key] = true
	}
	if len(fresh) == 0 {
		return nil
	}
	known, err := r.names(fresh)
	if err != nil {
		return err
	}
	for _, it := range fresh {
		rec, err := r.post(k, it, known)
		if err != nil {
			return err
		}
		if err := r.appendRecord(rec); err != nil {
			return err
		}
	}
	return nil
}
