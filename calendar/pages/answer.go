package pages

import (
	"strconv"
	"strings"

	"github.com/agendahq/agenda/calendar"
)

// items is a page of a list. Only the field of the requested kind is set.
type items struct {
	Events     []calendar.Event
	Venues     []calendar.Venue
	Organizers []calendar.Organizer
	Terms      []calendar.Term
	Total      int
	TotalPages int
}

// isFree reports whether the cost of an event says that it is free.
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

// addressLines returns the address of a venue in lines, as on an envelope.
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

// decimal returns an id as a string.
func decimal(id int64) string { return strconv.FormatInt(id, 10) }
