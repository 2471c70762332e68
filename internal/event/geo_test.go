package event

import (
	"math"
	"testing"

	"github.com/agendahq/agenda/internal/item"
)

func TestDistance(t *testing.T) {
	half := math.Pi * 6371.0088
	for _, c := range []struct {
		about                  string
		lat1, lng1, lat2, lng2 float64
		km, within             float64
	}{
		{"the same point", 51.05, 3.72, 51.05, 3.72, 0, 0},
		{"Ghent to Brussels", 51.0543, 3.7174, 50.8503, 4.3517, 50.0, 0.5},
		{"Ghent to Brussels and back", 50.8503, 4.3517, 51.0543, 3.7174, 50.0, 0.5},
		{"Paris to New York", 48.8566, 2.3522, 40.7128, -74.0060, 5837, 3},
		{"over the date line", 0, 179.5, 0, -179.5, half / 180, 0.01},
		{"over the pole", 89, 0, 89, 180, half / 90, 0.01},
		{"one degree of latitude", 10, 20, 11, 20, half / 180, 0.01},
		{"the antipode", 0, 0, 0, 180, half, 0.01},
		{"pole to pole", 90, 77, -90, -13, half, 0.01},
		{"the pole from anywhere", 90, 0, 90, 123, 0, 0.01},
	} {
		if got := item.Distance(c.lat1, c.lng1, c.lat2, c.lng2); math.IsNaN(got) || math.Abs(got-c.km) > c.within {
			t.Errorf("%s: %g km, want %g", c.about, got, c.km)
		}
	}
}

func FuzzDistance(f *testing.F) {
	f.Add(51.0, 3.0, -51.0, -177.0)
	f.Fuzz(func(t *testing.T, lat1, lng1, lat2, lng2 float64) {
		for _, v := range [...]float64{lat1, lng1, lat2, lng2} {
			if !(v >= -180 && v <= 180) {
				return
			}
		}
		lat1, lat2 = lat1/2, lat2/2
		there, back := item.Distance(lat1, lng1, lat2, lng2), item.Distance(lat2, lng2, lat1, lng1)
		if !(there >= 0 && there <= math.Pi*6371.0088+1) || math.Abs(there-back) > 0.001 {
			t.Errorf("%g %g to %g %g: %g, back %g", lat1, lng1, lat2, lng2, there, back)
		}
	})
}
