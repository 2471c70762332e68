package event

import (
	"math"
	"strconv"

	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/store/eventlist"
	"github.com/agendahq/agenda/schema"
)

// earth is the mean radius of the earth in km.
const earth = 6371.0088

// geo selects events by the coordinates of their venue: whether it has any, and
// whether they lie within the radius of a point.
func (k *UseCases) geo(q *query) error {
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
	if !asked && !hasLat {
		return nil
	}
	content := k.Service.Content
	venues, err := content.Store.Links.Located(q.Ctx, content.VisibleIn(q.Ctx, k.Venues.Type.PostType, schema.RegisteredStatuses))
	all, near := []int64{}, []int64{}
	for id, at := range venues {
		all = append(all, id)
		if distance(lat, lng, at.Lat, at.Lng) <= k.Service.GeoRadius {
			near = append(near, id)
		}
	}
	if asked {
		q.Links.Add(string(paramLocated), oneOrZero(located))
		if located {
			q.where(k.atVenue(all))
		} else {
			q.where(eventlist.NotLinking{Key: k.Venues.Type.LinkKey, IDs: all})
		}
	}
	if hasLat {
		q.where(k.atVenue(near))
		q.Links.Add(string(paramLat), strconv.FormatFloat(lat, 'f', -1, 64))
		q.Links.Add(string(paramLng), strconv.FormatFloat(lng, 'f', -1, 64))
	}
	return err
}

func (k *UseCases) atVenue(ids []int64) eventlist.Condition {
	return eventlist.Linking{Key: k.Venues.Type.LinkKey, IDs: ids}
}

// distance returns the length of the great circle between two points, in km.
func distance(lat1, lng1, lat2, lng2 float64) float64 {
	rad := math.Pi / 180
	dLat, dLng := (lat2-lat1)*rad, (lng2-lng1)*rad
	h := math.Pow(math.Sin(dLat/2), 2) + math.Cos(lat1*rad)*math.Cos(lat2*rad)*math.Pow(math.Sin(dLng/2), 2)
	return 2 * earth * math.Asin(math.Min(1, math.Sqrt(h)))
}
