package event

import (
	"context"
	"maps"
	"slices"
	"strconv"

	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/linked"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/term"
	"github.com/agendahq/agenda/schema"
)

// Get reads the event that the path names.
func (k *UseCases) Get(ctx context.Context, c *call.Call) (*item.Single, error) {
	if PathID.IsGiven(c.Values) {
		return k.byID(ctx, c)
	}
	return k.bySlug(ctx, c)
}

func (k *UseCases) byID(ctx context.Context, c *call.Call) (*item.Single, error) {
	id := PathID.Value(c.Values)
	found, err := k.find(ctx, []store.Ref{{ID: id}}, false, 0)
	if err != nil {
		return nil, err
	}
	p, date := postOf(found, id)
	switch {
	case p == nil:
		return nil, k.Errors.NotFound.With("ID", strconv.FormatInt(id, 10))
	case p.Type != k.PostType:
		return nil, k.Errors.OtherKind.With("ID", strconv.FormatInt(id, 10))
	}
	return k.single(ctx, c, p, date, found)
}

func (k *UseCases) bySlug(ctx context.Context, c *call.Call) (*item.Single, error) {
	p, err := k.Service.Content.Slugs.FindSlug(ctx, k.PostType, PathSlug.Value(c.Values))
	if err != nil {
		return nil, err
	}
	if p == nil {
		return nil, param.Refuse(string(PathSlug), param.Invalid("fault_slug"))
	}
	found, err := k.find(ctx, []store.Ref{{ID: p.ID, Post: p.ID}}, false, 0)
	if err != nil {
		return nil, err
	}
	if whole := found.Posts[p.ID]; whole != nil { // the look-up of the slug did not load the long texts
		p = whole
	}
	return k.single(ctx, c, p, nil, found)
}

// single reads an event or an occurrence. It first checks whether it is in the trash, then the right to read it, and
// then the password.
func (k *UseCases) single(ctx context.Context, c *call.Call, p *store.Post, date *store.Date, found *store.Content) (*item.Single, error) {
	switch {
	case p.Status == schema.StatusTrash:
		return nil, k.Errors.Trashed
	case !k.Service.Content.Types.CanRead(ctx, p):
		return nil, k.Errors.NotAccessible
	}
	if err := k.Service.CheckContext(ctx, c, p); err != nil {
		return nil, err
	}
	view := k.Service.View(ctx, c)
	view.Trial, view.Single, view.Selected = true, true, c.Fields
	if err := view.Unlock(p); err != nil {
		return nil, err
	}
	if view.Locked(p) {
		return nil, k.Errors.Protected
	}
	view.Trial = false // the attempt was counted already
	b, err := k.load(ctx, view, found, 0)
	if err != nil {
		return nil, err
	}
	it := k.item(b, p, date)
	single := &item.Single{Item: it, Revision: k.revision(ctx, p, it.Meta, found.Terms[p.ID], it.Dates)}
	single.Raw = item.Editing(c)
	k.RecordKeys(ctx, it)
	if dated(single.Meta) {
		single.Fingerprint = view.Fingerprint()
	}
	return single, nil
}

// batch contains everything that the events of a response show, loaded for all of them together.
type batch struct {
	*item.View
	own    *store.Content // the events, with their terms and occurrences
	linked *store.Content // the posts that they link

	tickets map[int64][]*store.Ticket // the tickets of the events
}

// metaKeys returns the meta keys of a site's events, and those among them that belong to custom fields, whose values
// may be of any type.
func (k *UseCases) metaKeys(ctx context.Context) (all, custom []string) {
	for _, f := range site.From(ctx).CustomFields {
		custom = append(custom, f.Name)
	}
	return slices.Concat(k.keys.Readable(ctx), custom), custom
}

