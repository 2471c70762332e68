package exchange

import (
	"net/mail"
	"net/url"
	"strconv"
	"strings"

	"github.com/agendahq/agenda/internal/ical"
)

// linked reads the venue, the organizer and the categories.
func (e *eventReader) linked() {
	e.venue()
	if p := e.c.First("ORGANIZER"); p != nil {
		email := e.email(p)
		name := p.Param("CN")
		if plain, err := url.PathUnescape(name); err == nil && e.s.objects[e.c.Calendar].tec { // only The Events Calendar encodes it
			name = plain
		}
		name = oneLine(name)
		if name == "" {
			name = oneLine(email)
		}
		if name != "" {
			values := map[string]any{"organizer": name}
			if email != "" {
				values["email"] = email
			}
			e.rec.link(Organizers, &Record{Kind: Organizers, Line: SourceLine{e.s.name, p.Line}, Values: values})
		}
	}
	seen := map[string]bool{}
	for _, p := range e.all("CATEGORIES") {
		for _, name := range p.Texts() {
			if name = strings.Join(strings.Fields(name), " "); !seen[name] {
				seen[name] = true
				category := &Record{Kind: Categories, Line: SourceLine{e.s.name, p.Line}, Values: map[string]any{"name": name}}
				e.rec.link(Categories, category)
			}
		}
	}
}

// email returns the email address of an organizer, or "". It ignores the addresses that Google generates for calendars,
// which nobody reads.
func (e *eventReader) email(p *ical.Property) string {
	scheme, rest, _ := strings.Cut(strings.TrimSpace(p.Value), ":")
	address, err := mail.ParseAddress(strings.TrimSpace(rest))
	switch {
	case p.Value == "" || strings.EqualFold(scheme, "invalid") || strings.HasSuffix(rest, "@group.calendar.google.com"):
		return ""
	case strings.EqualFold(scheme, "mailto") && strings.TrimSpace(rest) == "": // The Events Calendar writes it
		return ""
	case !strings.EqualFold(scheme, "mailto") || err != nil:
		e.problem(p, "is not an e-mail address: "+clipText(p.Value))
		return ""
	}
	return address.Address
}

// venue reads the place: a name, then after the first line break or comma an address. Feeds of this program and of The
// Events Calendar write it so.
func (e *eventReader) venue() {
	text, line := "", e.c.Line
	apple, geo := e.c.First("X-APPLE-STRUCTURED-LOCATION"), e.c.First("GEO")
	if p := e.c.First("LOCATION"); p != nil {
		text, line = strings.TrimSpace(p.Text()), p.Line
		if website := webAddress(text); website != "" && !e.feed {
			if e.c.First("URL") == nil {
				e.rec.Values["website"] = website
			} else {
				e.problem(p, "is a web address: "+website)
			}
			text = ""
		}
	}
	if text == "" && apple != nil {
		text = strings.TrimSpace(apple.Param("X-TITLE"))
		if address := apple.Param("X-ADDRESS"); address != "" {
			text += "\n" + strings.ReplaceAll(strings.ReplaceAll(address, `\n`, "\n"), `\,`, ",")
		}
		line = apple.Line
	}
	var position *Position
	if geo != nil {
		if position = positionOf(geo.Value, ";"); position == nil {
			e.problem(geo, "is not a position: "+geo.Value)
		}
	}
	if position == nil && apple != nil {
		position = positionOf(strings.TrimPrefix(strings.ToLower(strings.TrimSpace(apple.Value)), "geo:"), ",")
	}
	if text == "" {
		if geo != nil && position != nil {
			e.problem(geo, "is the position of a venue without a name")
		}
		return
	}
	name, address, lines := strings.Cut(text, "\n")
	switch {
	case e.feed:
		name, address, _ = strings.Cut(text, ", ")
	case !lines:
		name, address, _ = strings.Cut(text, ",")
		if before, inside, found := strings.Cut(text, " ("); found && len(before) < len(name) && strings.HasSuffix(inside, ")") {
			name, address = before, strings.TrimSuffix(inside, ")") // as Meetup writes it
		}
	}
	values := map[string]any{"venue": oneLine(name)}
	if values["venue"] == "" { // the text begins with the comma
		values["venue"], address = oneLine(strings.Trim(address, ", \n")), ""
	}
	if values["venue"] == "" {
		return
	}
	var parts []string
	for part := range strings.SplitSeq(address, "\n") {
		if part = strings.Trim(strings.Join(strings.Fields(part), " "), ", "); part != "" {
			parts = append(parts, part)
		}
	}
	if address = strings.Join(parts, ", "); address != "" {
		values["address"] = address
	}
	e.rec.link(Venues, &Record{Kind: Venues, Line: SourceLine{e.s.name, line}, Values: values, Position: position})
}

// positionOf parses a latitude and a longitude. It returns nil if the text is not a valid position.
func positionOf(text, separator string) *Position {
	first, second, _ := strings.Cut(text, separator)
	latitude, wrong := strconv.ParseFloat(strings.TrimSpace(first), 64)
	longitude, alsoWrong := strconv.ParseFloat(strings.TrimSpace(second), 64)
	inside := latitude >= -90 && latitude <= 90 && longitude >= -180 && longitude <= 180 // false if either is NaN
	if wrong != nil || alsoWrong != nil || !inside {
		return nil
	}
	return &Position{latitude, longitude}
}
