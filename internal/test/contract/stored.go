package contract

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/apitest"
	"github.com/agendahq/agenda/schema"
)

// linksOfPrograms stores ids of venues and organizers in the forms of other programs, some of them random. It checks
// that filters and totals find an event exactly by what its response shows, and that a trashed post is not linked any
// more.
func linksOfPrograms(t *testing.T, e Engine) {
	b := newBench(t, e)
	halls, bands := []string{"hall", "barn", "tent"}, []string{"duo", "trio"}
	for _, slug := range halls {
		b.venue(thing{slug: slug})
	}
	for _, slug := range bands {
		b.organizer(thing{slug: slug})
	}
	forms := []string{
		"%s", " %s", "%s ", "\t%s", "\n%s\n", "%s\r\n", "\v%s", "0%s", "000%s", "+%s", "-%s", "%sabc", "%s,102", "%s.0", "%s.9", "%s;",
		"%s%%", "x%s", "0x%s", "#%s", "\u00a0%s", "\u200b%s", "%s\u200b", "\x01%s", "%s\x01", "1%s", "%s1", "", "0",
		"i:%s;", "d:%s;", `s:3:"%s";`, `s:3:"%s"`, "i:%s", `a:1:{i:0;i:%s;}`, `a:1:{i:0;s:3:"%s";}`, `a:2:{i:0;i:5;i:1;s:3:"%s";}`,
		`a:1:{s:1:"x";i:%s;}`, `a:1:{i:%s;i:5;}`, `a:1:{i:0;i:%s;`, `a:1:{i:0;a:1:{i:0;s:2:"xx";}}%s`, "[%s]",
	}
	r := rand.New(rand.NewPCG(30, 3))
	pieces := []string{" ", "\t", "0", "9", "a", "i:", ";", "{", `"`, "%s", "%s", "é", ",", "."}
	for range 60 {
		form := ""
		for range 1 + r.IntN(4) {
			form += pieces[r.IntN(len(pieces))]
		}
		forms = append(forms, form)
	}
	wide := func(id string) string { // fullwidth digits
		return strings.Map(func(c rune) rune { return c - '0' + '０' }, id)
	}
	var events []string
	add := func(key, value string) {
		slug := fmt.Sprint("e", len(events))
		b.event(thing{slug: slug, start: "2099-07-01 10:00", meta: [][2]string{{key, value}}})
		events = append(events, slug)
	}
	for i, form := range forms {
		add(schema.MetaVenueID, strings.ReplaceAll(form, "%s", b.idText(halls[i%2])))
		add(schema.MetaOrganizerID, strings.ReplaceAll(form, "%s", b.idText(bands[0])))
	}
	add(schema.MetaVenueID, wide(b.idText("hall")))
	b.event(thing{slug: "two", start: "2099-07-01 10:00", venues: []string{"hall", "barn"}, organizers: bands})
	events = append(events, "two")
	b.open(calendar.Options{})

	shown := map[string][]string{} // events by what they show
	for _, slug := range events {
		a := b.Get("", b.fill("/events/{"+slug+"}"))
		for _, member := range []string{"venue", "organizer"} {
			ids := []any{a.Body[member]}
			if list, is := a.Body[member].([]any); is {
				ids = list
			}
			for _, id := range apitest.Words(ids, "id") {
				if key := member + "=" + id; !slices.Contains(shown[key], slug) {
					shown[key] = append(shown[key], slug)
				}
			}
		}
	}
	const all = "/events?start_date=2099-01-01&end_date=2100-01-01&per_page=50"
	listed := func(path string) []string {
		t.Helper()
		var slugs []string
		for page := 1; ; page++ {
			a := b.Get("", fmt.Sprint(path, "&page=", page))
			if slugs = append(slugs, a.Members("slug")...); a.Status != http.StatusOK || page >= int(a.Number("total_pages")) {
				if total := int(a.Number("total")); total != len(slugs) {
					t.Errorf("%s: %d items, total %d", path, len(slugs), total)
				}
				slices.Sort(slugs)
				return slugs
			}
		}
	}
	same := func(name string, got, want []string) {
		t.Helper()
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("%s finds what is not shown %q, or not what is %q", name, less(got, want), less(want, got))
		}
	}
	for member, slugs := range map[string][]string{"venue": halls, "organizer": bands} {
		var with, without []string
		for _, slug := range slugs {
			filter := member + "=" + b.idText(slug)
			same(filter, listed(all+"&"+filter), shown[filter])
			if len(shown[filter]) > 0 {
				with = append(with, slug)
			} else {
				without = append(without, slug)
			}
		}
		same(member+"s with events", listed("/"+member+"s?has_events=true"), with)
		same(member+"s without", listed("/"+member+"s?has_events=false"), without)
		same(member+"s with upcoming", listed("/"+member+"s?only_with_upcoming=true"), with)
	}
	if n := len(shown["venue="+b.idText("hall")]); n < 15 {
		t.Errorf("only %d events show the hall", n)
	}
	b.admin("DELETE", b.fill("/venues/{hall}"), "", http.StatusOK)
	left := b.Scan("SELECT meta_value FROM ?(prefix)postmeta WHERE meta_key = ? AND post_id IN (SELECT ID FROM ?(prefix)posts)",
		schema.MetaVenueID)
	b.Exec("UPDATE ?(prefix)posts SET post_status = 'publish' WHERE ID = ?", b.idOf("hall"))
	for _, slug := range shown["venue="+b.idText("hall")] {
		if a := b.Get("", b.fill("/events/{"+slug+"}")); slices.Contains(apitest.Words(a.Body["venue"], "id"), b.idText("hall")) {
			t.Errorf("%s still links the hall: %q", slug, left)
		}
	}
}

