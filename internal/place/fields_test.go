package place

import (
	"slices"
	"testing"

	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/schema"
)

// venueFields are the fields of venues, in the order of their declaration.
var venueFields = []Field{
	{"address", schema.MetaVenueAddress}, {"city", schema.MetaVenueCity}, {"country", schema.MetaVenueCountry},
	{"province", schema.MetaVenueProvince}, {"state", schema.MetaVenueState}, {"zip", schema.MetaVenueZip},
	{"website", schema.MetaVenueURL}, {"stateprovince", schema.MetaVenueStateProvince},
}

func TestRegionOfANewVenue(t *testing.T) {
	k := &Kind{Fields: venueFields}
	for _, c := range []struct{ country, state, province, given, want string }{
		{"United States", "CA", "P", "", "CA"}, {"US", "CA", "P", "", "CA"}, {"Belgium", "ST", "P", "", "P"}, {"Belgium", "ST", "", "", ""},
		{"", "ST", "P", "", "ST"}, {"", "ST", "P", "XX", "XX"}, {"", "", "", "", ""}, {"", "", "P", "", "P"}, {"US", "", "P", "", "P"}, {"us", "CA", "P", "", "P"},
	} {
		d := &content.Edit{}
		k.applyTexts(d, &input{own: map[string]string{"country": c.country, "state": c.state, "province": c.province, "stateprovince": c.given}})
		if got := d.Meta(schema.MetaVenueStateProvince); !slices.Equal(got, []string{c.want}) {
			t.Errorf("%v: %q", c, got)
		}
	}
	d := &content.Edit{}
	if k.applyTexts(d, &input{}); !d.Has(schema.MetaVenueStateProvince) || d.Has(schema.MetaVenueCity) {
		t.Error("a new venue has the row of its region, and no others")
	}
}

// D14: an update changes what it names; the region follows the address.
func TestD14Texts(t *testing.T) {
	k := &Kind{Fields: venueFields}
	type texts = map[string]string
	for name, c := range map[string]struct {
		stored, given texts
		key           string
		want          []string
	}{
		"another field":                 {texts{schema.MetaVenueState: "CA", schema.MetaVenueStateProvince: "XX"}, texts{"city": "Gent"}, schema.MetaVenueStateProvince, []string{"XX"}},
		"the same state":                {texts{schema.MetaVenueState: "CA", schema.MetaVenueStateProvince: "XX"}, texts{"state": "CA"}, schema.MetaVenueStateProvince, []string{"XX"}},
		"another state":                 {texts{schema.MetaVenueState: "CA", schema.MetaVenueStateProvince: "CA"}, texts{"state": "NY"}, schema.MetaVenueStateProvince, []string{"NY"}},
		"a country":                     {texts{schema.MetaVenueState: "ST", schema.MetaVenueProvince: "P", schema.MetaVenueStateProvince: "ST"}, texts{"country": "France"}, schema.MetaVenueStateProvince, []string{"P"}},
		"a region":                      {texts{schema.MetaVenueState: "CA"}, texts{"state": "NY", "stateprovince": "Z"}, schema.MetaVenueStateProvince, []string{"Z"}},
		"an empty region":               {texts{schema.MetaVenueState: "CA", schema.MetaVenueStateProvince: "XX"}, texts{"stateprovince": ""}, schema.MetaVenueStateProvince, []string{"CA"}},
		"an empty one":                  {texts{schema.MetaVenueCity: "Gent"}, texts{"city": ""}, schema.MetaVenueCity, []string{""}},
		"an empty one that has no row":  {nil, texts{"city": ""}, schema.MetaVenueCity, nil},
		"no region without any":         {nil, texts{"stateprovince": ""}, schema.MetaVenueStateProvince, nil},
		"D41 escapes and backslashes":   {nil, texts{"city": `a\b%20c`}, schema.MetaVenueCity, []string{`a\b%20c`}},
		"no markup, on one line":        {nil, texts{"city": " Rue  <b>de</b> la\nLoi "}, schema.MetaVenueCity, []string{"Rue de la Loi"}},
		"D41 escapes in an address too": {nil, texts{"website": "http://ex.org/a%20b"}, schema.MetaVenueURL, []string{"http://ex.org/a%20b"}},
	} {
		d := &content.Edit{Stored: &schema.Post{}}
		for key, v := range c.stored {
			d.Set(key, v)
		}
		k.applyTexts(d, &input{own: c.given})
		if got := d.Meta(c.key); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", name, got, c.want)
		}
	}
}

func TestSwitches(t *testing.T) {
	both := []string{schema.MetaShowMap, schema.MetaVenueShowMap}
	for given, want := range map[string]string{"1": "1", "true": "1", "TRUE": "1", "yes": "1", "on": "1", "": "", "0": "", "false": "", "no": "", "maybe": ""} {
		d := &content.Edit{}
		applySwitches(d, &input{own: map[string]string{"show_map": given}})
		for _, key := range both {
			if got := d.Meta(key); !slices.Equal(got, []string{want}) {
				t.Errorf("%q: %s %q", given, key, got)
			}
		}
		if d.Text(schema.MetaShowMapLink) != "1" || d.Text(schema.MetaVenueShowMapLink) != "1" {
			t.Errorf("%q turns the other one off", given)
		}
	}
	d := &content.Edit{Stored: &schema.Post{}}
	if applySwitches(d, &input{own: map[string]string{"show_map": "1"}}); d.Has(schema.MetaVenueShowMap) || d.Has(schema.MetaVenueShowMapLink) {
		t.Error("D14 a venue without rows shows its map already")
	}
	if applySwitches(d, &input{own: map[string]string{"show_map": "0"}}); !d.Has(schema.MetaVenueShowMap) || d.Has(schema.MetaVenueShowMapLink) {
		t.Error("D14 only what is given is written")
	}
}
