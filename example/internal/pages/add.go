package pages

import (
	"net/url"
	"strings"
	"time"
)

// calendarLinks add an event to a visitor's own calendar.
type calendarLinks struct {
	feedLinks
	Google, Outlook string
}

// addLinks returns the links of an event whose page has an address. Without valid times there are none.
func addLinks(e event, feed feedLinks, address string) calendarLinks {
	start, end, ok := e.instants()
	if !ok {
		return calendarLinks{}
	}
	title, place := unmarked(e.Title), ""
	for _, p := range e.Venues[:min(1, len(e.Venues))] {
		place = strings.Join(append([]string{unmarked(p.Name)}, p.lines()...), ", ")
	}
	text := strings.TrimSpace(summary(e) + "\n\n" + address)
	dates, from, to, allDay := compact(start)+"/"+compact(end), start.Format(time.RFC3339), end.Format(time.RFC3339), "false"
	if e.AllDay {
		// Both take the day after the last one as the end.
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
		// Outlook shows a plus as one.
		Outlook: "https://outlook.live.com/calendar/0/deeplink/compose?" + strings.ReplaceAll(outlook.Encode(), "+", "%20"),
	}
}

// instants returns the beginning and the end of an event in UTC.
func (e event) instants() (start, end time.Time, ok bool) {
	start, ok = wall(e.StartUTC)
	if !ok {
		return start, end, false
	}
	if end, ok = wall(e.EndUTC); !ok || end.Before(start) {
		end = start
	}
	return start, end, true
}

func compact(t time.Time) string { return t.Format("20060102T150405Z") }