// find reads the events and occurrences with the given refs: their rows, meta rows and terms, and the data about
// occurrences that a list or the response for a single event shows. The columns without are not read.
func (k *UseCases) find(ctx context.Context, refs []store.Ref, listed bool, without store.Texts) (*store.Content, error) {
	base, err := k.Service.DateBase(ctx)
	if err != nil {
		return nil, err
	}
	q := store.ContentQuery{Taxonomies: k.Service.Content.Taxonomies, DateBase: base, Without: without}
	var custom []string
	q.Keys, custom = k.metaKeys(ctx)
	q.Raw = append(custom, schema.MetaHideFromUpcoming)
	var unknown, known []int64
	for _, r := range refs {
		switch {
		case base == 0 || r.ID <= base || r.ID == r.Post:
			q.IDs = append(q.IDs, r.ID)
		case r.Post == 0:
			q.IDs, unknown = append(q.IDs, r.ID), append(unknown, r.ID)
		default:
			q.Dates, known = append(q.Dates, r.ID), append(known, r.Post)
		}
	}
	dates, err := k.Service.Dates(ctx, unknown)
	if err != nil {
		return nil, err
	}
	for _, d := range dates {
		q.Several = append(q.Several, d.Post)
	}
	q.IDs = slices.Concat(q.IDs, q.Several, known)
	switch {
	case base != 0 && listed: // every item that is not an occurrence is an event with a single date
	case k.haveSeveral(base):
		q.Several = q.IDs
	}
	found, err := k.Service.Content.Store.Posts.Content(ctx, q)
	if err != nil {
		return nil, err
	}
	maps.Copy(found.Dates, dates)
	return found, nil
}

// haveSeveral reports whether events may have several occurrences, on a site with the given DateBase.
func (k *UseCases) haveSeveral(base int64) bool {
	return base != 0 || k.Service.Content.Store.Config.DateColumns
}

// postOf returns the post that an id refers to, or nil. If the id is that of an occurrence, it returns that, too. An id
// of a post always means the post.
func postOf(found *store.Content, id int64) (*store.Post, *store.Date) {
	p, date := found.Posts[id], found.Dates[id]
	if p != nil || date == nil {
		return p, nil
	}
	return found.Posts[date.Post], date
}

// listed returns the post and the occurrence of an item in a list. Since a list only contains events, an id that
// another post has means an occurrence.
func (k *UseCases) listed(found *store.Content, r store.Ref) (*store.Post, *store.Date) {
	p, date := postOf(found, r.ID)
	if other := found.Dates[r.ID]; other != nil && (r.Post == other.Post || p != nil && p.Type != k.PostType) {
		return found.Posts[other.Post], other
	}
	return p, date
}

// Items reads events or occurrences with everything that responses show of them.
func (k *UseCases) Items(ctx context.Context, v *item.View, refs []store.Ref) (items []*item.Item, err error) {
	own, linked := k.unread(v)
	found, err := k.find(ctx, refs, v.Listed() && v.Call.Sync == nil, own)
	if err != nil {
		return nil, err
	}
	if err := v.Unlock(slices.Collect(maps.Values(found.Posts))...); err != nil {
		return nil, err
	}
	b, err := k.load(ctx, v, found, linked)
	if err != nil {
		return nil, err
	}
	for _, r := range refs {
		if p, date := k.listed(found, r); p != nil {
			items = append(items, k.item(b, p, date))
		}
	}
	return items, nil
}

// EachDate reads the occurrences of a recurring event, at most most of them, as separate items in their order. If the
// site does not list occurrences, it returns the event.
func (k *UseCases) EachDate(ctx context.Context, it *item.Item, most int) ([]*item.Item, error) {
	base, err := k.Service.DateBase(ctx)
	if err != nil || base == 0 {
		return []*item.Item{it}, err
	}
	dates, err := k.Service.Content.Store.Events.AllDates(ctx, []int64{it.Post.ID})
	if err != nil {
		return nil, err
	}
	var refs []store.Ref
	for _, d := range dates[it.Post.ID] {
		refs = append(refs, store.Ref{ID: base + d.ID, Post: it.Post.ID})
	}
	return k.Items(ctx, it.View, refs[:min(len(refs), most)])
}

// unread returns the columns of events and their terms that need not be loaded, and those of linked posts. Linked posts
// are read together with what descriptions embed, so only columns that the events do not need either can be left out.
func (k *UseCases) unread(v *item.View) (own, linked store.Texts) {
	terms := store.Descriptions
	for name, kind := range map[param.Key[term.Assignment]]*term.UseCases{fieldCategories: k.Categories, fieldTags: k.Tags} {
		terms &= kind.Nested.Unread(v.Selected.Members(string(name)))
	}
	own = k.Fields.Unread(v.Selected)&^store.Descriptions | terms
	linked = own
	for _, kind := range k.Linked {
		linked &= kind.Fields.Unread(v.Selected.Members(kind.Name))
	}
	return own, linked
}

