package calendar

import (
	"encoding/json"
	"fmt"
	"strconv"
	"time"
)

// UnmarshalJSON reads an event as the API answers it.
func (e *Event) UnmarshalJSON(data []byte) error {
	var in struct {
		localizedJSON
		ID          int64           `json:"id"`
		Author      text            `json:"author"`
		Status      string          `json:"status"`
		Slug        text            `json:"slug"`
		URL         text            `json:"url"`
		RESTURL     text            `json:"rest_url"`
		Date        text            `json:"date_utc"`
		Modified    text            `json:"modified_utc"`
		Title       text            `json:"title"`
		Description text            `json:"description"`
		Excerpt     text            `json:"excerpt"`
		Image       *imageJSON      `json:"image"`
		AllDay      *bool           `json:"all_day"`
		Start       text            `json:"start_date"`
		End         text            `json:"end_date"`
		StartUTC    text            `json:"utc_start_date"`
		EndUTC      text            `json:"utc_end_date"`
		Zone        text            `json:"timezone"`
		Cost        text            `json:"cost"`
		Prices      costJSON        `json:"cost_details"`
		Website     text            `json:"website"`
		Hidden      bool            `json:"hide_from_listings"`
		Sticky      bool            `json:"sticky"`
		Featured    bool            `json:"featured"`
		Categories  many[termJSON]  `json:"categories"`
		Tags        many[termJSON]  `json:"tags"`
		Venues      many[venueJSON] `json:"venue"`
		Organizers  many[hostJSON]  `json:"organizer"`
		LinkedData  json.RawMessage `json:"json_ld"`
	}
	if err := json.Unmarshal(data, &in); err != nil {
		return fmt.Errorf("calendar: reading an event: %w", err)
	}
	author, _ := strconv.ParseInt(string(in.Author), 10, 64)
	*e = Event{
		ID: in.ID, AuthorID: author, Status: in.Status, Slug: string(in.Slug), URL: string(in.URL), RESTURL: string(in.RESTURL),
		Created: wall(in.Date), Modified: wall(in.Modified),
		Title: string(in.Title), Description: string(in.Description), Excerpt: string(in.Excerpt),
		Start: moment(in.Start, in.StartUTC, in.Zone), End: moment(in.End, in.EndUTC, in.Zone),
		AllDay: in.AllDay != nil && *in.AllDay, TimeZone: string(in.Zone),
		Cost: string(in.Cost), Prices: in.Prices, Website: string(in.Website), Image: in.Image.image(),
		Featured: in.Featured, Sticky: in.Sticky, Hidden: in.Hidden,
		Categories: convert(in.Categories, termJSON.term), Tags: convert(in.Tags, termJSON.term),
		Venues: convert(in.Venues, venueJSON.venue), Organizers: convert(in.Organizers, hostJSON.organizer),
		LinkedData: in.LinkedData, Masked: in.AllDay == nil, Localized: in.localized(), JSON: append(json.RawMessage(nil), data...),
	}
	return nil
}

type venueJSON struct {
	localizedJSON
	ID          int64      `json:"id"`
	Status      string     `json:"status"`
	Slug        text       `json:"slug"`
	URL         text       `json:"url"`
	Name        text       `json:"venue"`
	Description text       `json:"description"`
	Address     text       `json:"address"`
	City        text       `json:"city"`
	Zip         text       `json:"zip"`
	Region      text       `json:"stateprovince"`
	Country     text       `json:"country"`
	Phone       text       `json:"phone"`
	Website     text       `json:"website"`
	Modified    text       `json:"modified_utc"`
	Latitude    *float64   `json:"geo_lat"`
	Longitude   *float64   `json:"geo_lng"`
	Image       *imageJSON `json:"image"`
}

func (v venueJSON) venue() Venue {
	return Venue{
		ID: v.ID, Status: v.Status, Slug: string(v.Slug), URL: string(v.URL), Name: string(v.Name), Description: string(v.Description),
		Address: string(v.Address), City: string(v.City), Zip: string(v.Zip), Region: string(v.Region), Country: string(v.Country),
		Phone: string(v.Phone), Website: string(v.Website), Latitude: v.Latitude, Longitude: v.Longitude, Modified: wall(v.Modified),
		Image: v.Image.image(), Localized: v.localized(),
	}
}

type hostJSON struct {
	localizedJSON
	ID          int64      `json:"id"`
	Status      string     `json:"status"`
	Slug        text       `json:"slug"`
	URL         text       `json:"url"`
	Name        text       `json:"organizer"`
	Description text       `json:"description"`
	Phone       text       `json:"phone"`
	Website     text       `json:"website"`
	Email       text       `json:"email"`
	Modified    text       `json:"modified_utc"`
	Image       *imageJSON `json:"image"`
}

