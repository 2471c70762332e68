package calendar

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"time"
)

// Event is an event as the API answers it. Texts that hold HTML are filtered and
// rendered as in the answer.
type Event struct {
	ID       int64
	EventID  int64  // of the event of which a list has this date: ID, where it is no date of several; 0 of what is read from JSON alone
	AuthorID int64  // 0 for none
	Status   string // "publish", "draft" …
	Slug     string
	URL      string // of its page
	RESTURL  string // of itself in the API

	Created, Modified time.Time // in UTC

	Title, Description, Excerpt string // HTML

	// Start and End are in TimeZone, the zero time where none is stored. The hours of
	// an event that takes AllDay are those of the site's days.
	Start, End   time.Time
	AllDay       bool
	TimeZone     string // "Europe/Brussels", "UTC+2"
	TimeZoneAbbr string // of Start: "CEST"

	Cost   string   // as people read it
	Prices []string // its parts: numbers, and words in the form of a slug

	Website string
	Image   *Image // nil for none

	Featured bool
	Sticky   bool // before others of its date
	Hidden   bool // lists are not to show it

	EventStatus  string // "canceled", "postponed", or "" for an event that takes place as planned
	StatusReason string // why, HTML

	Categories, Tags []Term
	Venues           []Venue
	Organizers       []Organizer

	// Dates are those of an event that has several, the first hundred; nil in lists, which
	// have an item for each. DatesTotal is how many there are, 0 for an event that has one.
	Dates      []EventDate
	DatesTotal int64
	Recurrence *Recurrence // nil where no rule says the dates

	// LinkedData is the JSON-LD of the event; nil in lists.
	LinkedData json.RawMessage

	// Masked reports whether a password protects the event: then it has no texts,
	// prices, terms, venues and organizers here.
	Masked bool

	// Own are the values of the host's own fields (Options.Fields) by their names, where the event has one that its caller may read: of a
	// FieldNumber a float64, of a FieldPost and a FieldImage an int64, of a FieldYesNo a bool, of a FieldList a []string, of all others a
	// string. What is read from JSON alone has none.
	Own map[string]any

	Localized

	// JSON is the whole member or answer, with what has no field here.
	JSON json.RawMessage
}

// eventReader reads an Event.
type eventReader struct {
	Event
	first, last, startUTC, endUTC string
	dates                         []storedDate
	shown                         bool                         // it has members that a password hides
	types                         map[string]map[string]string // of the host's own fields, by collection and name
}

func (r *eventReader) set(name string, m member) (err error) {
	switch name {
	case "id":
		err = m.number(&r.ID)
	case "author":
		r.AuthorID = m.id()
	case "status":
		r.Status = m.text()
	case "slug":
		r.Slug = m.text()
	case "url":
		r.URL = m.text()
	case "rest_url":
		r.RESTURL = m.text()
	case "date_utc":
		r.Created = m.utc()
	case "modified_utc":
		r.Modified = m.utc()
	case "title":
		r.Title = m.text()
	case "description":
		r.Description = m.text()
	case "excerpt":
		r.Excerpt = m.text()
	case "image":
		m.intoImage(&r.Image)
	case "image_alt":
		m.intoAlt(&r.Image)
	case "all_day":
		r.shown = m.kind() != 'n' // null
		err = m.isTrue(&r.AllDay)
	case "start_date":
		r.first = m.text()
	case "end_date":
		r.last = m.text()
	case "utc_start_date":
		r.startUTC = m.text()
	case "utc_end_date":
		r.endUTC = m.text()
	case "timezone":
		r.TimeZone = m.text()
	case "timezone_abbr":
		r.TimeZoneAbbr = m.text()
	case "cost":
		r.Cost = m.text()
	case "cost_details":
		r.Prices = m.prices()
	case "website":
		r.Website = m.text()
	case "hide_from_listings":
		err = m.isTrue(&r.Hidden)
	case "sticky":
		err = m.isTrue(&r.Sticky)
	case "featured":
		err = m.isTrue(&r.Featured)
	case "event_status":
		r.EventStatus = m.text()
	case "event_status_reason":
		r.StatusReason = m.text()
	case "dates":
		err = json.Unmarshal(m.JSON, &r.dates)
	case "dates_total":
		err = m.number(&r.DatesTotal)
	case "recurrence":
		r.Recurrence, err = m.recurrence()
	case "categories":
		err = many(m, &r.Categories, r.types["categories"])
	case "tags":
		err = many(m, &r.Tags, r.types["tags"])
	case "venue":
		err = many(m, &r.Venues, r.types["venues"])
	case "organizer":
		err = many(m, &r.Organizers, r.types["organizers"])
	case "json_ld":
		r.LinkedData = bytes.Clone(m.JSON)
	default:
		err = r.Localized.set(name, m)
	}
	return err
}

