package pages

import (
	"strconv"
	"strings"

	"github.com/agendahq/agenda/calendar"
)

// items are a page of a list of any kind.
type items struct {
	Events     []calendar.Event
	Venues     []calendar.Venue
	Organizers []calendar.Organizer
	Terms      []calendar.Term
	Total      int
	TotalPages int
}

// isFree reports whether nobody pays for an event, as its cost says.
func isFree(e calendar.Event) bool {
	for _, price := range e.Prices {
		if word := strings.ToLower(price); word != "free" && word != "gratis" && word != "gratuit" {
			if n, err := strconv.ParseFloat(word, 64); err != nil || n != 0 {
				return false
			}
		}
	}
	return len(e.Prices) > 0
}

// addressLines returns the address of a venue as on an envelope.
func addressLines(p calendar.Venue) []string {
	var lines []string
	town := strings.TrimSpace(p.Zip + " " + p.City)
	for _, line := range []string{p.Address, town, p.Region, p.Country} {
		if line != "" {
			lines = append(lines, line)
		}
	}
	return lines
}

// decimal returns an id as text.
func decimal(id int64) string { return strconv.FormatInt(id, 10) }
