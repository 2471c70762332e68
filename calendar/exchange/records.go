package exchange

import (
	"context"
	"fmt"
	"maps"
	"slices"

	"github.com/agendahq/agenda/internal/budget"
	"github.com/agendahq/agenda/internal/call"
	events "github.com/agendahq/agenda/internal/event"
	"github.com/agendahq/agenda/internal/feed"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/linked"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/registry"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/term"
	"github.com/agendahq/agenda/schema"
)

// records writes the list as records. With linked, what events link is written before
// the first event that does; where nothing narrows the list, so are all venues, organizers
// and terms.
func (x *exporting) records(w recordWriter, linked bool) error {
	codes, err := x.languages(linked)
	if err != nil {
		return err
	}
	to := &recorder{exporting: x, to: w, linked: linked, written: map[string]bool{}}
	if linked && len(x.exporter.Query) == 0 {
		if err := to.everything(codes); err != nil {
			return err
		}
	}
	for _, code := range codes {
		before := x.done
		err := to.each(code, x.parts.Events.Posts, true, "edit", func(_ context.Context, items []*item.Item, total int64) error {
			x.total = before + total
			if err := to.events(items); err != nil {
				return err
			}
			x.progress(int64(len(items)))
			return nil
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// recorder makes records of items.
type recorder struct {
	*exporting
	to      recordWriter
	linked  bool
	written map[string]bool // what events link and is written already
	trees   map[Collection]map[int64]*store.TaxonomyTerm
}

// each calls f for the items of a list in a view, "" for the usual one, in portions.
func (x *exporting) each(code string, kind *item.Posts, events bool, view string,
	f func(ctx context.Context, items []*item.Item, total int64) error) error {
	for number := int64(1); ; number++ {
		var l *item.List
		q := x.list(number, events)
		if view != "" {
			q.Set("context", view)
		}
		query, err := param.ParseForm(q.Encode())
		if err != nil {
			return err
		}
		u := registry.Use{Collection: kind.Type.Collection, Verb: registry.List, Values: query, Language: code}
		err = x.parts.Use(budget.Counted(x.ctx), u,
			func(ctx context.Context, c *call.Call) (err error) {
				page, size := kind.Service.PageOf(c)
				if l, err = kind.List(ctx, c, page, size); err != nil {
					return err
				}
				return l.Portions(ctx, func(items []*item.Item) error { return f(ctx, items, l.Total) })
			})
		if err != nil {
			return err
		}
		if len(l.IDs) == 0 || number*x.size() >= l.Total {
			return nil
		}
	}
}

// everything writes all terms, venues and organizers.
func (r *recorder) everything(codes []string) error {
	for _, kind := range []Collection{Categories, Tags} {
		if err := r.allTerms(kind, codes); err != nil {
			return err
		}
	}
	for _, k := range []*linked.Kind{r.parts.Events.Venues, r.parts.Events.Organizers} {
		for _, code := range codes {
			err := r.each(code, k.Posts, false, "edit", func(_ context.Context, items []*item.Item, _ int64) error {
				return r.places(k, items)
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// names are what names items in an export.
type names struct {
	uids   map[int64]string // also of their versions in other languages
	groups map[int64]*store.Group
}

// nameKeys are the meta keys that UIDs are made of.
var nameKeys = []string{schema.MetaSourceUID, schema.MetaStartDate, schema.MetaEndDate}

// names returns the names of items.
func (r *recorder) names(items []*item.Item) (n names, err error) {
	n.uids = map[int64]string{}
	ids := make([]int64, len(items))
	for i, it := range items {
		ids[i] = it.Post.ID
	}
	if r.parts.Events.Service.Content.Languages != nil {
		known, err := r.parts.Events.Service.Content.Store.Translations.Groups(r.ctx, ids, nil)
		if err != nil {
			return n, err
		}
		n.groups = known.Posts
		for _, g := range known.Posts {
			for _, v := range g.Others {
				if v.Post != nil {
					ids = append(ids, v.Post.ID)
				}
			}
		}
	}
	c, err := r.parts.Events.Service.Content.Store.Posts.Content(r.ctx, store.ContentQuery{IDs: ids, Keys: nameKeys})
	if err != nil {
		return n, err
	}
	for id, p := range c.Posts {
		n.uids[id] = feed.UID(r.ctx, r.parts.Events, p, c.Meta[id])
	}
	return n, nil
}

// base is the record of a post, without what it links.
func (r *recorder) base(kind Collection, fields item.Fields, it *item.Item, n names) (*Record, error) {
	values, err := fields.WriteValues(it)
	if err != nil {
		return nil, err
	}
	for name := range values {
		if slices.Contains(r.exporter.LeaveOut, fieldOf(kind, name)) {
			delete(values, name)
		}
	}
	rec := &Record{Kind: kind, UID: n.uids[it.Post.ID], Values: values, Password: it.Post.Password}
	if image, ok := it.Images.Of(it.Meta); ok && !it.Masked {
		rec.Image = image.Source()
	}
	g := n.groups[it.Post.ID]
	if g == nil {
		return rec, nil
	}
	rec.Language = r.parts.Events.Service.Content.Languages.Of(g)
	if len(g.Others) > 0 { // the group has the UID of the version in the first language by name
		first := rec.Language
		rec.Group = rec.UID
		for _, v := range g.Others {
			if v.Post != nil && v.Language < first {
				first, rec.Group = v.Language, n.uids[v.Post.ID]
			}
		}
	}
	return rec, nil
}

// events writes events, each after what it links.
func (r *recorder) events(items []*item.Item) error {
	k, err := r.names(items)
	if err != nil {
		return err
	}
	for _, it := range items {
		if it.Masked {
			r.left(&Problem{Item: plain(it.Post.Title), Field: "password", Reason: "a password hides it from the user"})
			continue
		}
		if it.Post.Password != "" && !r.linked {
			r.left(&Problem{Item: plain(it.Post.Title), Field: "password", Reason: "this form cannot protect it"})
			continue
		}
		rec, err := r.base(Events, r.parts.Events.Fields, it, k)
		if err != nil {
			return err
		}
		exact(rec.Values, it)
		r.hidden(rec, it)
		if rec.Venues, err = r.linkedPlaces(r.parts.Events.Venues, it); err != nil {
			return err
		}
		if rec.Organizers, err = r.linkedPlaces(r.parts.Events.Organizers, it); err != nil {
			return err
		}
		if rec.Categories, err = r.linkedTerms(Categories, it); err != nil {
			return err
		}
		if rec.Tags, err = r.linkedTerms(Tags, it); err != nil {
			return err
		}
		if !r.linked && !r.row(rec) {
			continue
		}
		if err := r.to.Write(rec); err != nil {
			return err
		}
		r.wrote++
	}
	return nil
}

// row reports whether a row of a table can hold an event, and takes out what it cannot.
func (r *recorder) row(rec *Record) bool {
	for _, key := range slices.Sorted(maps.Keys(rec.Rows)) {
		r.lacks(key, "a row has no place for it")
	}
	rec.Rows = nil
	if len(rec.Venues) > 1 {
		r.left(&Problem{Item: rec.name(), Field: "venue", Reason: "a row has no place for more than one"})
		return false
	}
	return true
}

// exact gives the dates of an event their offset, where the clock of its zone shows a time
// twice and the one that is stored is not the one that the API takes for it.
func exact(values map[string]any, it *item.Item) {
	zone, known := events.Zone(it)
	for name, key := range map[string]string{"start_date": schema.MetaStartDateUTC, "end_date": schema.MetaEndDateUTC} {
		if wall, ok := values[name].(string); ok && known {
			values[name] = exactText(wall, it.Meta.Text(key), zone)
		}
	}
}

// costKeys are the meta keys of how costs are shown.
var costKeys = []string{schema.MetaCurrencySymbol, schema.MetaCurrencyCode, schema.MetaCurrencyPosition}

// hidden adds what no write takes.
func (r *recorder) hidden(rec *Record, it *item.Item) {
	rec.State = it.Meta.Text(schema.MetaEventStatus)
	keys := slices.Clone(costKeys)
	for _, f := range site.From(r.ctx).CustomFields {
		keys = append(keys, f.Name)
	}
	for _, key := range keys {
		if values := it.Meta[key]; len(values) > 0 && !(len(values) == 1 && values[0] == "") {
			if rec.Rows == nil {
				rec.Rows = map[string][]string{}
			}
			rec.Rows[key] = slices.Clone(values)
		}
	}
}

// linkedPlaces returns what an event links of a kind.
func (r *recorder) linkedPlaces(k *linked.Kind, it *item.Item) (list []*Record, err error) {
	at := slices.Index(r.parts.Events.Linked, k)
	if at >= len(it.Linked) || len(it.Linked[at]) == 0 {
		return nil, nil
	}
	items := slices.DeleteFunc(slices.Clone(it.Linked[at]), func(one *item.Item) bool { return one.Post.Status == schema.StatusTrash })
	if r.linked {
		if err := r.places(k, items); err != nil {
			return nil, err
		}
	}
	known, err := r.names(items)
	if err != nil {
		return nil, err
	}
	for _, one := range items {
		rec, err := r.place(k, one, known)
		if err != nil {
			return nil, err
		}
		if r.linked {
			rec.Values = map[string]any{k.Name: rec.Values[k.Name]}
			rec.Group, rec.Image, rec.Position, rec.Rows = "", "", nil, nil
			rec.Password = ""
		}
		list = append(list, rec)
	}
	return list, nil
}

// place is the record of a venue or organizer.
func (r *recorder) place(k *linked.Kind, it *item.Item, known names) (*Record, error) {
	kind := Collection(k.Type.Collection)
	rec, err := r.base(kind, k.Fields, it, known)
	if err != nil {
		return nil, err
	}
	if it.Post.Name != "" {
		rec.Values["slug"] = it.Post.Name
	}
	if lat, lng, ok := linked.Coordinates(it); ok && kind == Venues {
		rec.Position = &Position{lat, lng}
		for key, n := range map[string]float64{schema.MetaVenueLat: lat, schema.MetaVenueLng: lng} {
			if text := it.Meta.Text(key); text != degrees(n) { // it is written in another way
				if rec.Rows == nil {
					rec.Rows = map[string][]string{}
				}
				rec.Rows[key] = []string{text}
			}
		}
	}
	return rec, nil
}

// places writes venues or organizers that are not written yet.
func (r *recorder) places(k *linked.Kind, items []*item.Item) error {
	var fresh []*item.Item
	for _, it := range items {
		key := fmt.Sprint(k.Type.Collection, it.Post.ID)
		switch {
		case r.written[key]:
			continue
		case it.Masked:
			r.left(&Problem{Item: plain(it.Post.Title), Field: "password", Reason: "a password hides it from the user"})
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
		rec, err := r.place(k, it, known)
		if err != nil {
			return err
		}
		if err := r.to.Write(rec); err != nil {
			return err
		}
	}
	return nil
}

func (r *recorder) termKind(kind Collection) *term.Kind {
	if kind == Categories {
		return r.parts.Events.Categories
	}
	return r.parts.Events.Tags
}

// tree returns all terms of a kind, by id.
func (r *recorder) tree(kind Collection) (map[int64]*store.TaxonomyTerm, error) {
	if tree, known := r.trees[kind]; known {
		return tree, nil
	}
	all, err := r.parts.Events.Service.Content.Store.Terms.Tree(r.ctx, r.termKind(kind).Taxonomy)
	if err != nil {
		return nil, err
	}
	tree := map[int64]*store.TaxonomyTerm{}
	for _, t := range all {
		tree[t.ID] = t
	}
	if r.trees == nil {
		r.trees = map[Collection]map[int64]*store.TaxonomyTerm{}
	}
	r.trees[kind] = tree
	return tree, nil
}

// allTerms writes the terms of a kind in some languages.
func (r *recorder) allTerms(kind Collection, codes []string) error {
	tree, err := r.tree(kind)
	if err != nil {
		return err
	}
	ids := make([]int64, 0, len(tree))
	for id := range tree {
		ids = append(ids, id)
	}
	slices.Sort(ids)
	for _, code := range codes {
		for _, id := range ids {
			rec, err := r.term(kind, tree[id], 0)
			if err != nil {
				return err
			}
			if rec.Language == code {
				if err := r.writeTerm(kind, tree[id], rec); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// writeTerm writes a term once, after those above it.
func (r *recorder) writeTerm(kind Collection, t *store.TaxonomyTerm, rec *Record) error {
	key := fmt.Sprint(kind, t.ID)
	if r.written[key] {
		return nil
	}
	r.written[key] = true
	tree, err := r.tree(kind)
	if err != nil {
		return err
	}
	if parent := tree[t.Parent]; parent != nil && parent != t {
		above, err := r.term(kind, parent, 0)
		if err != nil {
			return err
		}
		if err := r.writeTerm(kind, parent, above); err != nil {
			return err
		}
	}
	if err := r.to.Write(rec); err != nil {
		return err
	}
	return nil
}

// maxParents limits the way up a tree, which may be circular as stored.
const maxParents = 50

// term is the record of a term.
func (r *recorder) term(kind Collection, t *store.TaxonomyTerm, depth int) (*Record, error) {
	rec := &Record{Kind: kind, Values: map[string]any{"name": t.Name, "slug": t.Slug}}
	if t.Description != "" {
		rec.Values["description"] = t.Description
	}
	tree, err := r.tree(kind)
	if err != nil {
		return nil, err
	}
	if parent := tree[t.Parent]; parent != nil && depth < maxParents {
		if rec.Parent, err = r.term(kind, parent, depth+1); err != nil {
			return nil, err
		}
		rec.Parent.Group, rec.Parent.Parent = "", nil
		delete(rec.Parent.Values, "description")
	}
	if r.parts.Events.Service.Content.Languages == nil {
		return rec, nil
	}
	known, err := r.parts.Events.Service.Content.Store.Translations.Groups(r.ctx, nil, []*store.TaxonomyTerm{t})
	if err != nil {
		return nil, err
	}
	g := known.Terms[t.TaxonomyID]
	rec.Language = r.parts.Events.Service.Content.Languages.Of(g)
	if len(g.Others) > 0 {
		first := store.Version{Language: rec.Language, Term: t}
		for _, v := range g.Others {
			if v.Term != nil && v.Language < first.Language {
				first = v
			}
		}
		rec.Group = first.Language + ":" + first.Term.Slug
	}
	return rec, nil
}

// linkedTerms returns the terms of an event of a kind.
func (r *recorder) linkedTerms(kind Collection, it *item.Item) (list []*Record, err error) {
	for _, t := range it.Terms {
		if t.Taxonomy != r.termKind(kind).Taxonomy {
			continue
		}
		rec, err := r.term(kind, t, 0)
		if err != nil {
			return nil, err
		}
		if r.linked {
			if err := r.writeTerm(kind, t, rec); err != nil {
				return nil, err
			}
			rec = &Record{Kind: kind, Language: rec.Language, Values: map[string]any{"name": t.Name, "slug": t.Slug}}
		}
		list = append(list, rec)
	}
	return list, nil
}
