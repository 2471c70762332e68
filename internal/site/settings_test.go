package site

import (
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/schema"
)

// calendar returns The Events Calendar's option with one setting.
func calendar(name, value string) map[string]string {
	return map[string]string{schema.OptionCalendar: "a:1:{s:" + length(name) + ":\"" + name + "\";" + value + "}"}
}

func length(s string) string {
	n := ""
	for i := len(s); i > 0; i /= 10 {
		n = string(rune('0'+i%10)) + n
	}
	return n
}

func TestParseDefaults(t *testing.T) {
	s := parse(nil)
	if s.PageSize != nil || s.Location != time.UTC && s.Location.String() != "UTC+0" || !s.UTC || s.InSiteZone || s.Cutoff != "" ||
		s.Disabled || s.CustomFields != nil {
		t.Errorf("%+v", s)
	}
	if s.Links.EventSlug != "event" || s.Links.EventsSlug != "events" {
		t.Errorf("%+v", s.Links)
	}
}

func TestParse(t *testing.T) {
	s := parse(map[string]string{
		"home": "http://site.test//", "siteurl": "http://files.test/wp/", "timezone_string": "Europe/Brussels", "gmt_offset": "5",
		"permalink_structure": "/%postname%/", "tag_base": "label", "WPLANG": "nl_NL", "upload_path": "up",
		"upload_url_path": "http://cdn.test", "posts_per_page": "12",
	})
	if s.Home != "http://site.test" || s.SiteURL != "http://files.test/wp" || s.PageSize != "12" ||
		s.Location.String() != "Europe/Brussels" || s.UTC {
		t.Errorf("%+v", s)
	}
	l := s.Links
	if l.Home != s.Home || l.SiteURL != s.SiteURL || l.Permalink != "/%postname%/" || l.TagBase != "label" || l.Locale != "nl_NL" ||
		l.UploadPath != "up" || l.UploadURLPath != "http://cdn.test" {
		t.Errorf("%+v", s.Links)
	}
	if s := parse(map[string]string{"home": "http://site.test/"}); s.SiteURL != "http://site.test" {
		t.Errorf("files of a site without siteurl: %s", s.SiteURL)
	}
}

func TestParseZone(t *testing.T) {
	golden.Each(t, "zones.txt", func(zone, offset string, want int, utc bool) {
		s := parse(map[string]string{"timezone_string": zone, "gmt_offset": offset})
		if s.Location == nil {
			t.Errorf("%q %q: no zone", zone, offset)
			return
		}
		_, seconds := time.Date(2026, 1, 15, 12, 0, 0, 0, s.Location).Zone()
		if seconds != want || s.UTC != utc {
			t.Errorf("%q %q: %d, UTC %v; want %d, %v", zone, offset, seconds, s.UTC, want, utc)
		}
	})
}

