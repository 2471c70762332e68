package exchange

import (
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/must"
)

// JSON lines, CSV and the API of another calendar carry the alternative text of an image; iCalendar has no property for
// it. If the importing user may not edit an image, its alternative text stays as it is, and everything else is written.
func TestAlternativeTexts(t *testing.T) {
	first, b := emptySite(t), emptySite(t)
	first.insertImage(t, 700001, "2026/05/stage.jpg")
	b.insertImage(t, 700001, "2026/05/stage.jpg")
	execSQL(t, b.db, "INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (700001, '_wp_attachment_image_alt', 'Old')")
	as := calendar.WithPrincipal(t.Context(), editor)
	must.Get(first.Kinds().Events.Create(as, calendar.Values{"title": "Fair", "start_date": "2031-05-01 10:00",
		"end_date": "2031-05-01 12:00", "image": 700001, "image_alt": "A \"stage\" & a band",
		"venue": map[string]any{"venue": "Hall", "image": 700001}}))(t)
	alt := func() string {
		return strings.Join(b.texts(t, "SELECT meta_value FROM wp_postmeta WHERE meta_key = '_wp_attachment_image_alt'"), "|")
	}
	api := httptest.NewServer(first.Handler())
	defer api.Close()
	sources, dir := []string{api.URL + "/wp-json/vendor/events/v1/events?start_date=2031-01-01"}, t.TempDir()
	for name, format := range map[string]Format{"a.jsonl": FormatJSON, "a.csv": FormatCSV} {
		path, text := filepath.Join(dir, name), first.export(t, format)
		if strings.Count(text, "a band") != 2 {
			t.Errorf("%s lacks the text of the event's picture or that of the venue's: %s", name, text)
		}
		must.Succeed(t, os.WriteFile(path, []byte(text), 0o600))
		sources = append(sources, path)
	}
	// An author may write events but not edit the image of another user.
	author := calendar.Principal{UserID: 1, Capabilities: map[string]bool{"edit_tribe_events": true, "edit_others_tribe_events": true,
		"edit_published_tribe_events": true, "publish_tribe_events": true, "edit_posts": true, "upload_files": true,
		"edit_tribe_venues": true, "edit_others_tribe_venues": true, "edit_published_tribe_venues": true, "publish_tribe_venues": true}}
	for _, name := range sources {
		load := func(p calendar.Principal) (all []Outcome, refused []string) {
			src := b.open(t, name, OpenOptions{Now: atNoon(), Zone: time.UTC})
			defer src.Close()
			_, all = b.load(t, src, trusted, func(im *Importer) { im.Principal = p })
			for _, o := range all {
				for _, p := range o.Problems {
					refused = append(refused, p.Field)
				}
				if o.Action == Refused {
					t.Errorf("%s: %+v", name, o)
				}
			}
			return all, refused
		}
		if all, refused := load(author); alt() != "Old" || !slices.Contains(refused, "image_alt") {
			t.Errorf("%s by who may not edit the picture: %q, %+v", name, alt(), all)
		}
		if all, refused := load(editor); alt() != `A "stage" & a band` || len(refused) > 0 {
			t.Errorf("%s: %q, %+v", name, alt(), all)
		}
		execSQL(t, b.db, "UPDATE wp_postmeta SET meta_value = 'Old' WHERE meta_key = '_wp_attachment_image_alt'")
		execSQL(t, b.db, "DELETE FROM wp_posts WHERE post_type <> 'attachment'")
		execSQL(t, b.db, "DELETE FROM wp_postmeta WHERE post_id <> 700001")
	}
	if feed := first.export(t, FormatICalendar); !strings.Contains(feed, "SUMMARY:Fair") || strings.Contains(feed, "a band") {
		t.Errorf("iCalendar: %s", feed)
	}
}
