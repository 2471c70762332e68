package replay

import (
	"encoding/json"
	"testing"

	"github.com/agendahq/agenda/internal/test/golden"
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
	golden.Each(t, "addresses.txt", func(name, want, got string, fits bool) {
		t.Run(name, func(t *testing.T) {
			if ok := testComparer(t).matchAddress(want, got); ok != fits {
				t.Errorf("want %s, got %s: fits = %t", want, got, ok)
			}
		})
	})
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
