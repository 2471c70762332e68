package pages

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// text is a string member that is false, null or an empty list if it has no value.
type text string

func (t *text) UnmarshalJSON(data []byte) error {
	var s string
	if data[0] == '"' {
		if err := json.Unmarshal(data, &s); err != nil {
			return err
		}
	}
	*t = text(s)
	return nil
}

// many is a member that holds an object, a list of objects or an empty list.
type many[T any] []T

func (m *many[T]) UnmarshalJSON(data []byte) error {
	*m = nil
	switch data[0] {
	case '[':
		return json.Unmarshal(data, (*[]T)(m))
	case '{':
		*m = make(many[T], 1)
		return json.Unmarshal(data, &(*m)[0])
	}
	return nil
}

// picture is an image with its sizes, empty for an event without one.
type picture struct {
	URL    text            `json:"url"`
	Width  int             `json:"width"`
	Height int             `json:"height"`
	Sizes  map[string]size `json:"sizes"`
}

type size struct {
	URL    text `json:"url"`
	Width  int  `json:"width"`
	Height int  `json:"height"`
}

func (p *picture) UnmarshalJSON(data []byte) error {
	type plain picture
	if *p = (picture{}); data[0] != '{' {
		return nil
	}
	// A picture with unexpected members is not shown; the page does not fail.
	if err := json.Unmarshal(data, (*plain)(p)); err != nil {
		*p = picture{}
	}
	return nil
}

// term is a category or a tag.
type term struct {
	localized
	ID          int    `json:"id"`
	Name        string `json:"name"`
	Slug        string `json:"slug"`
	Description string `json:"description"`
	Parent      int    `json:"parent"`
	Count       int    `json:"count"`
}

// place is a venue.
type place struct {
	localized
	ID          int     `json:"id"`
	Name        text    `json:"venue"`
	Slug        string  `json:"slug"`
	Description text    `json:"description"`
	Image       picture `json:"image"`
	Address     text    `json:"address"`
	City        text    `json:"city"`
	Zip         text    `json:"zip"`
	Region      text    `json:"stateprovince"`
	Country     text    `json:"country"`
	Phone       text    `json:"phone"`
	Website     text    `json:"website"`
	Modified    text    `json:"modified_utc"`
	Lat         float64 `json:"geo_lat"`
	Lng         float64 `json:"geo_lng"`
}

// host is an organizer.
type host struct {
	localized
	ID          int     `json:"id"`
	Name        text    `json:"organizer"`
	Slug        string  `json:"slug"`
	Description text    `json:"description"`
	Image       picture `json:"image"`
	Phone       text    `json:"phone"`
	Website     text    `json:"website"`
	Modified    text    `json:"modified_utc"`
	Email       text    `json:"email"`
}

// event has the members of an event that the pages show.
type event struct {
	localized
	ID          int             `json:"id"`
	Slug        string          `json:"slug"`
	Title       text            `json:"title"`
	Description text            `json:"description"`
	Excerpt     text            `json:"excerpt"`
	Image       picture         `json:"image"`
	AllDay      bool            `json:"all_day"`
	Start       text            `json:"start_date"`
	End         text            `json:"end_date"`
	StartUTC    text            `json:"utc_start_date"`
	EndUTC      text            `json:"utc_end_date"`
	Zone        text            `json:"timezone"`
	Abbr        text            `json:"timezone_abbr"`
	Cost        text            `json:"cost"`
	Prices      prices          `json:"cost_details"`
	Hidden      bool            `json:"hide_from_listings"`
	Modified    text            `json:"modified_utc"`
	Data        json.RawMessage `json:"json_ld"`
	Website     text            `json:"website"`
	URL         text            `json:"url"`
	Featured    bool            `json:"featured"`
	Categories  many[term]      `json:"categories"`
	Tags        many[term]      `json:"tags"`
	Venues      many[place]     `json:"venue"`
	Hosts       many[host]      `json:"organizer"`
}

// prices are the parts of a cost: numbers, and words in the form of a slug.
type prices []any

func (p *prices) UnmarshalJSON(data []byte) error {
	var details struct{ Values []any }
	// Details with unexpected members are none; the page shows the cost as it is written.
	if json.Unmarshal(data, &details) == nil {
		*p = details.Values
	}
	return nil
}

// isFree reports whether nobody pays for an event, as its cost says.
func (e event) isFree() bool {
	for _, value := range e.Prices {
		if word := strings.ToLower(fmt.Sprint(value)); word != "free" && word != "gratis" && word != "gratuit" {
			if n, err := strconv.ParseFloat(word, 64); err != nil || n != 0 {
				return false
			}
		}
	}
	return len(e.Prices) > 0
}

type eventList struct {
	Events     []event `json:"events"`
	Total      int     `json:"total"`
	TotalPages int     `json:"total_pages"`
}

type termList struct {
	Categories []term `json:"categories"`
	Tags       []term `json:"tags"`
	TotalPages int    `json:"total_pages"`
}

type placeList struct {
	Venues     []place `json:"venues"`
	TotalPages int     `json:"total_pages"`
}

// lines returns the address as on an envelope.
func (p place) lines() []string {
	var lines []string
	town := strings.TrimSpace(string(p.Zip) + " " + string(p.City))
	for _, line := range []string{string(p.Address), town, string(p.Region), string(p.Country)} {
		if line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}
