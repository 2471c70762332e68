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

// eventPage shows an event.
type eventPage struct {
	frame
	Event    calendar.Event
	When     moment
	State    string // words for cancelled or postponed; "" for other events
	Image    image
	Colour   int
	Chips    []chip
	Tags     []chip
	Lang     string         // language of the title; "" if it is the page's
	Text     string         // language of the description; "" if it is the page's
	Reason   phrase         // why the event is cancelled or postponed
	Others   []languageLink // the event in other languages
	Venues   []party
	Hosts    []party
	Website  string // "" if the event has none
	Price    phrase
	Add      calendarLinks
	Dates    []dateLink
	Edit     string     // address of the event's form, if the visitor signed in and may change the event
	Rule     string     // description of the recurrence
	AllDates string     // on the page of an occurrence: address of the event's page
	Fields   []ownValue // the host's own fields
	Month    string     // address of the calendar on the day of the event
	Previous neighbour
	Next     neighbour
	AlsoHere []card
}

// party is a venue or an organizer on the page of an event.
type party struct {
	about
	Link string
}

// passwordLimit is the maximal size of the form with a password, in bytes.
const passwordLimit = 4 << 10

func (s *Site) showEvent(w http.ResponseWriter, r *http.Request, v *version, to route) error {
	query := url.Values{}
	if r.Method == http.MethodPost {
		r.Body = http.MaxBytesReader(w, r.Body, passwordLimit)
		if password := r.PostFormValue("password"); password != "" {
			query.Set("password", password)
		}
	}
	e, whole, err := s.client.event(r.Context(), v, to, query)
	if err != nil {
		var refused *calendar.Error
		switch {
		case isRefused(err, "event-password-protected"):
			return s.askPassword(w, r, v, to, len(query) > 0)
		case errors.As(err, &refused) && refused.Status == http.StatusTooManyRequests:
			return s.refusePassword(w, r, v, to, refused.RetryAfter)
		}
		return err
	}
	if to.day != "" && routeOf(*e).day != to.day { // the event has no such occurrence, or occurrences have no pages
		http.Redirect(w, r, v.link(route{kind: oneEvent, slug: to.slug}), http.StatusFound)
		return nil
	}
	if slug := slugIn(e.Localized, v.lang.Tag); slug != "" && v.others(e.Localized) && r.Method != http.MethodPost {
		// The redirect is temporary, since translations may be added and deleted.
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
		goodUntil(w, d.end.Add(1)) // the occurrence is not listed any more
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
			page.Editor = true
			w.Header().Set("Cache-Control", "private, "+noStore) // the page of other visitors lacks this link
		}
	}
	return s.render(w, r, v, http.StatusOK, eventTemplate, page)
}

// protectedPage returns the page of a password-protected event.
func (s *Site) protectedPage(r *http.Request, v *version, to route, text string) messagePage {
	page := messagePage{frame: s.frame(r, v, v.link(to), same(to), calendar.Localized{}), Heading: "protected.title", Text: text}
	page.Title = v.texts.word(page.Heading)
	return page
}

// askPassword shows a form for the password. The status is 200, since the page exists.
func (s *Site) askPassword(w http.ResponseWriter, r *http.Request, v *version, to route, wrong bool) error {
	page := s.protectedPage(r, v, to, v.texts.word("protected.text"))
	page.Password, page.Wrong = true, wrong
	return s.render(w, r, v, http.StatusOK, "message.html", page)
}

// refusePassword answers that too many wrong passwords were tried, and when to try again.
func (s *Site) refusePassword(w http.ResponseWriter, r *http.Request, v *version, to route, wait time.Duration) error {
	minutes := int(math.Ceil(wait.Minutes()))
	w.Header().Set("Retry-After", strconv.Itoa(int(wait.Seconds())))
	page := s.protectedPage(r, v, to, v.fill("protected.often", strconv.Itoa(max(minutes, 1))))
	return s.render(w, r, v, http.StatusTooManyRequests, "message.html", page)
}

func (s *Site) eventPage(r *http.Request, v *version, to route, e calendar.Event, tree categoryTree) eventPage {
	here := v.link(to)
	page := eventPage{
		frame: s.frame(r, v, here, itemArgument(to, e.Localized), e.Localized), Event: e, When: v.moment(e), State: v.state(e),
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
	// The API returns the address of the event's page if the event has no website.
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

// addNear adds the previous and next events, and those at the same venue.
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
