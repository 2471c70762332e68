package api_test

import (
	"fmt"
	"strings"
	"testing"
)

// slugged makes an event and returns its slug as it is stored.
func (c *calendar) slugged(title, more string) string {
	c.T.Helper()
	return c.row(c.create("admin", title, more)).Name
}

func TestSlugs(t *testing.T) {
	c := open(t)
	long := strings.Repeat("a", 250)
	for _, w := range []struct{ title, fields, want string }{
		{"Été à Liège", ``, "ete-a-liege"},
		{"Titled", `,"slug":"Other Words"`, "other-words"},
		{"Twice", ``, "twice"},
		{"Twice", ``, "twice-2"},
		{"TWICE!", ``, "twice-3"},
		{"Twice 2", ``, "twice-2-2"},
		{"Else", `,"slug":"twice-2"`, "twice-2-3"},
		{"Gap", ``, "gap"},
		{"Gap 3", ``, "gap-3"},
		{"Gap", ``, "gap-2"},
		{"Gap", ``, "gap-4"},
		{"feed", ``, "feed-2"},
		{"RSS", ``, "rss-2"},
		{"Rss2", ``, "rss2-2"},
		{"atom", ``, "atom-2"},
		{"rdf", ``, "rdf-2"},
		{"embed", ``, "embed-2"},
		{"Embed", ``, "embed-3"},
		{"page", ``, "page"},
		{"events", ``, "events"},
		{"2030", ``, "2030"},
		{"month", ``, "month"},
		{long, ``, long[:200]},
		{long, ``, long[:198] + "-2"},
		{long + "b", ``, long[:198] + "-3"},
		{"日", ``, "%e6%97%a5"},
		{strings.Repeat("日", 100), ``, strings.Repeat("%e6%97%a5", 22)},
		{strings.Repeat("日", 100), ``, strings.Repeat("%e6%97%a5", 22) + "-2"},
		{"Under_score", ``, "under_score"},
		{"UnderXscore", ``, "underxscore"}, // no wildcard matches it
		{"A draft", `,"status":"draft"`, ""},
		{"A draft", `,"status":"draft","slug":"twice"`, "twice"},
		{"A draft", `,"status":"pending","slug":"Free Words"`, "free-words"},
		{"Free words", ``, "free-words-2"}, // drafts hold their slugs
		{"Auto", `,"status":"auto-draft"`, ""},
		{"Private", `,"status":"private"`, "private"},
		{"Private", `,"date":"2030-01-01"`, "private-2"},
		{"Inherit", `,"status":"inherit"`, "inherit"},
	} {
		if got := c.slugged(w.title, w.fields); got != w.want {
			t.Errorf("%.40s%s: %q, want %q", w.title, w.fields, got, w.want)
		}
	}
	for _, path := range []string{"/venues", "/organizers"} { // each type has its own slugs
		for i, want := range []string{"twice", "twice-2"} {
			if got := c.must("admin", "POST", path, `{"venue":"Twice","organizer":"Twice"}`).Body["slug"]; got != want {
				t.Errorf("%s, the %d. time: %v, want %s", path, i+1, got, want)
			}
		}
	}
	if got := c.must("admin", "POST", "/venues", `{"venue":"A drafted hall","status":"draft"}`).Body["slug"]; got != "a-drafted-hall" {
		t.Errorf("the draft of a venue: %v", got)
	}
}

// A title without letters and digits gives a post the number of its id, unless
// that is another's slug.
func TestSlugOfNothing(t *testing.T) {
	c := open(t)
	id := c.create("admin", "???", "")
	if got := c.row(id).Name; got != fmt.Sprint(id) {
		t.Errorf("%d: %q", id, got)
	}
	if got := c.slugged("Number", fmt.Sprintf(`,"slug":"%d"`, id+2)); got != fmt.Sprint(id+2) {
		t.Errorf("%d: %q", id+1, got)
	}
	if got, want := c.slugged("!!!", ""), fmt.Sprintf("%d-2", id+2); got != want {
		t.Errorf("%d: %q, want %q", id+2, got, want)
	}
	draft := c.create("admin", "???", `,"status":"draft"`)
	if got := c.row(draft).Name; got != "" {
		t.Errorf("a draft: %q", got)
	}
	c.change("admin", draft, `{"status":"publish"}`)
	if got := c.row(draft).Name; got != fmt.Sprint(draft) {
		t.Errorf("published: %q, want %d", got, draft)
	}
}

