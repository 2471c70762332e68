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

// forPrograms are the properties of an event that no item has and nobody misses; of those
// that begin with "X-" it is enough if their names begin so.
var forPrograms = []string{
	"DTSTAMP", "LAST-MODIFIED", "SEQUENCE", "PRIORITY", "TRANSP", "ATTENDEE", "REQUEST-STATUS", "RELATED-TO", "COLOR", "ACKNOWLEDGED",
	"METHOD", "PARTSTAT", "EXDATE", "X-MICROSOFT-", "X-MS-", "X-APPLE-", "X-MOZ-", "X-GOOGLE-", "X-EVOLUTION-", "X-ZIMBRA-", "X-WR-",
	"X-LIC-", "X-NEXTCLOUD-", "X-CALENDARSERVER-", "X-KDE-", "X-OUTLOOK-", "X-YAHOO-", "X-PUBLISHED-TTL", "X-ECAL-", "X-BUSYMAC-",
	"X-RADICALE-", "X-SYNOLOGY-", "X-CREATED-", "X-TINE20-", "X-OWNCLOUD-", "X-OXID", "X-SOGO-", "X-FUNAMBOL-", "X-EXCHANGE-", "X-ALARM-",
	"X-TRIBE-",
}

// taken are those that are read.
var taken = []string{
	"UID", "SUMMARY", "DESCRIPTION", "X-ALT-DESC", "STYLED-DESCRIPTION", "DTSTART", "DTEND", "DURATION", "LOCATION", "GEO",
	"X-APPLE-STRUCTURED-LOCATION", "ORGANIZER", "CATEGORIES", "ATTACH", "IMAGE", "URL", "STATUS", "CLASS", "CREATED", "X-COST",
	"RRULE", "RDATE", "EXRULE", "RECURRENCE-ID", "X-MICROSOFT-CDO-ALLDAYEVENT",
}

// eventReader makes a record of a VEVENT.
type eventReader struct {
	s    *calendarSource
	c    *ical.Component
	rec  *Record
	item string
	feed bool // of this program or the site's own software
}

