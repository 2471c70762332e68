package exchange

import (
	"context"
	"maps"
	"slices"

	"github.com/agendahq/agenda/internal/budget"
	"github.com/agendahq/agenda/internal/call"
	events "github.com/agendahq/agenda/internal/event"
	"github.com/agendahq/agenda/internal/feed"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/registry"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/store/langstore"
	"github.com/agendahq/agenda/schema"
)

// records writes the list as records. linked writes linked items as records too, each before the first event that links
// it; and if nothing restricts the list, all venues, organizers and terms.
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
	for _, code := range x.codesOf(x.resources.events, codes) {
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

// recorder converts items to records.
type recorder struct {
	*exporting
	to      recordWriter
	linked  bool
	written map[string]bool                              // linked items that were written
	trees   map[Collection]map[int64]*store.TaxonomyTerm // terms by resource and id

	termMeta map[Collection]map[int64]store.Meta // meta of the fields that the host declares, by the keys of trees
}

// each calls f for the items of a list, page by page. view is the view of the list, "" for the default one.
func (x *exporting) each(code string, cases item.UseCases, events bool, view string,
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
		u := registry.Use{Collection: cases.Declaration().Collection, Verb: registry.List, Values: query, Language: code}
		err = x.parts.Use(budget.Counted(x.ctx), u,
			func(ctx context.Context, c *call.Call) (err error) {
				c.Whole = true // a record is a whole event rather than an occurrence
				page, size := x.parts.Events.Service.PageOf(c)
				if l, err = cases.List(ctx, c, page, size); err != nil {
					return err
				}
				return l.Portions(ctx, func(items []*item.Item) error { return f(ctx, items, l.Total) })
			})
		if err == nil {
			err = x.unheld(false) // no need to read more
		}
		if err != nil {
			return err
		}
		if len(l.Refs) == 0 || number*x.size() >= l.Total {
			return nil
		}
	}
}