// less returns the elements of a that are not in b.
func less(a, b []string) []string {
	return slices.DeleteFunc(slices.Clone(a), func(s string) bool { return slices.Contains(b, s) })
}

// datesOfPrograms stores dates without a time, and invalid ones. Lists of a site without the table of occurrences must
// compare the times that are shown, as with the table, and contain no event without a valid date (D33).
func datesOfPrograms(t *testing.T, e Engine) {
	b := newBench(t, e)
	add := func(slug, date string, rows [][2]string) {
		var metas [][2]string
		for _, key := range []string{schema.MetaStartDate, schema.MetaStartDateUTC, schema.MetaEndDate, schema.MetaEndDateUTC} {
			metas = append(metas, [2]string{key, date})
		}
		metas = append(metas, [2]string{schema.MetaTimezone, "UTC"})
		b.event(thing{slug: slug, zone: "UTC", start: "2099-07-01 10:00", meta: metas, occurrences: rows, noRow: rows == nil})
	}
	for slug, date := range map[string]string{
		"day": "2099-07-01", "minute": "2099-07-01 10:00", "usual": "2099-07-01 10:00:00",
		"next": "2099-07-02", "midnight": "2099-07-02 00:00:00",
	} {
		at := b.clock(date).Format(time.DateTime)
		add(slug, date, [][2]string{{at, at}})
	}
	for slug, date := range map[string]string{
		"zero": "0000-00-00 00:00:00", "none": "", "nought": "0", "minus": "-0001-11-30 00:00:00",
		"word": "tomorrow", "zeroday": "0000-00-00",
	} {
		add(slug, date, nil)
	}
	answers := func() map[string]string {
		b.open(calendar.Options{})
		all := map[string]string{}
		for _, moment := range []string{"2099-07-01", "2099-07-01+10:00:00", "2099-07-01+10:00:01", "2099-07-02", "2099-07-02+00:00:01",
			"0001-01-01", "9999-12-31"} {
			for _, filter := range []string{"start_date=%s&end_date=9999-12-31", "start_date=0001-01-01&end_date=%s",
				"start_date=%s&end_date=%[1]s", "start_date=2000-01-01&starts_before=%s", "end_date=9999-12-31&starts_after=%s",
				"start_date=2000-01-01&ends_before=%s", "end_date=9999-12-31&ends_after=%s"} {
				for _, strict := range []string{"", "&strict_dates=1"} {
					path := "/events?per_page=50&" + fmt.Sprintf(filter, moment) + strict
					a := b.Get("", path)
					slugs := a.Members("slug")
					slices.Sort(slugs)
					all[path] = fmt.Sprint(a.Status, slugs, " of ", a.At("total"))
				}
			}
		}
		return all
	}
	with := answers()
	drop(t, b.DB, b.prefix)
	for path, without := range answers() {
		if without != with[path] {
			t.Errorf("%s: %s\n with the table %s", path, without, with[path])
		}
	}
	if n := len(slices.Compact(slices.Sorted(maps.Values(with)))); n < 6 {
		t.Errorf("only %d different lists", n)
	}
}
