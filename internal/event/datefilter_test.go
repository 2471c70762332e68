package event

import (
	"context"
	"errors"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/linked"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store/eventlist"
	"github.com/agendahq/agenda/internal/term"
	"github.com/agendahq/agenda/internal/wp/strtotime"
	"github.com/agendahq/agenda/schema"
)

// morning is the time at which all of these lists are requested.
var morning = time.Date(2026, 11, 21, 5, 24, 0, 0, time.UTC)

func events(now time.Time) *UseCases {
	n := schema.DefaultNames()
	types := content.Types{Type(n), linked.VenueType(n), linked.OrganizerType(n)}
	env := item.New(item.Config{
		Content: content.New(content.Config{
			Types: types, Taxonomies: []string{n.Category, n.Tag}, Now: func() time.Time { return now },
		}),
		MaxPageSize: 50, Language: param.Key[string]("i18n_language").Param(jsonschema.Text(), nil),
	})
	venues, organizers := linked.NewVenues(env, types[1]), linked.NewOrganizers(env, types[2])
	return New(&UseCases{
		Service: env, Linked: []*linked.UseCases{venues, organizers}, Venues: venues,
		Categories: term.NewCategories(env, n.Category),
		Tags:       term.NewTags(env, n.Tag),
	})
}

// settings are those of a site in a zone.
func settings(zone string, change ...func(*site.Settings)) *site.Settings {
	s := &site.Settings{Location: strtotime.SiteZone(zone, 0), UTC: zone == "UTC"}
	for _, f := range change {
		f(s)
	}
	return s
}

func inSiteZone(s *site.Settings) { s.InSiteZone = true }

func cutoff(hour string) func(*site.Settings) {
	return func(s *site.Settings) { s.Cutoff = hour }
}

// read takes the list's parameters from a query, as name=value pairs.
func read(k *UseCases, s *site.Settings, pairs ...string) (context.Context, *call.Call, error) {
	q := url.Values{}
	for _, p := range pairs {
		name, value, _ := strings.Cut(p, "=")
		q.Set(name, value)
	}
	m, err := param.ParseForm(q.Encode())
	if err != nil {
		return nil, nil, err
	}
	ctx := site.With(context.Background(), s)
	v, err := param.Read(ctx, k.Service.ListParams(k.Kind), param.Sources{Query: m})
	return ctx, &call.Call{Values: v, Root: &call.Root{}}, err
}

// printed returns the bounds as the list's address shows them, and as they are
// compared.
func printed(t *testing.T, k *UseCases, s *site.Settings, pairs ...string) (links, compared string) {
	t.Helper()
	ctx, r, err := read(k, s, pairs...)
	if err != nil {
		t.Fatalf("%q: %v", pairs, err)
	}
	d := k.readDates(ctx, r)
	var a, c []string
	for _, p := range dateParams {
		if wall, printed := d.walls[p.key]; printed {
			a = append(a, string(p.key)+"="+wall)
		}
	}
	for _, x := range d.bounds {
		c = append(c, condition(x))
	}
	return strings.Join(a, "&"), strings.Join(c, " and ")
}

func condition(b eventlist.Bound) string {
	column := "start"
	if b.End {
		column = "end"
	}
	if b.UTC {
		column += "_utc"
	}
	return column + " " + b.Op + " " + b.Value
}

func TestDefaultDates(t *testing.T) {
	for _, c := range []struct {
		zone string
		now  time.Time
		want string
	}{
		{"Europe/Brussels", morning, "start_date=2026-11-21 00:00:00&end_date=2028-11-21 23:59:59"},
		{"Asia/Kolkata", morning, "start_date=2026-11-21 00:00:00&end_date=2028-11-21 23:59:59"},
		{"UTC", morning, "start_date=2026-11-20 00:00:00&end_date=2028-11-21 23:59:59"},
		{"America/New_York", morning, "start_date=2026-11-20 00:00:00&end_date=2028-11-21 23:59:59"},
		{"Pacific/Kiritimati", morning, "start_date=2026-11-21 00:00:00&end_date=2028-11-21 23:59:59"},
		{"Europe/Brussels", time.Date(2026, 2, 28, 23, 59, 59, 0, time.UTC), "start_date=2026-02-28 00:00:00&end_date=2028-02-28 23:59:59"},
		{"Europe/Brussels", time.Date(2024, 2, 29, 0, 0, 0, 0, time.UTC), "start_date=2024-02-29 00:00:00&end_date=2026-03-01 23:59:59"},
		{"Europe/Brussels", time.Date(2026, 11, 21, 5, 24, 0, 0, time.FixedZone("", 9*3600)),
			"start_date=2026-11-20 00:00:00&end_date=2028-11-20 23:59:59"},
	} {
		if links, _ := printed(t, events(c.now), settings(c.zone)); links != c.want {
			t.Errorf("%s at %s: %s, want %s", c.zone, c.now, links, c.want)
		}
	}
}

