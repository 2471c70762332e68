package pages

import (
	"errors"
	"math"
	"net/http"
	"net/url"
	"strconv"
	"time"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/calendar/pages/editing"
)

// eventPage shows one event.
type eventPage struct {
	frame
	Event    calendar.Event
	When     moment
	State    string // that it is cancelled or postponed, in words
	Image    image
	Colour   int
	Chips    []chip
	Tags     []chip
	Lang     string         // of the title, if it is not that of the page
	Text     string         // the same of the description
	Reason   phrase         // why the event is cancelled or postponed
	Others   []languageLink // the event in other languages
	Venues   []party
	Hosts    []party
	Website  string // empty if the event has none of its own
	Price    phrase
	Add      calendarLinks
	Dates    []dateLink
	Edit     string     // the form of the event, for who signed in and may change it
	Rule     string     // of the dates, in words
	AllDates string     // the page of the event with all its dates, on that of one date
	Fields   []ownValue // of the host's own
	Month    string     // the calendar with the day of the event
	Previous neighbour
	Next     neighbour
	AlsoHere []card
}

// party is a venue or an organizer on the page of an event.
type party struct {
	about
	Link string
}

// passwordLimit bounds the body of the form with a password.
const passwordLimit = 4 << 10

func (s *Site) showEvent(w http.ResponseWriter, r *http.Request, v *version, to route) error {
	query := url.Values{}
	if r.Method == http.MethodPost {
		r.Body = http.MaxBytesReader(w, r.Body, passwordLimit)
		if password := r.PostFormValue("password"); password != "" {
			query.Set("password", password)
		}
		w.Header().Set("Cache-Control", noStore) // the answer depends on the password, right or wrong
	}
	e, whole, err := s.client.event(r.Context(), v, to, query)
	if err != nil {
		var refused *calendar.Error
		switch {
		case isRefused(err, "event-password-protected"):
			s.askPassword(w, r, v, to, len(query) > 0)
			return nil
		case errors.As(err, &refused) && refused.Status == http.StatusTooManyRequests:
			s.refusePassword(w, r, v, to, refused.RetryAfter)
			return nil
		}
		return err
	}
	if to.day != "" && routeOf(*e).day != to.day { // the event has no such date, or its dates have no pages
		http.Redirect(w, r, v.link(route{kind: oneEvent, slug: to.slug}), http.StatusFound)
		return nil
	}
	if slug := slugIn(e.Localized, v.lang.Tag); slug != "" && v.others(e.Localized) && r.Method != http.MethodPost {
		// Not permanently, since versions may be added and deleted.
		http.Redirect(w, r, v.link(route{kind: oneEvent, slug: slug, day: to.day}), http.StatusFound)
		return nil
	}
	tree, err := s.client.tree(r.Context(), v)
	if err != nil {
		return err
	}
	page := s.eventPage(r, v, to, *e, tree)
	if page.Dates, err = s.client.nextDates(r.Context(), v, s.opts.Now(), to, *e, *whole); err != nil {
		return err
	}
	for _, d := range page.Dates {
		goodUntil(w, d.end.Add(1)) // when it is over
	}
	if page.Rule = v.rule(*e, page.Dates); to.day == "" {
		page.Add.Rule = page.Rule
	} else {
		page.AllDates = v.link(route{kind: oneEvent, slug: to.slug})
	}
	if err := s.addNear(r, v, *e, tree, &page); err != nil {
		return err
	}
	if s.editing != nil {
		if page.Edit = editing.Link(s.editing, r, v.lang.Tag, *e); page.Edit != "" {
			w.Header().Set("Cache-Control", "private, "+noStore) // the page of everybody else has no such link
		}
	}
	s.render(w, r, v, http.StatusOK, eventTemplate, page)
	return nil
}

// protectedPage is the page of an event that a password protects.
func (s *Site) protectedPage(r *http.Request, v *version, to route, text string) messagePage {
	page := messagePage{frame: s.frame(r, v, v.link(to), same(to), calendar.Localized{}), Heading: "protected.title", Text: text}
	page.Title = v.texts.word(page.Heading)
	return page
}

