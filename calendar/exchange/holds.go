package exchange

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/agendahq/agenda/internal/item"
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

// unheld returns what the form has no place for. JSON lines have all fields. iCalendar has of
// those that are known here what the feed has of them, and no place for any other.
func (x *exporting) unheld() *UnheldError {
	e := &UnheldError{Format: x.exporter.Format}
	links := []string{fieldCategories, fieldTags}
	for _, k := range x.parts.Events.Linked {
		links = append(links, k.Name)
		if k != x.parts.Events.Venues && k != x.parts.Events.Organizers {
			e.Kinds = append(e.Kinds, Collection(k.Type.Collection))
		}
	}
	if x.exporter.Format == FormatJSON {
		return e
	}
	add := func(kind Collection, list item.Fields) {
		for _, f := range list {
			name := fieldOf(kind, f.Name)
			if f.Param != nil && !slices.Contains(fields[:written], name) && !slices.Contains(links, name) {
				e.Fields = append(e.Fields, name)
			}
		}
	}
	add(Events, x.parts.Events.Fields)
	add(Venues, x.parts.Events.Venues.Fields)
	add(Organizers, x.parts.Events.Organizers.Fields)
	return e
}

// fieldOf names the field of a kind as a row does.
func fieldOf(kind Collection, name string) string {
	if of := titles[kind]; kind != Events && name != of {
		return of + "." + name
	}
	return name
}