func TestSlugsOfUpdates(t *testing.T) {
	c := open(t)
	c.create("admin", "Taken", "")
	id := c.create("admin", "Mine", "")
	for _, w := range []struct{ fields, want string }{
		{`"title":"Mine no more"`, "mine"},
		{`"slug":"Own Words"`, "own-words"},
		{`"slug":"own-words"`, "own-words"},
		{`"slug":"taken"`, "taken-2"},
		{`"slug":"taken-2"`, "taken-2"},
		{`"slug":"taken"`, "taken-2"},
		{`"slug":"feed"`, "feed-2"},
		{`"slug":"???"`, "mine-no-more"},
		{`"status":"draft"`, "mine-no-more"},
		{`"slug":"taken"`, "taken"}, // a draft keeps what it is given
		{`"title":"Back"`, "taken"},
		{`"status":"publish"`, "taken-2"},
		{`"status":"private"`, "taken-2"},
		{`"status":"draft","slug":"???"`, "back"},
	} {
		c.change("admin", id, "{"+w.fields+"}")
		if got := c.row(id).Name; got != w.want {
			t.Errorf("%s: %q, want %q", w.fields, got, w.want)
		}
	}
	draft := c.create("admin", "Late slug", `,"status":"draft"`)
	c.change("admin", draft, `{"title":"Later slug"}`)
	if got := c.row(draft).Name; got != "" {
		t.Errorf("a draft: %q", got)
	}
	c.change("admin", draft, `{"status":"publish"}`)
	if got := c.row(draft).Name; got != "later-slug" {
		t.Errorf("published: %q", got)
	}
}

// Posts in the trash give their slugs up, and nothing else.
func TestSlugsOfTheTrash(t *testing.T) {
	c := open(t)
	state := func(id int64) string { return c.row(id).Name + " " + c.meta(id, "_wp_desired_post_slug") }
	first := c.create("admin", "Fair", "")
	c.trash(first)
	second := c.create("admin", "Fair", "")
	c.trash(second)
	third := c.create("admin", "Fair", "")
	for id, want := range map[int64]string{first: "fair__trashed fair", second: "fair__trashed-2 fair", third: "fair "} {
		if got := state(id); got != want {
			t.Errorf("%d: %q, want %q", id, got, want)
		}
	}
	c.change("admin", first, `{"status":"publish"}`)
	if got := state(first); got != "fair-2 " {
		t.Errorf("out of the trash: %q", got)
	}
	drafts := []int64{c.create("admin", "One", `,"status":"draft"`), c.create("admin", "Two", `,"status":"draft"`)}
	for i, want := range []string{"__trashed ", "__trashed-2 "} {
		c.trash(drafts[i])
		if got := state(drafts[i]); got != want {
			t.Errorf("draft %d in the trash: %q, want %q", i, got, want)
		}
	}
	long := strings.Repeat("b", 200)
	id := c.create("admin", long, "")
	c.trash(id)
	if got := state(id); got != long[:191]+"__trashed "+long {
		t.Errorf("%q", got)
	}
	c.change("admin", id, `{"status":"draft"}`)
	if got := state(id); got != long+" " {
		t.Errorf("%q", got)
	}

	// Other programs put posts into the trash without a change of the slug.
	other := c.create("admin", "Market", "")
	c.Exec("UPDATE wp_posts SET post_status = 'trash' WHERE ID = ?", other)
	modified := c.row(other).Modified
	if got := c.slugged("Market", ""); got != "market" {
		t.Errorf("the slug of a post in the trash: %q", got)
	}
	if got := state(other); got != "market__trashed market" || c.row(other).Modified != modified {
		t.Errorf("moved aside: %q", got)
	}
	// One that is used by a living post too is not free.
	held := c.create("admin", "Held", `,"status":"draft","slug":"held"`)
	gone := c.create("admin", "Held", `,"status":"draft","slug":"held"`)
	c.Exec("UPDATE wp_posts SET post_status = 'trash' WHERE ID = ?", gone)
	if got := c.slugged("Held", ""); got != "held-2" || c.row(held).Name != "held" {
		t.Errorf("next to a draft: %q", got)
	}
}