func (r *eventReader) end(whole []byte) {
	r.Start, r.End = moment(r.first, r.startUTC, r.TimeZone), moment(r.last, r.endUTC, r.TimeZone)
	for _, d := range r.dates {
		r.Dates = append(r.Dates, d.in(r.TimeZone))
	}
	r.Masked, r.JSON = !r.shown, bytes.Clone(whole)
}

// clone returns a copy that shares nothing that can be changed.
func (e Event) clone() Event {
	e.Prices, e.LinkedData, e.JSON = slices.Clone(e.Prices), bytes.Clone(e.LinkedData), bytes.Clone(e.JSON)
	e.Image, e.Own, e.Localized = e.Image.clone(), cloneOwn(e.Own), e.Localized.clone()
	e.Dates, e.Recurrence = slices.Clone(e.Dates), e.Recurrence.clone()
	e.Categories, e.Tags = cloneAll(e.Categories, Term.clone), cloneAll(e.Tags, Term.clone)
	e.Venues, e.Organizers = cloneAll(e.Venues, Venue.clone), cloneAll(e.Organizers, Organizer.clone)
	return e
}

func cloneAll[T any](list []T, clone func(T) T) []T {
	list = slices.Clone(list)
	for i, one := range list {
		list[i] = clone(one)
	}
	return list
}

// Venue is a venue as the API answers it.
type Venue struct {
	ID                                  int64
	Status, Slug, URL                   string
	Name, Description                   string // HTML
	Address, City, Zip, Region, Country string
	Phone, Website                      string
	Latitude, Longitude                 *float64 // nil where none is stored
	Modified                            time.Time
	Image                               *Image
	Own                                 map[string]any // of the host's own fields: see Event.Own
	Localized
}

func (v *Venue) set(name string, m member) (err error) {
	switch name {
	case "id":
		err = m.number(&v.ID)
	case "status":
		v.Status = m.text()
	case "slug":
		v.Slug = m.text()
	case "url":
		v.URL = m.text()
	case "venue":
		v.Name = m.text()
	case "description":
		v.Description = m.text()
	case "address":
		v.Address = m.text()
	case "city":
		v.City = m.text()
	case "zip":
		v.Zip = m.text()
	case "stateprovince":
		v.Region = m.text()
	case "country":
		v.Country = m.text()
	case "phone":
		v.Phone = m.text()
	case "website":
		v.Website = m.text()
	case "geo_lat":
		err = m.coordinate(&v.Latitude)
	case "geo_lng":
		err = m.coordinate(&v.Longitude)
	case "modified_utc":
		v.Modified = m.utc()
	case "image":
		m.intoImage(&v.Image)
	case "image_alt":
		m.intoAlt(&v.Image)
	default:
		err = v.Localized.set(name, m)
	}
	return err
}

func (*Venue) end([]byte) {}

func (v Venue) clone() Venue {
	v.Latitude, v.Longitude = cloneNumber(v.Latitude), cloneNumber(v.Longitude)
	v.Image, v.Own, v.Localized = v.Image.clone(), cloneOwn(v.Own), v.Localized.clone()
	return v
}

