package linked_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/schema"
)

type texts = map[string]string

// made returns the id of a new venue with fields.
func (c *calendar) made(given texts) int64 {
	fields := texts{"venue": "Hall"}
	for name, value := range given {
		fields[name] = value
	}
	body, _ := json.Marshal(fields)
	return c.Must(201, "editor", "POST", "/venues", string(body)).ID()
}

func TestRegionOfANewVenue(t *testing.T) {
	c := open(t)
	for _, v := range []struct{ country, state, province, given, want string }{
		{"United States", "CA", "P", "", "CA"}, {"US", "CA", "P", "", "CA"}, {"Belgium", "ST", "P", "", "P"}, {"Belgium", "ST", "", "", ""},
		{"", "ST", "P", "", "ST"}, {"", "ST", "P", "XX", "XX"}, {"", "", "", "", ""}, {"", "", "P", "", "P"}, {"US", "", "P", "", "P"},
		{"us", "CA", "P", "", "P"},
	} {
		id := c.made(texts{"country": v.country, "state": v.state, "province": v.province, "stateprovince": v.given})
		if got := c.Meta(id, schema.MetaVenueStateProvince); !slices.Equal(got, []string{v.want}) {
			t.Errorf("%v: %q", v, got)
		}
	}
	id := c.made(nil)
	if len(c.Meta(id, schema.MetaVenueStateProvince)) != 1 || len(c.Meta(id, schema.MetaVenueCity)) != 0 {
		t.Error("a new venue has the row of its region, and no others")
	}
}

// The name of the United States is that of the site's locale, as recorded.
func TestRegionInTheLocaleOfTheSite(t *testing.T) {
	c := open(t)
	for _, v := range golden.Read[golden.Locales](t, "../../wp/testdata/locales.json").Region.Rows {
		c.Settings.Links.Locale = v.Locale
		body, _ := json.Marshal(v.Body)
		a := c.Must(201, "editor", "POST", "/venues", string(body))
		for name, want := range v.Out {
			if got := a.Body[name]; got != want {
				t.Errorf("%s %s: %s = %v, want %v", v.Locale, body, name, got, want)
			}
		}
	}
}

// D14: an update changes what it names; the region follows the address.
func TestD14Texts(t *testing.T) {
	c := open(t)
	for name, v := range map[string]struct {
		stored, given texts
		key           string
		want          []string
	}{
		"another field": {texts{schema.MetaVenueState: "CA", schema.MetaVenueStateProvince: "XX"}, texts{"city": "Gent"},
			schema.MetaVenueStateProvince, []string{"XX"}},
		"the same state": {texts{schema.MetaVenueState: "CA", schema.MetaVenueStateProvince: "XX"}, texts{"state": "CA"},
			schema.MetaVenueStateProvince, []string{"XX"}},
		"another state": {texts{schema.MetaVenueState: "CA", schema.MetaVenueStateProvince: "CA"}, texts{"state": "NY"},
			schema.MetaVenueStateProvince, []string{"NY"}},
		"a country": {texts{schema.MetaVenueState: "ST", schema.MetaVenueProvince: "P",
			schema.MetaVenueStateProvince: "ST"}, texts{"country": "France"}, schema.MetaVenueStateProvince, []string{"P"}},
		"a region": {texts{schema.MetaVenueState: "CA"}, texts{"state": "NY", "stateprovince": "Z"},
			schema.MetaVenueStateProvince, []string{"Z"}},
		"an empty region": {texts{schema.MetaVenueState: "CA", schema.MetaVenueStateProvince: "XX"},
			texts{"stateprovince": ""}, schema.MetaVenueStateProvince, []string{"CA"}},
		"an empty one":                 {texts{schema.MetaVenueCity: "Gent"}, texts{"city": ""}, schema.MetaVenueCity, []string{""}},
		"an empty one that has no row": {nil, texts{"city": ""}, schema.MetaVenueCity, nil},
		"no region without any":        {nil, texts{"stateprovince": ""}, schema.MetaVenueStateProvince, nil},
		"D41 escapes and backslashes":  {nil, texts{"city": `a\b%20c`}, schema.MetaVenueCity, []string{`a\b%20c`}},
		"no markup, on one line":       {nil, texts{"city": " Rue  <b>de</b> la\nLoi "}, schema.MetaVenueCity, []string{"Rue de la Loi"}},
		"D41 escapes in an address too": {nil, texts{"website": "http://ex.org/a%20b"}, schema.MetaVenueURL,
			[]string{"http://ex.org/a%20b"}},
	} {
		id := c.made(nil)
		c.Exec("DELETE FROM wp_postmeta WHERE post_id = ?", id)
		for key, value := range v.stored {
			c.Exec("INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (?, ?, ?)", id, key, value)
		}
		body, _ := json.Marshal(v.given)
		c.Must(200, "editor", "PUT", fmt.Sprint("/venues/", id), string(body))
		if got := c.Meta(id, v.key); !slices.Equal(got, v.want) {
			t.Errorf("%s: %q, want %q", name, got, v.want)
		}
	}
}

func TestSwitches(t *testing.T) {
	c := open(t)
	both := []string{schema.MetaShowMap, schema.MetaVenueShowMap}
	for given, want := range map[string]string{
		"1": "1", "true": "1", "TRUE": "1", "yes": "1", "on": "1", "": "", "0": "", "false": "", "no": "", "maybe": "",
	} {
		id := c.made(texts{"show_map": given})
		for _, key := range both {
			if got := c.Meta(id, key); !slices.Equal(got, []string{want}) {
				t.Errorf("%q: %s %q", given, key, got)
			}
		}
		for _, key := range []string{schema.MetaShowMapLink, schema.MetaVenueShowMapLink} {
			if got := c.Meta(id, key); !slices.Equal(got, []string{"1"}) {
				t.Errorf("%q turns the other one off: %q", given, got)
			}
		}
	}
	id := c.made(nil)
	c.Exec("DELETE FROM wp_postmeta WHERE post_id = ?", id)
	for given, rows := range map[string]int{"1": 0, "0": 1} { // D14: without rows a map is shown; only what is given is written
		c.Must(200, "editor", "PUT", fmt.Sprint("/venues/", id), `{"show_map":"`+given+`"}`)
		if len(c.Meta(id, schema.MetaVenueShowMap)) > rows || given == "0" && len(c.Meta(id, schema.MetaVenueShowMap)) != 1 ||
			len(c.Meta(id, schema.MetaVenueShowMapLink)) != 0 {
			t.Errorf("D14 %s: %q", given, c.Meta(id, schema.MetaVenueShowMap))
		}
		c.Exec("DELETE FROM wp_postmeta WHERE post_id = ?", id)
	}
}
