package linked

import (
	"context"
	"maps"
	"slices"

	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/surrogate"
	"github.com/agendahq/agenda/internal/wp/strtotime"
	"github.com/agendahq/agenda/schema"
)

// Query builds the query of a list, and adds its parameters to the URLs of other pages.
func (k *UseCases) Query(ctx context.Context, v *item.View, page *call.Page) (item.Query, error) {
	q := &query{
		LinkedFilter: &store.LinkedFilter{
			Type: k.PostType, Language: k.Service.Content.Languages.Filter(ctx, k.PostType), MetaKeys: k.SearchKeys,
			Unlocked: !content.EditsAll(ctx, k.PostType),
		},
		Selection: item.Selection{Ctx: ctx, Call: v.Call, View: v, Links: &page.Filters},
	}
	q.Links.Add("per_page", format(page.Size))
	if err := k.filters.Apply(q, &q.Selection); err != nil || q.Nothing {
		return item.Query{}, err
	}
	if sync := v.Call.Sync; sync != nil {
		narrow(q.LinkedFilter, sync.Among)
	}
	if err := k.related(q); err != nil {
		return item.Query{}, err
	}
	q.order()
	k.Service.CarryOn(v.Call, q.Links)
	f := q.LinkedFilter
	return item.Query{
		Page: func(ctx context.Context, limit, offset int64) (refs []store.Ref, err error) {
			ids, err := k.Service.Content.Store.Links.Page(ctx, f, limit, offset)
			for _, id := range ids {
				refs = append(refs, store.Ref{ID: id, Post: id})
			}
			return refs, err
		},
		Count: func(ctx context.Context) (int64, error) { return k.Service.Content.Store.Links.Count(ctx, f) },
	}, nil
}

// related restricts the query to posts that certain events link to. A link to one translation of a post counts for all
// its translations. The posts of one event are those that the event shows.
func (k *UseCases) related(q *query) (err error) {
	ctx, links, versions := q.Ctx, k.Service.Content.Store.Links, q.View.Versions
	var own []int64
	if q.event != nil {
		own = store.LinkedIDs(q.event.Values)
	}
	var asked []store.Linked
	if q.has != nil {
		asked = append(asked, k.linking(ctx, *q.has))
	}
	if q.upcoming {
		asked = append(asked, k.upcoming(ctx, q.Call))
	}
	if q.event != nil || len(asked) > 0 {
		surrogate.From(ctx).List(k.Service.Content.Types.Events().Collection)
	}
	if versions == nil && len(asked) > 0 && links.Regular(ctx) {
		q.Linked, asked = asked, nil
	}
	found := make([][]int64, len(asked))
	for i, events := range asked {
		if found[i], err = links.Linked(ctx, k.PostType, events); err != nil {
			return err
		}
	}
	if err := versions.Load(ctx, slices.Concat(own, slices.Concat(found...)), nil); err != nil {
		return err
	}
	if q.event != nil {
		narrow(q.LinkedFilter, versions.ShownPosts(ctx, own))
		q.Language = store.LanguageFilter{}
	}
	for i, events := range asked {
		ids := versions.AllPosts(found[i])
		if events.Not {
			q.NotIDs = &ids
		} else {
			narrow(q.LinkedFilter, ids)
		}
	}
	return nil
}

// uncounted are the statuses of events that has_events ignores: unpublished ones and trash.
var uncounted = []string{schema.StatusDraft, schema.StatusPending, schema.StatusTrash}

// linking selects posts by whether an event that the caller may read links them.
func (k *UseCases) linking(ctx context.Context, has bool) store.Linked {
	postType := k.Service.Content.Types.Events().PostType
	counted := slices.DeleteFunc(slices.Clone(schema.RegisteredStatuses), func(s string) bool { return slices.Contains(uncounted, s) })
	return store.Linked{
		Language: k.Service.Content.Languages.Filter(ctx, postType), Not: !has,
		Visible: k.Service.Content.Types.VisibleIn(ctx, postType, counted), Unlocked: !content.EditsAll(ctx, postType),
	}
}

