package editing

import (
	"context"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/agendahq/agenda/calendar"
)

// datePage contains the values of the page of an occurrence.
type datePage struct {
	Title, When   string
	Event         string // address of the event's form
	Day, From, To string
	Whole         bool
	Errors        fieldErrors
	Rule          string
	Rest          []string // errors of the whole form, and messages about it
}

// oneDate is an occurrence of a recurring event.
type oneDate struct {
	event stored
	id    int64 // id of the event
	date  calendar.Event
}

// startKey is the layout of the start of an occurrence in a path. A day can have several occurrences, which differ in
// their times.
const startKey = "2006-01-02-150405"

// date returns the occurrence that the path names.
func (fs *forms) date(r *request) (d oneDate, err error) {
	start, err := time.Parse(startKey, r.key)
	if err != nil {
		return d, &calendar.Error{Status: http.StatusNotFound}
	}
	events := fs.editors[0]
	if d.event, d.id, err = events.whole(r.Context(), fs.site.Calendar, r.id); err != nil {
		return d, err
	}
	text := start.Format(time.DateOnly)
	found, err := fs.site.Calendar.Kinds().Events.List(r.Context(), url.Values{"include": {decimal(d.id)},
		"start_date": {text + " 00:00:00"}, "end_date": {text + " 23:59:59"}, "status": {"publish,future,draft,pending,private"}})
	if err != nil {
		return d, err
	}
	for _, e := range found.Items {
		if wallOf(e.Start).Equal(start) && e.ID != e.EventID {
			d.date = e
			return d, nil
		}
	}
	return d, &calendar.Error{Status: http.StatusNotFound}
}

// showDate shows the form of an occurrence.
func (fs *forms) showDate(_ *Site, r *request) (answer, error) {
	d, err := fs.date(r)
	if err != nil {
		return answer{}, err
	}
	return shown("date.html", "date.title", d.page(r, nil)), nil
}

// resumeDate shows the form of an occurrence that was sent after the session had ended, for the user who has signed in
// again.
func (fs *forms) resumeDate(_ *Site, r *request) (answer, error) {
	d, err := fs.date(r)
	if err != nil {
		return answer{}, err
	}
	page := d.page(r, nil)
	if r.form.Has("day") { // the button for skipping sends no values
		page = d.page(r, fieldErrors{})
	}
	page.Rest = []string{r.lang.word("signin.resumed")}
	return shown("date.html", "date.title", page), nil
}

// troubled answers with the form and the message about an error that is not about its values.
func (d oneDate) troubled(s *Site, r *request, err error) answer {
	a := s.failure(r, err)
	page := d.page(r, fieldErrors{})
	p, _ := a.data.(problem)
	page.Rest = append([]string{r.lang.word(a.title) + ". " + p.Text}, p.Lines...)
	return answer{status: a.status, template: "date.html", title: "date.title", data: page, header: a.header}
}

func (d oneDate) page(r *request, errs fieldErrors) datePage {
	p := datePage{Title: unescaped(d.event.stringMember("title_raw")), When: r.lang.span(d.date),
		Event: r.link("/events/" + decimal(d.id) + "/"),
		Day:   d.date.Start.Format(time.DateOnly), Whole: d.date.AllDay, Errors: errs}
	if !p.Whole {
		p.From = clockText(d.date.Start)
		if !d.date.End.Equal(d.date.Start) {
			p.To = clockText(d.date.End)
		}
	}
	if rule := d.event.rule(); rule != nil {
		p.Rule = rule.Text
	}
	if errs != nil {
		p.Day, p.From, p.To = r.form.Get("day"), r.form.Get("from"), r.form.Get("to")
	}
	return p
}

// changeDate moves an occurrence, or removes it from the recurring event.
func (fs *forms) changeDate(_ *Site, r *request) (answer, error) {
	d, err := fs.date(r)
	if err != nil {
		return answer{}, err
	}
	if r.form.Get("act") == "skip" {
		if err := fs.skip(r.Context(), d); err != nil {
			return answer{}, err
		}
		return done(r.link("/events/"+decimal(d.id)+"/"), "skipped"), nil
	}
	w := &writing{editor: fs.editors[0], language: r.lang.Tag, typed: r.form, faults: map[string]faultOf{}}
	d.keepDays(w)
	p, ok := w.period(d.date.AllDay)
	if !ok {
		wrong := w.faults["when"]
		return refused("date.html", "date.title", d.page(r, fieldErrors{"when": r.lang.fill("wrong."+wrong.Key, wrong.Args...)})), nil
	}
	_, err = fs.site.Calendar.Kinds().Events.Update(r.Context(), d.date.ID, calendar.Values{
		"start_date": p.start.Format(time.DateTime), "end_date": p.end.Format(time.DateTime),
	})
	if isStatus(err, http.StatusBadRequest) {
		return refused("date.html", "date.title", d.page(r, fieldErrors{"when": problemsOf(err)})), nil
	}
	if err != nil {
		return d.troubled(fs.site, r, err), nil
	}
	return done(r.link("/events/"+decimal(d.id)+"/"), "moved"), nil
}

// keepDays sets the last day of an occurrence of several days, which the page does not ask for: it keeps their number.
func (d oneDate) keepDays(w *writing) {
	was := period{wallOf(d.date.Start), wallOf(d.date.End)}
	last, needed := lastDay(was, d.date.AllDay)
	day, ok := readDay(w.one("day"), w.language)
	if w.typed.Del("last"); !needed || !ok || !d.date.AllDay && w.one("to") == "" {
		return
	}
	w.typed.Set("last", day.Add(last.Sub(was.start.Truncate(24*time.Hour))).Format(time.DateOnly))
}

// problemsOf returns the API's messages about an error as one text.
func problemsOf(err error) string {
	w := &writing{editor: &editor{}, faults: map[string]faultOf{}}
	var list []string
	if refused, ok := err.(*calendar.Error); ok {
		list = w.refused(refused)
	}
	return strings.Join(list, " ")
}

// skip removes an occurrence: it is excluded from the recurrence rule if it follows from that, and otherwise removed
// from the dates of the event.
func (fs *forms) skip(ctx context.Context, d oneDate) error {
	start := wallOf(d.date.Start)
	update := func(values calendar.Values) error { return fs.editors[0].update(ctx, fs.site.Calendar, d.id, values) }
	starts, err := fs.starts(ctx, d.event)
	if err != nil {
		return err
	}
	beside, known := fs.beside(ctx, d.event)
	own := d.event.period()
	if rule := d.event.rule(); rule != nil && (starts[start] || !known && endless(rule.Rule)) {
		out := append(slices.Clone(rule.Excluded), start.Format(time.DateTime))
		return update(calendar.Values{"recurrence": &calendar.Recurrence{Rule: rule.Rule, Excluded: out}})
	}
	if !known {
		return &calendar.Error{Status: http.StatusConflict}
	}
	left := slices.DeleteFunc(append([]period{own}, beside...), func(p period) bool { return p.start.Equal(start) })
	list := []any{}
	for _, p := range left {
		list = append(list, map[string]any{"start_date": p.start.Format(time.DateTime), "end_date": p.end.Format(time.DateTime)})
	}
	values := calendar.Values{"dates": list}
	if rule := d.event.rule(); rule != nil {
		values["recurrence"] = &calendar.Recurrence{Rule: rule.Rule, Excluded: rule.Excluded}
	} else if own.start.Equal(start) && len(left) > 0 {
		values["start_date"], values["end_date"] = left[0].start.Format(time.DateTime), left[0].end.Format(time.DateTime)
	}
	return update(values)
}
