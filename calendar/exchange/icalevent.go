package exchange

import (
	"cmp"
	"maps"
	"net/url"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/agendahq/agenda/internal/ical"
	"github.com/agendahq/agenda/internal/wp/strtotime"
)

// forPrograms lists the event properties that only programs need, so that leaving them out is not reported. An "X-"
// entry is a prefix.
var forPrograms = []string{
	"DTSTAMP", "LAST-MODIFIED", "SEQUENCE", "PRIORITY", "TRANSP", "ATTENDEE", "REQUEST-STATUS", "RELATED-TO", "COLOR", "ACKNOWLEDGED",
	"METHOD", "PARTSTAT", "EXDATE", "X-MICROSOFT-", "X-MS-", "X-APPLE-", "X-MOZ-", "X-GOOGLE-", "X-EVOLUTION-", "X-ZIMBRA-", "X-WR-",
	"X-LIC-", "X-NEXTCLOUD-", "X-CALENDARSERVER-", "X-KDE-", "X-OUTLOOK-", "X-YAHOO-", "X-PUBLISHED-TTL", "X-ECAL-", "X-BUSYMAC-",
	"X-RADICALE-", "X-SYNOLOGY-", "X-CREATED-", "X-TINE20-", "X-OWNCLOUD-", "X-OXID", "X-SOGO-", "X-FUNAMBOL-", "X-EXCHANGE-", "X-ALARM-",
	"X-TRIBE-",
}

// taken lists the properties that are read.
var taken = []string{
	"UID", "SUMMARY", "DESCRIPTION", "X-ALT-DESC", "STYLED-DESCRIPTION", "DTSTART", "DTEND", "DURATION", "LOCATION", "GEO",
	"X-APPLE-STRUCTURED-LOCATION", "ORGANIZER", "CATEGORIES", "ATTACH", "IMAGE", "URL", "STATUS", "CLASS", "CREATED", "X-COST",
	"RRULE", "RDATE", "EXRULE", "RECURRENCE-ID", "X-MICROSOFT-CDO-ALLDAYEVENT",
}

// eventReader converts a VEVENT to a record.
type eventReader struct {
	s    *calendarSource
	c    *ical.Component
	rec  *Record
	item string
	feed bool // in a feed of this program or of The Events Calendar
}

// event queues the records of a VEVENT, or the problem that prevents them.
func (s *calendarSource) event(c *ical.Component) {
	if s.superseded(c) {
		return
	}
	e := s.readerOf(c)
	e.noteOthers()
	if s.Expand.IsZero() && c.First("RECURRENCE-ID") != nil && e.rec.UID != "" {
		if _, p := e.change(); p != nil { // otherwise the record of the event contains the occurrence
			s.queue = append(s.queue, result{err: p})
			return
		}
		if !s.orphaned(e.rec.UID) {
			return
		}
	}
	if c.Broken != "" {
		s.refuse(c.Line, e.item, c.Name, "is not whole: "+c.Broken)
		return
	}
	if p := e.readEvent(); p != nil {
		s.queue = append(s.queue, result{err: p})
	}
}

// readerOf returns the reader of a component.
func (s *calendarSource) readerOf(c *ical.Component) *eventReader {
	for len(s.objects) <= c.Calendar { // the file has grown since the survey
		s.objects = append(s.objects, object{})
	}
	e := &eventReader{s: s, c: c, item: summaryOf(c), feed: s.objects[c.Calendar].feed}
	e.rec = &Record{Kind: Events, Line: SourceLine{s.name, c.Line}, UID: uidOf(c), Values: map[string]any{}}
	return e
}

// readEvent reads the event and queues it, or returns the problem that prevents it.
func (e *eventReader) readEvent() *Problem {
	title := e.title()
	if e.cancels(title) {
		return nil
	}
	if title == "" {
		return e.s.problem(e.c.Line, e.item, "SUMMARY", "is missing, and an event needs a title")
	}
	e.rec.Values["title"] = title
	w, p := e.when()
	if p != nil {
		return p
	}
	e.texts()
	e.address()
	e.linked()
	e.files()
	e.state()
	e.rest()
	return e.occurrences(w)
}

