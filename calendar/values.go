package calendar

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"time"

	"github.com/agendahq/agenda/internal/item"
)

// Event is an event in the form of the API's answers. Strings that contain HTML are filtered and rendered.
type Event struct {
	ID int64
	// EventID is the id of the event. In a list, it differs from ID if the item is an occurrence of a recurring event. It is 0
	// if the event was read from JSON alone.
	EventID  int64
	AuthorID int64  // 0 for none
	Status   string // "publish", "draft" …
	Slug     string
	URL      string // address of its page
	RESTURL  string // address of the event in the API

	Created, Modified time.Time // in UTC

	Title, Description, Excerpt string // HTML

	// Start and End are in TimeZone, or the zero time if none is stored. If AllDay is set, they are the start and end
	// of a day according to the site's settings.
	Start, End   time.Time
	AllDay       bool
	TimeZone     string // "Europe/Brussels", "UTC+2"
	TimeZoneAbbr string // abbreviation at Start: "CEST"

	Cost   string   // formatted, with the currency
	Prices []string // the parts of Cost: numbers, and words in the form of a slug

	Website string
	Image   *Image // nil for none

	Featured bool
	Sticky   bool // listed before others with the same date
	Hidden   bool // not to be shown in lists

	EventStatus  string // "canceled", "postponed", or "" for an event that takes place as planned
	StatusReason string // reason for EventStatus, HTML

	Categories, Tags []Term
	Venues           []Venue
	Organizers       []Organizer

	// Dates are the first hundred occurrences of a recurring event. They are nil in lists, which have an item per
	// occurrence. DatesTotal is the number of all occurrences, or 0 for an event that is not recurring.
	Dates      []EventDate
	DatesTotal int64
	Recurrence *Recurrence // nil if there is no recurrence rule

	// LinkedData is the JSON-LD of the event. It is nil in lists.
	LinkedData json.RawMessage

	// Masked reports whether a password protects the event and was not given. Then texts, prices, terms, venues and
	// organizers are missing.
	Masked bool

	// Own contains the values of the host's own fields (Options.Fields) that the event has and the caller may read, by
	// name: a float64 for a FieldNumber, an int64 for a FieldPost or FieldImage, a bool for a FieldYesNo, a []string
	// for a FieldList, and a string for all others. It is nil if the event was read from JSON alone.
	Own map[string]any

	Localized

	// JSON is the original object, which includes members without a field here.
	JSON json.RawMessage
}

// eventReader builds an Event.
type eventReader struct {
	Event
	first, last, startUTC, endUTC string
	dates                         []storedDate
	shown                         bool                         // there are members that are omitted for a password-protected event
	types                         map[string]map[string]string // types of the host's own fields, by collection and name
}

