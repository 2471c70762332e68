package replay

import (
	"encoding/json"
	"testing"
)

func TestMatchText(t *testing.T) {
	// The clock of testComparer: 2027-06-05 22:30 UTC, which is 2027-06-06 00:30 in Brussels.
	for _, c := range []struct {
		want string
		got  any
		ok   bool
	}{
		{"plain", "plain", true},
		{"plain", "Plain", false},
		{"plain", nil, false},
		{"12", json.Number("12"), false},
		{"{root}/events/3", "http://site.test/wp-json/v/1/events/3", true},
		{"{root}/events/3", "http://site.test/wp-json/v/2/events/3", false},
		{"{site}/a/", "http://site.test/a/", true},
		{"{host}?id=3", "site.test?id=3", true},
		{"{host}?id=3", "other.test?id=3", false},

		{"{{e1}}", json.Number("12"), true},
		{"{{e1}}", "12", true},
		{"{{e1}}", json.Number("13"), false},
		{"{{e1}}", nil, false},
		{"{{text}}", "12", true},
		{"{{text}}", json.Number("12"), false},
		{"{{new}}", json.Number("99"), true},
		{"{site}/?p={{e1}}", "http://site.test/?p=12", true},
		{"{site}/?p={{e1}}", "http://site.test/?p=13", false},
		{"{site}/?p={{e1}}", "http://site.test/?p=12&x", false},
		{"{site}/?p={{new}}", "http://site.test/?p=4711", true},
		{"{site}/?p={{new}}", "http://site.test/?p=x", false},
		{"{site}/?p={{new}}", json.Number("4711"), false},
		{"a.c {{new}}", "abc 1", false},

		{"{{now}}", "2027-06-06 00:30:00", true},
		{"{{now}}", "2027-06-06 00:39:59", true},
		{"{{now}}", "2027-06-06 00:20:01", true},
		{"{{now}}", "2027-06-06 00:40:00", false},
		{"{{now}}", "2027-06-05 22:30:00", false},
		{"{{now_utc}}", "2027-06-05 22:30:00", true},
		{"{{now_utc}}", "2027-06-06 00:30:00", false},
		{"{{now}}", "2027-06-06T00:30:00", false},
		{"{{now}}", "2027-06-06 00:30:00.5", false},
		{"{{now}}", "", false},
		{"{{now}}", nil, false},
	} {
		if ok := testComparer(t).matchText(c.want, c.got); ok != c.ok {
			t.Errorf("want %q, got %v: fits = %t", c.want, c.got, ok)
		}
	}
}

func TestMatchAddress(t *testing.T) {
	const at = "http://site.test/wp-json/v/1/events"
	for _, c := range []struct {
		name, want, got string
		ok              bool
	}{
		{"same", "{root}/events?page=2&start_date=2031-01-01", at + "?page=2&start_date=2031-01-01", true},
		{"order and encoding", "{root}/events?page=2&search=a b", at + "/?search=a%20b&page=2", true},
		{"plus is a space", "{root}/events?search=a+b", at + "?search=a%20b", true},
		{"more filters", "{root}/events?page=2", at + "?page=2&search=x", true},
		{"first page may be left out", "{root}/events?page=1", at, true},
		{"second page may not", "{root}/events?page=2", at, false},
		{"missing filter", "{root}/events?page=2&search=x", at + "?page=2", false},
		{"empty is not missing", "{root}/events?search=", at, false},
		{"empty", "{root}/events?search=", at + "?search=", true},
		{"other value", "{root}/events?page=2", at + "?page=3", false},
		{"other path", "{root}/events?page=2", "http://site.test/wp-json/v/1/venues?page=2", false},
		{"other host", "{root}/events", "http://other.test/wp-json/v/1/events", false},
		{"other scheme", "{root}/events", "https://site.test/wp-json/v/1/events", false},
		{"fixed date", "{root}/events?start_date=2031-01-01 00:00:00", at + "?start_date=2031-01-02 00:00:00", false},
		{"day of the recording", "{root}/events?start_date=2026-11-21 00:00:00", at + "?start_date=2027-06-05 00:00:00", true},
		{"the day before", "{root}/events?start_date=2026-11-20", at, true},
		{"two years on", "{root}/events?end_date=2028-11-22 23:59:59", at + "?end_date=2029-06-06 23:59:59", true},
		{"one year on", "{root}/events?end_date=2027-11-21 23:59:59", at, false},
		{"moving only in dates", "{root}/events?search=2026-11-21", at, false},
		{"strict dates", "{root}/events?start_date=2031-01-01&page=2", at + "?strict_dates=1&page=2", true},
		{"include", "{root}/events?start_date=2031-01-01&include=3", at + "?include=3", true},
		{"refused status", "{root}/events?status=any&page=2", at + "?page=2", true},
		{"other status", "{root}/events?status=draft", at, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			if ok := testComparer(t).matchAddress(c.want, c.got); ok != c.ok {
				t.Errorf("want %s, got %s: fits = %t", c.want, c.got, ok)
			}
		})
	}
}

// TestCompareTextByPlace checks that URLs and obfuscated e-mail addresses are recognized by their key.
func TestCompareTextByPlace(t *testing.T) {
	c := testComparer(t)
	for _, x := range []struct {
		want, got, at string
		ok            bool
	}{
		{"{root}/events?page=2", c.root + "/events/?page=2&x=1", "json.next_rest_url", true},
		{"{root}/events?page=2", c.root + "/events/?page=2&x=1", "json.url", false},
		{"{root}/events/{{e1}}", c.root + "/events/12", "json.rest_url", true},
		{"{root}/events/{{e1}}", c.root + "/events/12?x=1", "json.rest_url", false},
		{"&#97;@b.c", "a&#64;b.c", "json.json_ld.organizer.email", true},
		{"&#97;@b.c", "x&#64;b.c", "json.json_ld.organizer.email", false},
		{"&#97;@b.c", "a@b.c", "json.organizer.email", false},
	} {
		if ok := c.compareText(x.want, x.got, x.at); ok != x.ok {
			t.Errorf("%s: want %q, got %q: fits = %t", x.at, x.want, x.got, ok)
		}
	}
}
