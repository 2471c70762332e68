package link

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"fmt"
	"slices"

	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/post"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/schema"
)

// idParam is the id of an item in the path; its value is the *store.Post that
// it names. One that names none is refused before anything else is asked.
func (k *Kind) idParam() *param.Param {
	p := post.ID()
	p.Check = func(ctx context.Context, v any) (any, error) {
		id, _ := param.Convert(param.Integer, v)
		found, err := k.Store.Posts(ctx, []int64{id.(int64)})
		if err != nil {
			return nil, err
		}
		if p := found[id.(int64)]; p != nil && p.Type == k.Type {
			return p, nil
		}
		return nil, param.Invalid("fault_" + k.Name + "_id")
	}
	return p
}

// slugParam is the slug of an item in the path; its value is the *store.Post
// that it names.
func (k *Kind) slugParam() *param.Param {
	p := post.Slug()
	readable := p.Check
	p.Check = func(ctx context.Context, v any) (any, error) {
		slug, err := readable(ctx, v)
		if err != nil {
			return nil, err
		}
		p, err := k.FindSlug(ctx, k.Type, slug.(string))
		if err != nil {
			return nil, err
		}
		if p == nil {
			return nil, param.Invalid("fault_slug")
		}
		return p, nil
	}
	return p
}

// addressed is the item that the path of a request names.
func addressed(r *rest.Request) *store.Post {
	if p := param.Value[*store.Post](r.Values, "id"); p != nil {
		return p
	}
	return param.Value[*store.Post](r.Values, "slug")
}

// gone is the target of a request that deleted its item for good.
type gone struct{}

// onExisting narrows a right to items that exist: nobody may change what is not
// there. Where the parameters were refused, that may have been the reason.
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
	address := k.slugParam()
	if _, byID := path.Get("id"); byID {
		address = k.idParam()
	}
	_, err := param.Read(ctx, []*param.Param{address}, param.Sources{Path: path})
	if _, refused := err.(*param.Failure); refused {
		return false, nil
	}
	return err == nil, err
}

// state stands for what is stored of an item: the row and the meta rows of
// answers. The password is left out, so that nobody can try passwords on it.
func (k *Kind) state(p *store.Post, m store.Meta) string {
	h := sha256.New()
	fmt.Fprintf(h, "%d %d %d %d %q %q %q %q", p.ID, p.Author, p.Parent, p.MenuOrder, p.Date, p.DateUTC, p.Modified, p.ModifiedUTC)
	fmt.Fprintf(h, "%q %q %q %q %q %t", p.Title, p.Content, p.Excerpt, p.Status, p.Name, p.Password != "")
	keys := k.MetaKeys()
	slices.Sort(keys)
	for _, key := range slices.Compact(keys) {
		fmt.Fprintf(h, "\n%s %q", key, m[key])
	}
	return base64.RawURLEncoding.EncodeToString(h.Sum(nil)[:12])
}

// rowOf is a locked row in the form that reads load.
func rowOf(p *schema.Post) *store.Post {
	return &store.Post{
		ID: p.ID, Author: p.Author, Parent: p.Parent, Date: p.Date, DateUTC: p.DateGMT, Modified: p.Modified, ModifiedUTC: p.ModifiedGMT,
		Title: p.Title, Content: p.Content, Excerpt: p.Excerpt, Status: p.Status, Password: p.Password, Name: p.Name,
		Type: p.Type, MimeType: p.MimeType, GUID: p.GUID, MenuOrder: p.MenuOrder,
	}
}
