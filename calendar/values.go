package calendar

import (
	"encoding/json"
	"time"
)

// Event is an event as the API answers it. Texts that hold HTML are filtered and
// rendered as in the answer.
type Event struct {
	ID       int64
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

	// LinkedData is the JSON-LD of the event; nil in lists.
	LinkedData json.RawMessage

	// Masked reports whether a password protects the event: then it has no texts,
	// prices, terms, venues and organizers here.
	Masked bool

	Localized

	// JSON is the whole member or answer, with what has no field here.
	JSON json.RawMessage
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
	Localized
}

// Organizer is an organizer as the API answers it.
type Organizer struct {
	ID                    int64
	Status, Slug, URL     string
	Name, Description     string // HTML
	Phone, Website, Email string
	Modified              time.Time
	Image                 *Image
	Localized
}

// Term is a category or a tag.
type Term struct {
	ID                      int64
	Name, Slug, Description string // HTML but for Slug
	ParentID                int64  // 0 for none, and for tags
	Count                   int64  // of events
	Localized
}

// Image is an image with the sizes that the site made of it, by name.
type Image struct {
	ID            int64
	URL           string
	Width, Height int64 // px, 0 where they are not known
	Sizes         map[string]ImageSize
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
}

// Translation is the version of an item in another language.
type Translation struct {
	ID  int64  `json:"id"`
	URL string `json:"url"`
}

// Page is a page of a list of events.
type Page struct {
	Events     []Event
	Total      int64 // of events on all pages
	TotalPages int64
}
