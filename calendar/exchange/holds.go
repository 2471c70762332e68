package exchange

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// UnheldError is the error of an export in a form that has no place for something that the
// calendar declares. Nothing is written then.
type UnheldError struct {
	Format Format
	Fields []string     // of events, such as "cost", and of what they link, such as "venue.city"
	Kinds  []Collection // that events link
}

func (e *UnheldError) Error() string {
	var parts []string
	for _, name := range e.Fields {
		parts = append(parts, "the field "+strconv.Quote(name))
	}
	for _, kind := range e.Kinds {
		parts = append(parts, "the kind "+strconv.Quote(string(kind)))
	}
	return fmt.Sprintf("the form %s has no place for %s", e.Format, strings.Join(parts, ", "))
}

// Names returns what is to be named to leave it out.
func (e *UnheldError) Names() []string {
	names := slices.Clone(e.Fields)
	for _, kind := range e.Kinds {
		names = append(names, string(kind))
	}
	return names
}

// ErrLeaveOut is the error of a name in LeaveOut that nothing has which could be left out.
var ErrLeaveOut = errors.New("cannot be left out")

// holds returns an error unless the form has a place for all that the calendar declares, or it
// is left out knowingly.
func (x *exporting) holds() error {
	all := x.unheld()
	for _, name := range x.exporter.LeaveOut {
		if name == LeaveOutDates {
			continue
		}
		if !slices.Contains(all.Names(), name) {
			return fmt.Errorf("%q %w: it is no field or kind for which the form %s has no place", name, ErrLeaveOut, x.exporter.Format)
		}
		x.lacks(name, "is left out")
	}
	left := func(name string) bool { return slices.Contains(x.exporter.LeaveOut, name) }
	all.Fields = slices.DeleteFunc(all.Fields, left)
	all.Kinds = slices.DeleteFunc(all.Kinds, func(kind Collection) bool { return left(string(kind)) })
	if len(all.Fields)+len(all.Kinds) > 0 {
		return all
	}
	return nil
}

// unheld returns what the form has no place for. No form has one for values that mean nothing on another
// site, nor for fields that the caller may not read: the values would be lost with a record that is
// taken for the whole. JSON lines have all others. A row has a cell for a field
// that is no object, and for what is linked, of which terms are names alone. iCalendar has what the feed has of the fields that
// feeds were made for, and no place for any other.
func (x *exporting) unheld() *UnheldError {
	e := &UnheldError{Format: x.exporter.Format}
	for _, k := range append([]*kind{x.kinds.events}, x.kinds.linked...) {
		shown, inFeeds := feedFields[k.Collection]
		if x.exporter.Format == FormatICalendar && !inFeeds {
			e.Kinds = append(e.Kinds, k.Collection)
			continue
		}
		for _, f := range k.fields {
			if f.Local || !f.Readable(x.ctx) || x.exporter.Format == FormatCSV && (k.terms != nil || !cellOf(f)) ||
				x.exporter.Format == FormatICalendar && !slices.Contains(shown, f.Name) {
				e.Fields = append(e.Fields, k.column(f.Name))
			}
		}
	}
	return e
}

// feedFields are the kinds and fields that feeds were made for: they show them, or leave them out
// as those of the site's own software do.
var feedFields = map[Collection][]string{
	Events: append([]string{
		fieldTitle, fieldStart, fieldEnd, fieldAllDay, fieldZone, fieldDates, fieldRecurrence, fieldCost, fieldReason,
		"hide_from_listings", "sticky", "featured", "show_map", "show_map_link",
	}, feedPosts...),
	Venues: append([]string{
		"venue", "address", "city", "country", "province", "state", "stateprovince", "zip", "phone", "show_map", "show_map_link",
	}, feedPosts...),
	Organizers: append([]string{"organizer", "email", "phone"}, feedPosts...),
	Categories: nil, Tags: nil,
}

// feedPosts are those of all kinds of posts.
var feedPosts = []string{
	fieldAuthor, fieldStatus, fieldDate, fieldDateUTC, fieldDescription, fieldExcerpt, fieldSlug, fieldWebsite,
}
