package contract

import (
	"fmt"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/schema"
)

// hidden are the states that only some callers read.
var hidden = []string{"draft", "pending", "private", "future", "trash"}

// linkedPosts proves what of an event's venues and organizers a caller sees.
func linkedPosts(t *testing.T, e Engine) {
	s := newSite(t, e)
	var venues, organizers []string
	for _, status := range hidden {
		s.venue(thing{slug: "v-" + status, status: status, author: callerIDs["author"]})
		s.organizer(thing{slug: "o-" + status, status: status, author: callerIDs["contributor"]})
		venues, organizers = append(venues, "v-"+status), append(organizers, "o-"+status)
	}
	s.venue(thing{slug: "open"})
	s.venue(thing{slug: "open-too"})
	s.organizer(thing{slug: "host"})
	s.organizer(thing{slug: "co-host"})
	s.post("page", thing{slug: "page"})
	s.event(thing{slug: "all", start: "2030-07-01 10:00", venues: append(venues, "open"), organizers: append(organizers, "host")})
	s.event(thing{slug: "none", start: "2030-07-01 11:00", venues: []string{"v-draft"}, organizers: []string{"o-private"}})
	s.event(thing{
		slug: "odd", start: "2030-07-01 12:00", venues: []string{"open-too", "open", "open-too", "page", "host"}, organizers: []string{"co-host", "host"},
		meta: [][2]string{{schema.MetaVenueID, "0"}, {schema.MetaVenueID, ""}, {schema.MetaVenueID, "999999"}, {schema.MetaOrganizerID, "abc"},
			{schema.MetaOrganizerID, s.text("host") + "abc"}, {schema.MetaVenueID, `a:2:{i:0;s:3:"` + s.text("open") + `";i:1;i:` + s.text("open-too") + `;}`}},
	})
	s.event(thing{slug: "bare", start: "2030-07-01 13:00"})
	c := s.client(calendar.Options{})
	everyone := strings.Join(venues, " ") + " open / " + strings.Join(organizers, " ") + " host"
	for _, x := range []struct{ as, event, want string }{
		{"", "all", "open / host"},
		{"subscriber", "all", "open / host"},
		{"contributor", "all", "open / " + strings.Join(organizers, " ") + " host"},
		{"author", "all", strings.Join(venues, " ") + " open / host"},
		{"editor", "all", everyone},
		{"admin", "all", everyone},
		{"", "none", " / "},
		{"editor", "none", "v-draft / o-private"},
		{"", "odd", "open open-too open-too open open-too / host co-host host"},
		{"", "bare", " / "},
	} {
		list := c.get("/events?include="+s.text(x.event), x.as)
		for place, item := range map[string]any{"list": first(list), "single": c.get("/events/"+s.text(x.event), x.as).json} {
			m, _ := item.(map[string]any)
			if got := slugsOf(m["venue"]) + " / " + slugsOf(m["organizer"]); got != x.want {
				t.Errorf("%s %s for %q\n got  %s\n want %s", place, x.event, x.as, got, x.want)
			}
		}
	}
	one, many := c.get("/events/"+s.text("none"), "editor").at("venue"), c.get("/events/"+s.text("odd"), "").at("venue")
	if !strings.HasPrefix(one, "{") || !strings.HasPrefix(many, "[") || c.get("/events/"+s.text("bare"), "").at("venue") != "[]" {
		t.Errorf("one venue is an object, several or none are a list; got %s, %s", one, many)
	}
	if !strings.HasPrefix(c.get("/events/"+s.text("none"), "editor").at("organizer"), "[") {
		t.Error("one organizer is a list")
	}
}

func first(a *answer) any {
	list, _ := a.collection()
	if len(list) == 0 {
		return nil
	}
	return list[0]
}

// slugsOf are the slugs of an object or a list of objects.
func slugsOf(v any) string {
	list, ok := v.([]any)
	if m, one := v.(map[string]any); one {
		list = []any{m}
	} else if !ok {
		return fmt.Sprint(v)
	}
	var words []string
	for _, item := range list {
		m, _ := item.(map[string]any)
		words = append(words, fmt.Sprint(m["slug"]))
	}
	return strings.Join(words, " ")
}