// title returns the title of the event, or "".
func (e *eventReader) title() string {
	if p := e.c.First("SUMMARY"); p != nil {
		return oneLine(p.Text())
	}
	return ""
}

// problem records that a part of the event is left out.
func (e *eventReader) problem(p *ical.Property, reason string) {
	e.rec.Problems = append(e.rec.Problems, e.s.problem(p.Line, e.item, p.Name, reason))
}

// all returns the properties that have one of the names.
func (e *eventReader) all(names ...string) (list []*ical.Property) {
	for _, p := range e.c.Properties {
		if slices.Contains(names, p.Name) {
			list = append(list, p)
		}
	}
	return list
}

// texts reads the description, preferably the HTML one.
func (e *eventReader) texts() {
	html, text := "", ""
	for _, p := range e.all("X-ALT-DESC", "STYLED-DESCRIPTION") {
		if html == "" && strings.EqualFold(p.Param("FMTTYPE"), "text/html") {
			html = documentBody(p.Text())
		}
	}
	if p := e.c.First("DESCRIPTION"); p != nil {
		text = p.Text()
		if html == "" {
			html = dataHTML(p.Param("ALTREP"))
		}
	}
	switch {
	case html != "":
	case e.feed:
		html = feedHTML(text)
	case tag.MatchString(text):
		html = documentBody(text)
	default:
		html = paragraphs(text)
	}
	if html != "" {
		e.rec.Values["description"] = html
	}
}

// address reads the website. In a feed, the address is the event's own page, and contains the slug.
func (e *eventReader) address() {
	p := e.c.First("URL")
	if p == nil || strings.TrimSpace(p.Value) == "" {
		return
	}
	if !e.feed {
		if website := siteAddress(p.Value); website != "" {
			e.rec.Values["website"] = website
		} else {
			e.problem(p, "is not a web address: "+p.Value)
		}
		return
	}
	u, err := url.Parse(strings.TrimSpace(p.Value))
	if err != nil || u.RawQuery != "" {
		return
	}
	e.rec.page = u.Hostname()
	dir, slug := path.Split(strings.TrimRight(u.EscapedPath(), "/"))
	if _, err := time.Parse(time.DateOnly, slug); err == nil { // the page of an occurrence
		slug = path.Base(dir)
	}
	if slug != "" && slug != "." && slug != "/" {
		e.rec.Values["slug"] = slug
	}
}

// files reads the image.
func (e *eventReader) files() {
	for _, p := range e.all("ATTACH", "IMAGE") {
		address := webAddress(p.Value)
		switch {
		case strings.EqualFold(p.Param("VALUE"), "BINARY") || strings.EqualFold(p.Param("ENCODING"), "BASE64"):
			e.problem(p, "contains a file: only images at an address are imported")
		case address == "" || p.Name == "ATTACH" && !isPicture(address, p.Param("FMTTYPE")):
			e.problem(p, "is not an image at a web address: "+clipText(p.Value))
		case e.rec.Image != "":
			e.problem(p, "an event has only one image: "+clipText(p.Value))
		default:
			e.rec.Image = address
		}
	}
}

// isPicture reports whether an address is that of an image, by its media type or its file name.
func isPicture(address, media string) bool {
	if media != "" {
		return strings.HasPrefix(strings.ToLower(media), "image/")
	}
	u, err := url.Parse(address)
	return err == nil && slices.Contains([]string{".jpg", ".jpeg", ".png", ".gif", ".webp", ".avif"}, strings.ToLower(path.Ext(u.Path)))
}

