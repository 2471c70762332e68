package event

import (
	"context"
	"math"
	"strconv"

	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/store/eventlist"
	"github.com/agendahq/agenda/schema"
)

// earth is the mean radius of the earth in km.
const earth = 6371.0088

// geo reads the filters on the place of an event's venue: whether it has
// coordinates, and whether they lie within the radius of a point.
func (k *Kind) geo(ctx context.Context, r *rest.Request, f *eventlist.Filter, links *rest.Query) error {
	v := r.Values
	located, asked := paramLocated.Get(v)
	lat, hasLat := paramLat.Get(v)
	lng, hasLng := paramLng.Get(v)
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
	venues, err := k.Store.Located(ctx, k.VisibleIn(ctx, k.Venues.PostType, schema.RegisteredStatuses))
	if err != nil {
		return err
	}
	all, near := []int64{}, []int64{}
	for id, at := range venues {
		all = append(all, id)
		if distance(lat, lng, at.Lat, at.Lng) <= k.GeoRadius {
			near = append(near, id)
		}
	}
	if asked {
		links.Add(string(paramLocated), map[bool]string{true: "1", false: "0"}[located])
		if located {
			f.Conditions = append(f.Conditions, atVenue(all))
		} else {
			f.Conditions = append(f.Conditions, eventlist.NotLinking{Key: schema.MetaVenueID, IDs: all})
		}
	}
	if hasLat {
		f.Conditions = append(f.Conditions, atVenue(near))
		links.Add(string(paramLat), strconv.FormatFloat(lat, 'f', -1, 64))
		links.Add(string(paramLng), strconv.FormatFloat(lng, 'f', -1, 64))
	}
	return nil
}

// distance is the length of the great circle between two points, in km.
func distance(lat1, lng1, lat2, lng2 float64) float64 {
	rad := math.Pi / 180
	dLat, dLng := (lat2-lat1)*rad, (lng2-lng1)*rad
	h := math.Pow(math.Sin(dLat/2), 2) + math.Cos(lat1*rad)*math.Cos(lat2*rad)*math.Pow(math.Sin(dLng/2), 2)
	return 2 * earth * math.Asin(math.Min(1, math.Sqrt(h)))
}
