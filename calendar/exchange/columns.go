package exchange

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"unicode"

	"github.com/pelletier/go-toml/v2"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/item"
)

// These names belong to fields that this package handles itself, and to CSV columns that are no field of a resource.
const (
	fieldUID, fieldLanguage, fieldGroup = "uid", "language", "group"
	fieldDates, fieldRecurrence         = "dates", "recurrence"
	fieldRule, fieldExcluded            = "recurrence.rrule", "recurrence.exdates"
	fieldState, fieldReason             = "event_status", "event_status_reason"
	fieldTranslationOf                  = "translation_of" // an id, which means nothing on another site: see Record.Group
	fieldImageAlt                       = "image_alt"      // belongs to the image, wherever that is shown

	fieldTitle, fieldImage, fieldWebsite, fieldStatus, fieldCost = "title", "image", "website", "status", "cost"
	fieldDescription, fieldExcerpt, fieldSlug, fieldAuthor       = "description", "excerpt", "slug", "author"
	fieldStart, fieldEnd, fieldAllDay, fieldZone                 = "start_date", "end_date", "all_day", "timezone"
	fieldDate, fieldDateUTC                                      = "date", "date_utc"
	fieldStartTime, fieldEndTime                                 = "start_time", "end_time"
	fieldSymbol, fieldPosition                                   = "cost_symbol", "cost_position"
	fieldLocation, fieldPrivate, fieldSensitive                  = "location", "private", "sensitivity"
	fieldAddress2                                                = "address_2"
	fieldMeeting                                                 = "meeting_organizer"
	fieldCategories, fieldTags, fieldParent                      = "categories", "tags", "parent"
	fieldLatitude, fieldLongitude                                = "geo_lat", "geo_lng"
)

// columns lists the CSV columns for the resources of a calendar.
type columns struct {
	*resources
	written []string          // columns that CSVWriter writes, in their order
	read    []string          // columns that are read but never written
	names   map[string]string // columns by the names that files may use for them: see aliases

	below map[Collection][]string // columns with the fields of a linked item, except its name
}

// leading lists the columns that come before the other fields of events.
var leading = []string{fieldUID, fieldLanguage, fieldGroup, fieldTitle, fieldStart, fieldEnd, fieldAllDay}

// columnsOf returns the columns for the resources of a calendar: leading, then the other fields of events, then the
// linked resources, each followed by its fields.
func columnsOf(k *resources) *columns {
	c := &columns{resources: k, written: slices.Clone(leading), below: map[Collection][]string{}}
	for _, f := range k.events.fields {
		switch {
		case f.Name == fieldRecurrence:
			c.written = append(c.written, fieldRule, fieldExcluded)
		case !slices.Contains(leading, f.Name) && cellOf(f):
			c.written = append(c.written, f.Name)
		}
	}
	c.written = append(c.written, fieldState, fieldImage)
	for _, l := range k.linked {
		c.below[l.Collection] = linkedColumns(l)
		c.written = append(append(c.written, l.field), c.below[l.Collection]...)
	}
	c.read = []string{fieldStartTime, fieldEndTime, fieldSymbol, fieldPosition, fieldLocation, fieldPrivate, fieldSensitive, fieldMeeting,
		c.forCollection(Venues).column(fieldAddress2)}
	c.names = c.known()
	return c
}

// linkedColumns returns the columns with the fields of a linked item, except its name. Terms have none.
func linkedColumns(k *resource) (list []string) {
	if k.terms != nil {
		return nil
	}
	for _, f := range k.fields {
		if f.Name != k.Title && cellOf(f) {
			list = append(list, k.column(f.Name))
		}
	}
	if k.position {
		list = append(list, k.column(fieldLatitude), k.column(fieldLongitude))
	}
	return append(list, k.column(fieldImage))
}

// cellOf reports whether a cell can hold the values of a field. A cost may be one string or several; dateCells writes
// the occurrences.
func cellOf(f field) bool {
	return f.form != item.FormOther || f.Name == fieldCost || f.Name == fieldDates || f.Name == fieldRecurrence
}