func TestWholeDays(t *testing.T) {
	k, s := events(morning), settings("Europe/Brussels")
	start := func(day string) string { return "start >= " + day + " 00:00:00 and end <= 2028-11-21 23:59:59" }
	for value, day := range map[string]string{
		"2026-12-05": "2026-12-05", " 2026-12-05 ": "2026-12-05", "2026-12-05 19:30": "2026-12-05",
		"2026-12-05T23:30:00-05:00": "2026-12-06",
		"2026-12-05T00:30:00+09:00": "2026-12-04", "2026-12-05 19:30:00 America/New_York": "2026-12-06", "tomorrow": "2026-11-22",
		"1796500800": "2026-12-05", " 1796500800 ": "2026-12-05", "+1796500800": "2026-12-05", "2026": "1970-01-01",
		"20261205": "1970-08-23", "-86400": "1969-12-31",
		"0": "2026-11-21", "00": "2026-11-21", "-0": "2026-11-21", " ": "2026-11-21", "2026-02-30": "2026-03-02",
		"0000-00-00": "-0001-11-30",
	} {
		if _, got := printed(t, k, s, "start_date="+value); got != start(day) {
			t.Errorf("start_date=%s: %s, want %s", value, got, start(day))
		}
	}
	for _, c := range []struct{ query, want string }{
		{"end_date=2026-12-05", "start >= 2026-11-21 00:00:00 and end <= 2026-12-05 23:59:59"},
		{"starts_before=2026-12-05", "start < 2026-12-05 23:59:59"},
		{"starts_after=2026-12-05", "start > 2026-12-05 23:59:59"},
		{"ends_before=2026-12-05", "end < 2026-12-05 23:59:59"},
		{"ends_after=2026-12-05", "end > 2026-12-05 23:59:59"},
		{"start_date=2026-12-06&starts_after=2026-12-01", "start > 2026-12-01 23:59:59"},
		{"end_date=2026-12-06&ends_before=2026-12-09", "end < 2026-12-09 23:59:59"},
		{"start_date=2026-12-06&ends_after=2026-12-01", "start >= 2026-12-06 00:00:00 and end > 2026-12-01 23:59:59"},
		{"start_date=2026-12-06&starts_before=2026-12-01", "start >= 2026-12-06 00:00:00 and start < 2026-12-01 23:59:59"},
		{"starts_after=2026-12-01&ends_before=2026-12-02", "start > 2026-12-01 23:59:59 and end < 2026-12-02 23:59:59"},
		{"include=1,2", ""},
		{"include=1&start_date=2026-12-05&ends_after=2026-12-05", ""},
	} {
		if _, got := printed(t, k, s, strings.Split(c.query, "&")...); got != c.want {
			t.Errorf("%s: %s, want %s", c.query, got, c.want)
		}
	}
}

// The address shows a bound that another one replaced: it was given.
func TestD02AddressShowsEffectiveDates(t *testing.T) {
	k, s := events(morning), settings("Europe/Brussels")
	for query, want := range map[string]string{
		"start_date=2026-12-06&starts_after=2026-12-01": "start_date=2026-12-06 00:00:00&starts_after=2026-12-01 23:59:59",
		"ends_before=tomorrow&starts_before=2026-12-05": "starts_before=2026-12-05 23:59:59&ends_before=2026-11-22 23:59:59",
		"strict_dates=1&start_date=2026-12-05 18:30":    "start_date=2026-12-05 18:30:00&end_date=2028-11-21 05:24:00",
		"strict_dates=true":                             "start_date=2026-11-21 00:59:00&end_date=2028-11-21 05:24:00",
	} {
		links, compared := printed(t, k, s, strings.Split(query, "&")...)
		if links != want {
			t.Errorf("%s: %s, want %s", query, links, want)
		}
		// Followed, the address means the same.
		again := strings.Split(links, "&")
		if strings.Contains(query, "strict_dates") {
			again = append(again, "strict_dates=true")
		}
		if l, c := printed(t, k, s, again...); l != links || c != compared {
			t.Errorf("%s followed: %s, %s; want %s, %s", query, l, c, links, compared)
		}
	}
}

