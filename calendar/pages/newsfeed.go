package pages

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"encoding/xml"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/agendahq/agenda/calendar"
)

// News feeds contain the next events of a state: as Atom and JSON Feed for feed readers. The script that shows events
// on other sites uses the JSON Feed, also for the events of a month.

// feedState contains what a feed shows.
type feedState struct {
	st      state
	self    string // query of the feed's own address
	filters []filter
	events  []calendar.Event
	past    int // number of events at the end that are over: those of a search
	bounds  months
}

// showNews answers with a feed.
func (s *Site) showNews(w http.ResponseWriter, r *http.Request, v *version, to route) error {
	q := r.URL.Query()
	if lang := q.Get(paramLang); lang != "" {
		v = spoken(s.versions, lang, v)
	}
	inMonth := q.Get(paramView) == "month" // month is the default of the calendar, but not of feeds
	if inMonth {
		q.Del(paramView)
	} else if q.Has(paramWhen) {
		q.Set(paramView, "list") // feeds are lists, so the address need not say it
	}
	st, known := readPart(q, s.client.own)
	if !known || st.page > 1 {
		return notFound()
	}
	self := st.feedValues(inMonth)
	switch {
	case st.searches():
		st = st.asSearch()
	case inMonth && st.month.IsZero():
		st.month = firstOfMonth(s.today())
	case st.month.IsZero():
		st.view = listView
	}
	f, err := s.news(r.Context(), v, st)
	if err != nil {
		return err
	}
	f.self = self
	h := w.Header()
	h.Set("Access-Control-Allow-Origin", "*")
	h.Set("X-Content-Type-Options", "nosniff")
	if to.kind == jsonFeed {
		return s.sendJSONFeed(w, r, v, f)
	}
	return s.sendAtom(w, r, v, f)
}

// spoken returns the version for a language tag: the one with the tag, otherwise one with the same primary language,
// otherwise other.
func spoken(versions []*version, tag string, other *version) *version {
	for _, same := range []func(string) bool{
		func(own string) bool { return strings.EqualFold(own, tag) },
		func(own string) bool { return primary(own) == primary(tag) },
	} {
		if i := slices.IndexFunc(versions, func(v *version) bool { return same(v.lang.Tag) }); i >= 0 {
			return versions[i]
		}
	}
	return other
}

// news reads the events of a feed: those of a month, the next ones, or those of a search.
func (s *Site) news(ctx context.Context, v *version, st state) (f feedState, err error) {
	f.st = st
	tree, err := s.client.tree(ctx, v)
	if err != nil {
		return f, err
	}
	if f.filters, err = s.client.filters(ctx, v, st, tree); err != nil {
		return f, err
	}
	filters := f.filters
	if st.searches() {
		st.limit = cmp.Or(st.limit, askedAtOnce)
		found, err := s.client.search(ctx, v, st, filters, s.today())
		f.events, f.past = append(found.toCome, found.over...), len(found.over)
		return f, err
	}
	if st.month.IsZero() {
		read := s.client.section
		if st.free {
			read = s.client.sectionOfAll
		}
		q := from(question(filters), s.today())
		if st.when != "" {
			first, last := days(st.when, s.today())
			q = from(q, first)
			q.Set("starts_before", last.Format(time.DateOnly))
		}
		list, err := read(ctx, v, section{query: q, size: cmp.Or(st.limit, askedAtOnce)}, filters)
		f.events = list.events
		return f, err
	}
	if f.bounds, err = s.client.months(ctx, v, s.today()); err != nil {
		return f, err
	}
	if !f.bounds.has(st.month) {
		return f, notFound()
	}
	found, err := s.client.all(ctx, v, s.client.whole, between(st.month, st.month.AddDate(0, 1, -1), filters), filters)
	f.events = found.events
	return f, err
}

// jsonNews is a JSON Feed, version 1.1.
type jsonNews struct {
	Version     string     `json:"version"`
	Title       string     `json:"title"`
	Home        string     `json:"home_page_url"`
	Address     string     `json:"feed_url"`
	Description string     `json:"description,omitempty"`
	Language    string     `json:"language"`
	Items       []jsonItem `json:"items"`
	Agenda      jsonShown  `json:"_agenda"`
}

// jsonShown contains what the script shows in addition to the events.
type jsonShown struct {
	Dir      string            `json:"dir"`
	Today    string            `json:"today"`
	Words    map[string]string `json:"words"`
	Month    *jsonMonth        `json:"month,omitempty"`
	Weekdays [][2]string       `json:"weekdays,omitempty"` // short and long names, from the site's first weekday on
}

