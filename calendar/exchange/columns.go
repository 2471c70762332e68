package exchange

import (
	"fmt"
	"io"
	"strings"
	"unicode"

	"github.com/pelletier/go-toml/v2"
)

// Fields of a row, besides the parameters of an event that are texts.
const (
	fieldUID, fieldLanguage, fieldGroup = "uid", "language", "group"
	fieldState, fieldReason             = "event_status", "event_status_reason"

	fieldTitle, fieldImage, fieldWebsite, fieldStatus, fieldCost = "title", "image", "website", "status", "cost"
	fieldStart, fieldEnd, fieldAllDay                            = "start_date", "end_date", "all_day"
	fieldStartTime, fieldEndTime                                 = "start_time", "end_time"
	fieldSymbol, fieldPosition                                   = "cost_symbol", "cost_position"
	fieldLocation, fieldPrivate, fieldSensitive                  = "location", "private", "sensitivity"
	fieldVenue, fieldOrganizer                                   = "venue", "organizer"
	fieldMeeting                                                 = "meeting_organizer"
	fieldCategories, fieldTags                                   = "categories", "tags"
	fieldLatitude, fieldLongitude                                = "venue.geo_lat", "venue.geo_lng"
)

// eventTexts, eventFlags, placeFields, venueFields and organizerFields are the parameters of writes that
// a column may hold as it is. The flags are also taken from the API of another calendar. What the calendar declares and
// is in none of them makes an export fail: see UnheldError.
var (
	eventTexts = []string{"description", "excerpt", "slug", fieldStatus, "timezone", "author", "date", "date_utc",
		fieldReason}
	eventFlags = []string{"show_map", "show_map_link", "hide_from_listings", "sticky", "featured"}

	placeFields = []string{"description", "excerpt", "slug", "status", "author", "date", "date_utc", "phone", "website"}
	venueFields = append([]string{"address", "city", "country", "province", "state", "stateprovince", "zip",
		"show_map", "show_map_link"}, placeFields...)
	organizerFields = append([]string{"email"}, placeFields...)
)

// fields are all fields of a row, in the order of the columns that CSVWriter writes; the
// last ones are those that it does not write.
var fields = func() []string {
	list := []string{fieldUID, fieldLanguage, fieldGroup, fieldTitle, fieldStart, fieldEnd, fieldAllDay}
	list = append(list, eventTexts...)
	list = append(list, fieldState, fieldCost, fieldWebsite, fieldImage, fieldCategories, fieldTags)
	list = append(list, eventFlags...)
	list = append(list, fieldVenue)
	for _, name := range venueFields {
		list = append(list, fieldVenue+"."+name)
	}
	list = append(list, fieldLatitude, fieldLongitude, fieldVenue+"."+fieldImage, fieldOrganizer)
	for _, name := range organizerFields {
		list = append(list, fieldOrganizer+"."+name)
	}
	return append(list, fieldOrganizer+"."+fieldImage,
		fieldStartTime, fieldEndTime, fieldSymbol, fieldPosition, fieldLocation, fieldPrivate, fieldSensitive, fieldMeeting)
}()

// written is how many of fields CSVWriter writes.
var written = len(fields) - 8

// aliases are the names of columns in files of others: of the CSV files of the site's own
// plugin, of web calendars and desktop suites. Only letters and digits of a name count.
// Columns for "-" are left out without a word.
var aliases = func() map[string]string {
	names := map[string]string{}
	for _, field := range fields {
		names[columnKey(field)] = field
	}
	for line := range strings.Lines(`
		title = name, subject, event name, event title, summary
		description = event description, body, notes
		excerpt = event excerpt
		start_date = start, event start date, begin
		start_time = event start time
		end_date = end, event end date
		end_time = event end time
		all_day = all day event, event all day
		timezone = time zone, event time zone, event timezone
		cost = event cost, price
		cost_symbol = event currency symbol, currency symbol
		cost_position = event currency position, currency position
		website = event website, event url, url
		image = event featured image, featured image, image url
		categories = category, event category, event categories
		tags = tag, event tags, event tag
		show_map = event show map
		show_map_link = event show map link
		hide_from_listings = hide event from event listings, hide from event listings, hide from listings
		sticky = event sticky in month view, sticky in month view
		featured = feature event, event featured, featured event
		location = where
		meeting_organizer = meeting organizer
		slug = event slug
		status = post status
		event_status = state
		venue = venue name, event venue name, event venue
		venue.address = venue address
		venue.city = venue city
		venue.country = venue country
		venue.state = venue state
		venue.province = venue province
		venue.stateprovince = venue state province
		venue.zip = venue zip, venue postal code
		venue.phone = venue phone
		venue.website = venue url
		venue.description = venue description
		organizer = organizers, organizer name, event organizer, event organizers, event organizer name, event organizer names or ids
		organizer.email = organizer e-mail
		organizer.phone = organizer phone
		organizer.website = organizer url
		- = reminder on off, reminder date, reminder time, required attendees, optional attendees, meeting resources, priority, show time as
		- = billing information, mileage, event allow comments, event allow trackbacks and pingbacks, event iso currency code, event id
	`) {
		field, list, _ := strings.Cut(strings.TrimSpace(line), " = ")
		for name := range strings.SplitSeq(list, ", ") {
			if name != "" {
				names[columnKey(name)] = field
			}
		}
	}
	return names
}()

// columnKey returns what of a column's name counts: letters and digits, in small letters.
func columnKey(name string) string {
	return strings.Map(func(c rune) rune {
		if !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			return -1
		}
		return unicode.ToLower(c)
	}, name)
}

// ReadColumns reads a mapping file: TOML with a line for each column, its name and the
// field that it is, or "-" for a column to leave out:
//
//	"Naam van de activiteit" = "title"
//	Zaal = "venue"
//	Intern = "-"
func ReadColumns(r io.Reader) (map[string]string, error) {
	columns := map[string]string{}
	if err := toml.NewDecoder(r).Decode(&columns); err != nil {
		return nil, err
	}
	for name, field := range columns {
		if field == "-" {
			continue
		}
		known, ok := aliases[columnKey(field)]
		if !ok || known == "-" {
			return nil, fmt.Errorf("column %q: there is no field %q; the fields are %s", name, field, strings.Join(fields, ", "))
		}
		columns[name] = known
	}
	return columns, nil
}
