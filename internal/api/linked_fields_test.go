package api_test

import (
	"encoding/json"
	"testing"

	"github.com/agendahq/agenda/internal/test/golden"
)

// TestRegionInTheLocaleOfTheSite checks that the name of the United States is that of the site's locale, as recorded.
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
