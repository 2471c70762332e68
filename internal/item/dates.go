package item

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
)

// This file handles occurrences of recurring events on sites whose lists have one item per occurrence (D67). The id of
// an occurrence is above DateBase, and so above the ids of posts. If a post nevertheless has such an id, the id means
// the post.

// DateBase returns the number that is added to ids of occurrences. It is 0 on sites whose lists have one item per
// event.
func (s *Service) DateBase(ctx context.Context) (int64, error) {
	base := site.From(ctx).DateBase
	if base == 0 {
		return 0, nil
	}
	known, err := s.Content.Store.Events.DatesKnown(ctx)
	if err != nil || !known {
		return 0, err
	}
	return base, nil
}

// Dates returns the occurrences with the given ids, by id. It does not check whether a post has one of these ids.
func (s *Service) Dates(ctx context.Context, ids []int64) (map[int64]*store.Date, error) {
	base, err := s.DateBase(ctx)
	if err != nil || base == 0 {
		return nil, err
	}
	ids = slices.DeleteFunc(slices.Clone(ids), func(id int64) bool { return id <= base })
	if len(ids) == 0 {
		return nil, nil
	}
	return s.Content.Store.Events.DatesByID(ctx, base, ids)
}

// EventOf returns the id of the event that an id refers to: the id of a post or of an occurrence.
func (s *Service) EventOf(ctx context.Context, id int64) (int64, error) {
	date, err := s.DateOf(ctx, id)
	if err != nil || date == nil {
		return id, err
	}
	return date.Post, nil
}

// DateOf returns the occurrence that an id refers to. It is nil if the id is that of a post, or unknown.
func (s *Service) DateOf(ctx context.Context, id int64) (*store.Date, error) {
	dates, err := s.Dates(ctx, []int64{id})
	if err != nil || dates[id] == nil {
		return nil, err
	}
	found, err := s.Content.Store.Posts.Access(ctx, []int64{id})
	if err != nil || found[id].Type != "" {
		return nil, err
	}
	return dates[id], nil
}

// maxDates is the maximum number of occurrences in the response for an event.
const maxDates = 100

// ReadDates reads the occurrences of a recurring event for a response that shows only this event. Lists only show their
// number.
func (s *Service) ReadDates(ctx context.Context, v *View, events *store.Content) error {
	if v.Call.Sync != nil {
		return s.syncDates(ctx, events)
	}
	if v.Listed() || len(events.Posts) != 1 || len(events.Several) == 0 {
		return nil
	}
	base, err := s.DateBase(ctx)
	if err != nil {
		return err
	}
	for post, several := range events.Several {
		if several.Dates, err = s.Content.Store.Events.DatesOf(ctx, base, post, maxDates); err != nil {
			return err
		}
	}
	return nil
}

// syncDates reads the occurrences of all recurring events among the given ones.
func (s *Service) syncDates(ctx context.Context, events *store.Content) error {
	base, err := s.DateBase(ctx)
	if err != nil {
		return err
	}
	dates, err := s.Content.Store.Events.AllDates(ctx, slices.Collect(maps.Keys(events.Several)))
	if err != nil {
		return err
	}
	for post, several := range events.Several {
		slices.SortFunc(dates[post], func(a, b store.Date) int {
			return cmp.Or(cmp.Compare(a.StartUTC, b.StartUTC), cmp.Compare(a.ID, b.ID))
		})
		several.Dates = dates[post][:min(len(dates[post]), maxDates)]
		for i := range several.Dates {
			several.Dates[i].Name(base)
		}
	}
	return nil
}

// ID returns the id that responses show: that of the post or of the occurrence.
func (it *Item) ID() int64 {
	if it.Date != nil {
		return it.Date.ID
	}
	return it.Post.ID
}

// Link returns the public URL of the item.
func (it *Item) Link() string {
	p := it.Post
	if it.Date == nil || !it.Date.Dated {
		return it.Address(p)
	}
	return it.LinkerFor(it.Ctx, p).Date(p.Type, it.Date.ID, p.Name, p.Status, it.Date.Day())
}
