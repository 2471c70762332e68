package permalink

import (
	"testing"

	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/phpval"
)

type field struct {
	Note string
	In   struct {
		Type  string
		ID    int64
		Meta  map[string]any    `json:"postmeta"`
		Posts map[string]string `json:"wp_posts"`
	}
	Out map[string]any
}

// TestFields checks the conversions of stored fields of events, venues and organizers.
func TestFields(t *testing.T) {
	l := testLinker(map[string]string{})
	seen := map[string]int{}
	check := func(v field, name string, got any) {
		t.Helper()
		want, ok := v.Out[name]
		if !ok {
			return
		}
		seen[name]++
		if got != want {
			t.Errorf("%s %v: %s = %v, want %v", v.Note, v.In.Meta, name, got, want)
		}
	}
	for _, v := range golden.Load[field](t, "misc-fields.json", 63) {
		meta := func(key string) (string, bool) { s, ok := v.In.Meta[key].(string); return s, ok }
		if v.In.ID == 0 {
			v.In.ID = 7
		}
		slug, ok := v.In.Posts["post_name"]
		if !ok {
			slug = map[string]string{"event": "base", "venue": "v-q", "organizer": "org-s-x"}[v.In.Type]
		}
		postTypes := map[string]string{"event": "tribe_events", "venue": "tribe_venue", "organizer": "tribe_organizer"}
		url := l.Item(postTypes[v.In.Type], v.In.ID, slug, "publish")
		check(v, "url", url)
		check(v, "global_id", l.GlobalID(v.In.ID))
		switch v.In.Type {
		case "event":
			website := url
			if s, ok := meta("_EventURL"); ok {
				website = wp.EscapeHTML(s)
			}
			check(v, "website", website)
			for name, key := range map[string]string{"show_map": "_EventShowMap", "show_map_link": "_EventShowMapLink"} {
				s, ok := meta(key)
				check(v, name, !ok || phpval.Truthy(s))
			}
			s, _ := meta("_tribe_featured")
			f, _, ok := wp.Numeric(s)
			check(v, "featured", ok && f == 1)
		case "venue":
			for name, key := range map[string]string{"show_map": "_VenueShowMap", "show_map_link": "_VenueShowMapLink"} {
				s, ok := meta(key)
				check(v, name, !ok || wp.Truthy(s))
			}
		}
	}
	for name, least := range map[string]int{"url": 12, "global_id": 12, "website": 12, "show_map": 15, "featured": 6} {
		if seen[name] < least {
			t.Errorf("%s was checked %d times", name, seen[name])
		}
	}
}
