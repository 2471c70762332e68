package event

import (
	"context"
	"net/http"
	"slices"
	"strconv"

	"github.com/agendahq/agenda/internal/link"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/post"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/schema"
)

// Errors of single events.
var (
	errNotFound  = rest.NewError(http.StatusNotFound, "rest-event-not-found", "error_event_not_found")
	errNoEvent   = rest.NewError(http.StatusBadRequest, "rest-invalid-event-id", "error_event_id")
	errTrashed   = rest.NewError(http.StatusForbidden, "event-no-longer-available", "error_event_trashed")
	errNotYours  = rest.NewError(http.StatusForbidden, "event-not-accessible", "error_event_not_accessible")
	errProtected = rest.NewError(http.StatusForbidden, "event-password-protected", "error_event_protected")
)

// byID answers one event by its id.
func (k *Kind) byID(ctx context.Context, r *rest.Request) (*rest.Response, error) {
	id := param.Value[int64](r.Values, "id")
	found, err := k.Store.Posts(ctx, []int64{id})
	if err != nil {
		return nil, err
	}
	p := found[id]
	switch {
	case p == nil:
		return nil, errNotFound.With("ID", strconv.FormatInt(id, 10))
	case p.Type != k.Names.Event:
		return nil, errNoEvent.With("ID", strconv.FormatInt(id, 10))
	}
	return k.single(ctx, r, p)
}

// bySlug answers one event by its slug.
func (k *Kind) bySlug(ctx context.Context, r *rest.Request) (*rest.Response, error) {
	p, err := k.FindSlug(ctx, k.Names.Event, param.Value[string](r.Values, "slug"))
	if err != nil {
		return nil, err
	}
	if p == nil {
		return nil, param.Refuse("slug", param.Invalid("fault_slug"))
	}
	return k.single(ctx, r, p)
}

// single answers an event: trash is told first, then the right to read, then
// the password.
func (k *Kind) single(ctx context.Context, r *rest.Request, p *store.Post) (*rest.Response, error) {
	switch {
	case p.Status == schema.StatusTrash:
		return nil, errTrashed
	case !k.MayRead(ctx, p):
		return nil, errNotYours
	}
	if err := k.CheckContext(ctx, r, p); err != nil {
		return nil, err
	}
	if k.Locked(ctx, r, p) {
		return nil, errProtected
	}
	batch, err := k.load(ctx, k.View(ctx, r), map[int64]*store.Post{p.ID: p}, []int64{p.ID})
	if err != nil {
		return nil, err
	}
	batch.Single, batch.raw = true, post.Editing(r)
	r.State = k.state(ctx, p, batch.meta[p.ID], batch.terms[p.ID])
	k.write(ctx, r, batch, p)
	return nil, nil
}

// batch is what the events of an answer show, loaded for all of them at once.
type batch struct {
	*post.View
	raw        bool // the event's editor sees what is stored beside what is shown
	written    bool // the caller has just written the event: no password hides it
	meta       map[int64]store.Meta
	terms      map[int64][]*store.TaxonomyTerm // as they are assigned
	linked     map[int64]*store.Post
	linkedMeta map[int64]store.Meta
}

// eventKeys are the meta keys that an event's answer needs.
var eventKeys = []string{
	schema.MetaStartDate, schema.MetaEndDate, schema.MetaStartDateUTC, schema.MetaEndDateUTC, schema.MetaAllDay,
	schema.MetaTimezone, schema.MetaTimezoneAbbr, schema.MetaCost, schema.MetaCurrencySymbol, schema.MetaCurrencyCode,
	schema.MetaCurrencyPosition, schema.MetaURL, schema.MetaShowMap, schema.MetaShowMapLink,
	schema.MetaHideFromUpcoming, schema.MetaFeatured, schema.MetaEventStatus, schema.MetaVenueID, schema.MetaOrganizerID,
	schema.MetaThumbnailID, schema.MetaGlobalIDLineage,
}

// metaKeys are the meta keys of a site's events.
func metaKeys(s *site.Settings) []string {
	keys := slices.Clone(eventKeys)
	for _, f := range s.CustomFields {
		keys = append(keys, f.Name)
	}
	return keys
}

func (k *Kind) load(ctx context.Context, view *post.View, posts map[int64]*store.Post, ids []int64) (*batch, error) {
	b := &batch{View: view}
	var err error
	if b.meta, err = k.Store.Meta(ctx, ids, metaKeys(b.Settings)); err != nil {
		return nil, err
	}
	if b.terms, err = k.Store.TermsOf(ctx, ids, k.Names.Category, k.Names.Tag); err != nil {
		return nil, err
	}
	var linked []int64
	for _, m := range b.meta {
		linked = append(linked, link.IDs(m[schema.MetaVenueID])...)
		linked = append(linked, link.IDs(m[schema.MetaOrganizerID])...)
	}
	if linked, err = b.versions(ctx, ids, linked); err != nil {
		return nil, err
	}
	if b.linked, err = k.Store.Posts(ctx, linked); err != nil {
		return nil, err
	}
	linkedKeys := append(k.Venues.MetaKeys(), k.Organizers.MetaKeys()...)
	if b.linkedMeta, err = k.Store.Meta(ctx, linked, linkedKeys); err != nil {
		return nil, err
	}
	return b, b.Load(ctx, []map[int64]*store.Post{posts, b.linked}, []map[int64]store.Meta{b.meta, b.linkedMeta})
}

// versions loads the versions of events in other languages, and those of what
// they are linked to and marked with. It returns what they link with what is
// shown for it.
func (b *batch) versions(ctx context.Context, ids, linked []int64) ([]int64, error) {
	if b.Versions == nil {
		return linked, nil
	}
	var terms []*store.TaxonomyTerm
	for _, list := range b.terms {
		terms = append(terms, list...)
	}
	if err := b.Versions.Load(ctx, slices.Concat(ids, linked), terms); err != nil {
		return nil, err
	}
	return append(linked, b.Versions.ShownPosts(ctx, linked)...), nil
}

// shown is the post that is shown where one is linked: its version in the
// request's language, if that is of the kind too.
func (b *batch) shown(ctx context.Context, id int64, postType string) int64 {
	other := b.Versions.ShownPost(ctx, id)
	if p := b.linked[other]; p == nil || p.Type != postType {
		return id
	}
	return other
}

// linkedItems are the posts of a kind that meta rows link and the caller may
// read, in stored order.
func (k *Kind) linkedItems(ctx context.Context, r *rest.Request, b *batch, kind *link.Kind, values []string) []*link.Item {
	var items []*link.Item
	for _, id := range link.IDs(values) {
		id = b.shown(ctx, id, kind.Type)
		if b.Versions != nil && slices.ContainsFunc(items, func(it *link.Item) bool { return it.Post.ID == id }) {
			continue // two versions of one
		}
		p := b.linked[id]
		if p == nil || p.Type != kind.Type || !k.MayRead(ctx, p) {
			continue
		}
		// An event's password is not that of its venue.
		masked := p.Password != "" && !(post.Editing(r) && k.MayEdit(ctx, p))
		items = append(items, &link.Item{Post: p, Meta: b.linkedMeta[id], Masked: masked})
	}
	return items
}