// askPassword answers 200, since the page exists, with a form for the password.
func (s *Site) askPassword(w http.ResponseWriter, r *http.Request, v *version, to route, wrong bool) {
	page := s.protectedPage(r, v, to, v.texts.word("protected.text"))
	page.Password, page.Wrong = true, wrong
	s.render(w, r, v, http.StatusOK, "message.html", page)
}

// refusePassword tells a visitor who tried too many passwords when to come back.
func (s *Site) refusePassword(w http.ResponseWriter, r *http.Request, v *version, to route, wait time.Duration) {
	minutes := int(math.Ceil(wait.Minutes()))
	w.Header().Set("Retry-After", strconv.Itoa(int(wait.Seconds())))
	page := s.protectedPage(r, v, to, v.fill("protected.often", strconv.Itoa(max(minutes, 1))))
	s.render(w, r, v, http.StatusTooManyRequests, "message.html", page)
}

func (s *Site) eventPage(r *http.Request, v *version, to route, e calendar.Event, tree categoryTree) eventPage {
	here := v.link(to)
	page := eventPage{
		frame: s.frame(r, v, here, of(to, e.Localized), e.Localized), Event: e, When: v.moment(e), State: v.state(e),
		Colour: tree.colour(e),
		Image:  v.at.image(e.Image, "large", "medium_large"), Chips: v.chips(e, tree), Price: v.price(e),
		Lang: v.foreign(e.Localized, e.Title), Text: v.foreign(e.Localized, e.Excerpt+e.Description),
	}
	if reason := unmarked(e.StatusReason); page.State != "" && reason != "" {
		page.Reason = phrase{reason, v.foreign(e.Localized, reason)}
	}
	for _, l := range page.Languages {
		if l.Same && !l.Current && e.Language != "" {
			page.Others = append(page.Others, l)
		}
	}
	page.Title, page.Description, page.Type = v.titled(e), page.When.sentence(v.titled(e))+" "+summary(e), "article"
	page.JSON = s.client.address(v.lang, "/events/"+decimal(e.ID))
	page.Picture, page.PictureAlt = v.at.absolute(r, page.Image.URL), page.Image.Alt
	page.Data = linkedEvent(r, v, e, page.Canonical)
	page.Fields, page.Script = s.client.own.values(v, e), s.buttons()
	page.Add = addLinks(e, v.at.feed(r, here+"?ical=1"), page.Canonical)
	if day, _, ok := span(e); ok {
		page.Month = v.home(state{page: 1}.onDay(day))
	}
	// The website of an event without one of its own is this page.
	if e.Website != e.URL {
		page.Website = unmarked(e.Website)
	}
	for _, t := range e.Tags {
		page.Tags = append(page.Tags, v.chip(t.Localized, t.Name, route{kind: oneTag, slug: t.Slug}))
	}
	for _, p := range e.Venues {
		page.Venues = append(page.Venues, party{aboutVenue(v, p), v.link(route{kind: oneVenue, slug: p.Slug})})
	}
	for _, h := range e.Organizers {
		page.Hosts = append(page.Hosts, party{aboutOrganizer(v, h), v.link(route{kind: oneOrganizer, slug: h.Slug})})
	}
	return page
}

// addNear adds what is before, after and at the same place.
func (s *Site) addNear(r *http.Request, v *version, e calendar.Event, tree categoryTree, page *eventPage) error {
	var err error
	if page.Previous, page.Next, err = s.client.neighbours(r.Context(), v, e); err != nil {
		return err
	}
	others, err := s.client.sameVenue(r.Context(), v, e, s.today())
	for _, other := range others {
		c := cardOf(v, other, tree)
		if start, ok := wall(other.Start); ok {
			c.Day = v.texts.shortDate(start)
		}
		page.AlsoHere = append(page.AlsoHere, c)
	}
	return err
}
