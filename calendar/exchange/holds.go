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

// UnheldError is the error of an export whose format cannot represent something that an exported item has. Fields that
// the caller may not read count as soon as any item of the calendar has them. Nothing is written then.
type UnheldError struct {
	Format Format
	Fields []string     // fields of events, such as "cost", and of linked items, such as "venue.city"
	Kinds  []Collection // resources of linked items
}

func (e *UnheldError) Error() string {
	var parts []string
	for _, name := range e.Fields {
		parts = append(parts, "the field "+strconv.Quote(name))
	}
	for _, kind := range e.Kinds {
		parts = append(parts, "the kind "+strconv.Quote(string(kind)))
	}
	return fmt.Sprintf("the format %s has no place for %s", e.Format, strings.Join(parts, ", "))
}

// Names returns what LeaveOut has to contain to leave these fields and resources out.
func (e *UnheldError) Names() []string {
	names := slices.Clone(e.Fields)
	for _, kind := range e.Kinds {
		names = append(names, string(kind))
	}
	return names
}

// ErrLeaveOut is the error of a name in LeaveOut that is nothing which the format cannot represent.
var ErrLeaveOut = errors.New("cannot be left out")

// unplaced is a field, or a whole resource of linked items, that the format of an export cannot represent.
type unplaced struct {
	kind  *resource
	field *field // nil if it is the whole resource
	found bool   // an exported item has it
}

func (u *unplaced) name() string {
	if u.field == nil {
		return string(u.kind.Collection)
	}
	return u.kind.column(u.field.Name)
}

// seek determines which fields and resources the format cannot represent: those that are left out on purpose, and those
// that must not occur in any exported item. It returns an error if the export is known to fail before any item is read.
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
			return fmt.Errorf("%q %w: the format %s has a place for it, or no field or kind has this name", name, ErrLeaveOut,
				x.exporter.Format)
		}
		x.lacks(name, "is left out")
	}
	x.sought = slices.DeleteFunc(all, func(u *unplaced) bool { return slices.Contains(x.exporter.LeaveOut, u.name()) })
	if err := x.seekUnreadable(); err != nil {
		return err
	}
	return x.unheld(false)
}

// unplaced returns what the format cannot represent. No format represents values that mean nothing on another site, or
// fields that the caller may not read: a record without them would be taken for complete, and its import would remove
// the values. JSON lines contain everything else. A CSV row contains fields that are no objects, and of linked terms
// only the names. iCalendar contains the fields of feedFields.
func (x *exporting) unplaced() (list []*unplaced) {
	for _, k := range append([]*resource{x.resources.events}, x.resources.linked...) {
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

// seekUnreadable queries which of the fields that the caller may not read are used by any item of the calendar. It does
// not query the exported items: exports of single events would then disclose which of them have a value.
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

// valuesOf returns the fields of an item that have a value and that the format cannot represent.
func (x *exporting) valuesOf(k *resource, it *item.Item) (list []*unplaced, err error) {
	for _, u := range x.sought {
		if u.found || u.field == nil || u.kind != k {
			continue
		}
		v, err := u.field.HeldValue(it)
		if err != nil {
			return nil, err
		}
		if !isEmptyValue(v) {
			list = append(list, u)
		}
	}
	return list, nil
}

// find marks what an exported record and its linked items have and the format cannot represent.
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
	if x.exporter.Format != FormatICalendar { // iCalendar does not contain parents of terms
		x.find(rec.Parent)
	}
	for _, list := range rec.Linked {
		for _, one := range list {
			x.find(one)
		}
	}
}

// unheld returns an UnheldError if exported items have something that the format cannot represent. all is true once all
// items were read; before that it returns an error only if everything sought was found.
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

// feedFields lists the resources and fields that feeds handle: a feed contains them, or leaves them out as the feeds of
// The Events Calendar do.
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

// feedPosts lists the feed fields that all posts have.
var feedPosts = []string{
	fieldAuthor, fieldStatus, fieldDate, fieldDateUTC, fieldDescription, fieldExcerpt, fieldSlug, fieldWebsite, fieldImageAlt,
}
