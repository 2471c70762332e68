package editing

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/agendahq/agenda/calendar"
)

// forms contains the lists and forms of all resources.
type forms struct {
	site    *Site
	editors []*editor
	kept    *kept
}

// textLimit is the maximal size of the text values of a form, pictureLimit that of its image, in bytes.
const (
	textLimit    = 8 << 20
	pictureLimit = 20 << 20
	// formLimit is the maximal size of a whole form. It has room for images that are too large, so that the form can be
	// shown again with an error at the image.
	formLimit = textLimit + 3*pictureLimit
)

func newForms(s *Site) *forms {
	f := &forms{site: s, editors: editorsWith(s.Calendar.Fields())}
	for _, k := range f.editors {
		k.family, k.events = s.Calendar.Kinds().Family(k.name), s.Calendar.Kinds().Family("events")
	}
	f.kept = newKept(keptBeside(s.Uploads), s.Now, s.Logger)
	return f
}

// pages returns the pages of the lists and forms.
func (fs *forms) pages() (list []page) {
	for _, k := range fs.editors {
		at := "/" + k.name
		for _, p := range []page{
			{method: http.MethodGet, path: at, show: k.showList},
			{method: http.MethodGet, path: at + "/new", show: k.showNew},
			{method: http.MethodPost, path: at + "/new", show: k.save, body: formLimit, resume: k.resume},
			{method: http.MethodGet, path: at + "/{id}", show: k.showItem},
			{method: http.MethodPost, path: at + "/{id}", show: k.save, body: formLimit, resume: k.resume},
			{method: http.MethodPost, path: at + "/{id}/do", show: k.act},
		} {
			p.may = k.mayAny
			list = append(list, p)
		}
	}
	events := fs.editors[0]
	return append(list,
		page{method: http.MethodGet, path: "", may: signedIn, show: fs.showStart},
		page{method: http.MethodGet, path: "/events/{id}/dates/{key}", may: events.mayAny, show: fs.showDate},
		page{method: http.MethodPost, path: "/events/{id}/dates/{key}", may: events.mayAny, show: fs.changeDate, resume: fs.resumeDate},
		page{method: http.MethodGet, path: "/pictures/{key}", may: signedIn, show: fs.showPicture},
		page{method: http.MethodGet, path: "/names/venues", may: events.mayAny, show: fs.showNames},
	)
}

// showStart redirects to the list of events, or to the account if the user may not write events.
func (fs *forms) showStart(_ *Site, r *request) (answer, error) {
	if !fs.editors[0].mayAny(r.user()) {
		return seeOther(r.link(accountPath + "/")), nil
	}
	to := r.link("/events/")
	if r.URL.RawQuery != "" {
		to += "?" + r.URL.RawQuery
	}
	return seeOther(to), nil
}

// mayAny reports whether a caller may write any item of the resource.
func (k *editor) mayAny(p calendar.Principal) bool {
	if !signedIn(p) {
		return false
	}
	if k.terms {
		return p.Can("edit_"+k.events) && p.Can("publish_"+k.events)
	}
	return p.Can("edit_" + k.family)
}

// mayPublish reports whether a caller may publish without review. For all resources that is the right to publish events.
func (k *editor) mayPublish(p calendar.Principal) bool { return k.terms || p.Can("publish_"+k.events) }

// hasRight reports whether a caller may "edit" or "delete" an item. The API checks the rights again.
func (k *editor) hasRight(p calendar.Principal, verb string, author int64, status string) bool {
	if k.terms {
		return k.mayAny(p)
	}
	public := status == "publish" || status == "future"
	if author == p.UserID {
		if public {
			return p.Can(verb + "_published_" + k.family)
		}
		return p.Can(verb + "_" + k.family)
	}
	return p.Can(verb+"_others_"+k.family) && (!public || p.Can(verb+"_published_"+k.family)) &&
		(status != "private" || p.Can(verb+"_private_"+k.family))
}

// get reads an item in the form for editing.
func (k *editor) get(ctx context.Context, c *calendar.Calendar, id int64) (stored, error) {
	query := url.Values{"context": {"edit"}}
	if k.terms {
		query = nil
	}
	answer, err := c.Do(ctx, http.MethodGet, fmt.Sprintf("/%s/%d", k.name, id), query, nil)
	if err != nil {
		return nil, err
	}
	return readStored(answer)
}

// whole reads an item and its id. For an occurrence it reads the event.
func (k *editor) whole(ctx context.Context, c *calendar.Calendar, id int64) (stored, int64, error) {
	if k.name == "events" {
		e, err := c.Kinds().Events.Get(ctx, id, url.Values{"context": {"edit"}})
		if err != nil {
			return nil, 0, err
		}
		id = e.EventID
	}
	s, err := k.get(ctx, c, id)
	return s, id, err
}