func (o hostJSON) organizer() Organizer {
	return Organizer{
		ID: o.ID, Status: o.Status, Slug: string(o.Slug), URL: string(o.URL), Name: string(o.Name), Description: string(o.Description),
		Phone: string(o.Phone), Website: string(o.Website), Email: string(o.Email), Modified: wall(o.Modified),
		Image: o.Image.image(), Localized: o.localized(),
	}
}

type termJSON struct {
	localizedJSON
	ID          int64 `json:"id"`
	Name        text  `json:"name"`
	Slug        text  `json:"slug"`
	Description text  `json:"description"`
	Parent      int64 `json:"parent"`
	Count       int64 `json:"count"`
}

func (t termJSON) term() Term {
	return Term{
		ID: t.ID, Name: string(t.Name), Slug: string(t.Slug), Description: string(t.Description), ParentID: t.Parent, Count: t.Count,
		Localized: t.localized(),
	}
}

type localizedJSON struct {
	Language     text                            `json:"language"`
	Translations orEmpty[map[string]Translation] `json:"translations"`
}

func (l localizedJSON) localized() Localized {
	return Localized{Language: string(l.Language), Translations: l.Translations.value}
}

// imageJSON is an image, or false.
type imageJSON struct {
	found  bool
	ID     int64 `json:"id"`
	Width  int64 `json:"width"`
	Height int64 `json:"height"`
	URL    text  `json:"url"`
	Sizes  orEmpty[map[string]struct {
		URL    text  `json:"url"`
		Width  int64 `json:"width"`
		Height int64 `json:"height"`
	}] `json:"sizes"`
}

func (i *imageJSON) UnmarshalJSON(data []byte) error {
	type plain imageJSON
	i.found = data[0] == '{'
	if !i.found {
		return nil
	}
	return json.Unmarshal(data, (*plain)(i))
}

func (i *imageJSON) image() *Image {
	if i == nil || !i.found {
		return nil
	}
	image := &Image{ID: i.ID, URL: string(i.URL), Width: i.Width, Height: i.Height, Sizes: map[string]ImageSize{}}
	for name, size := range i.Sizes.value {
		image.Sizes[name] = ImageSize{string(size.URL), size.Width, size.Height}
	}
	return image
}

// costJSON are the parts of a cost: texts, or numbers.
type costJSON []string

func (c *costJSON) UnmarshalJSON(data []byte) error {
	var details orEmpty[struct{ Values []any }]
	if err := json.Unmarshal(data, &details); err != nil {
		return err
	}
	*c = nil
	for _, value := range details.value.Values {
		*c = append(*c, fmt.Sprint(value))
	}
	return nil
}

// text is a string, or false, null or an empty list where there is none.
type text string

func (t *text) UnmarshalJSON(data []byte) error {
	if *t = ""; data[0] != '"' {
		return nil
	}
	return json.Unmarshal(data, (*string)(t))
}

// orEmpty is an object, or anything else where there is none: an empty list, false.
type orEmpty[T any] struct{ value T }

func (o *orEmpty[T]) UnmarshalJSON(data []byte) error {
	if data[0] != '{' {
		return nil
	}
	return json.Unmarshal(data, &o.value)
}

// many is an object, a list of objects or an empty list.
type many[T any] []T

func (m *many[T]) UnmarshalJSON(data []byte) error {
	if *m = nil; data[0] == '[' {
		return json.Unmarshal(data, (*[]T)(m))
	}
	var one T
	if data[0] != '{' {
		return nil
	}
	err := json.Unmarshal(data, &one)
	*m = many[T]{one}
	return err
}

func convert[From, To any](list []From, one func(From) To) []To {
	if len(list) == 0 {
		return nil
	}
	all := make([]To, len(list))
	for i, from := range list {
		all[i] = one(from)
	}
	return all
}

// wall reads a date in UTC, the zero time if it is none.
func wall(t text) time.Time {
	at, _ := time.Parse(time.DateTime, string(t))
	return at
}

// moment reads a date in its zone. Where Go knows no zone of the name, or other hours
// of it than the answer, the zone is the difference between the two dates.
func moment(local, utc, zone text) time.Time {
	if local == "" || utc == "" {
		return time.Time{}
	}
	at, shown := wall(utc), wall(local)
	if place, err := time.LoadLocation(string(zone)); err == nil && at.In(place).Format(time.DateTime) == string(local) {
		return at.In(place)
	}
	return at.In(time.FixedZone(string(zone), int(shown.Sub(at).Seconds())))
}