func TestParseCalendarOption(t *testing.T) {
	with := func(m map[string]string, name, value string) map[string]string { m[name] = value; return m }
	for _, c := range []struct {
		about   string
		options map[string]string
		get     func(*Settings) any
		want    any
	}{
		{"page size, a number", calendar("posts_per_page", "i:4;"), func(s *Settings) any { return s.PageSize }, int64(4)},
		{"page size, a text", with(calendar("posts_per_page", `s:1:"4";`), "posts_per_page", "9"),
			func(s *Settings) any { return s.PageSize }, "4"},
		{"page size, empty", with(calendar("posts_per_page", `s:0:"";`), "posts_per_page", "9"),
			func(s *Settings) any { return s.PageSize }, "9"},
		{"page size, zero twice", with(calendar("posts_per_page", "i:0;"), "posts_per_page", "0"),
			func(s *Settings) any { return s.PageSize }, nil},
		{"the other page size does not count", calendar("postsPerPage", "i:4;"), func(s *Settings) any { return s.PageSize }, nil},
		{"zone of the events", calendar("tribe_events_timezone_mode", `s:5:"event";`), func(s *Settings) any { return s.InSiteZone },
			false},
		{"zone of the site", calendar("tribe_events_timezone_mode", `s:4:"site";`), func(s *Settings) any { return s.InSiteZone }, true},
		{"zone in capitals", calendar("tribe_events_timezone_mode", `s:4:"SITE";`), func(s *Settings) any { return s.InSiteZone }, false},
		{"cutoff", calendar("multiDayCutoff", `s:5:"06:00";`), func(s *Settings) any { return s.Cutoff }, "06:00"},
		{"cutoff of another type", calendar("multiDayCutoff", `a:0:{}`), func(s *Settings) any { return len(s.Cutoff) < 10 }, true},
		{"switched off", calendar("rest-v1-disabled", "b:1;"), func(s *Settings) any { return s.Disabled }, true},
		{"not switched off", calendar("rest-v1-disabled", `s:1:"0";`), func(s *Settings) any { return s.Disabled }, false},
		{"slug of events", calendar("singleEventSlug", `s:4:"gala";`), func(s *Settings) any { return s.Links.EventSlug }, "gala"},
		{"empty slug of events", calendar("singleEventSlug", `s:0:"";`), func(s *Settings) any { return s.Links.EventSlug }, ""},
		{"slug of the list", calendar("eventsSlug", `s:4:"feed";`), func(s *Settings) any { return s.Links.EventsSlug }, "feed"},
		{"custom fields", calendar("custom-fields",
			`a:3:{i:0;a:2:{s:4:"name";s:3:"_f1";s:5:"label";s:3:"One";}i:1;a:1:{s:4:"name";i:5;}i:2;a:1:{s:5:"label";s:3:"Two";}}`),
			func(s *Settings) any { return s.CustomFields }, []CustomField{{"_f1", "One"}, {"5", ""}}},
		{"custom fields, no list", calendar("custom-fields", `s:3:"abc";`), func(s *Settings) any { return s.CustomFields },
			[]CustomField(nil)},
		{"custom fields, texts in the list", calendar("custom-fields", `a:1:{i:0;s:1:"x";}`),
			func(s *Settings) any { return s.CustomFields }, []CustomField(nil)},
	} {
		if got := c.get(parse(c.options)); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %#v, want %#v", c.about, got, c.want)
		}
	}
}

// TestParseHostileOption checks that a malformed option does not affect the other settings.
func TestParseHostileOption(t *testing.T) {
	for _, stored := range []string{
		"", "x", "b:1;", "i:5;", `s:3:"abc";`, "a:", "a:1:", "a:1:{", "a:99999999999:{}", "a:-1:{}", "a:2147483647:{i:0;i:0;}",
		`O:8:"stdClass":0:{}`,
		`a:1:{s:14:"multiDayCutoff";O:8:"stdClass":0:{}}`, `a:1:{s:14:"multiDayCutoff";R:1;}`, `a:1:{s:999:"x";i:1;}`,
		`a:1:{s:14:"multiDayCutoff";s:5:"06:00";`,
		`a:1:{s:14:"multiDayCutoff";s:5:"06:00";}trailing`, strings.Repeat("a:1:{i:0;", 100000), strings.Repeat("a:1:{i:0;", 300) + "i:1;" +
			strings.Repeat("}", 300),
		"\xff\x00\xfe", strings.Repeat("x", 1<<20),
	} {
		s := parse(map[string]string{schema.OptionCalendar: stored, "home": "http://site.test", "posts_per_page": "7",
			"timezone_string": "Asia/Tokyo"})
		if s.Home != "http://site.test" || s.PageSize != "7" || s.Location.String() != "Asia/Tokyo" || s.Cutoff != "" || s.Disabled ||
			s.Links.EventSlug != "event" {
			t.Errorf("%.60q: %+v", stored, s)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add(calendar("multiDayCutoff", `s:5:"06:00";`)[schema.OptionCalendar], "Europe/Brussels", "1")
	f.Add(`a:1:{s:13:"custom-fields";a:1:{i:0;a:1:{s:4:"name";a:0:{}}}}`, "", "-12.75")
	f.Add(`a:1:{i:0;d:NAN;}`, "Mars", "NaN")
	f.Fuzz(func(t *testing.T, stored, zone, offset string) {
		s := parse(map[string]string{schema.OptionCalendar: stored, "timezone_string": zone, "gmt_offset": offset, "home": stored})
		if s.Location == nil {
			t.Error("no zone")
		}
		for _, c := range s.CustomFields {
			if c.Name == "" {
				t.Error("a field without a name")
			}
		}
	})
}