type jsonMonth struct {
	ID       string `json:"id"` // such as 2026-11
	Name     string `json:"name"`
	First    string `json:"first"` // first day of the first week
	Last     string `json:"last"`  // last day of the last week
	Previous string `json:"previous,omitempty"`
	Next     string `json:"next,omitempty"`
}

type jsonItem struct {
	ID        string    `json:"id"`
	Address   string    `json:"url"`
	Title     string    `json:"title"`
	Text      string    `json:"content_text"`
	Image     string    `json:"image,omitempty"`
	Published string    `json:"date_published,omitempty"`
	Modified  string    `json:"date_modified,omitempty"`
	Tags      []string  `json:"tags,omitempty"`
	Language  string    `json:"language,omitempty"`
	Agenda    jsonEvent `json:"_agenda"`
}

// jsonEvent contains the time and place of an event, for programs and in words.
type jsonEvent struct {
	Starts string `json:"starts,omitempty"` // with the offset; a day for an all-day event
	Ends   string `json:"ends,omitempty"`
	First  string `json:"first,omitempty"` // first day
	Last   string `json:"last,omitempty"`
	When   string `json:"when,omitempty"`
	Clock  string `json:"clock,omitempty"`
	Place  string `json:"place,omitempty"`
	Cost   string `json:"cost,omitempty"`
	State  string `json:"state,omitempty"` // words for cancelled or postponed; "" for other events
	Past   bool   `json:"past,omitempty"`  // in a search: the event is over
	Dir    string `json:"dir,omitempty"`   // direction of a title that is in another language than the feed
}

// newsItem returns an event in the form that both feeds use.
func newsItem(r *http.Request, v *version, e calendar.Event) jsonItem {
	address, m := v.at.absolute(r, v.link(routeOf(e))), v.moment(e)
	i := jsonItem{
		ID: v.at.tag(r, e), Address: address, Title: v.plainTitle(e.Title),
		Image:     v.at.absolute(r, v.at.image(e.Image, "medium", "large").URL),
		Published: utc(e.Created), Modified: utc(e.Modified), Language: v.foreign(e.Localized, e.Title),
		Agenda: jsonEvent{When: m.words(), Cost: v.price(e).Text, State: v.state(e)},
	}
	if i.Language != "" {
		i.Agenda.Dir = directionOf(i.Language)
	}
	if first, last, ok := span(e); ok {
		i.Agenda.First, i.Agenda.Last = first.Format(time.DateOnly), last.Format(time.DateOnly)
		i.Agenda.Starts, i.Agenda.Ends = i.Agenda.First, i.Agenda.Last
		if !e.AllDay {
			start, _ := wall(e.Start)
			i.Agenda.Clock = strings.TrimSpace(v.texts.clock(start) + " " + m.Short)
			i.Agenda.Starts, i.Agenda.Ends = e.Start.Format(time.RFC3339), e.End.Format(time.RFC3339)
		}
	}
	for _, p := range e.Venues {
		if i.Agenda.Place = unmarked(p.Name); i.Agenda.Place != "" {
			if p.City != "" {
				i.Agenda.Place += ", " + p.City
			}
			break
		}
	}
	for _, t := range append(slices.Clone(e.Categories), e.Tags...) {
		i.Tags = append(i.Tags, unmarked(t.Name))
	}
	lines := []string{i.Agenda.State, i.Agenda.When, i.Agenda.Place, i.Agenda.Cost}
	i.Text = strings.Join(slices.DeleteFunc(lines, func(line string) bool { return line == "" }), "\n")
	if told := summary(e); told != "" {
		i.Text = strings.TrimSpace(i.Text + "\n\n" + told)
	}
	return i
}

// utc formats a time for feeds, "" for the zero time.
func utc(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.UTC().Format(time.RFC3339)
}

// words returns the time of an event as one text.
func (m moment) words() string {
	words := []string{m.Days, m.Hours}
	text := strings.Join(slices.DeleteFunc(words, func(s string) bool { return s == "" }), ", ")
	if m.Zone != "" {
		text += " " + m.Zone + " (" + m.Here + ")"
	}
	return text
}

// newsTitle returns the title of a feed: the name of the calendar and its filters.
func (f feedState) newsTitle(v *version) string {
	names := []string{v.name}
	for _, chosen := range f.filters {
		names = append(names, chosen.name)
	}
	return strings.Join(names, " · ")
}

