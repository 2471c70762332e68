package event

import (
	"strconv"

	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/store/eventlist"
	"github.com/agendahq/agenda/schema"
)

// geo selects events by the coordinates of their venue: by whether it has any, and by whether they are within the
// radius around a point.
func (l lister) geo(q *query) error {
	located, asked := paramLocated.Get(q.Values())
	lat, hasLat := paramLat.Get(q.Values())
	lng, hasLng := paramLng.Get(q.Values())
	if hasLat != hasLng {
		missing := paramLat
		if hasLat {
			missing = paramLng
		}
		return param.Refuse(string(missing), param.Invalid("fault_coordinate_pair"))
	}
	switch near := item.Given(q.Values()); {
	case !asked && !hasLat:
		return nil
	case near && hasLat:
		return param.Refuse(string(paramLat), param.Invalid("fault_near_twice"))
	}
	content := l.events.Service.Content
	visible := content.Types.VisibleIn(q.Ctx, l.events.Venues.PostType, schema.RegisteredStatuses)
	venues, err := content.Store.Links.Located(q.Ctx, visible)
	all, near := []int64{}, []int64{}
	for id, at := range venues {
		all = append(all, id)
		if item.Distance(lat, lng, at.Lat, at.Lng) <= l.events.Service.GeoRadius {
			near = append(near, id)
		}
	}
	if asked {
		q.Links.Add(string(paramLocated), oneOrZero(located))
		if located {
			q.where(l.atVenue(all))
		} else {
			q.where(eventlist.NotLinking{Key: l.events.Venues.LinkKey, IDs: all})
		}
	}
	if hasLat {
		q.where(l.atVenue(near))
		q.Links.Add(string(paramLat), strconv.FormatFloat(lat, 'f', -1, 64))
		q.Links.Add(string(paramLng), strconv.FormatFloat(lng, 'f', -1, 64))
	}
	return err
}

func (l lister) atVenue(ids []int64) eventlist.Condition {
	return eventlist.Linking{Key: l.events.Venues.LinkKey, IDs: ids}
}

// around selects events by the distance of their venue from a point. The nearest come first, unless another order is
// requested.
func (l lister) around(q *query) error {
	ids, asked, err := q.Near(l.events.Venues.PostType)
	if !asked || err != nil {
		return err
	}
	q.Nothing = q.Nothing || len(ids) == 0
	q.where(l.atVenue(ids))
	q.Order, q.Ranked = eventlist.ByRank, eventlist.Ranked{Key: l.events.Venues.LinkKey, IDs: ids}
	return nil
}
