package linked

import (
	"cmp"
	"context"

	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/store"
)

// Path variables. Their value is the stored item; an unknown id or slug is rejected before any other check.
const (
	pathID   param.Key[*store.Post] = "id"
	pathSlug param.Key[*store.Post] = "slug"
)

func (k *UseCases) IDParam() *param.Param {
	return item.ID(pathID, 123, param.LookedUp(param.IntegerOrZero, func(ctx context.Context, id int64) (*store.Post, error) {
		found, err := k.Service.Content.Store.Posts.Content(ctx, store.ContentQuery{IDs: []int64{id}})
		if err != nil {
			return nil, err
		}
		if p := found.Posts[id]; p != nil && p.Type == k.PostType {
			return p, nil
		}
		return nil, param.Invalid(k.Texts.UnknownID)
	}))
}

// SlugParam declares the slug in the path of a read.
func (k *UseCases) SlugParam() *param.Param {
	return item.Slug(pathSlug, item.KnownSlug(k.PostType, k.Service.Content.Slugs.FindSlug))
}

// SlugToWrite declares the slug in the path of a write.
func (k *UseCases) SlugToWrite() *param.Param {
	return item.Slug(pathSlug, item.KnownSlug(k.PostType, k.Service.Content.Slugs.FindSlugToWrite))
}

// addressed returns the item that the path names.
func addressed(c *call.Call) *store.Post {
	return cmp.Or(pathID.Value(c.Values), pathSlug.Value(c.Values))
}

// Exists reports whether the path names an existing item.
func (k *UseCases) Exists(ctx context.Context, path *param.Map) (bool, error) {
	address := k.SlugToWrite()
	if _, byID := path.Get(string(pathID)); byID {
		address = k.IDParam()
	}
	_, err := param.Read(ctx, []*param.Param{address}, param.Sources{Path: path})
	if _, refused := err.(*param.Failure); refused {
		return false, nil
	}
	return err == nil, err
}

// revision returns the revision of an item, a hash of its row and of the meta rows that responses show.
func (k *UseCases) revision(ctx context.Context, p *store.Post, m store.Meta) string {
	return item.Revision(p, m, k.Keys.Readable(ctx))
}
