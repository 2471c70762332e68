package item

import (
	"cmp"
	"context"
	"slices"

	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/schema"
)

// Parameters of lists for sync.
const (
	Sync      param.Key[bool]   = "sync"
	SyncToken param.Key[string] = "sync_token"
)

// maxToken is the maximum length of a sync token in bytes. Proxies reject URLs of more than 8 KiB.
const maxToken = 6 << 10

// syncParams declares the parameters for sync. They are declared as secret to keep the responses out of caches, and the
// reads away from replicas.
func syncParams() []*param.Param {
	token := param.Checked(func(_ context.Context, v any) (string, error) {
		s, ok := v.(string)
		if !ok || s == "" || len(s) > maxToken {
			return "", param.Invalid("fault_sync_token")
		}
		return s, nil
	})
	return []*param.Param{
		Sync.Param(jsonschema.Bool().Default(false), nil, param.Doc("param_sync"), param.Unlisted(), param.Secret()),
		SyncToken.Param(jsonschema.Text().Chars(1, maxToken), token, param.Doc("param_sync_token"), param.Untyped(),
			param.Unlisted(), param.Secret()),
	}
}

// NotSynced contains the parameters of lists that sync does not support: it has a fixed order, different pages, and
// does not open protected posts.
var NotSynced = []string{string(Page), string(OrderBy), string(Order), string(password)}

// RefuseUnsynced rejects parameters that sync does not support. page=1 is allowed.
func RefuseUnsynced(v *param.Values) error {
	given := slices.DeleteFunc(slices.Clone(NotSynced), func(name string) bool {
		return !v.Given(name) || name == string(Page) && Page.Value(v) == 1
	})
	return param.RefuseEach(given, param.Invalid("fault_sync_order"))
}

// Syncing returns the name of the parameter by which a request asks for sync, or "".
func Syncing(c *call.Call) string {
	switch {
	case SyncToken.IsGiven(c.Values):
		return string(SyncToken)
	case Sync.Value(c.Values):
		return string(Sync)
	}
	return ""
}

// RefuseSync rejects sync for lists in a format other than JSON.
func RefuseSync(c *call.Call) error {
	if name := Syncing(c); name != "" {
		return param.Refuse(name, param.Invalid("fault_json_only"))
	}
	return nil
}

// Synced contains the items of a list that have one of some ids.
type Synced struct {
	Items []*Item // in the order of their ids
	// Named is a string of what the parameters refer to. If it changes, the list may select other items although no
	// item changed.
	Named string
}

// Among reads the items of the list whose ids are among the given ones.
func (p *Posts) Among(ctx context.Context, c *call.Call, ids []int64) (*Synced, error) {
	asked := *c
	asked.Whole, asked.Sync = true, &call.Sync{Among: ids}
	view := p.Service.View(ctx, &asked)
	view.Selected = c.Fields.Members(p.Collection)
	q, err := p.Rules.Query(ctx, view, &call.Page{Number: 1, Size: int64(len(ids))})
	if err != nil || q.Page == nil || len(ids) == 0 {
		return &Synced{Named: q.Named}, err
	}
	refs, err := q.Page(ctx, int64(len(ids)), 0)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(refs, func(a, b store.Ref) int { return cmp.Compare(a.ID, b.ID) })
	view.Trial = false
	items, err := p.Rules.Items(ctx, view, refs)
	return &Synced{items, q.Named}, err
}

// Known reports which of the ids are posts that the caller may read, or could read before or after one of the changes.
func (p *Posts) Known(ctx context.Context, ids []int64, changes map[int64][]*schema.JournalChange) (map[int64]bool, error) {
	known := map[int64]bool{}
	found, err := p.Service.Content.Store.Posts.Access(ctx, ids)
	for id, a := range found {
		known[id] = a.Type == p.PostType &&
			p.Service.Content.Types.CanRead(ctx, &store.Post{ID: id, Author: a.Author, Status: a.Status, Type: a.Type})
	}
	for _, id := range ids {
		for _, c := range changes[id] {
			known[id] = known[id] || p.couldRead(ctx, c.WasStatus, c.WasAuthor) || p.couldRead(ctx, c.Status, c.Author)
		}
	}
	return known, err
}

// couldRead reports whether the caller may read a post of this resource that has, or had, the given status and author.
func (p *Posts) couldRead(ctx context.Context, status string, author int64) bool {
	return status != "" && p.Service.Content.Types.CanRead(ctx, &store.Post{Author: author, Status: status, Type: p.PostType})
}

// VersionsOf returns the ids of the translations of items of a resource.
func (s *Service) VersionsOf(ctx context.Context, c *call.Call, k *Resource, ids []int64) (versions []int64, err error) {
	v := s.Versions(ctx)
	if v == nil || len(ids) == 0 {
		return nil, nil
	}
	if k.PostType != "" {
		err = v.Load(ctx, ids, nil)
		return v.AllPosts(ids), err
	}
	terms, err := s.Content.Store.Terms.Matching(ctx, k.Taxonomy, ids, nil, nil)
	if err == nil {
		err = v.Load(ctx, nil, terms)
	}
	for _, t := range terms {
		for _, other := range v.ofTerm(t).Others {
			if other.Term != nil {
				versions = append(versions, other.Term.ID)
			}
		}
	}
	return versions, err
}

// Shows calls show with the resource and the id of the item itself, and of everything else that it shows: the posts
// that it links, its terms, and the ancestors of these.
func (it *Item) Shows(k *Resource, show func(kind string, id int64)) {
	if it.Term != nil {
		it.showTerm(k.Collection, it.Term, show)
		return
	}
	show(k.Collection, it.Post.ID)
	for _, id := range it.Versions.AllPosts([]int64{it.Post.ID}) {
		show(k.Collection, id)
	}
	for _, list := range it.Linked {
		for _, other := range list {
			if of := linked(k, func(l *Resource) bool { return l.PostType == other.Post.Type }); of != nil {
				show(of.Collection, other.Post.ID)
			}
		}
	}
	for _, t := range it.Terms {
		if of := linked(k, func(l *Resource) bool { return l.Taxonomy == t.Taxonomy }); of != nil {
			it.showTerm(of.Collection, t, show)
		}
	}
}

// showTerm calls show for a term and its ancestors.
func (it *Item) showTerm(kind string, t *store.TaxonomyTerm, show func(kind string, id int64)) {
	show(kind, t.ID)
	for _, up := range t.Ancestors(it.Tree) {
		show(kind, up.ID)
	}
}

// linked returns the first of a resource's links for which holds is true, or nil.
func linked(k *Resource, holds func(*Resource) bool) *Resource {
	if i := slices.IndexFunc(k.Links, holds); i >= 0 {
		return k.Links[i]
	}
	return nil
}
