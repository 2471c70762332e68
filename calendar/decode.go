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
		ZoneAbbr    text            `json:"timezone_abbr"`
		Cost        text            `json:"cost"`
		Prices      costJSON        `json:"cost_details"`
		Website     text            `json:"website"`
		Hidden      bool            `json:"hide_from_listings"`
		Sticky      bool            `json:"sticky"`
		Featured    bool            `json:"featured"`
		EventStatus text            `json:"event_status"`
		Reason      text            `json:"event_status_reason"`
		Categories  many[Term]      `json:"categories"`
		Tags        many[Term]      `json:"tags"`
		Venues      many[Venue]     `json:"venue"`
		Organizers  many[Organizer] `json:"organizer"`
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
		AllDay: in.AllDay != nil && *in.AllDay, TimeZone: string(in.Zone), TimeZoneAbbr: string(in.ZoneAbbr),
		Cost: string(in.Cost), Prices: in.Prices, Website: string(in.Website), Image: in.Image.image(),
		Featured: in.Featured, Sticky: in.Sticky, Hidden: in.Hidden, EventStatus: string(in.EventStatus), StatusReason: string(in.Reason),
		Categories: in.Categories, Tags: in.Tags, Venues: in.Venues, Organizers: in.Organizers,
		LinkedData: in.LinkedData, Masked: in.AllDay == nil, Localized: in.localized(), JSON: append(json.RawMessage(nil), data...),
	}
	return nil
}

// UnmarshalJSON reads a venue as the API answers it.
func (v *Venue) UnmarshalJSON(data []byte) error {
	var in struct {
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
	if err := json.Unmarshal(data, &in); err != nil {
		return fmt.Errorf("calendar: reading a venue: %w", err)
	}
	*v = Venue{
		ID: in.ID, Status: in.Status, Slug: string(in.Slug), URL: string(in.URL),
		Name: string(in.Name), Description: string(in.Description),
		Address: string(in.Address), City: string(in.City), Zip: string(in.Zip), Region: string(in.Region), Country: string(in.Country),
		Phone: string(in.Phone), Website: string(in.Website), Latitude: in.Latitude, Longitude: in.Longitude, Modified: wall(in.Modified),
		Image: in.Image.image(), Localized: in.localized(),
	}
	return nil
}

// UnmarshalJSON reads an organizer as the API answers it.
func (o *Organizer) UnmarshalJSON(data []byte) error {
	var in struct {
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
	if err := json.Unmarshal(data, &in); err != nil {
		return fmt.Errorf("calendar: reading an organizer: %w", err)
	}
	*o = Organizer{
		ID: in.ID, Status: in.Status, Slug: string(in.Slug), URL: string(in.URL),
		Name: string(in.Name), Description: string(in.Description),
		Phone: string(in.Phone), Website: string(in.Website), Email: string(in.Email), Modified: wall(in.Modified),
		Image: in.Image.image(), Localized: in.localized(),
	}
	return nil
}

// UnmarshalJSON reads a category or tag as the API answers it.
func (t *Term) UnmarshalJSON(data []byte) error {
	var in struct {
		localizedJSON
		ID          int64 `json:"id"`
		Name        text  `json:"name"`
		Slug        text  `json:"slug"`
		Description text  `json:"description"`
		Parent      int64 `json:"parent"`
		Count       int64 `json:"count"`
	}
	if err := json.Unmarshal(data, &in); err != nil {
		return fmt.Errorf("calendar: reading a term: %w", err)
	}
	*t = Term{
		ID: in.ID, Name: string(in.Name), Slug: string(in.Slug), Description: string(in.Description), ParentID: in.Parent, Count: in.Count,
		Localized: in.localized(),
	}
	return nil
}

type localizedJSON struct {
	Language     text                            `json:"language"`
	Translations orEmpty[map[string]Translation] `json:"translations"`
}

func (l localizedJSON) localized() Localized {
	return Localized{Language: string(l.Language), Translations: l.Translations.value}
}

// imageJSON is an image, or false. One with unexpected members is none: they are as
// whoever stored the image wrote them.
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
	i.found = data[0] == '{' && json.Unmarshal(data, (*plain)(i)) == nil
	return nil
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

// costJSON are the parts of a cost: texts, or numbers; none where it has unexpected members.
type costJSON []string

func (c *costJSON) UnmarshalJSON(data []byte) error {
	var details orEmpty[struct{ Values []any }]
	if *c = nil; json.Unmarshal(data, &details) != nil {
		return nil
	}
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
		err := json.Unmarshal(data, (*[]T)(m))
		if len(*m) == 0 {
			*m = nil
		}
		return err
	}
	var one T
	if data[0] != '{' {
		return nil
	}
	err := json.Unmarshal(data, &one)
	*m = many[T]{one}
	return err
}

// wall reads a date in UTC, the zero time if it is none.
func wall(t text) time.Time {
	at, _ := time.Parse(time.DateTime, string(t))
	return at
}

// moment reads a date in its zone. Where Go knows no zone of the name, or other hours
// of it than the answer, the zone is the difference between the two dates.
func moment(local, utc, zone text) time.Time {
	at, shown := wall(utc), wall(local)
	if at.IsZero() || shown.IsZero() {
		return time.Time{}
	}
	if place, err := time.LoadLocation(string(zone)); err == nil && at.In(place).Format(time.DateTime) == string(local) {
		return at.In(place)
	}
	return at.In(time.FixedZone(string(zone), int(shown.Sub(at).Seconds())))
}