// everything writes all terms, venues and organizers.
func (r *recorder) everything(codes []string) error {
	for _, k := range r.resources.linked {
		if k.terms == nil {
			continue
		}
		if err := r.allTerms(k, codes); err != nil {
			return err
		}
	}
	for _, k := range r.resources.posts() {
		for _, code := range r.codesOf(k, codes) {
			err := r.each(code, k.cases, false, "edit", func(_ context.Context, items []*item.Item, _ int64) error {
				return r.posts(k, items)
			})
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// names contains what identifies items in an export.
type names struct {
	uids   map[int64]string // those of their translations included
	groups map[int64]*langstore.Group
}

// nameKeys are the meta keys that UIDs are made from.
var nameKeys = []string{schema.MetaSourceUID, schema.MetaStartDate, schema.MetaEndDate}

// names returns the names of items.
func (r *recorder) names(items []*item.Item) (n names, err error) {
	n.uids = map[int64]string{}
	ids := make([]int64, len(items))
	for i, it := range items {
		ids[i] = it.Post.ID
	}
	if r.parts.Events.Service.Content.Languages != nil {
		known, err := r.parts.Events.Service.Content.Translations.Groups(r.ctx, ids, nil)
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

// valued returns a record with the values of an item that the format can represent.
func (r *recorder) valued(k *resource, it *item.Item) (rec *Record, err error) {
	rec = &Record{Kind: k.Collection, title: k.Title}
	if rec.Values, err = k.declared.WriteValues(it); err != nil {
		return nil, err
	}
	maps.DeleteFunc(rec.Values, func(name string, _ any) bool { return r.unwritten[k.column(name)] })
	rec.unplaced, err = r.valuesOf(k, it)
	return rec, err
}

// appendRecord writes a record.
func (r *recorder) appendRecord(rec *Record) error {
	r.find(rec)
	return r.to.Write(rec)
}

// findInEvents marks what the events, and what they link, have and iCalendar cannot represent.
func (r *recorder) findInEvents(items []*item.Item) error {
	sought := slices.DeleteFunc(slices.Clone(r.resources.linked), func(k *resource) bool {
		return !slices.ContainsFunc(r.sought, func(u *unplaced) bool { return u.kind == k && !u.found })
	})
	for _, it := range items {
		if it.Masked {
			continue
		}
		rec, err := r.base(r.resources.events, it, names{})
		if err == nil {
			err = r.link(rec, it, sought)
		}
		if err != nil {
			return err
		}
		r.find(rec)
	}
	return nil
}

// base returns the record of a post, without what it links.
func (r *recorder) base(k *resource, it *item.Item, n names) (*Record, error) {
	rec, err := r.valued(k, it)
	if err != nil {
		return nil, err
	}
	rec.UID, rec.Password = n.uids[it.Post.ID], it.Post.Password
	if image, ok := it.Images.Featured(it.Meta); ok && !it.Masked {
		rec.Image = image.Source()
		if alt := image.Alt(); alt != "" { // stored with the image, so it is in no field of the item
			rec.Values[fieldImageAlt] = alt
		}
	}
	g := n.groups[it.Post.ID]
	if g == nil || !translated(r.ctx, r.parts, k) {
		return rec, nil
	}
	rec.Language = r.parts.Events.Service.Content.Languages.ForGroup(g)
	if len(g.Others) > 0 { // translations are grouped by the UID of the one in the alphabetically first language
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
	dates, err := r.allDates(items)
	if err != nil {
		return err
	}
	for _, it := range items {
		if it.Masked {
			r.left(&Problem{Item: plainText(it.Post.Title), Field: "password", Reason: hiddenByPassword})
			continue
		}
		if it.Post.Password != "" && !r.linked {
			r.left(&Problem{Item: plainText(it.Post.Title), Field: "password", Reason: "this format cannot protect it"})
			continue
		}
		rec, err := r.base(r.resources.events, it, k)
		if err != nil {
			return err
		}
		addOffsets(rec.Values, it)
		r.putDates(rec, it, dates)
		r.hidden(rec, it)
		if err := r.link(rec, it, r.resources.linked); err != nil {
			return err
		}
		if !r.linked && !r.row(rec) {
			continue
		}
		if err := r.appendRecord(rec); err != nil {
			return err
		}
		r.wrote++
	}
	return nil
}

// link adds the linked items of some resources to the record of an event.
func (r *recorder) link(rec *Record, it *item.Item, of []*resource) error {
	for _, k := range of {
		list, err := r.linkedTo(k, it)
		if err != nil {
			return err
		}
		if len(list) > 0 {
			rec.link(k.Collection, list...)
		}
	}
	return nil
}

// linkedTo returns the records of a resource that an event links.
func (r *recorder) linkedTo(k *resource, it *item.Item) ([]*Record, error) {
	if k.terms != nil {
		return r.linkedTerms(k, it)
	}
	return r.linkedPosts(k, it)
}

// row reports whether a CSV row can hold an event, and removes the parts that it cannot hold.
func (r *recorder) row(rec *Record) bool {
	for _, key := range slices.Sorted(maps.Keys(rec.Rows)) {
		r.lacks(key, "a row has no cell for it")
	}
	rec.Rows = nil
	for _, k := range r.resources.linked {
		if k.LinksOne && len(rec.Linked[k.Collection]) > 1 {
			r.left(&Problem{Item: rec.name(), Field: k.field, Reason: "a row has a cell for only one"})
			return false
		}
	}
	return true
}

// addOffsets adds the UTC offset to the start and the end of an event if the local time occurs twice and the stored instant
// is not the one that the API would assume.
func addOffsets(values map[string]any, it *item.Item) {
	zone, known := events.Zone(it)
	for name, key := range map[string]string{"start_date": schema.MetaStartDateUTC, "end_date": schema.MetaEndDateUTC} {
		if wall, ok := values[name].(string); ok && known {
			values[name] = exactText(wall, it.Meta.Text(key), zone)
		}
	}
}

// costKeys are the meta keys that determine how costs are displayed.
var costKeys = []string{schema.MetaCurrencySymbol, schema.MetaCurrencyCode, schema.MetaCurrencyPosition}

// hidden adds the values that no request can set.
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
