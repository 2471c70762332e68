package pages

import (
	"testing"

	"github.com/agendahq/agenda/calendar"
)

// TestPlaces checks that the coordinates of a city are the mean of its venues', that a venue without a city is a place,
// and that one without coordinates is not.
func TestPlaces(t *testing.T) {
	at := func(lat, lng float64) calendar.Venue { return calendar.Venue{Latitude: &lat, Longitude: &lng} }
	a, b, c, d := at(51, 3), at(52, 4), at(-1, -2), calendar.Venue{City: "Bruges"}
	a.City, b.City, c.Name = "Ghent", "Ghent", "Hall &amp; Co"
	list := placesOf([]calendar.Venue{a, c, d, b})
	if len(list) != 2 || list[0].name != "Ghent" || list[0].point() != "51.5000,3.5000" || list[1].name != "Hall & Co" ||
		list[1].point() != "-1.0000,-2.0000" {
		t.Errorf("%+v", list)
	}
}