func TestD05StrictDates(t *testing.T) {
	for _, c := range []struct{ zone, value, want string }{
		{"Europe/Brussels", "2026-12-05 18:30:00", "2026-12-05 18:30:00"},
		{"Europe/Brussels", "2026-12-05", "2026-12-05 00:00:00"},
		{"Europe/Brussels", "2026-12-05T18:30:00Z", "2026-12-05 19:30:00"},
		{"Europe/Brussels", "2026-07-05T18:30:00Z", "2026-07-05 20:30:00"},
		{"Europe/Brussels", "2026-12-05 18:30 America/New_York", "2026-12-06 00:30:00"},
		{"Europe/Brussels", "@1796500800", "2026-12-05 21:00:00"},
		{"Europe/Brussels", "1796500800", "2026-12-05 21:00:00"},
		{"Europe/Brussels", "0", "2026-11-21 06:24:00"},
		{"Europe/Brussels", "now", "2026-11-21 06:24:00"},
		{"Europe/Brussels", "tomorrow", "2026-11-22 00:00:00"},
		{"America/New_York", "today", "2026-11-21 00:00:00"},
		{"Asia/Tokyo", "midnight", "2026-11-21 00:00:00"},
		{"America/New_York", "2026-12-05 18:30:00", "2026-12-05 18:30:00"},
		{"America/New_York", "2026-12-05T18:30:00+01:00", "2026-12-05 12:30:00"},
		{"UTC", "2026-12-05T18:30:00+01:00", "2026-12-05 17:30:00"},
	} {
		_, got := printed(t, events(morning), settings(c.zone), "strict_dates=true", "starts_before="+c.value)
		if want := "start < " + c.want; strings.Replace(got, "_utc", "", 1) != want {
			t.Errorf("%s %s: %s, want %s", c.zone, c.value, got, want)
		}
	}
}

func TestStrictWords(t *testing.T) {
	k, s := events(morning), settings("Europe/Brussels")
	for word, strict := range map[string]bool{
		"1": true, "true": true, "TRUE": true, "on": true, "Yes": true, "false": false, "banana": false, "D5 0": false, "2": false,
		"off": false,
	} {
		word = strings.TrimPrefix(word, "D5 ")
		_, r, err := read(k, s, "strict_dates="+word)
		if err != nil || paramStrict.Value(r.Values) != strict {
			t.Errorf("%s: %v, want %v", word, err, strict)
		}
	}
	for _, pair := range []string{"strict_dates=", "strict_dates[]=1"} {
		if _, _, err := read(k, s, pair); fault(err) != "strict_dates fault_strict" {
			t.Errorf("%s: %v", pair, err)
		}
	}
}

func fault(err error) string {
	var f *param.Failure
	if !errors.As(err, &f) || len(f.Faults) != 1 {
		return ""
	}
	return f.Faults[0].Param + " " + f.Faults[0].Message.ID
}

func TestRefusedDates(t *testing.T) {
	k, s := events(morning), settings("Europe/Brussels")
	for _, value := range []string{
		"", "abc", "13/05/2026", "2026-13-01", "2026-12-32", "2026-12-05 25:00", "5 déc 2026", "1970-01-01", "@0",
		"1e20", "-99999999999999", "253402300800", "1e400", strings.Repeat("1", 400), strings.Repeat("2026-12-05 ", 30),
		"'; DROP TABLE x; --", "%", "\\",
	} {
		for _, p := range dateParams {
			if _, _, err := read(k, s, string(p.key)+"="+value); fault(err) != string(p.key)+" fault_date" {
				t.Errorf("%s=%.40s: %v", p.key, value, err)
			}
		}
	}
	if _, _, err := read(k, s, "start_date[]=2026-12-05"); fault(err) != "start_date fault_date" {
		t.Errorf("a list: %v", err)
	}
	for _, v := range []any{true, false, []any{}, param.NewMap()} {
		if _, err := k.checkDate(t.Context(), v); err == nil {
			t.Errorf("%#v is a date", v)
		}
	}
	if _, err := k.checkDate(t.Context(), int64(1796500800)); err != nil {
		t.Errorf("a number: %v", err)
	}
}