// clipText returns the beginning of a value, for messages.
func clipText(text string) string {
	const most = 100
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

// state reads the status of the event (canceled, postponed), whether it is private, and when it was created.
func (e *eventReader) state() {
	if p := e.c.First("STATUS"); p != nil {
		switch value := strings.ToUpper(strings.TrimSpace(p.Value)); {
		case isCanceled(p):
			e.rec.State = StateCanceled
		case value == "TENTATIVE" && e.feed:
			e.rec.State = StatePostponed
		case value == "TENTATIVE": // a tentative event must not be published as certain
			e.rec.Values["status"] = "pending"
		case value != "CONFIRMED" && value != "":
			e.problem(p, "is not stored: "+value)
		}
	}
	if e.s.objects[e.c.Calendar].calls {
		e.rec.State, e.rec.calls = StateCanceled, true
	}
	if isPrivate(e.c) {
		given, _ := e.rec.Values["status"].(string)
		e.rec.Values["status"] = lessPublic(cmp.Or(given, "private"), "private")
	}
	if p := e.c.First("CREATED"); p != nil {
		m, ok := ical.ParseDateTime(p.Value)
		if ok && m.UTC && m.Wall.Year() > 1970 && !m.Wall.After(e.s.Now) {
			e.rec.Values["date_utc"] = strtotime.Wall(m.Wall)
		}
	}
	if p := e.c.First("X-COST"); p != nil && strings.TrimSpace(p.Text()) != "" {
		e.rec.Values["cost"] = strings.TrimSpace(p.Text())
	}
}

// isPrivate reports whether the CLASS of a component restricts its readers. RFC 5545 requires unknown values to be
// treated as private.
func isPrivate(c *ical.Component) bool {
	p := c.First("CLASS")
	return p != nil && !slices.Contains([]string{"", "PUBLIC", "DEFAULT"}, strings.ToUpper(strings.TrimSpace(p.Value)))
}

// isCanceled reports whether a STATUS means canceled.
func isCanceled(p *ical.Property) bool {
	return slices.Contains([]string{"CANCELLED", "CANCELED"}, strings.ToUpper(strings.TrimSpace(p.Value)))
}

// rest reports properties that were truncated, are invalid, are given twice or have no counterpart in an event.
func (e *eventReader) rest() {
	seen := map[string]bool{}
	for _, p := range e.c.Properties {
		if p.Cut {
			e.problem(p, "is too long: its beginning was used")
		}
		forProgram := slices.ContainsFunc(forPrograms, func(name string) bool {
			return name == p.Name || strings.HasPrefix(name, "X-") && strings.HasPrefix(p.Name, name)
		})
		switch p.Name {
		case "CATEGORIES", "ATTACH", "IMAGE", "X-ALT-DESC", "STYLED-DESCRIPTION", "RRULE", "RDATE", "EXDATE":
			continue // more than one is allowed
		}
		switch {
		case slices.Contains(taken, p.Name):
			if seen[p.Name] {
				e.problem(p, "occurs more than once: the first one was used")
			}
			seen[p.Name] = true
		case !forProgram && !e.s.unknown[p.Name] && len(e.s.unknown) < maxZones:
			e.s.unknown[p.Name] = true
			e.problem(p, "cannot be stored with an event here and is always left out")
		}
	}
	if p := e.c.First("DURATION"); p != nil && e.c.First("DTEND") != nil {
		e.problem(p, "is ignored, since there is a DTEND")
	}
	for _, f := range e.c.Faults {
		e.rec.Problems = append(e.rec.Problems, e.s.problem(f.Line, e.item, cmp.Or(f.Name, "line"), f.Reason))
	}
}

// queue queues the record with its times. If uid is not empty, the record is one of several that the component becomes,
// and has that UID.
func (e *eventReader) queue(w when, uid string) {
	rec := *e.rec
	rec.Values = maps.Clone(e.rec.Values)
	w.storeTimes(rec.Values)
	if uid != "" {
		rec.UID = uid
	}
	e.s.queue = append(e.s.queue, result{record: &rec})
	e.rec.Problems, e.rec.notes = nil, nil // those of the component are reported with its first record only
}
