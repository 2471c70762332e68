package place

import (
	"cmp"
	"context"

	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/resource"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/store"
)

// Path variables: the stored item. An unknown one is refused before any other check.
const (
	pathID   param.Key[*store.Post] = "id"
	pathSlug param.Key[*store.Post] = "slug"
)

func (k *Kind) idParam() *param.Param {
	return resource.ID(pathID, 123, param.LookedUp(checkID, func(ctx context.Context, id int64) (*store.Post, error) {
		found, err := k.Store.Posts.Content(ctx, store.ContentQuery{IDs: []int64{id}})
		if err != nil {
			return nil, err
		}
		if p := found.Posts[id]; p != nil && p.Type == k.PostType {
			return p, nil
		}
		return nil, param.Invalid("fault_" + k.Name + "_id")
	}))
}

// checkID reads the digits of a path.
func checkID(_ context.Context, v any) (int64, error) {
	id, _ := param.Integer(v)
	return id, nil
}

// slugParam declares the slug in the path of a read.
func (k *Kind) slugParam() *param.Param {
	return resource.Slug(pathSlug, resource.KnownSlug(k.PostType, k.FindSlug))
}

// slugToWrite declares the slug in the path of a write.
func (k *Kind) slugToWrite() *param.Param {
	return resource.Slug(pathSlug, resource.KnownSlug(k.PostType, k.FindSlugToWrite))
}

// addressed returns the item of the path.
func addressed(r *rest.Request) *store.Post {
	return cmp.Or(pathID.Value(r.Values), pathSlug.Value(r.Values))
}

// gone is the target of a request that deleted its item.
type gone struct{}

// onExisting allows nothing on items that do not exist. If the parameters were
// refused, that may have been the reason.
func (k *Kind) onExisting(may func(context.Context, *rest.Request) (bool, error)) func(context.Context, *rest.Request) (bool, error) {
	return func(ctx context.Context, r *rest.Request) (bool, error) {
		if _, deleted := r.Target.(gone); deleted {
			return false, nil
		}
		allowed, err := may(ctx, r)
		if err != nil || !allowed || r.Values != nil {
			return allowed, err
		}
		return k.exists(ctx, r.Path)
	}
}

func (k *Kind) exists(ctx context.Context, path *param.Map) (bool, error) {
	address := k.slugToWrite()
	if _, byID := path.Get(string(pathID)); byID {
		address = k.idParam()
	}
	_, err := param.Read(ctx, []*param.Param{address}, param.Sources{Path: path})
	if _, refused := err.(*param.Failure); refused {
		return false, nil
	}
	return err == nil, err
}

// revision returns the revision of an item: of its row and the meta rows of answers.
func (k *Kind) revision(p *store.Post, m store.Meta) string {
	return resource.Revision(p, m, k.Keys)
}
