package exchange

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/store"
)

// UnheldError is the error of an export in a format that has no place for something that an exported item has, or that
// the caller may not read and any item of the calendar has. Nothing is written then.
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

// unplaced is a field, or a whole kind of linked items, for which the format of an export has no place.
type unplaced struct {
	kind  *kind
	field *field // nil for the kind
	found bool   // an exported item has it
}

func (u *unplaced) name() string {
	if u.field == nil {
		return string(u.kind.Collection)
	}
	return u.kind.column(u.field.Name)
}

// seek notes for what of all that the calendar declares the format has no place: what is left out knowingly, and what no
// exported item may have. It returns an error if that is known without reading any.
func (x *exporting) seek() error {
	all := x.unplaced()
	x.unwritten = map[string]bool{}
	for _, u := range all {
		x.unwritten[u.name()] = true
	}
	for _, name := range x.exporter.LeaveOut {
		if name == LeaveOutDates {
			continue
		}
		if !x.unwritten[name] {
			return fmt.Errorf("%q %w: it is no field or kind for which the form %s has no place", name, ErrLeaveOut, x.exporter.Format)
		}
		x.lacks(name, "is left out")
	}
	x.sought = slices.DeleteFunc(all, func(u *unplaced) bool { return slices.Contains(x.exporter.LeaveOut, u.name()) })
	if err := x.seekUnreadable(); err != nil {
		return err
	}
	return x.unheld(false)
}

// unplaced returns what the format has no place for. No format has one for values that mean nothing on another
// site, nor for fields that the caller may not read: the values would be lost with a record that is
// taken for the whole. JSON lines have all others. A row has a cell for a field
// that is no object, and for what is linked, of which terms are names alone. iCalendar has what the feed has of the fields that
// feeds were made for, and no place for any other.
func (x *exporting) unplaced() (list []*unplaced) {
	for _, k := range append([]*kind{x.kinds.events}, x.kinds.linked...) {
		shown, inFeeds := feedFields[k.Collection]
		if x.exporter.Format == FormatICalendar && !inFeeds {
			list = append(list, &unplaced{kind: k})
			continue
		}
		for i := range k.fields {
			f := &k.fields[i]
			if f.Local || !f.Readable(x.ctx) || x.exporter.Format == FormatCSV && (k.terms != nil || !cellOf(*f)) ||
				x.exporter.Format == FormatICalendar && !slices.Contains(shown, f.Name) {
				list = append(list, &unplaced{kind: k, field: f})
			}
		}
	}
	return list
}

// seekUnreadable asks which of the fields that the caller may not read any item of the calendar has. Whether one that is
// exported does is not asked: by exports of single events the caller could find out which of them have a value.
func (x *exporting) seekUnreadable() error {
	var keys []store.MetaKey
	unreadable := func(u *unplaced) bool { return u.field != nil && !u.field.Readable(x.ctx) }
	each := func(f func(u *unplaced, key store.MetaKey)) {
		for _, u := range x.sought {
			if unreadable(u) {
				for _, key := range u.field.Keys {
					f(u, u.kind.metaKey(key))
				}
			}
		}
	}
	each(func(_ *unplaced, key store.MetaKey) { keys = append(keys, key) })
	used, err := x.parts.Events.Service.Content.Store.InUse(x.ctx, keys)
	if err != nil {
		return err
	}
	each(func(u *unplaced, key store.MetaKey) { u.found = u.found || used[slices.Index(keys, key)] })
	x.sought = slices.DeleteFunc(x.sought, func(u *unplaced) bool { return unreadable(u) && !u.found })
	return nil
}

// valuesOf returns what an item has of the fields for which the format has no place.
func (x *exporting) valuesOf(k *kind, it *item.Item) (list []*unplaced, err error) {
	for _, u := range x.sought {
		if u.found || u.field == nil || u.kind != k {
			continue
		}
		v, err := u.field.HeldValue(it)
		if err != nil {
			return nil, err
		}
		if !nothing(v) {
			list = append(list, u)
		}
	}
	return list, nil
}

// find notes what an exported record, and what it links, have that the format has no place for.
func (x *exporting) find(rec *Record) {
	if len(x.sought) == 0 || rec == nil {
		return
	}
	for _, u := range rec.unplaced {
		u.found = true
	}
	for _, u := range x.sought {
		u.found = u.found || u.field == nil && len(rec.Linked[u.kind.Collection]) > 0
	}
	if x.exporter.Format != FormatICalendar { // which does not name it
		x.find(rec.Parent)
	}
	for _, list := range rec.Linked {
		for _, one := range list {
			x.find(one)
		}
	}
}

// unheld returns an error if exported items have something for which the format has no place: once all was read, or before if
// they have all that is sought.
func (x *exporting) unheld(all bool) error {
	e := &UnheldError{Format: x.exporter.Format}
	for _, u := range x.sought {
		switch {
		case !u.found && !all:
			return nil
		case !u.found:
		case u.field == nil:
			e.Kinds = append(e.Kinds, u.kind.Collection)
		default:
			e.Fields = append(e.Fields, u.name())
		}
	}
	if len(e.Fields)+len(e.Kinds) == 0 {
		return nil
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
	fieldAuthor, fieldStatus, fieldDate, fieldDateUTC, fieldDescription, fieldExcerpt, fieldSlug, fieldWebsite, fieldImageAlt,
}
