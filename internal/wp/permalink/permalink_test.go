package permalink

import (
	"cmp"
	"maps"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/wp"
)

const testHome = "http://127.0.0.1:8084"

// testLinker returns a Linker for the options of a case, with defaults for those that are not stored.
func testLinker(options map[string]string) *Linker {
	get := func(name, def string) string {
		if v, ok := options[name]; ok {
			return v
		}
		return def
	}
	return newTestLinker(Settings{
		Home: testHome, SiteURL: testHome,
		Permalink:     get("permalink_structure", "/%year%/%monthnum%/%day%/%postname%/"),
		EventSlug:     get("singleEventSlug", "event"),
		EventsSlug:    get("eventsSlug", "events"),
		TagBase:       get("tag_base", ""),
		Locale:        get("WPLANG", ""),
		UploadPath:    get("upload_path", ""),
		UploadURLPath: get("upload_url_path", ""),
	})
}

func newTestLinker(l Settings) *Linker {
	words := wp.LocaleOf(l.Locale)
	return New(l, map[string]string{
		"tribe_events": cmp.Or(wp.Slug(l.EventSlug), "tribe_events"), "tribe_venue": words.Venue, "tribe_organizer": words.Organizer,
	}, "tribe_events_cat", "post_tag")
}

type post struct {
	ID   int64
	Name string `json:"post_name"`
}

func TestLinks(t *testing.T) {
	type term struct{ Slug string }
	type urls struct {
		In struct {
			Options                 map[string]string
			Event, Venue, Organizer post
			Category, Tag           term
			Child                   term `json:"child_category"`
		}
		Out map[string]any
	}
	for _, v := range golden.Load[urls](t, "url.json", 16) {
		l, in := testLinker(v.In.Options), v.In
		for name, got := range map[string]string{
			"event.url":          l.Item("tribe_events", in.Event.ID, in.Event.Name, "publish"),
			"venue.url":          l.Item("tribe_venue", in.Venue.ID, in.Venue.Name, "publish"),
			"organizer.url":      l.Item("tribe_organizer", in.Organizer.ID, in.Organizer.Name, "publish"),
			"category.url":       l.Category([]string{in.Category.Slug}),
			"child_category.url": l.Category([]string{in.Category.Slug, in.Child.Slug}),
			"tag.url":            l.Tag(in.Tag.Slug),
		} {
			if got != v.Out[name] {
				t.Errorf("%v: %s = %s, want %s", in.Options, name, got, v.Out[name])
			}
		}
	}
}

func TestLinksOfStatus(t *testing.T) {
	type status struct {
		In struct {
			Type, User string
			ID         int64
			Status     string `json:"post_status"`
		}
		Out struct{ URL string }
	}
	l, checked := testLinker(nil), 0
	for _, v := range golden.Load[status](t, "url-status.json", 120) {
		if v.Out.URL == "" {
			continue // rejected
		}
		checked++
		var got string
		switch v.In.Type {
		case "events":
			got = l.Item("tribe_events", v.In.ID, "base", v.In.Status)
		case "venues":
			got = l.Item("tribe_venue", v.In.ID, "v-q", v.In.Status)
		case "organizers":
			got = l.Item("tribe_organizer", v.In.ID, "org-s-x", v.In.Status)
		}
		golden.Equal(t, v.In, got, v.Out.URL)
	}
	if checked < 50 {
		t.Errorf("%d cases with an address", checked)
	}
}

