// Package event implements events: their fields, the filters of their list, their dates, and the posts and terms that
// they link. Packages item and content read and write posts; the SQL of the list is in store/eventlist.
package event

import (
	"cmp"
	"slices"

	"github.com/agendahq/agenda/internal/apierror"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/linked"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/store/eventlist"
	"github.com/agendahq/agenda/internal/term"
	"github.com/agendahq/agenda/internal/wp/permalink"
	"github.com/agendahq/agenda/schema"
)

// Declare declares events, without what follows from the resources that they link.
func Declare(n schema.Names) *item.Resource {
	return &item.Resource{
		Storage: content.Storage{
			Collection: "events", PostType: n.Event, Origin: schema.MetaEventOrigin,
			Segment: func(s permalink.Settings) string { return cmp.Or(s.Slug(s.EventSlug), n.Event) },
			Rows: []string{
				schema.MetaEventOrigin, schema.MetaShowMapLink, schema.MetaShowMap, schema.MetaVenueID, schema.MetaOrganizerID,
				schema.MetaThumbnailID,
				schema.MetaAllDay, schema.MetaStartDate, schema.MetaEndDate, schema.MetaStartDateUTC, schema.MetaEndDateUTC,
				schema.MetaDuration,
				schema.MetaCurrencySymbol, schema.MetaCurrencyPosition, schema.MetaCost, schema.MetaURL, schema.MetaHideFromUpcoming,
				schema.MetaTimezone, schema.MetaTimezoneAbbr, schema.MetaFeatured,
			},
		},
		Name: "event", Singular: "Event", Plural: "Events", Title: "title",
		Orders: orders, Views: []string{"view", "edit"},
		Texts: item.Texts{
			Tag: "doc_tag_events",
			Summaries: item.Summaries{
				List: "summary_events_list", Create: "summary_events_create", Get: "summary_events_get", Update: "summary_events_update",
				Delete: "summary_events_delete", GetBySlug: "summary_events_get_by_slug", UpdateBySlug: "summary_events_update_by_slug",
				DeleteBySlug: "summary_events_delete_by_slug",
			},
			Page: "doc_events", Item: "doc_event",
			Params: map[string]string{"page": "param_events_page", "per_page": "param_events_per_page"},
			Fields: map[string]string{
				"author": "param_events_field_author", "date": "param_events_field_date", "date_utc": "param_events_field_date_utc",
				"title": "param_events_field_title", "description": "param_events_field_description", "slug": "param_events_field_slug",
				"excerpt": "param_events_field_excerpt", "status": "param_events_field_status", "image": "param_events_field_image",
			},
		},
		Errors: item.Errors{
			NotFound:      apierror.New(apierror.NotFound, "rest-event-not-found", "error_event_not_found"),
			OtherKind:     apierror.New(apierror.BadRequest, "rest-invalid-event-id", "error_event_id"),
			Trashed:       apierror.New(apierror.Forbidden, "event-no-longer-available", "error_event_trashed"),
			NotAccessible: apierror.New(apierror.Forbidden, "event-not-accessible", "error_event_not_accessible"),
			Protected:     apierror.New(apierror.Forbidden, "event-password-protected", "error_event_protected"),
			Page:          apierror.New(apierror.NotFound, "event-archive-page-not-found", "error_event_page"),
			InTrash:       apierror.New(apierror.Gone, "event-is-in-trash", "error_event_in_trash"),
		},
	}
}

// UseCases implements the use cases of events.
type UseCases struct {
	*item.Resource
	Service          *item.Service
	Lists            *eventlist.List
	Linked           []*linked.UseCases // the resources that events link, in the order of responses
	Venues           *linked.UseCases   // the element of Linked with coordinates
	Organizers       *linked.UseCases   // the element of Linked with e-mail addresses
	Categories, Tags *term.UseCases
	More             item.Fields // fields in addition to those of this package

	filters    item.Filters[*query]
	keys       item.Keys   // meta keys of events
	linkedKeys item.Keys   // meta keys of the posts that events link
	Posts      *item.Posts // the use cases common to all resources of posts
}

// New completes the declaration and the use cases of events. Fields and filters for the linked resources are derived
// from Linked.
func New(k *UseCases) *UseCases {
	for _, kind := range k.Linked {
		k.Links = append(k.Links, kind.Resource)
	}
	k.Links = append(k.Links, k.Categories.Resource, k.Tags.Resource)
	k.Fields, k.filters = k.table(), lister{k}.listFilters()
	k.Filters = k.filters
	k.keys = k.Fields.Keys()
	var linkedFields item.Fields
	for _, kind := range k.Linked {
		linkedFields = append(linkedFields, kind.Fields...)
	}
	k.linkedKeys = linkedFields.Keys()
	k.Posts = &item.Posts{Resource: k.Resource, Service: k.Service, Rules: k}
	return k
}

// Others returns the elements of Linked except for venues and organizers.
func (k *UseCases) Others() []*linked.UseCases {
	return slices.DeleteFunc(slices.Clone(k.Linked), func(other *linked.UseCases) bool {
		return other == k.Venues || other == k.Organizers
	})
}

// Resources returns the declarations of events and of everything that they link.
func (k *UseCases) Resources() []*item.Resource {
	return append([]*item.Resource{k.Resource}, k.Links...)
}

// ForCollection returns the use cases of events, or of a resource that they link, nil for any other collection.
func (k *UseCases) ForCollection(collection string) item.UseCases {
	for _, terms := range []*term.UseCases{k.Categories, k.Tags} {
		if terms.Collection == collection {
			return terms
		}
	}
	for _, kind := range k.Linked {
		if kind.Collection == collection {
			return kind.Posts
		}
	}
	if collection != k.Collection {
		return nil
	}
	return k.Posts
}

// AddFilters adds the filters that the host declared, by fields that it added, after the other filters.
func (k *UseCases) AddFilters(declared []item.OwnFilter, own []item.Own) {
	k.filters = append(k.filters, item.OwnFilters(declared, own, func(q *query) *item.Selection { return &q.Selection },
		func(q *query, f store.MetaFilter) { q.where(eventlist.Meta{MetaFilter: f}) })...)
	k.Filters = k.filters
}