func (s *Site) sendJSONFeed(w http.ResponseWriter, r *http.Request, v *version, f feedState) error {
	news := jsonNews{
		Version: "https://jsonfeed.org/version/1.1", Title: f.newsTitle(v), Home: v.at.absolute(r, v.home(f.st.whole())),
		Address: v.at.absolute(r, v.link(route{kind: jsonFeed})+f.self), Language: v.tag, Items: []jsonItem{},
		Agenda: jsonShown{
			Today: s.today().Format(time.DateOnly), Dir: directionOf(v.tag),
			Words: map[string]string{"none": v.texts.word("none"), "all": v.texts.word("embed.all"), "past": v.texts.word("search.past")},
		},
	}
	for i, e := range f.events {
		item := newsItem(r, v, e)
		item.Agenda.Past = i >= len(f.events)-f.past
		news.Items = append(news.Items, item)
	}
	if !f.st.month.IsZero() {
		news.Agenda.addMonth(v, f)
	}
	out := s.client.newBuffer(r.Context())
	if err := json.NewEncoder(out).Encode(news); err != nil {
		return err
	}
	reply(w, r, "application/feed+json; charset=utf-8", bytes.TrimSpace(out.Bytes()))
	return nil
}

// addMonth adds what the table of a month requires.
func (a *jsonShown) addMonth(v *version, f feedState) {
	first, last := v.weeks(f.st.month)
	a.Month = &jsonMonth{ID: f.st.month.Format("2006-01"), Name: v.texts.month(f.st.month),
		First: first.Format(time.DateOnly), Last: last.Format(time.DateOnly)}
	neighbour := func(key string, months int, into *string) {
		at := f.st.month.AddDate(0, months, 0)
		if f.bounds.has(at) {
			*into = at.Format("2006-01")
		}
		a.Words[key] = v.fill("month."+key, v.texts.month(at))
	}
	neighbour("previous", -1, &a.Month.Previous)
	neighbour("next", 1, &a.Month.Next)
	for _, day := range v.weekdays(first) {
		a.Weekdays = append(a.Weekdays, [2]string{day.Short, day.Long})
	}
}

// atom is an Atom feed.
type atom struct {
	XMLName xml.Name    `xml:"http://www.w3.org/2005/Atom feed"`
	Lang    string      `xml:"xml:lang,attr"`
	ID      string      `xml:"id"`
	Title   string      `xml:"title"`
	Updated string      `xml:"updated"`
	Author  string      `xml:"author>name"`
	Links   []atomLink  `xml:"link"`
	Entries []atomEntry `xml:"entry"`
}

type atomLink struct {
	Rel  string `xml:"rel,attr,omitempty"`
	Type string `xml:"type,attr,omitempty"`
	To   string `xml:"href,attr"`
}

type atomEntry struct {
	Lang       string         `xml:"xml:lang,attr,omitempty"`
	ID         string         `xml:"id"`
	Title      string         `xml:"title"`
	Published  string         `xml:"published,omitempty"`
	Updated    string         `xml:"updated"`
	Link       atomLink       `xml:"link"`
	Categories []atomCategory `xml:"category"`
	Summary    string         `xml:"summary"`
}

type atomCategory struct {
	Term string `xml:"term,attr"`
}

func (s *Site) sendAtom(w http.ResponseWriter, r *http.Request, v *version, f feedState) error {
	address := v.at.absolute(r, v.link(route{kind: atomFeed})+f.self)
	news := atom{
		Lang: v.tag, ID: address, Title: f.newsTitle(v), Author: v.name, Updated: "1970-01-01T00:00:00Z", // updated if there are no events
		Links: []atomLink{
			{Rel: "self", Type: "application/atom+xml", To: address},
			{Rel: "alternate", Type: "text/html", To: v.at.absolute(r, v.home(f.st.whole()))},
		},
	}
	for _, e := range f.events {
		i := newsItem(r, v, e)
		entry := atomEntry{Lang: i.Language, ID: i.ID, Title: i.Title, Published: i.Published,
			Updated: cmp.Or(i.Modified, i.Published, news.Updated),
			Link:    atomLink{Rel: "alternate", Type: "text/html", To: i.Address}, Summary: i.Text}
		for _, tag := range i.Tags {
			entry.Categories = append(entry.Categories, atomCategory{tag})
		}
		news.Updated = max(news.Updated, entry.Updated)
		news.Entries = append(news.Entries, entry)
	}
	out := s.client.newBuffer(r.Context())
	_, _ = out.Write([]byte(xml.Header))
	if err := xml.NewEncoder(out).Encode(news); err != nil {
		return err
	}
	reply(w, r, "application/atom+xml; charset=utf-8", out.Bytes())
	return nil
}
