package content

import (
	"context"
	"slices"
	"strconv"

	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/schema"
)

// unlink updates the links of events to a post that enters or leaves the trash or is deleted. When the post enters the
// trash, the links are removed from all events and the events' ids stored; when it leaves the trash, they are restored.
func (s *Service) unlink(ctx context.Context, d *Edit) error {
	t, was, is := s.Types.ForPostType(d.Row.Type), d.Stored.Status == schema.StatusTrash, d.Row.Status == schema.StatusTrash
	if t.LinkKey == "" || was == is && d.Row.Status != "" {
		return nil
	}
	l := &relinker{env: s, id: d.Row.ID, key: t.LinkKey, single: t.LinksOne}
	if is || d.Row.Status == "" {
		return l.unlink(ctx, is)
	}
	return l.relink(ctx)
}

// relinker changes the links of events to one post. It collects the changes and writes them together, however many
// events there are.
type relinker struct {
	env    *Service
	id     int64
	key    string // meta key by which events link the post
	single bool   // an event has at most one such link
	change store.MetaChange
	events []store.EventLink // whose rows change
}

func (l *relinker) unlink(ctx context.Context, remember bool) error {
	links, err := l.env.Store.Links.To(ctx, l.key, l.id)
	if err != nil {
		return err
	}
	for _, link := range links {
		rest, found := phpval.WithoutID(link.Row.Value, l.id)
		switch {
		case !found:
			continue
		case rest == "":
			l.change.Delete = append(l.change.Delete, link.Row.ID)
		default:
			row := *link.Row
			row.Value = rest
			l.change.Update = append(l.change.Update, &row)
		}
		l.touch(link)
	}
	if remember {
		if _, err := l.forget(ctx); err != nil {
			return err
		}
		if len(l.events) > 0 {
			ids := make([]phpval.Value, len(l.events))
			for i, e := range l.events {
				ids[i] = e.Event
			}
			l.change.Insert = append(l.change.Insert, &schema.PostMeta{
				PostID: l.id, Key: schema.MetaUnlinkedEvents, Value: phpval.Serialize(phpval.List(ids...)),
			})
		}
	}
	return l.writeLinks(ctx)
}

// relink restores the links of the stored events that still exist. Where an event can have only one link, those that
// have another one by now are skipped.
func (l *relinker) relink(ctx context.Context) error {
	remembered, err := l.forget(ctx)
	if err != nil {
		return err
	}
	links, err := l.env.Store.Links.ForEvents(ctx, l.key, remembered)
	if err != nil {
		return err
	}
	for len(links) > 0 {
		event, values := links[0], []string(nil)
		for len(links) > 0 && links[0].Event == event.Event {
			if links[0].Row != nil {
				values = append(values, links[0].Row.Value)
			}
			links = links[1:]
		}
		ids := store.LinkedIDs(values)
		if slices.Contains(ids, l.id) || l.single && len(ids) > 0 {
			continue
		}
		l.change.Insert = append(l.change.Insert, &schema.PostMeta{PostID: event.Event, Key: l.key, Value: strconv.FormatInt(l.id, 10)})
		l.touch(event)
	}
	return l.writeLinks(ctx)
}

// forget removes the list of stored events from the post and returns it.
func (l *relinker) forget(ctx context.Context) ([]int64, error) {
	rows, err := l.env.Store.Posts.MetaRows(ctx, []int64{l.id}, schema.MetaUnlinkedEvents)
	var values []string
	for _, row := range rows {
		l.change.Delete = append(l.change.Delete, row.ID)
		values = append(values, row.Value)
	}
	return store.LinkedIDs(values), err
}

// touch records an event whose rows change.
func (l *relinker) touch(e store.EventLink) {
	if n := len(l.events); n == 0 || l.events[n-1].Event != e.Event {
		l.events = append(l.events, e)
	}
}

// writeLinks writes the changes and updates the list of modified fields of each event. The modification date of an event
// does not change, as in The Events Calendar.
func (l *relinker) writeLinks(ctx context.Context) error {
	ids := make([]int64, len(l.events))
	for i, e := range l.events {
		ids[i] = e.Event
	}
	rows, err := l.env.Store.Posts.MetaRows(ctx, ids, schema.MetaModifiedFields)
	if err != nil {
		return err
	}
	lists := map[int64]*schema.PostMeta{}
	for _, row := range rows {
		if lists[row.PostID] == nil {
			lists[row.PostID] = row
		}
	}
	changes := make([]Change, len(l.events))
	for i, e := range l.events {
		if row := lists[e.Event]; row != nil {
			row.Value = l.env.History.MarkModified(ctx, row.Value, nil, l.key)
			l.change.Update = append(l.change.Update, row)
		} else {
			l.change.Insert = append(l.change.Insert,
				&schema.PostMeta{PostID: e.Event, Key: schema.MetaModifiedFields, Value: l.env.History.MarkModified(ctx, "", nil, l.key)})
		}
		changes[i] = Change{
			Kind: l.env.Types.Events().Collection, ID: e.Event, Slug: e.Slug, Op: OpUpdate, Before: e.Status, After: e.Status,
		}
	}
	if err := l.env.Changes.RecordChanges(ctx, changes...); err != nil {
		return err
	}
	return l.env.Store.Posts.ChangeMeta(ctx, l.change)
}
