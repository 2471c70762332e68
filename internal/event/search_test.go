package event

import (
	"math"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/linked"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/term"
	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/wp/strtotime"
	"github.com/agendahq/agenda/schema"
)

// listed formats the terms of a search, in order, as +word and -word.
func listed(text string) string {
	terms, impossible := termsOf(text)
	if impossible {
		return "nothing"
	}
	var parts []string
	for _, t := range terms {
		sign := "+"
		if t.Not {
			sign = "-"
		}
		parts = append(parts, sign+t.Text)
	}
	return strings.Join(parts, "|")
}

func TestTermsOf(t *testing.T) {
	nine, ten := "aa bb cc dd ee ff gg hh ii", "aa bb cc dd ee ff gg hh ii jj"
	check := func(text, want string) {
		if got := listed(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
	golden.Each(t, "terms.txt", check)
	check(nine, "+"+strings.ReplaceAll(nine, " ", "|+"))
	check(ten, "+"+ten)
	check("-"+ten, "-"+ten)
	check(nine+" the a", "+"+strings.ReplaceAll(nine, " ", "|+"))
}

// TestStopwords checks that stopwords are recognized whatever their case, and that longer words which begin with them
// are not ignored.
func TestStopwords(t *testing.T) {
	if len(stopwords) != 29 {
		t.Errorf("%d stopwords", len(stopwords))
	}
	for w := range stopwords {
		if got := listed("jazz " + strings.ToUpper(w) + " " + w + "x"); got != "+jazz|+"+w+"x" {
			t.Errorf("%s: %s", w, got)
		}
	}
}

func FuzzTermsOf(f *testing.F) {
	for _, s := range []string{"", "jazz -night", `"a b" c`, "aa bb cc dd ee ff gg hh ii jj", `\`, "-", `""`, "é\xff"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		terms, impossible := termsOf(s)
		if impossible && terms != nil || len(terms) > maxTerms {
			t.Fatalf("%q: %v %v", s, terms, impossible)
		}
		for _, x := range terms {
			if x.Text == "" && !x.Not || utf8.ValidString(s) && !utf8.ValidString(x.Text) {
				t.Errorf("%q: %q", s, x.Text)
			}
		}
	})
}

// morning is the current time in these tests.
var morning = time.Date(2026, 11, 21, 5, 24, 0, 0, time.UTC)

func events(now time.Time) *UseCases {
	n := schema.DefaultNames()
	types := content.Types{Type(n), linked.VenueType(n), linked.OrganizerType(n)}
	env := item.New(item.Config{
		Content: content.New(content.Config{
			Types: types, Taxonomies: []string{n.Category, n.Tag}, Now: func() time.Time { return now },
		}),
		MaxPageSize: 50, Language: param.Key[string]("i18n_language").Param(jsonschema.Text(), nil),
	})
	venues, organizers := linked.NewVenues(env, types[1]), linked.NewOrganizers(env, types[2])
	return New(&UseCases{
		Service: env, Linked: []*linked.UseCases{venues, organizers}, Venues: venues,
		Categories: term.NewCategories(env, n.Category),
		Tags:       term.NewTags(env, n.Tag),
	})
}

// settings returns the settings of a site in a zone.
func settings(zone string, change ...func(*site.Settings)) *site.Settings {
	s := &site.Settings{Location: strtotime.SiteZone(zone, 0), UTC: zone == "UTC"}
	for _, f := range change {
		f(s)
	}
	return s
}

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
