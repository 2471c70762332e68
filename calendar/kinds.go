package calendar

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"iter"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
	"unsafe"

	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/change"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/phpjson"
	"github.com/agendahq/agenda/internal/rest"
)

// Kinds contains the handles with which a calendar's items are read and written as Go values.
type Kinds struct {
	Events     Kind[Event]
	Venues     Kind[Venue]
	Organizers Kind[Organizer]
	Categories Kind[Term]
	Tags       Kind[Term]
}

// Kinds returns the handles with which items are read and written as Go values.
func (c *Calendar) Kinds() Kinds {
	return Kinds{
		Events: Kind[Event]{
			calendar: c, collection: "events", clone: Event.clone,
			reader: func() (reader, *Event) {
				r := &eventReader{types: c.ownTypes}
				return r, &r.Event
			},
		},
		Venues:     kindOf(c, "venues", Venue.clone),
		Organizers: kindOf(c, "organizers", Organizer.clone),
		Categories: kindOf(c, "categories", Term.clone),
		Tags:       kindOf(c, "tags", Term.clone),
	}
}

// kindOf returns the handle of a resource that events link to.
func kindOf[T any, P interface {
	*T
	reader
}](c *Calendar, collection string, clone func(T) T) Kind[T] {
	return Kind[T]{
		calendar: c, collection: collection, clone: clone,
		reader: func() (reader, *T) { v := new(T); return P(v), v },
	}
}

// Kind is the handle of one resource of a calendar, such as events, whose Go values are of type T. Its methods read and
// write as the Principal of WithPrincipal, or as an anonymous caller without one, in the language of WithLanguage, and
// within Limits.RequestTimeout. Rights, parameters, limits and hooks are the same as for requests to the API. If the
// API would reject the request, the error is an *Error. The returned values are copies: the caller may modify them.
//
// Reads of an anonymous caller are cached like answers: see Cache.
type Kind[T any] struct {
	calendar   *Calendar
	collection string
	reader     func() (reader, *T) // returns a reader and the value that it sets
	clone      func(T) T
	only       []string // members of items in lists: see Only
}

// pagesMade numbers the pages of lists that were created.
var pagesMade atomic.Uint64

// Values maps names of the API's parameters for writes to their values. A value is of a type that JSON has: nil, bool,
// string, int, int64, float64, json.Number, a list of any, string or int64, or a map[string]any:
//
//	Values{"title": "Fair", "start_date": "2031-05-01 10:00", "venue": map[string]any{"venue": "Hall"}}
//
// or of a type of a field of Event: a *Recurrence, a list of EventDate, or a time.Time, which is converted to the
// event's time zone, or to its day for a FieldDate. An image may also be a File.
type Values map[string]any

// File is a file among Values, to be used as the image of an item. The caller needs the capability "upload_files".
// Limits, checks and storage are the same as for a file sent in a form: see Uploads.
type File struct {
	Name string // as the sender named it; the type of the file is determined from its content
	Data []byte
}

// Only returns a copy of k whose lists contain only the given members, with their names in answers: "title",
// "venue.city". A list without descriptions does not read them, which saves time and memory if they are long. Fields of
// other members have their zero value. A field made of several members requires all of them: Start requires start_date,
// utc_start_date and timezone. Items that are read alone are complete.
func (k Kind[T]) Only(names ...string) Kind[T] {
	k.only = nil
	for _, name := range append(names, "id", "all_day") { // Masked is derived from them
		k.only = append(k.only, k.collection+"."+name)
	}
	return k
}

// List returns a page of the list that the parameters of an API query select, such as
//
//	url.Values{"categories": {"music"}, "page": {"2"}}
//
// An unknown parameter is an error: see Known. Parameters about the form of an answer, such as _fields, have no effect.
// The defaults are those of the API: without parameters about dates, a list of events contains events that end today or
// later, up to 24 months ahead; a page has the number of items that the site's settings say (10 unless changed); and
// terms without events are omitted unless "hide_empty" is "false".
func (k Kind[T]) List(ctx context.Context, query url.Values) (*Page[T], error) {
	return k.Refresh(ctx, query, nil)
}