// reading returns what is required to read items in a context.
func (k *editor) reading(ctx context.Context, fs *forms) reading {
	return reading{
		defaults: defaults{fs.site.Zone}, beside: func(e stored) ([]period, bool) { return fs.beside(ctx, e) },
		label: func(id string) string { return fs.labelOf(ctx, k.name, id) },
	}
}

// mostDates is more than the number of occurrences of any rule with an end.
const mostDates = 1000

// beside returns the dates of an event except its main occurrence and those of its rule.
func (fs *forms) beside(ctx context.Context, e stored) (list []period, known bool) {
	dates := e.items("dates")
	if total := e.stringMember("dates_total"); total != "" && total != decimal(int64(len(dates))) {
		return nil, false
	}
	own := e.period()
	ofRule, err := fs.starts(ctx, e)
	if err != nil {
		return nil, false
	}
	for _, d := range dates {
		if p := d.period(); p != own && !ofRule[p.start] {
			list = append(list, p)
		}
	}
	return list, true
}

// starts returns the starts of the occurrences of an event's rule, including excluded ones. It returns none if there is
// no rule.
func (fs *forms) starts(ctx context.Context, e stored) (starts map[time.Time]bool, err error) {
	rule := e.rule()
	if rule == nil {
		return nil, nil
	}
	found, err := fs.site.Calendar.PreviewRule(ctx, calendar.Event{
		Start: inZone(e.period().start, e.zone(fs.site.Zone)), AllDay: e.stringMember("all_day") == yes,
		Recurrence: &calendar.Recurrence{Rule: rule.Rule},
	}, mostDates)
	if err != nil {
		return nil, err
	}
	starts = map[time.Time]bool{}
	for _, at := range found.Starts {
		starts[wallOf(at)] = true
	}
	return starts, nil
}

// inZone returns the same local time in a zone. wallOf returns it in UTC.
func inZone(t time.Time, zone *time.Location) time.Time {
	return time.Date(t.Year(), t.Month(), t.Day(), t.Hour(), t.Minute(), t.Second(), 0, zone)
}

func wallOf(t time.Time) time.Time { return inZone(t, time.UTC) }

// finder returns a function that returns the id of the item with a name, and similar names.
func (fs *forms) finder(ctx context.Context) func(collection, name string) (string, []string, error) {
	return func(collection, name string) (id string, like []string, err error) {
		found, err := fs.named(ctx, collection, name)
		for _, one := range found {
			if strings.EqualFold(one.name, name) {
				if id != "" {
					return id, nil, nil // several items have this name; the API reports the error
				}
				id = decimal(one.id)
			}
			like = append(like, one.name)
		}
		return id, like[:min(len(like), 5)], err
	}
}

type namedItem struct {
	id   int64
	name string
	day  string // first day of an event, to distinguish it from others with the same name
}

// named returns the items that contain words of a text in their names or other members. Those that match the whole text
// come first.
func (fs *forms) named(ctx context.Context, collection, text string) (list []namedItem, err error) {
	queries := []string{text}
	if words := strings.Fields(text); len(words) > 1 {
		longest := slices.MaxFunc(words, func(a, b string) int { return len(a) - len(b) })
		queries = append(queries, longest)
	}
	for _, q := range queries {
		query := url.Values{"search": {q}, "per_page": {"20"}, "status": {"publish,draft,pending,private"}}
		if collection == "venues" {
			found, failed := fs.site.Calendar.Kinds().Venues.List(ctx, query)
			if err = notFoundIsNone(failed); err == nil && found != nil {
				for _, v := range found.Items {
					list = append(list, ofVenue(v))
				}
			}
		} else {
			found, failed := fs.site.Calendar.Kinds().Organizers.List(ctx, query)
			if err = notFoundIsNone(failed); err == nil && found != nil {
				for _, o := range found.Items {
					list = append(list, ofOrganizer(o))
				}
			}
		}
		if err != nil || len(list) > 0 {
			return list, err
		}
	}
	return list, nil
}

// notFoundIsNone returns the error of a list, except errors that mean that the list is empty: the page does not exist,
// or the search text is not valid.
func notFoundIsNone(err error) error {
	if isStatus(err, http.StatusNotFound) || isStatus(err, http.StatusBadRequest) {
		return nil
	}
	return err
}

func plainName(html string) string { return stored{"name": html}.plain("name") }

// errConflict aborts writing an item that somebody else has changed.
var errConflict = errors.New("editing: somebody else changed it")

// errShown rolls back what was written for a preview.
var errShown = errors.New("editing: a preview")