// event queues the records of a VEVENT, or why there are none.
func (s *calendarSource) event(c *ical.Component) {
	for len(s.objects) <= c.Calendar { // the file has grown since
		s.objects = append(s.objects, object{})
	}
	if s.superseded(c) {
		return
	}
	e := s.readerOf(c)
	if s.Expand.IsZero() && c.First("RECURRENCE-ID") != nil && e.rec.UID != "" {
		if _, p := e.change(); p != nil { // else the event has it
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
	if p := e.read(); p != nil {
		s.queue = append(s.queue, result{err: p})
	}
}

// readerOf returns the reader of a component.
func (s *calendarSource) readerOf(c *ical.Component) *eventReader {
	e := &eventReader{s: s, c: c, item: summaryOf(c), feed: s.objects[c.Calendar].feed}
	e.rec = &Record{Kind: Events, Line: SourceLine{s.name, c.Line}, UID: uidOf(c), Values: map[string]any{}}
	return e
}

// read reads the event and queues it. It returns the reason if it cannot be read.
func (e *eventReader) read() *Problem {
	title := ""
	if p := e.c.First("SUMMARY"); p != nil {
		title = oneLine(p.Text())
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

// problem notes a part that is left out.
func (e *eventReader) problem(p *ical.Property, reason string) {
	e.rec.Problems = append(e.rec.Problems, e.s.problem(p.Line, e.item, p.Name, reason))
}

// all returns the properties with one of the names.
func (e *eventReader) all(names ...string) (list []*ical.Property) {
	for _, p := range e.c.Properties {
		if slices.Contains(names, p.Name) {
			list = append(list, p)
		}
	}
	return list
}

// texts reads the description: that in HTML, if there is one.
func (e *eventReader) texts() {
	html, text := "", ""
	for _, p := range e.all("X-ALT-DESC", "STYLED-DESCRIPTION") {
		if html == "" && strings.EqualFold(p.Param("FMTTYPE"), "text/html") {
			html = body(p.Text())
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
		html = shown(text)
	case tag.MatchString(text):
		html = body(text)
	default:
		html = paragraphs(text)
	}
	if html != "" {
		e.rec.Values["description"] = html
	}
}

// address reads the website and, from the page of an event in a feed, the slug.
func (e *eventReader) address() {
	p := e.c.First("URL")
	if p == nil || strings.TrimSpace(p.Value) == "" {
		return
	}
	if !e.feed {
		if website := siteAddress(p.Value); website != "" {
			e.rec.Values["website"] = website
		} else {
			e.problem(p, "is no web address: "+p.Value)
		}
		return
	}
	u, err := url.Parse(strings.TrimSpace(p.Value))
	if err != nil || u.RawQuery != "" {
		return
	}
	e.rec.page = u.Hostname()
	dir, slug := path.Split(strings.TrimRight(u.EscapedPath(), "/"))
	if _, err := time.Parse(time.DateOnly, slug); err == nil { // of a date of an event that recurs
		slug = path.Base(dir)
	}
	if slug != "" && slug != "." && slug != "/" {
		e.rec.Values["slug"] = slug
	}
}

// files reads the picture.
func (e *eventReader) files() {
	for _, p := range e.all("ATTACH", "IMAGE") {
		address := webAddress(p.Value)
		switch {
		case strings.EqualFold(p.Param("VALUE"), "BINARY") || strings.EqualFold(p.Param("ENCODING"), "BASE64"):
			e.problem(p, "holds a file: only pictures at an address are imported")
		case address == "" || p.Name == "ATTACH" && !isPicture(address, p.Param("FMTTYPE")):
			e.problem(p, "is no picture at a web address: "+clipped(p.Value))
		case e.rec.Image != "":
			e.problem(p, "an event has one picture: "+clipped(p.Value))
		default:
			e.rec.Image = address
		}
	}
}

// isPicture reports whether an address is that of a picture, by its type or its name.
func isPicture(address, media string) bool {
	if media != "" {
		return strings.HasPrefix(strings.ToLower(media), "image/")
	}
	u, err := url.Parse(address)
	return err == nil && slices.Contains([]string{".jpg", ".jpeg", ".png", ".gif", ".webp", ".avif"}, strings.ToLower(path.Ext(u.Path)))
}

// clipped returns the beginning of a value.
func clipped(text string) string {
	const most = 100
	if runes := []rune(text); len(runes) > most {
		return string(runes[:most]) + "…"
	}
	return text
}

// state reads whether the event takes place, who may see it, and when it was made.
func (e *eventReader) state() {
	if p := e.c.First("STATUS"); p != nil {
		switch value := strings.ToUpper(strings.TrimSpace(p.Value)); {
		case canceled(p):
			e.rec.State = StateCanceled
		case value == "TENTATIVE" && e.feed:
			e.rec.State = StatePostponed
		case value == "TENTATIVE": // it is not shown as certain
			e.rec.Values["status"] = "pending"
		case value != "CONFIRMED" && value != "":
			e.problem(p, "is not stored: "+value)
		}
	}
	if e.s.objects[e.c.Calendar].calls {
		e.rec.State, e.rec.calls = StateCanceled, true
	}
	if private(e.c) {
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

// private reports whether a component is for some people alone. What is not known is private, too, as RFC 5545 has it.
func private(c *ical.Component) bool {
	p := c.First("CLASS")
	return p != nil && !slices.Contains([]string{"", "PUBLIC", "DEFAULT"}, strings.ToUpper(strings.TrimSpace(p.Value)))
}

// canceled reports whether a STATUS says so.
func canceled(p *ical.Property) bool {
	return slices.Contains([]string{"CANCELLED", "CANCELED"}, strings.ToUpper(strings.TrimSpace(p.Value)))
}

// rest reports what was cut, wrong, given twice, or has no place in an event.
func (e *eventReader) rest() {
	seen := map[string]bool{}
	for _, p := range e.c.Properties {
		if p.Cut {
			e.problem(p, "is longer than can be read: its beginning was taken")
		}
		forProgram := slices.ContainsFunc(forPrograms, func(name string) bool {
			return name == p.Name || strings.HasPrefix(name, "X-") && strings.HasPrefix(p.Name, name)
		})
		switch p.Name {
		case "CATEGORIES", "ATTACH", "IMAGE", "X-ALT-DESC", "STYLED-DESCRIPTION", "RRULE", "RDATE", "EXDATE":
			continue // there may be several
		}
		switch {
		case slices.Contains(taken, p.Name):
			if seen[p.Name] {
				e.problem(p, "is there more than once: the first one was taken")
			}
			seen[p.Name] = true
		case !forProgram && !e.s.unknown[p.Name] && len(e.s.unknown) < maxZones:
			e.s.unknown[p.Name] = true
			e.problem(p, "has no place in an event here, and is left out wherever it is")
		}
	}
	if p := e.c.First("DURATION"); p != nil && e.c.First("DTEND") != nil {
		e.problem(p, "is there besides DTEND, which was taken")
	}
	for _, f := range e.c.Faults {
		e.rec.Problems = append(e.rec.Problems, e.s.problem(f.Line, e.item, cmp.Or(f.Name, "line"), f.Reason))
	}
}

// queue queues the record with its dates, as one of several if uid is not "".
func (e *eventReader) queue(w when, uid string) {
	rec := *e.rec
	rec.Values = maps.Clone(e.rec.Values)
	w.put(rec.Values)
	if uid != "" {
		rec.UID = uid
	}
	e.s.queue = append(e.s.queue, result{record: &rec})
	e.rec.Problems = nil // those of all are with the first
}
