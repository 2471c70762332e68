package exchange

import (
	"reflect"
	"testing"
)

// D93: on tables without characters of four bytes, an import stores emoji in titles and texts as character references,
// removes what no field can store, and reports that.
func TestD93NarrowRecords(t *testing.T) {
	rec := &Record{
		Kind: Events, title: "title", Values: map[string]any{
			"title": "Emoji 🎉", "description": "𠮷 and ❤", "website": "https://a.example/🎉", "all_day": true, "cost": []any{"5 🎉", "6"},
		},
		Linked: map[Collection][]*Record{
			Venues:     {{Kind: Venues, title: "venue", Values: map[string]any{"venue": "Hall 🎪", "address": "🎪 1"}}},
			Categories: {{Kind: Categories, title: "name", Values: map[string]any{"name": "Fun 🎉"}}},
		},
	}
	problems := rec.narrow()
	want := map[string]any{
		"title": "Emoji &#x1f389;", "description": " and &#x2764;", "website": "https://a.example/", "all_day": true,
		"cost": []any{"5 ", "6"},
	}
	if !reflect.DeepEqual(rec.Values, want) {
		t.Errorf("%v", rec.Values)
	}
	venue, category := rec.Linked[Venues][0], rec.Linked[Categories][0]
	if venue.Values["venue"] != "Hall &#x1f3aa;" || venue.Values["address"] != " 1" || category.Values["name"] != "Fun " {
		t.Errorf("%v, %v", venue.Values, category.Values)
	}
	var fields []string
	for _, p := range problems {
		fields = append(fields, p.Field)
	}
	if !reflect.DeepEqual(fields, []string{"cost", "description", "website", "name", "address"}) {
		t.Errorf("%v", fields)
	}
}