// load reads everything that events show besides their own rows. The columns without of linked posts are left out.
func (k *UseCases) load(ctx context.Context, view *item.View, own *store.Content, without store.Texts) (*batch, error) {
	b := &batch{View: view, own: own}
	if err := k.Service.ReadDates(ctx, view, own); err != nil {
		return nil, err
	}
	var linked []int64
	for _, kind := range k.Linked {
		for _, m := range own.Meta {
			linked = append(linked, store.LinkedIDs(m[kind.LinkKey])...)
		}
	}
	linked, err := b.versions(ctx, linked)
	if err != nil {
		return nil, err
	}
	if err := k.termMeta(ctx, b); err != nil {
		return nil, err
	}
	if b.linked, err = view.Load(ctx, own, linked, k.linkedKeys.Readable(ctx), without); err != nil {
		return nil, err
	}
	return b, k.readTickets(ctx, b)
}

// versions loads the translations of events, of linked posts and of terms. It returns the linked ids together with
// those of the posts to show for them.
func (b *batch) versions(ctx context.Context, linked []int64) ([]int64, error) {
	if b.Versions == nil {
		return linked, nil
	}
	var terms []*store.TaxonomyTerm
	for _, list := range b.own.Terms {
		terms = append(terms, list...)
	}
	if err := b.Versions.Load(ctx, slices.AppendSeq(slices.Clone(linked), maps.Keys(b.own.Posts)), terms); err != nil {
		return nil, err
	}
	return append(linked, b.Versions.ShownPosts(ctx, linked)...), nil
}

// termMeta reads the meta rows of the terms that the events show.
func (k *UseCases) termMeta(ctx context.Context, b *batch) error {
	var terms []*store.TaxonomyTerm
	if len(k.Categories.Keys.Readable(ctx))+len(k.Tags.Keys.Readable(ctx)) == 0 {
		return nil
	}
	for _, list := range b.own.Terms {
		terms = append(terms, b.Versions.ShownTerms(list)...)
	}
	return b.LoadTermMeta(ctx, k.Categories.Rows(ctx, terms...), k.Tags.Rows(ctx, terms...))
}

// linkedItems returns the posts of a resource that meta rows link and the caller may read, in stored order.
func (k *UseCases) linkedItems(b *batch, kind *linked.UseCases, values []string) (items []*item.Item) {
	selected := b.Selected.Members(kind.Name)
	for _, id := range store.LinkedIDs(values) {
		// Its translation into the requested language is shown, if that has the same type.
		if other := b.linked.Posts[b.Versions.ShownPost(b.Ctx, id)]; other != nil && other.Type == kind.PostType {
			id = other.ID
		}
		if b.Versions != nil && slices.ContainsFunc(items, func(it *item.Item) bool { return it.Post.ID == id }) {
			continue // another translation of the same post is shown already
		}
		p := b.linked.Posts[id]
		if p == nil || p.Type != kind.PostType || !k.Service.Content.Types.CanRead(b.Ctx, p) {
			continue
		}
		// The password of an event does not open its venue.
		masked := p.Password != "" && !(item.Editing(b.Call) && content.CanEdit(b.Ctx, p))
		items = append(items, &item.Item{View: b.View, Post: p, Meta: b.linked.Meta[id], Masked: masked, Selected: selected})
	}
	return items
}

// item returns an event or an occurrence as responses show it. If a password hides it, only its title, dates and URLs
// are shown.
func (k *UseCases) item(b *batch, p *store.Post, date *store.Date) *item.Item {
	it := &item.Item{View: b.View, Post: p, Date: date, Meta: b.own.Meta[p.ID], Masked: b.Locked(p), Tickets: b.tickets[p.ID],
		Selected: b.Selected}
	if it.Dates = b.own.Several[p.ID]; it.Dates != nil {
		b.Show(*it.Dates)
	}
	if date != nil {
		b.Show(*date)
		it.Meta = datedMeta(it.Meta, date)
	}
	if it.Masked {
		return it
	}
	it.Terms = b.Versions.ShownTerms(b.own.Terms[p.ID])
	it.Linked = make([][]*item.Item, 0, len(k.Linked))
	for _, kind := range k.Linked {
		it.Linked = append(it.Linked, k.linkedItems(b, kind, it.Meta[kind.LinkKey]))
	}
	return it
}

// datedMeta returns the meta rows of an event with the dates of an occurrence in place of the event's.
func datedMeta(m store.Meta, d *store.Date) store.Meta {
	dated := maps.Clone(m)
	dated[schema.MetaStartDate], dated[schema.MetaEndDate] = []string{d.Start}, []string{d.End}
	dated[schema.MetaStartDateUTC], dated[schema.MetaEndDateUTC] = []string{d.StartUTC}, []string{d.EndUTC}
	dated[schema.MetaDuration] = []string{itoa(d.Duration)}
	return dated
}