func (r *eventReader) set(name string, m member) (err error) {
	switch name {
	case "id":
		err = m.Int(&r.ID)
	case "author":
		r.AuthorID = m.ID()
	case "status":
		r.Status = m.StringValue()
	case "slug":
		r.Slug = m.StringValue()
	case "url":
		r.URL = m.StringValue()
	case "rest_url":
		r.RESTURL = m.StringValue()
	case "date_utc":
		r.Created = m.utc()
	case "modified_utc":
		r.Modified = m.utc()
	case "title":
		r.Title = m.StringValue()
	case "description":
		r.Description = m.StringValue()
	case "excerpt":
		r.Excerpt = m.StringValue()
	case "image":
		m.intoImage(&r.Image)
	case "image_alt":
		m.intoAlt(&r.Image)
	case "all_day":
		r.shown = m.Kind() != 'n' // null
		err = m.IsTrue(&r.AllDay)
	case "start_date":
		r.first = m.StringValue()
	case "end_date":
		r.last = m.StringValue()
	case "utc_start_date":
		r.startUTC = m.StringValue()
	case "utc_end_date":
		r.endUTC = m.StringValue()
	case "timezone":
		r.TimeZone = m.StringValue()
	case "timezone_abbr":
		r.TimeZoneAbbr = m.StringValue()
	case "cost":
		r.Cost = m.StringValue()
	case "cost_details":
		r.Prices = m.Prices()
	case "website":
		r.Website = m.StringValue()
	case "hide_from_listings":
		err = m.IsTrue(&r.Hidden)
	case "sticky":
		err = m.IsTrue(&r.Sticky)
	case "featured":
		err = m.IsTrue(&r.Featured)
	case "event_status":
		r.EventStatus = m.StringValue()
	case "event_status_reason":
		r.StatusReason = m.StringValue()
	case "dates":
		err = json.Unmarshal(m.JSON, &r.dates)
	case "dates_total":
		err = m.Int(&r.DatesTotal)
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
	r.Start, r.End = item.Moment(r.first, r.startUTC, r.TimeZone), item.Moment(r.last, r.endUTC, r.TimeZone)
	for _, d := range r.dates {
		r.Dates = append(r.Dates, d.eventDateIn(r.TimeZone))
	}
	r.Masked, r.JSON = !r.shown, bytes.Clone(whole)
}

// clone returns a deep copy.
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

// Venue is a venue in the form of the API's answers.
type Venue struct {
	ID                                  int64
	Status, Slug, URL                   string
	Name, Description                   string // HTML
	Address, City, Zip, Region, Country string
	Phone, Website                      string
	Latitude, Longitude                 *float64 // in degrees; nil if none is stored
	Modified                            time.Time
	Image                               *Image
	Own                                 map[string]any // values of the host's own fields: see Event.Own
	Localized
}

func (v *Venue) set(name string, m member) (err error) {
	switch name {
	case "id":
		err = m.Int(&v.ID)
	case "status":
		v.Status = m.StringValue()
	case "slug":
		v.Slug = m.StringValue()
	case "url":
		v.URL = m.StringValue()
	case "venue":
		v.Name = m.StringValue()
	case "description":
		v.Description = m.StringValue()
	case "address":
		v.Address = m.StringValue()
	case "city":
		v.City = m.StringValue()
	case "zip":
		v.Zip = m.StringValue()
	case "stateprovince":
		v.Region = m.StringValue()
	case "country":
		v.Country = m.StringValue()
	case "phone":
		v.Phone = m.StringValue()
	case "website":
		v.Website = m.StringValue()
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

// Organizer is an organizer in the form of the API's answers.
type Organizer struct {
	ID                    int64
	Status, Slug, URL     string
	Name, Description     string // HTML
	Phone, Website, Email string
	Modified              time.Time
	Image                 *Image
	Own                   map[string]any // values of the host's own fields: see Event.Own
	Localized
}

func (o *Organizer) set(name string, m member) (err error) {
	switch name {
	case "id":
		err = m.Int(&o.ID)
	case "status":
		o.Status = m.StringValue()
	case "slug":
		o.Slug = m.StringValue()
	case "url":
		o.URL = m.StringValue()
	case "organizer":
		o.Name = m.StringValue()
	case "description":
		o.Description = m.StringValue()
	case "phone":
		o.Phone = m.StringValue()
	case "website":
		o.Website = m.StringValue()
	case "email":
		o.Email = m.StringValue()
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
	Name, Slug, Description string         // HTML, except Slug
	ParentID                int64          // 0 for none; always 0 for tags
	Count                   int64          // number of events
	Own                     map[string]any // values of the host's own fields: see Event.Own
	Localized
}

func (t *Term) set(name string, m member) (err error) {
	switch name {
	case "id":
		err = m.Int(&t.ID)
	case "name":
		t.Name = m.StringValue()
	case "slug":
		t.Slug = m.StringValue()
	case "description":
		t.Description = m.StringValue()
	case "parent":
		err = m.Int(&t.ParentID)
	case "count":
		err = m.Int(&t.Count)
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

// Image is an image of the site. Sizes contains its resized versions by name, such as "thumbnail".
type Image struct {
	ID            int64
	URL           string
	Alt           string // alternative text; "" if there is none
	Width, Height int64  // in pixels; 0 if unknown
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

// ImageSize is a resized version of an image.
type ImageSize struct {
	URL           string
	Width, Height int64
}

// Localized is the language of an item, and its versions in other languages, by language code. Both are empty on a site
// without translations.
type Localized struct {
	Language     string
	Translations map[string]Translation

	// DescriptionOmitted reports whether the description is missing because the descriptions of the whole list would be
	// too large.
	DescriptionOmitted bool
}

func (l *Localized) set(name string, m member) error {
	switch name {
	case "language":
		l.Language = m.StringValue()
	case "translations":
		return m.translations(&l.Translations)
	case "description_omitted":
		return m.IsTrue(&l.DescriptionOmitted)
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
	Total      int64 // number of items on all pages
	TotalPages int64

	made        uint64 // number of the page; copies have the number of the original
	fingerprint string // identifies what the page was created from; "" if unknown
}
