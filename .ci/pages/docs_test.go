package pagechecks_test

import (
	_ "embed"
	"encoding/json"
	"maps"
	"testing"

	"github.com/chromedp/chromedp"
)

// tryOut opens an operation, chooses a type of body, types fields, and returns what Execute would send; a form is
// returned as an object.
//
//go:embed try-out.js
var tryOut string

// "Try it out" sends the fields of a form that were typed, and not the examples of all others.
func TestTryItOut(t *testing.T) {
	for operation, typed := range map[string]map[string]string{ // required fields are included: without them nothing is sent
		"createEvent":    {"title": "Typed", "start_date": "2031-05-01 20:00", "end_date": "2031-05-01 22:00", "all_day": "false"},
		"updateEvent":    {"description": "Typed."},
		"createVenue":    {"venue": "Typed", "city": "Typed"},
		"createCategory": {"name": "Typed", "description": "Typed."},
	} {
		for _, form := range []string{"multipart/form-data", "application/x-www-form-urlencoded"} {
			t.Run(operation+" "+form, func(t *testing.T) {
				b := openTab(t, screen{1440, 900, "light"})
				b.visit("/docs/")
				b.do(chromedp.WaitVisible(chromedp.CSS(".opblock")))
				var sent map[string]string
				text := evaluate[string](b, tryOut+"("+asJSON([]any{operation, form, typed})+")")
				if err := json.Unmarshal([]byte(text), &sent); err != nil || !maps.Equal(sent, typed) {
					t.Errorf("%s was sent, typed %v: %v", text, typed, err)
				}
			})
		}
	}
}
