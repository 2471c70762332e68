package site

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/schema"
)

// calendar returns The Events Calendar's option with one setting.
func calendar(name, value string) map[string]string {
	return map[string]string{schema.OptionCalendar: fmt.Sprintf(`a:1:{s:%d:"%s";%s}`, len(name), name, value)}
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
	golden.Each(t, "calendar-option.txt", func(about, name, value, pageSize, field, want string) {
		options := calendar(name, value)
		if pageSize != "" {
			options["posts_per_page"] = pageSize
		}
		got := reflect.ValueOf(*parse(options))
		for name := range strings.SplitSeq(field, ".") {
			got = got.FieldByName(name)
		}
		golden.Equal(t, about, fmt.Sprintf("%#v", got), want)
	})
	if s := parse(calendar("multiDayCutoff", `a:0:{}`)); len(s.Cutoff) >= 10 {
		t.Errorf("a cutoff of another type: %s", s.Cutoff)
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
