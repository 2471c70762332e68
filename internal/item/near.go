package item

import (
	"cmp"
	"context"
	"maps"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/phpjson"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/schema"
)

// Parameters of lists of items near a point.
const (
	paramNear   param.Key[place]  = "near"
	paramWithin param.Key[radius] = "within"
)

// place is a point in a request.
type place struct {
	lat, lng float64
	text     string
}

// radius is a distance in a request.
type radius struct {
	km   float64
	text string
}

// earth is the mean radius of the earth in km.
const earth = 6371.0088

// Distance returns the great-circle distance between two points, in km.
func Distance(lat1, lng1, lat2, lng2 float64) float64 {
	rad := math.Pi / 180
	dLat, dLng := (lat2-lat1)*rad, (lng2-lng1)*rad
	h := math.Pow(math.Sin(dLat/2), 2) + math.Cos(lat1*rad)*math.Cos(lat2*rad)*math.Pow(math.Sin(dLng/2), 2)
	return 2 * earth * math.Asin(math.Min(1, math.Sqrt(h)))
}

// NearParams declares the parameters of a list of items near a point. doc is the message id that describes the point.
func NearParams(doc string) (near, within *param.Param) {
	near = paramNear.Param(jsonschema.Text().Chars(1, 0).Example("51.05,3.72"), param.Checked(givenPlace), param.Doc(doc),
		param.Untyped(), param.Unlisted())
	within = paramWithin.Param(jsonschema.Text().Chars(1, 0).Example("10km"), param.Checked(givenRadius), param.Doc("param_within"),
		param.Untyped(), param.Unlisted())
	return near, within
}

func givenPlace(_ context.Context, v any) (p place, err error) {
	text, isText := v.(string)
	first, second, pair := strings.Cut(text, ",")
	lat, _, isLat := wp.Numeric(first)
	lng, _, isLng := wp.Numeric(second)
	if !isText || !pair || !isLat || !isLng || math.Abs(lat) > 90 || math.Abs(lng) > 180 {
		return p, param.Invalid("fault_near")
	}
	return place{lat, lng, plainNumber(lat) + "," + plainNumber(lng)}, nil
}

var radiusText = regexp.MustCompile(`^([0-9]{1,8}(?:\.[0-9]{1,8})?) ?(km|mi|m|)$`)

// unitsInKM maps units to their length in km.
var unitsInKM = map[string]float64{"": 1, "km": 1, "mi": 1.609344, "m": 0.001}

func givenRadius(ctx context.Context, v any) (r radius, err error) {
	text, err := param.AnyScalar(ctx, v)
	parts := radiusText.FindStringSubmatch(text)
	if err != nil || parts == nil {
		return r, param.Invalid("fault_within")
	}
	n, _ := strconv.ParseFloat(parts[1], 64)
	if r.km, r.text = n*unitsInKM[parts[2]], parts[1]+parts[2]; r.km <= 0 {
		return r, param.Invalid("fault_within")
	}
	return r, nil
}

// Near returns the visible venues near the point in a request, the nearest first, and reports whether the request
// contains a point. It also makes responses show the distances, and adds the parameters to the URLs of other pages.
func (s *Selection) Near(venues string) (nearest []int64, asked bool, err error) {
	at, asked := paramNear.Get(s.Values())
	within, bounded := paramWithin.Get(s.Values())
	switch {
	case !asked && bounded:
		return nil, false, param.Refuse(string(paramNear), param.Invalid("fault_within_alone"))
	case !asked:
		return nil, false, nil
	}
	env := s.View.env
	km := env.GeoRadius
	s.Links.Add(string(paramNear), at.text)
	if bounded {
		km = within.km
		s.Links.Add(string(paramWithin), within.text)
	}
	visible := env.Content.Types.VisibleIn(s.Ctx, venues, schema.RegisteredStatuses)
	stored, err := env.Content.Store.Links.Located(s.Ctx, visible, boxes(at.lat, at.lng, km)...)
	found := make(map[int64]float64, len(stored))
	for id, c := range stored {
		if d := Distance(at.lat, at.lng, c.Lat, c.Lng); d <= km {
			found[id] = d
		}
	}
	s.View.distances = found
	nearest = slices.SortedFunc(maps.Keys(found), func(a, b int64) int {
		return cmp.Or(cmp.Compare(found[a], found[b]), cmp.Compare(a, b))
	})
	return nearest, true, err
}

// Given reports whether a request asks for items near a point.
func Given(v *param.Values) bool { return paramNear.IsGiven(v) }

// boxes returns the bounds, in degrees, of the area within a distance of a point: of the latitude and, away from the
// poles, of the longitude. Bounds of the longitude wrap around at the date line.
func boxes(lat, lng, km float64) []store.MetaFilter {
	number := func(key string, least, most float64) store.MetaFilter {
		return store.MetaFilter{Key: key, Op: store.MetaNumber, Least: &least, Most: &most}
	}
	const more = 1e-6 // tolerance for rounding
	angle := km / earth
	high := angle*180/math.Pi + more
	south, north := lat-high, lat+high
	list := []store.MetaFilter{number(schema.MetaVenueLat, south, north)}
	if south <= -90 || north >= 90 || angle >= math.Pi/2 {
		return list
	}
	wide := math.Asin(math.Min(1, math.Sin(angle)/math.Cos(lat*math.Pi/180)))*180/math.Pi + more
	west, east := lng-wide, lng+wide
	switch {
	case wide >= 180:
		return list
	case west < -180:
		west += 360
	case east > 180:
		east -= 360
	default:
		return append(list, number(schema.MetaVenueLng, west, east))
	}
	around := number(schema.MetaVenueLng, east, west)
	around.Outside = true
	return append(list, around)
}

// DistanceField returns the field for the distance from the point in a request. Only responses to such requests contain
// it. of returns the posts of an item; the nearest counts.
func DistanceField(of func(*Item) []int64) *Field {
	nearest := func(it *Item) (least float64, ok bool) {
		if it.distances == nil {
			return 0, false
		}
		for _, id := range of(it) {
			if d, known := it.distances[id]; known && (!ok || d < least) {
				least, ok = d, true
			}
		}
		return least, ok
	}
	return &Field{
		Name: "distance", Shape: jsonschema.Number().Example(1.234), Maybe: true, Masked: Omitted, Doc: "doc_field_distance",
		Absent: func(it *Item) bool { _, ok := nearest(it); return !ok },
		Value: func(w *phpjson.Writer, it *Item) {
			km, _ := nearest(it)
			w.RawString(plainNumber(math.Round(km*1000) / 1000))
		},
	}
}
