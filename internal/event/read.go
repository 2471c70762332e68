package event

import (
	"context"
	"maps"
	"net/http"
	"slices"
	"strconv"

	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/place"
	"github.com/agendahq/agenda/internal/resource"
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
	id := pathID.Value(r.Values)
	own, err := k.own(ctx, []int64{id})
	if err != nil {
		return nil, err
	}
	p := own.Posts[id]
	switch {
	case p == nil:
		return nil, errNotFound.With("ID", strconv.FormatInt(id, 10))
	case p.Type != k.PostType:
		return nil, errNoEvent.With("ID", strconv.FormatInt(id, 10))
	}
	return k.single(ctx, r, p, own)
}

// bySlug answers one event by its slug.
func (k *Kind) bySlug(ctx context.Context, r *rest.Request) (*rest.Response, error) {
	p, err := k.FindSlug(ctx, k.PostType, pathSlug.Value(r.Values))
	if err != nil {
		return nil, err
	}
	if p == nil {
		return nil, param.Refuse(string(pathSlug), param.Invalid("fault_slug"))
	}
	own, err := k.own(ctx, []int64{p.ID})
	if err != nil {
		return nil, err
	}
	return k.single(ctx, r, p, own)
}

// single answers an event: trash is told first, then the right to read, then
// the password.
func (k *Kind) single(ctx context.Context, r *rest.Request, p *store.Post, own *store.Content) (*rest.Response, error) {
	switch {
	case p.Status == schema.StatusTrash:
		return nil, errTrashed
	case !k.CanRead(ctx, p):
		return nil, errNotYours
	}
	if err := k.CheckContext(ctx, r, p); err != nil {
		return nil, err
	}
	view := k.View(ctx, r)
	if err := view.Unlock(ctx, r, true, p); err != nil {
		return nil, err
	}
	if view.Locked(p) {
		return nil, errProtected
	}
	batch, err := k.load(ctx, view, own)
	if err != nil {
		return nil, err
	}
	batch.Single, batch.raw = true, resource.Editing(r)
	r.Revision = k.state(ctx, p, own.Meta[p.ID], own.Terms[p.ID])
	if dated(own.Meta[p.ID]) && r.NotModified(batch.Fingerprint()) {
		return nil, nil
	}
	k.write(ctx, r, batch, p)
	return nil, nil
}

// batch is what the events of an answer show, loaded for all of them at once.
type batch struct {
	*resource.View
	raw     bool           // the event's editor sees what is stored beside what is shown
	written bool           // the caller has just written the event: no password hides it
	own     *store.Content // of the events; terms as they are assigned
	linked  *store.Content // of what they link
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

// own reads what is stored of events.
func (k *Kind) own(ctx context.Context, ids []int64) (*store.Content, error) {
	return k.Store.Content(ctx, store.ContentQuery{IDs: ids, Keys: metaKeys(site.From(ctx)), Taxonomies: k.Taxonomies})
}

// load reads what events show beside what is stored of themselves.
func (k *Kind) load(ctx context.Context, view *resource.View, own *store.Content) (*batch, error) {
	b := &batch{View: view, own: own}
	var linked []int64
	for _, m := range own.Meta {
		linked = append(linked, content.LinkedIDs(m[schema.MetaVenueID])...)
		linked = append(linked, content.LinkedIDs(m[schema.MetaOrganizerID])...)
	}
	linked, err := b.versions(ctx, linked)
	if err != nil {
		return nil, err
	}
	b.linked, err = view.Load(ctx, own, linked, slices.Concat(k.Venues.MetaKeys(), k.Organizers.MetaKeys()))
	return b, err
}

// versions loads the versions of events in other languages, and those of what
// they are linked to and marked with. It returns what they link with what is
// shown for it.
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

// shown is the post that is shown where one is linked: its version in the
// request's language, if that is of the kind too.
func (b *batch) shown(ctx context.Context, id int64, postType string) int64 {
	other := b.Versions.ShownPost(ctx, id)
	if p := b.linked.Posts[other]; p == nil || p.Type != postType {
		return id
	}
	return other
}

// linkedItems are the posts of a kind that meta rows link and the caller may
// read, in stored order.
func (k *Kind) linkedItems(ctx context.Context, r *rest.Request, b *batch, kind *place.Kind, values []string) []*place.Item {
	var items []*place.Item
	for _, id := range content.LinkedIDs(values) {
		id = b.shown(ctx, id, kind.PostType)
		if b.Versions != nil && slices.ContainsFunc(items, func(it *place.Item) bool { return it.Post.ID == id }) {
			continue // two versions of one
		}
		p := b.linked.Posts[id]
		if p == nil || p.Type != kind.PostType || !k.CanRead(ctx, p) {
			continue
		}
		// An event's password is not that of its venue.
		masked := p.Password != "" && !(resource.Editing(r) && k.CanEdit(ctx, p))
		items = append(items, &place.Item{Post: p, Meta: b.linked.Meta[id], Masked: masked})
	}
	return items
}
