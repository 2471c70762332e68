package pages

import (
	"net/url"
	"strings"
	"time"

	"github.com/agendahq/agenda/calendar"
)

// calendarLinks are links that add an event to a visitor's own calendar.
type calendarLinks struct {
	feedLinks
	Google, Outlook string
	Rule            string // for a recurring event that is added with all occurrences: its recurrence rule, in words
}

// addLinks returns the links for an event. address is that of its page. An event without valid times has none.
func addLinks(e calendar.Event, feed feedLinks, address string) calendarLinks {
	start, end, ok := instants(e)
	if !ok {
		return calendarLinks{}
	}
	title, place := unmarked(e.Title), ""
	for _, p := range e.Venues[:min(1, len(e.Venues))] {
		place = strings.Join(append([]string{unmarked(p.Name)}, addressLines(p)...), ", ")
	}
	text := strings.TrimSpace(summary(e) + "\n\n" + address)
	dates, from, to, allDay := compact(start)+"/"+compact(end), start.Format(time.RFC3339), end.Format(time.RFC3339), "false"
	if e.AllDay {
		// Both services expect the day after the last one as the end.
		start, _ := wall(e.Start)
		last, ok := wall(e.End)
		if !ok || last.Before(start) {
			last = start
		}
		after := midnight(last).AddDate(0, 0, 1)
		dates = start.Format("20060102") + "/" + after.Format("20060102")
		from, to, allDay = start.Format(time.DateOnly), after.Format(time.DateOnly), "true"
	}
	google := url.Values{"action": {"TEMPLATE"}, "text": {title}, "dates": {dates}, "details": {text}, "location": {place}}
	outlook := url.Values{"path": {"/calendar/action/compose"}, "rru": {"addevent"}, "subject": {title}, "startdt": {from}, "enddt": {to},
		"allday": {allDay}, "body": {text}, "location": {place}}
	return calendarLinks{
		feedLinks: feed, Google: "https://calendar.google.com/calendar/render?" + google.Encode(),
		// Outlook does not decode a plus as a space.
		Outlook: "https://outlook.live.com/calendar/0/deeplink/compose?" + strings.ReplaceAll(outlook.Encode(), "+", "%20"),
	}
}

// instants returns the start and the end of an event in UTC. ok is false if it has no start.
func instants(e calendar.Event) (start, end time.Time, ok bool) {
	start, end = e.Start.UTC(), e.End.UTC()
	if end.Before(start) { // also if there is no end
		end = start
	}
	return start, end, !e.Start.IsZero()
}

func compact(t time.Time) string { return t.Format("20060102T150405Z") }