// Refresh is List for a caller that keeps the page it read. If before was read with the same query and nothing has
// changed since, Refresh returns before itself, which need not be processed again. before may be nil.
func (k Kind[T]) Refresh(ctx context.Context, query url.Values, before *Page[T]) (*Page[T], error) {
	v, err := k.readInto(ctx, func(o rest.Operations) *rest.Operation { return o.List }, param.NewMap(), query,
		func(ctx context.Context, of item.UseCases, c *call.Call, out *phpjson.Writer, cached bool) (any, int, error) {
			number, size := k.calendar.env.PageOf(c)
			page, err := of.List(ctx, c, number, size)
			if err != nil {
				return nil, 0, err
			}
			items, err := page.Items(ctx)
			if err != nil {
				return nil, 0, err
			}
			fields, fingerprint := of.Declaration().Fields, page.Fingerprint()
			if fingerprint == "" && !cached && before != nil {
				for _, it := range items {
					fields.Write(out, it)
				}
				fingerprint = digest(out, page.Page)
				out.Reset()
			}
			asked := c.Root.URL + "\n" + c.Language + "\n" + query.Encode() + "\n" + strings.Join(k.only, ",") + "\n"
			if fingerprint != "" && !cached && before != nil && before.fingerprint == asked+fingerprint {
				return before, 0, nil
			}
			list := &Page[T]{
				Total: page.Total, TotalPages: (page.Total + page.Size - 1) / page.Size,
				made: pagesMade.Add(1),
			}
			if list.Items, err = k.values(ctx, out, fields, items); err != nil {
				return nil, 0, err
			}
			if fingerprint == "" && !cached {
				fingerprint = digest(out, page.Page)
			}
			if fingerprint != "" {
				list.fingerprint = asked + fingerprint
			}
			return list, weight[T](out, len(items)), nil
		})
	if err != nil {
		return nil, err
	}
	found := v.(*Page[T])
	if before != nil && found.made == before.made {
		return before, nil
	}
	list := *found
	list.Items = cloneAll(list.Items, k.clone)
	return &list, nil
}

// copied returns a query that may be changed. The caller's, which may be nil, stays as it is.
func copied(query url.Values) url.Values {
	own := url.Values{}
	maps.Copy(own, query)
	return own
}

// All returns the items of all pages of a list. It reads a page when its first item is requested, and ends after an
// error.
func (k Kind[T]) All(ctx context.Context, query url.Values) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		query := copied(query)
		if !query.Has("per_page") {
			query.Set("per_page", strconv.Itoa(k.calendar.options.Limits.MaxPageSize))
		}
		for number, last := int64(1), int64(1); number <= last; number++ {
			query.Set("page", strconv.FormatInt(number, 10))
			page, err := k.List(ctx, query)
			if err != nil {
				var refused *Error
				// A page that is not found after the first one means that the list has become shorter.
				if number == 1 || !errors.As(err, &refused) || refused.Status != http.StatusNotFound {
					var none T
					yield(none, err)
				}
				return
			}
			for _, one := range page.Items {
				if !yield(one, nil) {
					return
				}
			}
			last = page.TotalPages
		}
	}
}

// Get returns an item. query may be nil; its parameters are those of the API, such as the password of a protected
// event.
func (k Kind[T]) Get(ctx context.Context, id int64, query url.Values) (*T, error) {
	return k.one(ctx, func(o rest.Operations) *rest.Operation { return o.Item.Get }, pathOf("id", strconv.FormatInt(id, 10)), query)
}

// BySlug is Get for the item with a slug, in the form in which addresses contain it.
func (k Kind[T]) BySlug(ctx context.Context, slug string, query url.Values) (*T, error) {
	if k.calendar.events.ForCollection(k.collection).Declaration().Taxonomy != "" {
		return k.termBySlug(ctx, slug, query)
	}
	return k.one(ctx, func(o rest.Operations) *rest.Operation { return o.BySlug.Get }, pathOf("slug", slug), query)
}