// aliases lists names of columns in the files of other programs: the CSV files of The Events Calendar, web calendars
// and desktop calendars. Only the letters and digits of a name are compared. Columns listed for "-" are ignored and not
// reported.
const aliases = `
	title = name, subject, event name, event title, summary
	description = event description, body, notes
	excerpt = event excerpt
	start_date = start, event start date, begin
	start_time = event start time
	end_date = end, event end date
	end_time = event end time
	all_day = all day event, event all day
	recurrence.rrule = rrule, recurrence, recurrence rule
	recurrence.exdates = exdates, exdate, excluded dates
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
	venue = venue name, event venue name, event venue, event venue name or id, event venue names or ids, venue name or id
	venue.image = venue featured image
	venue.show_map = venue show map
	venue.show_map_link = venue show map link
	venue.address = venue address
	venue.address_2 = venue address 2, venue address line 2
	venue.city = venue city
	venue.country = venue country
	venue.state = venue state
	venue.province = venue province
	venue.stateprovince = venue state province
	venue.zip = venue zip, venue postal code
	venue.phone = venue phone
	venue.website = venue url, venue web site
	venue.description = venue description
	organizer = organizers, organizer name, event organizer, event organizers, event organizer name, event organizer names or ids,
		event organizer name or id, organizer names or ids, organizer name or id
	organizer.email = organizer e-mail
	organizer.phone = organizer phone
	organizer.website = organizer url
	organizer.image = organizer featured image
	- = reminder on off, reminder date, reminder time, required attendees, optional attendees, meeting resources, priority, show time as
	- = billing information, mileage, event allow comments, event allow trackbacks and pingbacks, event iso currency code, event id
	- = allow comments, allow trackbacks, allow pingbacks, allow trackbacks and pingbacks, event allow trackbacks, iso currency code
	- = venue allow comments, organizer allow comments, venue allow trackbacks and pingbacks, organizer allow trackbacks and pingbacks
`

// known returns the columns by the names that files may use for them.
func (c *columns) known() map[string]string {
	names := map[string]string{}
	for line := range strings.Lines(aliases) {
		field, list, _ := strings.Cut(strings.TrimSpace(line), " = ")
		for name := range strings.SplitSeq(list, ", ") {
			if name != "" {
				names[columnKey(name)] = field
			}
		}
	}
	for _, field := range c.all() {
		names[columnKey(field)] = field
	}
	for _, l := range c.linked {
		if key := columnKey(string(l.Collection)); names[key] == "" {
			names[key] = l.field
		}
	}
	return names
}

// all returns all columns, those that are only read last.
func (c *columns) all() []string { return slices.Concat(c.written, c.read) }

// columnKey returns the part of a column's name that is compared: its letters and digits, in lower case.
func columnKey(name string) string {
	return strings.Map(func(c rune) rune {
		if !unicode.IsLetter(c) && !unicode.IsDigit(c) {
			return -1
		}
		return unicode.ToLower(c)
	}, name)
}

// ReadColumns reads a mapping file: TOML with a line for each column, which maps the column's name to a field, or to
// "-" for a column to ignore:
//
//	"Naam van de activiteit" = "title"
//	Zaal = "venue"
//	Intern = "-"
//
// The fields are those of the calendar c. If c is nil, they are the fields that all calendars have.
func ReadColumns(r io.Reader, c *calendar.Calendar) (map[string]string, error) {
	mapping := map[string]string{}
	if err := toml.NewDecoder(r).Decode(&mapping); err != nil {
		return nil, err
	}
	all := columnsOf(resourcesOf(c))
	for name, field := range mapping {
		if field == "-" {
			continue
		}
		known, ok := all.names[columnKey(field)]
		if !ok || known == "-" {
			return nil, fmt.Errorf("column %q: there is no field %q; the fields are %s", name, field, strings.Join(all.all(), ", "))
		}
		mapping[name] = known
	}
	return mapping, nil
}