func cloneNumber(n *float64) *float64 {
	if n == nil {
		return nil
	}
	copied := *n
	return &copied
}

// Organizer is an organizer as the API answers it.
type Organizer struct {
	ID                    int64
	Status, Slug, URL     string
	Name, Description     string // HTML
	Phone, Website, Email string
	Modified              time.Time
	Image                 *Image
	Own                   map[string]any // of the host's own fields: see Event.Own
	Localized
}

func (o *Organizer) set(name string, m member) (err error) {
	switch name {
	case "id":
		err = m.number(&o.ID)
	case "status":
		o.Status = m.text()
	case "slug":
		o.Slug = m.text()
	case "url":
		o.URL = m.text()
	case "organizer":
		o.Name = m.text()
	case "description":
		o.Description = m.text()
	case "phone":
		o.Phone = m.text()
	case "website":
		o.Website = m.text()
	case "email":
		o.Email = m.text()
	case "modified_utc":
		o.Modified = m.utc()
	case "image":
		m.intoImage(&o.Image)
	case "image_alt":
		m.intoAlt(&o.Image)
	default:
		err = o.Localized.set(name, m)
	}
	return err
}

func (*Organizer) end([]byte) {}

func (o Organizer) clone() Organizer {
	o.Image, o.Own, o.Localized = o.Image.clone(), cloneOwn(o.Own), o.Localized.clone()
	return o
}

// Term is a category or a tag.
type Term struct {
	ID                      int64
	Name, Slug, Description string         // HTML but for Slug
	ParentID                int64          // 0 for none, and for tags
	Count                   int64          // of events
	Own                     map[string]any // of the host's own fields: see Event.Own
	Localized
}

func (t *Term) set(name string, m member) (err error) {
	switch name {
	case "id":
		err = m.number(&t.ID)
	case "name":
		t.Name = m.text()
	case "slug":
		t.Slug = m.text()
	case "description":
		t.Description = m.text()
	case "parent":
		err = m.number(&t.ParentID)
	case "count":
		err = m.number(&t.Count)
	default:
		err = t.Localized.set(name, m)
	}
	return err
}

func (*Term) end([]byte) {}

func (t Term) clone() Term {
	t.Own, t.Localized = cloneOwn(t.Own), t.Localized.clone()
	return t
}

// Image is an image with the sizes that the site made of it, by name.
type Image struct {
	ID            int64
	URL           string
	Alt           string // what it shows, for those who do not see it; "" where nobody described it
	Width, Height int64  // px, 0 where they are not known
	Sizes         map[string]ImageSize
}

func (i *Image) clone() *Image {
	if i == nil {
		return nil
	}
	copied := *i
	copied.Sizes = maps.Clone(i.Sizes)
	return &copied
}

// ImageSize is one size of an image.
type ImageSize struct {
	URL           string
	Width, Height int64
}

// Localized is the language of an item, and its versions in others by their code; both
// are empty on a site without translations.
type Localized struct {
	Language     string
	Translations map[string]Translation

	// DescriptionOmitted reports whether the description was left out of a list, whose texts would not fit together.
	DescriptionOmitted bool
}

func (l *Localized) set(name string, m member) error {
	switch name {
	case "language":
		l.Language = m.text()
	case "translations":
		return m.translations(&l.Translations)
	case "description_omitted":
		return m.isTrue(&l.DescriptionOmitted)
	}
	return nil
}

func (l Localized) clone() Localized {
	return Localized{l.Language, maps.Clone(l.Translations), l.DescriptionOmitted}
}

// Translation is the version of an item in another language.
type Translation struct {
	ID  int64  `json:"id"`
	URL string `json:"url"`
}

// Page is a page of a list of T.
type Page[T any] struct {
	Items      []T
	Total      int64 // of items on all pages
	TotalPages int64

	made        uint64 // its number: a clone has that of what it was made of
	fingerprint string // of what it was made of, "" where none is known
}
