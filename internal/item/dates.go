package item

import (
	"cmp"
	"context"
	"slices"

	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
)

// This file is about events that have several dates on sites whose lists have one item for each of these (D67). A date has an
// id of its own, above those of posts; an id that a post has means the post.

// DateBase returns the number that the ids of dates are above, 0 where lists have one item for each event.
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

// Dates returns the dates that some of the ids name, by id. It does not know which of these ids are those of posts.
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

// EventOf returns the id of the event that an id means: that of a post, or of one of its dates.
func (s *Service) EventOf(ctx context.Context, id int64) (int64, error) {
	date, err := s.DateOf(ctx, id)
	if err != nil || date == nil {
		return id, err
	}
	return date.Post, nil
}

// DateOf returns the date that an id means, nil where it means a post or nothing.
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

// maxDates is how many dates of an event an answer shows.
const maxDates = 100

// ReadDates reads the dates of an event that is the only one of an answer, if it has several. A list shows how many there are
// alone.
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

// syncDates reads the dates of all events that have several.
func (s *Service) syncDates(ctx context.Context, events *store.Content) error {
	base, err := s.DateBase(ctx)
	if err != nil {
		return err
	}
	var posts []int64
	for post := range events.Several {
		posts = append(posts, post)
	}
	dates, err := s.Content.Store.Events.AllDates(ctx, posts)
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

// ID returns the id that answers show: that of the post, or of one of the dates of an event.
func (it *Item) ID() int64 {
	if it.Date != nil {
		return it.Date.ID
	}
	return it.Post.ID
}

// Link returns the public address of the item.
func (it *Item) Link() string {
	p := it.Post
	if it.Date == nil || !it.Date.Dated {
		return it.Address(p)
	}
	return it.Of(it.Ctx, p).Date(p.Type, it.Date.ID, p.Name, p.Status, it.Date.Day())
}