// upcoming selects the posts that an upcoming event links.
func (k *UseCases) upcoming(ctx context.Context, c *call.Call) store.Linked {
	postType := k.Service.Content.Types.Events().PostType
	events := store.Linked{
		Language: k.Service.Content.Languages.Filter(ctx, postType), Unlocked: !content.EditsAll(ctx, postType),
		Upcoming: strtotime.Wall(k.Service.Content.Clock.Moment(ctx).UTC()),
	}
	events.Visible, _ = k.Service.Visible(ctx, c, postType)
	events.Visible.Statuses = slices.DeleteFunc(events.Visible.Statuses, func(s string) bool { return s == schema.StatusTrash })
	return events
}

// narrow restricts the list to ids. If it is restricted already, both restrictions apply.
func narrow(f *store.LinkedFilter, ids []int64) {
	if f.IDs != nil {
		ids = slices.DeleteFunc(slices.Clone(ids), func(id int64) bool { return !slices.Contains(*f.IDs, id) })
	}
	f.IDs = &ids
}

func (q *query) order() {
	by, order := q.Sorting()
	switch o := store.LinkedOrder(by); o {
	case store.LinkedByTitle, store.LinkedByModified, store.LinkedByID:
		q.Order, q.Ascending = o, order != "desc"
	default:
		q.Order, q.Ascending = store.LinkedByDate, order == "asc"
		if q.near && by == "" {
			q.Order, q.Ascending = store.LinkedByRank, order != "desc"
		}
	}
}

// Get reads the item that the path names.
func (k *UseCases) Get(ctx context.Context, c *call.Call) (*item.Single, error) {
	p := addressed(c)
	if !k.Service.Content.Types.CanRead(ctx, p) {
		return nil, k.Errors.NotAccessible
	}
	if err := k.Service.CheckContext(ctx, c, p); err != nil {
		return nil, err
	}
	view := k.Service.View(ctx, c)
	view.Single, view.Trial, view.Selected = true, true, c.Fields
	own, err := k.Service.Content.Store.Posts.Content(ctx, store.ContentQuery{
		IDs: []int64{p.ID}, NoRows: pathID.IsGiven(c.Values), Keys: k.Keys.Readable(ctx),
	})
	if err != nil {
		return nil, err
	}
	if whole := own.Posts[p.ID]; whole != nil { // the slug was looked up without reading the texts
		p = whole
	}
	own.Posts[p.ID] = p
	items, err := itemsOf(ctx, view, own, []int64{p.ID})
	if err != nil {
		return nil, err
	}
	single, revision := &item.Single{Item: items[0]}, k.revision(ctx, p, items[0].Meta)
	single.Raw = item.Editing(c)
	k.RecordKeys(ctx, single.Item)
	if !single.Masked || content.CanEdit(ctx, p) {
		// For other callers, the revision covers only what they see. If it covered the stored item, they could use it
		// to check guesses of what the password hides.
		single.Revision = revision
	}
	single.Fingerprint = view.Fingerprint(revision) // the revision is of the row, which was read before the rest
	return single, nil
}

// Items reads posts, with the related data that responses show.
func (k *UseCases) Items(ctx context.Context, v *item.View, refs []store.Ref) ([]*item.Item, error) {
	ids := make([]int64, len(refs))
	for i, r := range refs {
		ids[i] = r.ID
	}
	own, err := k.Service.Content.Store.Posts.Content(ctx, store.ContentQuery{
		IDs: ids, Keys: k.Keys.Readable(ctx), Without: k.Fields.Unread(v.Selected),
	})
	if err != nil {
		return nil, err
	}
	return itemsOf(ctx, v, own, ids)
}

// itemsOf returns the items of posts that were read, and loads the related data that a response shows.
func itemsOf(ctx context.Context, v *item.View, own *store.Content, ids []int64) (items []*item.Item, err error) {
	if err := v.Versions.Load(ctx, ids, nil); err != nil {
		return nil, err
	}
	if _, err := v.Load(ctx, own, nil, nil, 0); err != nil {
		return nil, err
	}
	if err := v.Unlock(slices.Collect(maps.Values(own.Posts))...); err != nil {
		return nil, err
	}
	for _, id := range ids {
		if p := own.Posts[id]; p != nil {
			items = append(items, &item.Item{View: v, Post: p, Meta: own.Meta[id], Masked: v.Locked(p), Selected: v.Selected})
		}
	}
	return items, nil
}
