package event

import (
	"context"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/phpjson"
	"github.com/agendahq/agenda/internal/rendercache"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp/permalink"
	"github.com/agendahq/agenda/schema"
)

// rendered returns use cases that never query a database.
func rendered(texts *rendercache.Cache) *UseCases {
	k := events(morning)
	k.Service.Content.Store, k.Service.Texts = &store.Store{}, texts
	return k
}

// stored returns an event with a venue, an organizer, a category and a tag.
func stored(names schema.Names) (p *store.Post, own, linked *store.Content) {
	of := func(id int64, postType, title, text string) *store.Post {
		return &store.Post{
			ID: id, Author: 1, Type: postType, Title: title, Name: strings.ToLower(title), Status: schema.StatusPublish, Content: text,
			Date: "2030-01-01 10:00:00", DateUTC: "2030-01-01 09:00:00", Modified: "2030-01-02 10:00:00",
			ModifiedUTC: "2030-01-02 09:00:00",
		}
	}
	p = of(25, names.Event, "Blues & \"rock\"",
		strings.Repeat("A long evening -- with 'friends'.\n\n<strong>Bring</strong> a chair :)\n\n", 12))
	own = &store.Content{
		Posts: map[int64]*store.Post{25: p},
		Meta: map[int64]store.Meta{25: {
			schema.MetaStartDate: {"2031-05-01 10:00:00"}, schema.MetaEndDate: {"2031-05-01 17:00:00"},
			schema.MetaStartDateUTC: {"2031-05-01 08:00:00"}, schema.MetaEndDateUTC: {"2031-05-01 15:00:00"},
			schema.MetaTimezone: {"Europe/Brussels"}, schema.MetaTimezoneAbbr: {"CEST"}, schema.MetaCost: {"10", "25"},
			schema.MetaCurrencySymbol: {"€"},
			schema.MetaShowMap:        {"1"}, schema.MetaFeatured: {"1"}, schema.MetaVenueID: {"8"}, schema.MetaOrganizerID: {"18"},
		}},
		Terms: map[int64][]*store.TaxonomyTerm{25: {
			{ID: 6, TaxonomyID: 6, Taxonomy: names.Category, Name: "Music", Slug: "music", Count: 9},
			{ID: 17, TaxonomyID: 17, Taxonomy: names.Tag, Name: "Blues", Slug: "blues", Count: 2},
		}},
	}
	linked = &store.Content{
		Posts: map[int64]*store.Post{8: of(8, names.Venue, "Hall", "A hall."), 18: of(18, names.Organizer, "Friends", "")},
		Meta: map[int64]store.Meta{
			8:  {schema.MetaVenueCity: {"Gent"}, schema.MetaVenueAddress: {"Street 1"}, schema.MetaVenueCountry: {"Belgium"}},
			18: {schema.MetaOrganizerEmail: {"a@b.example"}},
		},
	}
	return p, own, linked
}

// BenchmarkRender writes one event without a database: in a list whose texts were rendered before, by itself with
// JSON-LD, and with texts that are new.
func BenchmarkRender(b *testing.B) {
	for _, c := range []struct {
		name   string
		single bool
		texts  int64 // size of the cache for rendered texts, in bytes
	}{{"inList", false, 1 << 20}, {"single", true, 1 << 20}, {"newTexts", false, 0}} {
		b.Run(c.name, func(b *testing.B) {
			k := rendered(rendercache.New(c.texts))
			p, own, linked := stored(schema.DefaultNames())
			s := settings("Europe/Brussels")
			s.Home, s.SiteURL = "http://site.test", "http://site.test"
			s.Links = permalink.Settings{Home: s.Home, SiteURL: s.SiteURL, Permalink: "/%postname%/", EventSlug: "event",
				EventsSlug: "events"}
			ctx := site.With(context.Background(), s)
			var out phpjson.Writer
			asked := &call.Call{Values: &param.Values{}, Root: &call.Root{URL: "http://site.test/wp-json/tribe/events/v1"}}
			shown := &batch{View: k.Service.View(ctx, asked), own: own}
			if _, err := shown.Load(ctx, &store.Content{}, nil, nil, 0); err != nil { // no images, and nothing is embedded
				b.Fatal(err)
			}
			shown.linked, shown.Single = linked, c.single
			k.Fields.Write(&out, k.item(shown, p, nil))
			if text := string(out.Bytes()); !strings.Contains(text, `"city":"Gent"`) || !strings.Contains(text, `"slug":"friends"`) ||
				!strings.Contains(text, `"name":"Blues"`) || strings.Contains(text, `"json_ld"`) != c.single {
				b.Fatal(text)
			}
			b.SetBytes(int64(out.Len()))
			b.ReportAllocs()
			for b.Loop() {
				out.Reset()
				k.Fields.Write(&out, k.item(shown, p, nil))
			}
		})
	}
}