// termBySlug finds a term with the parameter "slug" of lists.
func (k Kind[T]) termBySlug(ctx context.Context, slug string, query url.Values) (*T, error) {
	query = copied(query)
	query.Set("slug", slug)
	query.Set("hide_empty", "false")
	k.only = nil
	found, err := k.List(ctx, query)
	if err != nil {
		return nil, err
	}
	if len(found.Items) == 0 {
		c := k.calendar
		l := rest.Local{Operation: c.api.Operations(k.collection).List, RawQuery: query.Encode()}
		return nil, hostError(ctx, c.engine.Local(ctx, mountIn(ctx, c.own).Root, l, c.principal, func(context.Context, *call.Call) error {
			return param.Refuse("slug", param.Invalid("fault_slug"))
		}))
	}
	return &found.Items[0], nil
}

// one reads the item that a path names.
func (k Kind[T]) one(ctx context.Context, op func(rest.Operations) *rest.Operation, path *param.Map, query url.Values) (*T, error) {
	k.only = nil
	v, err := k.readInto(ctx, op, path, query,
		func(ctx context.Context, of item.UseCases, c *call.Call, out *phpjson.Writer, _ bool) (any, int, error) {
			found, err := of.Get(ctx, c)
			if err != nil {
				return nil, 0, err
			}
			one, err := k.value(out, of.Declaration().Fields, found.Item)
			return one, weight[T](out, 1), err
		})
	if err != nil {
		return nil, err
	}
	copied := k.clone(*v.(*T))
	return &copied, nil
}

// Create creates an item and returns it.
func (k Kind[T]) Create(ctx context.Context, values Values) (*T, error) {
	return k.executeWrite(ctx, func(o rest.Operations) *rest.Operation { return o.Create }, item.UseCases.Create, param.NewMap(), values)
}

// Update changes the given values of an item and returns the item.
func (k Kind[T]) Update(ctx context.Context, id int64, values Values) (*T, error) {
	return k.executeWrite(ctx, func(o rest.Operations) *rest.Operation { return o.Item.Update }, item.UseCases.Update,
		pathOf("id", strconv.FormatInt(id, 10)), values)
}

// Delete moves an item to the trash, or deletes it permanently if values, which may be nil, contain "force": true.
// Terms have no trash. Delete returns the item.
func (k Kind[T]) Delete(ctx context.Context, id int64, values Values) (*T, error) {
	return k.executeWrite(ctx, func(o rest.Operations) *rest.Operation { return o.Item.Delete }, item.UseCases.Delete,
		pathOf("id", strconv.FormatInt(id, 10)), values)
}

// pathOf returns the variables of a path that has one.
func pathOf(name, value string) *param.Map {
	path := param.NewMap()
	path.Set(name, value)
	return path
}

// readInto reads a value with an operation, from a replica if one can answer.
func (k Kind[T]) readInto(ctx context.Context, op func(rest.Operations) *rest.Operation, path *param.Map, query url.Values,
	read func(context.Context, item.UseCases, *call.Call, *phpjson.Writer, bool) (any, int, error)) (any, error) {
	raw := query.Encode()
	from := func(ctx context.Context, c *Calendar, attempt bool) (any, error) {
		l := rest.Local{Operation: op(c.api.Operations(k.collection)), Path: path, RawQuery: raw, Attempt: attempt, Strict: true,
			Fields: k.only, Anonymous: anonymousIn(ctx)}
		return c.engine.Read(ctx, mountIn(ctx, c.own).Root, l, c.principal,
			func(ctx context.Context, r *call.Call, out *phpjson.Writer, cached bool) (any, int, error) {
				return read(ctx, c.events.ForCollection(k.collection), r, out, cached)
			})
	}
	c := k.calendar
	if own, alive := c.replicas.replicaFor(ctx, op(c.api.Operations(k.collection)), raw); own != nil {
		within, cancel := context.WithCancel(ctx)
		defer cancel()
		defer context.AfterFunc(alive, cancel)()
		v, err := from(within, own, true)
		if !errors.Is(err, rest.ErrUnanswered) {
			return v, hostError(ctx, err)
		}
		change.Momentary(ctx) // Keep must not cache a mixture of two servers
	}
	v, err := from(ctx, c, false)
	return v, hostError(ctx, err)
}