// TestLinksOfLocale checks the recorded path segments of every locale, and the URLs recorded in six of them.
func TestLinksOfLocale(t *testing.T) {
	links := func(options map[string]string) map[string]string {
		l := testLinker(options)
		return map[string]string{
			"event.url":     l.Item("tribe_events", 7, "base", "publish"),
			"venue.url":     l.Item("tribe_venue", 18, "v-q", "publish"),
			"organizer.url": l.Item("tribe_organizer", 19, "org-s-x", "publish"),
			"category.url":  l.Category([]string{"rock-roll-x-its"}),
			"tag.url":       l.Tag("tag-co"),
		}
	}
	for name, words := range golden.Read[golden.Locales](t, "../../testdata/locales.json").Locales {
		want := map[string]string{
			"event.url":     testHome + "/" + words.Event + "/base/",
			"venue.url":     testHome + "/" + words.Venue + "/v-q/",
			"organizer.url": testHome + "/" + words.Organizer + "/org-s-x/",
			"category.url":  testHome + "/" + words.Events + "/" + words.Category + "/rock-roll-x-its/",
			"tag.url":       testHome + "/" + words.Tag + "/tag-co/",
		}
		if got := links(map[string]string{"WPLANG": name}); !maps.Equal(got, want) {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	type locale struct {
		In  map[string]string
		Out map[string]string
	}
	for _, v := range golden.Load[locale](t, "../../testdata/locale-effects.json", 6) {
		for name, got := range links(v.In) {
			if got != v.Out[name] {
				t.Errorf("%v: %s = %s, want %s", v.In, name, got, v.Out[name])
			}
		}
	}
}

func TestLinksMore(t *testing.T) {
	base := Settings{Home: "https://example.org/sub/", SiteURL: "https://example.org/wp/", Permalink: "/%postname%/", EventSlug: "event",
		EventsSlug: "events"}
	with := func(change func(*Settings)) *Linker {
		l := base
		change(&l)
		return newTestLinker(l)
	}
	plain := with(func(l *Settings) { l.Permalink = "" })
	bare := with(func(l *Settings) { l.Permalink = "/%postname%" })
	own := New(Settings{Home: "http://h"}, map[string]string{"my_event": "event", "my_venue": "venue"}, "my_cat", "my_tag")
	l := newTestLinker(base)
	for _, c := range [][2]string{
		{l.Item("tribe_events", 7, "", "publish"), "https://example.org/sub/event/"},
		{bare.Item("tribe_events", 7, "", "publish"), "https://example.org/sub/event"},
		{plain.Item("tribe_events", 7, "", "publish"), "https://example.org/sub/?tribe_events"},
		{plain.Item("tribe_events", 7, "x", "draft"), "https://example.org/sub/?post_type=tribe_events&p=7"},
		{plain.Item("tribe_venue", 7, "x", "private"), "https://example.org/sub/?tribe_venue=x"},
		{l.Item("tribe_events", 7, "x", "private"), "https://example.org/sub/event/x/"},
		{l.Item("tribe_events", 7, "x__trashed", "trash"), "https://example.org/sub/?post_type=tribe_events&p=7"},
		{l.Item("tribe_events", 7, "%d0%bf", "publish"), "https://example.org/sub/event/%d0%bf/"},
		{plain.Category([]string{"a", "b"}), "https://example.org/sub/?tribe_events_cat=b"},
		{l.Category([]string{"a", "b", "c"}), "https://example.org/sub/events/category/a/b/c/"},
		{with(func(l *Settings) { l.EventsSlug = "" }).Category([]string{"a"}), "https://example.org/sub/category/a/"},
		{with(func(l *Settings) { l.EventSlug = "!!!" }).Item("tribe_events", 7, "x", "publish"),
			"https://example.org/sub/tribe_events/x/"},
		{with(func(l *Settings) { l.Permalink = "/blog/%postname%/" }).Tag("x"), "https://example.org/sub/blog/tag/x/"},
		{with(func(l *Settings) { l.Permalink, l.TagBase = "/blog/%postname%/", "thema" }).Tag("x"), "https://example.org/sub/thema/x/"},
		{with(func(l *Settings) { l.Permalink, l.TagBase = "/index.php/blog/%postname%/", "thema" }).Tag("x"),
			"https://example.org/sub/index.php/blog/thema/x/"},
		{with(func(l *Settings) { l.Permalink = "/index.php/blog/%postname%/" }).Item("tribe_events", 7, "x", "publish"),
			"https://example.org/sub/index.php/event/x/"},
		{with(func(l *Settings) { l.Permalink = "/fixed/" }).Tag("x"), "https://example.org/sub/tag/x/"},
		{own.Item("my_event", 1, "e", "publish"), "http://h/?my_event=e"},
		{own.Item("my_venue", 2, "e", "draft"), "http://h/?post_type=my_venue&p=2"},
		{own.Category([]string{"e"}), "http://h/?my_cat=e"},
		{own.Tag("e"), "http://h/?my_tag=e"},
	} {
		if c[0] != c[1] {
			t.Errorf("%s, want %s", c[0], c[1])
		}
	}
}

func TestUploads(t *testing.T) {
	golden.Each(t, "uploads.txt", func(site, path, url, want string) {
		l := newTestLinker(Settings{Home: "http://home", SiteURL: site, UploadPath: path, UploadURLPath: url})
		if got := l.Uploads(); got != want {
			t.Errorf("%s %s %s: %s, want %s", site, path, url, got, want)
		}
	})
}

func TestGlobalID(t *testing.T) {
	golden.Each(t, "global-ids.txt", func(home, want string) {
		golden.Equal(t, home, newTestLinker(Settings{Home: home}).GlobalID(7), want)
	})
}

func FuzzLinker(f *testing.F) {
	f.Add("http://h:1/p?q#f", "/blog/%postname%/", "Mon Événement", "a/b", "/thema/", "fr_FR", "files", "", "x")
	f.Add("", "%", "", "", "", "", "", "", "")
	f.Fuzz(func(t *testing.T, home, permalink, event, events, tagBase, locale, path, url, slug string) {
		l := newTestLinker(Settings{Home: home, SiteURL: home, Permalink: permalink, EventSlug: event, EventsSlug: events,
			TagBase: tagBase, Locale: locale,
			UploadPath: path, UploadURLPath: url})
		start := strings.TrimRight(home, "/")
		for _, got := range []string{
			l.Item("tribe_events", 1, slug, "publish"), l.Item("tribe_venue", 1, slug, "private"),
			l.Item("tribe_organizer", 1, slug, "draft"),
			l.Category([]string{slug, slug}), l.Category(nil), l.Tag(slug),
		} {
			if !strings.HasPrefix(got, start) {
				t.Fatalf("%q is not below %q", got, start)
			}
		}
		if strings.HasSuffix(l.Uploads(), "/") || !strings.HasSuffix(l.GlobalID(1), "id=1") {
			t.Fatalf("%q, %q", l.Uploads(), l.GlobalID(1))
		}
	})
}

func BenchmarkLinker(b *testing.B) {
	l := testLinker(nil)
	golden.Bench(b, "a", func(s string) { l.Item("tribe_events", 1, s, "publish") })
}

// TestD67Date checks that the URL of an occurrence contains the day, except for an event whose URL contains its id
// (D67).
func TestD67Date(t *testing.T) {
	for permalink, want := range map[string]string{
		"/%postname%/":           "https://example.org/event/a/2031-05-01/",
		"/%postname%":            "https://example.org/event/a/2031-05-01",
		"/index.php/%postname%/": "https://example.org/index.php/event/a/2031-05-01/",
		"":                       "https://example.org/?tribe_events=a&eventDate=2031-05-01",
	} {
		l := New(Settings{Home: "https://example.org", Permalink: permalink}, map[string]string{"tribe_events": "event"}, "", "")
		golden.Equal(t, permalink, l.Date("tribe_events", 10_000_005, "a", "publish", "2031-05-01"), want)
		draft := "https://example.org/?post_type=tribe_events&p=10000005"
		golden.Equal(t, permalink, l.Date("tribe_events", 10_000_005, "a", "draft", "2031-05-01"), draft)
	}
}
