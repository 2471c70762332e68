package pages

import (
	"html/template"
	"strings"
	"time"
	"unicode"

	"github.com/agendahq/agenda/calendar"
)

// group contains the events of one day in a list.
type group struct {
	Heading string
	Note    string // "today" or "tomorrow", in the page's language
	Machine string
	Cards   []card
}

// card is an event in a list.
type card struct {
	calendar.Event
	Link    string
	Day     string // set if no heading contains the day
	Summary string
	When    moment
	Price   phrase
	State   string // words for cancelled or postponed; "" for other events
	Image   image
	Colour  int
	Lang    string // language of the title; "" if it is the page's
	Told    string // language of Summary; "" if it is the page's
	Chips   []chip
	Places  []chip
}

// chip is a link to a category, a tag or a venue. Lang is the language of Name, or "" if it is the page's.
type chip struct{ Name, Link, Lang string }

// phrase is a text and its language, or "" if that is the page's.
type phrase struct{ Text, Lang string }

// groupsOf groups events by the days on which they start. Events that started before first are one group at the top.
func groupsOf(v *version, events []calendar.Event, tree categoryTree, first, today time.Time) []group {
	var groups []group
	for _, e := range events {
		heading, machine, note := v.texts.word("running"), "", ""
		if start, ok := wall(e.Start); ok && !start.Before(first) {
			heading, machine, note = v.texts.date(start), start.Format(time.DateOnly), v.dayNote(start, today)
		}
		if n := len(groups); n == 0 || groups[n-1].Heading != heading {
			groups = append(groups, group{Heading: heading, Machine: machine, Note: note})
		}
		last := &groups[len(groups)-1]
		last.Cards = append(last.Cards, cardOf(v, e, tree))
	}
	return groups
}

// dayNote returns "today" or "tomorrow" in the page's language, or "" for other days.
func (v *version) dayNote(day, today time.Time) string {
	switch {
	case sameDay(day, today):
		return v.texts.word("today")
	case sameDay(day, today.AddDate(0, 0, 1)):
		return v.texts.word("tomorrow")
	}
	return ""
}

func cardOf(v *version, e calendar.Event, tree categoryTree) card {
	told := summary(e)
	return card{
		Event: e, Link: v.link(routeOf(e)), Summary: told, When: v.moment(e), Price: v.price(e),
		State: v.state(e),
		Image: v.at.image(e.Image, "medium", "large"), Colour: tree.colour(e), Lang: v.foreign(e.Localized, e.Title),
		Told: v.foreign(e.Localized, told), Chips: v.chips(e, tree), Places: v.places(e),
	}
}

// state returns the words for a cancelled or postponed event, or "" for other events.
func (v *version) state(e calendar.Event) string {
	switch e.EventStatus {
	case "canceled", "postponed":
		return v.texts.word(e.EventStatus)
	}
	return ""
}

// titled returns the title of an event, preceded by its state, for places where nothing else shows the state.
func (v *version) titled(e calendar.Event) string {
	if state := v.state(e); state != "" {
		return state + ": " + v.plainTitle(e.Title)
	}
	return v.plainTitle(e.Title)
}

// plainTitle returns the title of an event as text. It is never empty, since titles are the texts of links.
func (v *version) plainTitle(title string) string {
	if text := unmarked(title); text != "" {
		return text
	}
	return v.texts.word("untitled")
}

// markedTitle is plainTitle with the title's own markup.
func (v *version) markedTitle(title string) template.HTML {
	if unmarked(title) == "" {
		title = template.HTMLEscapeString(v.plainTitle(title))
	}
	return markup(title)
}

// price returns the cost of an event. For a free event it is the word of the page's language.
func (v *version) price(e calendar.Event) phrase {
	if isFree(e) {
		return phrase{Text: v.texts.word("free")}
	}
	cost := phrase{Text: unmarked(e.Cost)}
	if strings.ContainsFunc(cost.Text, unicode.IsLetter) {
		cost.Lang = v.foreign(e.Localized, cost.Text)
	}
	return cost
}

func (v *version) chips(e calendar.Event, tree categoryTree) []chip {
	var chips []chip
	for _, t := range e.Categories {
		chips = append(chips, v.chip(t.Localized, t.Name, tree.route(t)))
	}
	return chips
}

func (v *version) places(e calendar.Event) []chip {
	var chips []chip
	for _, p := range e.Venues {
		if c := v.chip(p.Localized, p.Name, route{kind: oneVenue, slug: p.Slug}); c.Name != "" {
			chips = append(chips, c)
		}
	}
	return chips
}
