package post

import (
	"context"
	"net/http"
	"strings"

	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/schema"
)

// FindSlug returns the post of a type that a raw slug of an address names, nil
// without one. Its own slug finds a post; so does the path of its ancestors'
// slugs and its own. Of several posts with one slug it is one in the request's
// language, and the one with the lowest id.
func (e *Env) FindSlug(ctx context.Context, postType, raw string) (*store.Post, error) {
	path := strings.Split(strings.Trim(param.Unescape(raw), "/"), "/")
	slugs := make([]string, len(path))
	for i, part := range path {
		if slugs[i] = wp.SlugLookup(wp.FormEncode(part)); slugs[i] == "" || len(path) > maxAncestors {
			return nil, nil
		}
	}
	found, err := e.Store.Slugs(ctx, postType, e.Spoken(ctx), slugs)
	if err != nil {
		return nil, err
	}
	byID := make(map[int64]*store.Post, len(found))
	for _, p := range found {
		byID[p.ID] = p
	}
	for _, p := range found {
		if matches(byID, p, slugs) {
			return p, nil
		}
	}
	return nil, nil
}

const maxAncestors = 20

// matches follows a post's ancestors along a path of slugs.
func matches(found map[int64]*store.Post, p *store.Post, slugs []string) bool {
	for i := len(slugs) - 1; i >= 0; i-- {
		if p == nil || !strings.EqualFold(p.Name, slugs[i]) {
			return false
		}
		p = found[p.Parent]
	}
	return true
}

// errContext refuses the editor's view to those who may not edit.
var errContext = rest.NewError(http.StatusForbidden, "rest_forbidden_context", "error_forbidden_context")

// CheckContext refuses context=edit on a single post without the right to edit.
// The post is noted as what the request is about.
func (e *Env) CheckContext(ctx context.Context, r *rest.Request, p *store.Post) error {
	if p.Status != schema.StatusTrash { // rights on those depend on more
		r.Target = &target{object: e.object(p)}
	}
	if Editing(r) && !e.MayEdit(ctx, p) {
		return errContext
	}
	return nil
}

// CarryOn adds to a list's address what every list carries from page to page.
func CarryOn(r *rest.Request, links *rest.Query, names ...string) {
	for _, name := range append([]string{"context"}, names...) {
		if s, ok := r.Values.Get(name).(string); ok && s != "" && r.Values.Given(name) {
			links.Add(name, s)
		}
	}
}

// IDsIn reads the ids of one meta row: a number at its beginning, or a
// serialized list of numbers.
func IDsIn(value string) []int64 {
	if !strings.HasPrefix(value, "a:") {
		return []int64{wp.LeadingInt(value)}
	}
	v, err := phpval.Unserialize(value)
	list, ok := v.(*phpval.Array)
	if err != nil || !ok {
		return nil
	}
	var ids []int64
	for _, x := range list.All() {
		ids = append(ids, phpval.Int(x))
	}
	return ids
}