// executeWrite executes a write and returns the item in the form that an answer shows.
func (k Kind[T]) executeWrite(ctx context.Context, op func(rest.Operations) *rest.Operation,
	prepare func(item.UseCases, context.Context, *call.Call) (*item.Change, error), path *param.Map, values Values) (one *T, err error) {
	body, err := k.body(values)
	if err != nil {
		return nil, fmt.Errorf("calendar: %w", err)
	}
	c := k.calendar
	defer c.replicas.writing(ctx)()
	l := rest.Local{Operation: op(c.api.Operations(k.collection)), Path: path, Body: body, Strict: true}
	cases := c.events.ForCollection(k.collection)
	var done item.Result
	err = c.engine.Local(ctx, mountIn(ctx, c.own).Root, l, c.principal, func(ctx context.Context, r *call.Call) error {
		change, err := prepare(cases, ctx, r)
		if err != nil {
			return err
		}
		change.Shown = true
		done, err = c.api.Make(ctx, change.Work())
		return err
	})
	if err == nil {
		one, err = k.value(&phpjson.Writer{}, cases.Declaration().Fields, done.Items[0])
	}
	if err = hostError(ctx, err); err != nil {
		return nil, err
	}
	return one, nil
}

// values builds the values of the items of a list.
func (k Kind[T]) values(ctx context.Context, out *phpjson.Writer, fields item.Fields, items []*item.Item) (list []T, err error) {
	item.WriteList(ctx, out, items, func() {
		list, err = make([]T, 0, len(items)), nil
		for _, it := range items {
			one, failed := k.value(out, fields, it)
			if failed != nil {
				err = failed
				return
			}
			list = append(list, *one)
		}
	})
	return list, err
}

// value builds the value of an item.
func (k Kind[T]) value(out *phpjson.Writer, fields item.Fields, it *item.Item) (*T, error) {
	r, v := k.reader()
	start, types := out.Len(), k.calendar.ownTypes[k.collection]
	var failed error
	fields.WriteMembers(out, it, func(name string, m item.Member) {
		if failed == nil && !out.Full() {
			failed = setMember(r, types, name, member{m})
		}
	})
	if failed != nil {
		return nil, fmt.Errorf("reading %s: %w", k.collection, failed)
	}
	r.end(bytes.TrimPrefix(out.Bytes()[start:], []byte(",")))
	if e, ok := any(v).(*Event); ok {
		e.EventID = it.Post.ID
	}
	return v, nil
}

// digest returns a hash of a page whose items have been written. It is the page's fingerprint if none can be computed
// from its rows, as on sites with several languages. Comparing it is cheaper than building the values again.
func digest(out *phpjson.Writer, page *call.Page) string {
	sum := sha256.Sum256(out.Bytes())
	return strconv.FormatInt(page.Total, 10) + "\n" + string(sum[:])
}

// weight returns the approximate size in memory of n values that were built from what out contains: their strings, and
// as much for their JSON.
func weight[T any](out *phpjson.Writer, n int) int {
	var one T
	return 2*out.Len() + n*int(unsafe.Sizeof(one))
}

// Event returns an event. It is short for Kinds().Events.Get without a query.
func (c *Calendar) Event(ctx context.Context, id int64) (*Event, error) {
	return c.Kinds().Events.Get(ctx, id, nil)
}

// Events returns a page of the list of events that an API query selects. It is short for Kinds().Events.List.
func (c *Calendar) Events(ctx context.Context, query url.Values) (*Page[Event], error) {
	return c.Kinds().Events.List(ctx, query)
}

// Month returns all events that take place in a month, even if only partly, ordered by start. query may be nil; it can
// contain other parameters of the list, such as "categories".
func (c *Calendar) Month(ctx context.Context, year int, month time.Month, query url.Values) ([]Event, error) {
	query = copied(query)
	first := time.Date(year, month, 1, 0, 0, 0, 0, time.UTC)
	query.Set("ends_after", first.AddDate(0, 0, -1).Format(time.DateOnly)) // events that end after this whole day
	query.Set("starts_before", first.AddDate(0, 1, -1).Format(time.DateOnly))
	var events []Event
	for event, err := range c.Kinds().Events.All(ctx, query) {
		if err != nil {
			return nil, err
		}
		events = append(events, event)
	}
	return events, nil
}
