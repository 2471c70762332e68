package pages

import (
	"bytes"
	"encoding/json"
	"html/template"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agendahq/agenda/calendar"
)

// linkedData is an event for search engines in the vocabulary of schema.org. The JSON-LD of the API is that of The
// Events Calendar, which contains HTML, empty members, and names in place of objects. Here, all texts are plain, and
// unknown members are omitted.
type linkedData struct {
	Context     string          `json:"@context"`
	Type        string          `json:"@type"`
	Name        string          `json:"name,omitempty"`
	Description string          `json:"description,omitempty"`
	URL         string          `json:"url"`
	Image       []string        `json:"image,omitempty"`
	Start       string          `json:"startDate,omitempty"`
	End         string          `json:"endDate,omitempty"`
	Status      string          `json:"eventStatus"`
	Language    string          `json:"inLanguage,omitempty"`
	Free        bool            `json:"isAccessibleForFree,omitempty"`
	Location    *linkedPlace    `json:"location,omitempty"`
	Organizer   []linkedParty   `json:"organizer,omitempty"`
	Performer   *linkedParty    `json:"performer,omitempty"`
	Offers      json.RawMessage `json:"offers,omitempty"`
}

type linkedPlace struct {
	Type      string         `json:"@type"`
	Name      string         `json:"name,omitempty"`
	URL       string         `json:"url,omitempty"`
	Telephone string         `json:"telephone,omitempty"`
	Address   *linkedAddress `json:"address,omitempty"`
	Geo       *linkedGeo     `json:"geo,omitempty"`
}

type linkedAddress struct {
	Type     string `json:"@type"`
	Street   string `json:"streetAddress,omitempty"`
	Locality string `json:"addressLocality,omitempty"`
	Region   string `json:"addressRegion,omitempty"`
	Code     string `json:"postalCode,omitempty"`
	Country  string `json:"addressCountry,omitempty"`
}

type linkedGeo struct {
	Type      string  `json:"@type"`
	Latitude  float64 `json:"latitude"`
	Longitude float64 `json:"longitude"`
}

type linkedParty struct {
	Type      string `json:"@type"`
	Name      string `json:"name"`
	URL       string `json:"url,omitempty"`
	Telephone string `json:"telephone,omitempty"`
	Email     string `json:"email,omitempty"`
}

// linkedStatus maps the status of events to schema.org's.
var linkedStatus = map[string]string{"canceled": "EventCancelled", "postponed": "EventPostponed", "": "EventScheduled"}

// linkedEvent returns the JSON-LD of an event for its page, or "" if the API returned none, as for a password-protected
// event.
func linkedEvent(r *http.Request, v *version, e calendar.Event, address string) template.JS {
	var own struct{ Offers json.RawMessage }
	if json.Unmarshal(e.LinkedData, &own) != nil || !bytes.HasPrefix(e.LinkedData, []byte("{")) {
		return ""
	}
	status, known := linkedStatus[e.EventStatus]
	if !known {
		status = linkedStatus[""]
	}
	data := linkedData{
		Context: "https://schema.org", Type: "Event", Name: unmarked(e.Title), Description: summary(e), URL: address,
		Status: "https://schema.org/" + status, Language: e.Language, Free: isFree(e), Location: linkedVenue(r, v, e),
		Offers: offers(own.Offers, e.Prices),
	}
	if picture := v.at.image(e.Image, "large"); picture.URL != "" {
		data.Image = []string{v.at.absolute(r, picture.URL)}
	}
	if data.Start, data.End = e.Start.Format(time.RFC3339), e.End.Format(time.RFC3339); e.AllDay {
		data.Start, data.End = e.Start.Format(time.DateOnly), e.End.Format(time.DateOnly)
	}
	if e.Start.IsZero() {
		data.Start = ""
	}
	if e.End.IsZero() {
		data.End = ""
	}
	for _, o := range e.Organizers {
		if name := unmarked(o.Name); name != "" {
			data.Organizer = append(data.Organizer, linkedParty{"Organization", name, o.Website, o.Phone, o.Email})
		}
	}
	if len(data.Organizer) > 0 { // as in The Events Calendar, the organizer is also the performer
		data.Performer = &linkedParty{Type: "Organization", Name: data.Organizer[0].Name}
	}
	var out bytes.Buffer
	body, err := json.Marshal(data)
	if err != nil {
		return ""
	}
	json.HTMLEscape(&out, body) // so that no text can end the script element
	return template.JS(out.String())
}

// linkedVenue returns the place of an event, or nil if it has none.
func linkedVenue(r *http.Request, v *version, e calendar.Event) *linkedPlace {
	if len(e.Venues) == 0 {
		return nil
	}
	p := e.Venues[0]
	place := &linkedPlace{Type: "Place", Name: unmarked(p.Name), Telephone: p.Phone,
		URL: v.at.absolute(r, v.link(route{kind: oneVenue, slug: p.Slug}))}
	address := linkedAddress{"PostalAddress", p.Address, p.City, p.Region, p.Zip, p.Country}
	if address != (linkedAddress{Type: "PostalAddress"}) {
		place.Address = &address
	}
	if located(p) {
		place.Geo = &linkedGeo{"GeoCoordinates", *p.Latitude, *p.Longitude}
	}
	return place
}

// offers returns offers without their empty members, or nil if nothing remains. prices are those of the event.
func offers(stored json.RawMessage, prices []string) json.RawMessage {
	var all any
	if json.Unmarshal(stored, &all) != nil {
		return nil
	}
	all = filled(all)
	if offer, ok := all.(map[string]any); ok {
		setPrice(offer, prices)
	}
	kept, err := json.Marshal(all)
	if err != nil || string(kept) == "null" {
		return nil
	}
	return kept
}

// setPrice replaces the price of an offer by the numbers of its event, since search engines read only numbers: for
// "4 – 8", by the lowest and the highest one, and for a price in words by nothing.
func setPrice(offer map[string]any, prices []string) {
	text, _ := offer["price"].(string)
	if _, err := strconv.ParseFloat(text, 64); err == nil || text == "" {
		return
	}
	var numbers []float64
	for _, price := range prices {
		if n, err := strconv.ParseFloat(price, 64); err == nil {
			numbers = append(numbers, n)
		}
	}
	delete(offer, "price")
	switch len(numbers) {
	case 0:
	case 1:
		offer["price"] = numbers[0]
	default:
		offer["@type"], offer["lowPrice"], offer["highPrice"] = "AggregateOffer", slices.Min(numbers), slices.Max(numbers)
	}
}

// filled returns a value without its empty members, or nil if nothing remains. Names of availabilities are converted to
// schema.org's addresses.
func filled(v any) any {
	switch v := v.(type) {
	case map[string]any:
		for name, member := range v {
			if word, ok := member.(string); ok && name == "availability" && word != "" && !strings.Contains(word, "/") {
				v[name] = "https://schema.org/" + capital(word)
				continue
			}
			if v[name] = filled(member); v[name] == nil {
				delete(v, name)
			}
		}
		if len(v) == 0 {
			return nil
		}
	case []any:
		var list []any
		for _, member := range v {
			if member = filled(member); member != nil {
				list = append(list, member)
			}
		}
		if len(list) == 0 {
			return nil
		}
		return list
	case string:
		if v = unmarked(v); v == "" {
			return nil
		}
		return v
	}
	return v
}
