package item

import (
	"cmp"
	"context"
	"slices"

	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/store"
)

// Parameters of lists for sync.
const (
	Sync      param.Key[bool]   = "sync"
	SyncToken param.Key[string] = "sync_token"
)

// maxToken is how long a token is at most, in bytes: addresses of more than 8 KiB are refused on the way.
const maxToken = 6 << 10

// syncParams declares the parameters for sync. That they are secret keeps the answers out of caches, and away from replicas.
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

// NotSynced are the parameters of lists that sync has no use for: it has its own order and pages, and opens nothing.
var NotSynced = []string{string(Page), string(OrderBy), string(Order), string(password)}

// RefuseUnsynced refuses parameters that sync has no use for. The first page is no other one.
func RefuseUnsynced(v *param.Values) error {
	refused := &param.Failure{}
	for _, name := range NotSynced {
		if v.Given(name) && !(name == string(Page) && Page.Value(v) == 1) {
			fault := param.Invalid("fault_sync_order")
			fault.Param = name
			refused.Faults = append(refused.Faults, fault)
		}
	}
	if refused.Faults == nil {
		return nil
	}
	return refused
}

// Syncing returns the parameter by which a request asks for sync, "" for none.
func Syncing(c *call.Call) string {
	switch {
	case SyncToken.In(c.Values):
		return string(SyncToken)
	case Sync.Value(c.Values):
		return string(Sync)
	}
	return ""
}

// RefuseSync refuses sync where lists are read in another form than JSON.
func RefuseSync(c *call.Call) error {
	if name := Syncing(c); name != "" {
		return param.Refuse(name, param.Invalid("fault_json_only"))
	}
	return nil
}

// Synced are the items of a list among some ids.
type Synced struct {
	Items []*Item // in the order of their ids
	// Named is a text of what the parameters name: another one where the list may select others though no item changed.
	Named string
}

// Among reads which of the items with ids the list has.
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

// Readable returns which of the posts with ids are of the kind, and such that the caller may read them.
func (p *Posts) Readable(ctx context.Context, ids []int64) (map[int64]bool, error) {
	readable := map[int64]bool{}
	found, err := p.Service.Content.Store.Posts.Access(ctx, ids)
	for id, a := range found {
		readable[id] = a.Type == p.Type.PostType &&
			p.Service.Content.Types.CanRead(ctx, &store.Post{ID: id, Author: a.Author, Status: a.Status, Type: a.Type})
	}
	return readable, err
}

// CouldRead reports whether the caller may read a post of the kind that has, or had, a state and an author.
func (p *Posts) CouldRead(ctx context.Context, status string, author int64) bool {
	return status != "" && p.Service.Content.Types.CanRead(ctx, &store.Post{Author: author, Status: status, Type: p.Type.PostType})
}

// VersionsOf returns the ids of the versions in other languages of items of a kind.
func (s *Service) VersionsOf(ctx context.Context, c *call.Call, k *Kind, ids []int64) (versions []int64, err error) {
	v := s.Versions(ctx)
	if v == nil || len(ids) == 0 {
		return nil, nil
	}
	if k.Type != nil {
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

// Shows calls show with the kind and the id of an item of a kind, and of all that it shows of others: what it links, and its terms
// with those above them.
func (it *Item) Shows(k *Kind, show func(kind string, id int64)) {
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
			if of := linked(k, func(l *Kind) bool { return l.Type != nil && l.Type.PostType == other.Post.Type }); of != nil {
				show(of.Collection, other.Post.ID)
			}
		}
	}
	for _, t := range it.Terms {
		if of := linked(k, func(l *Kind) bool { return l.Type == nil && l.Taxonomy == t.Taxonomy }); of != nil {
			it.showTerm(of.Collection, t, show)
		}
	}
}

// showTerm shows a term and those above it.
func (it *Item) showTerm(kind string, t *store.TaxonomyTerm, show func(kind string, id int64)) {
	show(kind, t.ID)
	seen := map[int64]bool{t.ID: true}
	for up := it.Tree[t.Parent]; up != nil && !seen[up.ID]; up = it.Tree[up.Parent] {
		seen[up.ID] = true
		show(kind, up.ID)
	}
}

// linked returns the one of a kind's links that a condition holds for, nil for none.
func linked(k *Kind, holds func(*Kind) bool) *Kind {
	if i := slices.IndexFunc(k.Links, holds); i >= 0 {
		return k.Links[i]
	}
	return nil
}
