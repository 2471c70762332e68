package content_test

import (
	"testing"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/store"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/schema"
)

// onSite returns a Service on a fresh copy of the recorded site, and its database.
func onSite(t *testing.T) (*content.Service, *bun.DB) {
	t.Helper()
	db, err := schema.Bind(testdb.SiteA(t), "wp_")
	if err != nil {
		t.Fatal(err)
	}
	names := schema.DefaultNames()
	st, err := store.New(t.Context(), store.Config{DB: db, Names: names, Occurrences: true})
	if err != nil {
		t.Fatal(err)
	}
	return content.New(content.Config{Store: st, Types: content.Types{{PostType: names.Event}}, Now: time.Now}), db
}

func set(t *testing.T, db *bun.DB, query string, args ...any) {
	t.Helper()
	if _, err := db.NewRaw(query, args...).Exec(t.Context()); err != nil {
		t.Fatal(err)
	}
}

func TestFindSlug(t *testing.T) {
	e, db := onSite(t)
	// Twins, a grandchild, a child of itself, two that are each other's parents,
	// slugs in other scripts and of digits.
	for id, row := range map[int64]struct {
		slug   string
		parent int64
	}{
		36: {"twin", 0}, 37: {"twin", 46}, 38: {"leaf", 51}, 39: {"self", 39}, 40: {"egg", 41}, 41: {"hen", 40},
		45: {"%e6%97%a5%e6%9c%ac", 0}, 47: {"2031", 0}, 48: {"été", 0},
	} {
		set(t, db, "UPDATE wp_posts SET post_name = ?, post_parent = ? WHERE ID = ?", row.slug, row.parent, id)
	}
	for _, c := range []struct {
		about, raw string
		want       int64
	}{
		{"its own", "blues-rock-roll-zomer-1", 25}, {"in another case", "BLUES-Rock-roll-zomer-1", 25},
		{"with blanks", "blues%20rock+roll.zomer-1", 25}, {"escaped", "blues%2Drock-roll-zomer-1", 25},
		{"unknown", "nothing-like-it", 0}, {"of a venue", "handelsbeurs", 0}, {"of digits", "2031", 47}, {"an id", "25", 0},
		{"of twins the lowest id", "twin", 36},
		{"D12 a child's own", "live-rock-roll-blues-24", 50}, {"D12 below its parent", "live-100-lart-20%2Flive-rock-roll-blues-24", 50},
		{"D12 in another case", "LIVE-100-lart-20%2fLive-Rock-roll-blues-24", 50},
		{"D12 a twin below its parent", "live-100-lart-20%2Ftwin", 37},
		{"below another", "blues-rock-roll-zomer-1%2Flive-rock-roll-blues-24", 0},
		{"below an unknown one", "nowhere%2Flive-rock-roll-blues-24", 0},
		{"the parent below the child", "live-rock-roll-blues-24%2Flive-100-lart-20", 0},
		{"D12 a grandchild", "live-100-lart-20%2Ffinale-winter-25%2Fleaf", 38}, {"D12 without the first", "finale-winter-25%2Fleaf", 38},
		{"with a step left out", "live-100-lart-20%2Fleaf", 0}, {"slashes around", "%2Fleaf%2F", 38},
		{"an empty step", "finale-winter-25%2F%2Fleaf", 0},
		{"a child of itself", "self%2Fself%2Fself", 39}, {"each other's parents", "egg%2Fhen%2Fegg%2Fhen", 41},
		{"the wrong way round", "hen%2Fhen", 0},
		{"another script, encoded", "%e6%97%a5%e6%9c%ac", 45}, {"in capitals", "%E6%97%A5%E6%9C%AC", 45}, {"as it is", "日本", 45},
		{"encoded twice", "%25e6%2597%25a5%25e6%259c%25ac", 0},
		{"accents are no other letters", "ete", 0}, {"a wildcard", "%25", 0}, {"quotes", "'%20OR%20''='", 0}, {"a backslash", "%5C", 0},
		{"nothing", "+", 0}, {"dots", "..%2F..", 0},
	} {
		p, err := e.FindSlug(t.Context(), "tribe_events", c.raw)
		if err != nil {
			t.Errorf("%s: %v", c.about, err)
			continue
		}
		var got int64
		if p != nil {
			got = p.ID
		}
		if got != c.want {
			t.Errorf("%s: %s finds %d, want %d", c.about, c.raw, got, c.want)
		}
	}
}

// A path that never ends is not followed without end, and a long one is not looked
// up.
func TestFindSlugIsBounded(t *testing.T) {
	e, db := onSite(t)
	set(t, db, "UPDATE wp_posts SET post_name = 'self', post_parent = 39 WHERE ID = 39")
	const most = 20 // posts in a path
	path := "self"
	for n := 1; n <= most+2; n++ {
		p, err := e.FindSlug(t.Context(), "tribe_events", path)
		if err != nil || (p != nil) != (n <= most) {
			t.Errorf("%d steps: %v %v", n, p, err)
		}
		path += "%2Fself"
	}
}
