package term

import (
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/phpval"
)

func TestFreeSlug(t *testing.T) {
	long := strings.Repeat("a", 198)
	for _, c := range []struct {
		slug, above, used, want string
	}{
		{"fair", "", "fair", "fair-2"},
		{"fair", "", "fair fair-2 fair-4", "fair-3"},
		{"fair", "music", "fair", "fair-music"},
		{"fair", "music", "fair fair-music", "fair-music-2"},
		{"fair", "music", "fair fair-music fair-music-2", "fair-music-3"},
		{"fair", "music world", "fair fair-music", "fair-music-world"},
		{"fair", "music world", "fair fair-music fair-music-world", "fair-music-world-2"},
		{long, "", long, long + "-2"},
		{long, "music", long, long + "-2"},
		{long[:194], "music world", long[:194], long[:194] + "-music"},
		{long[:194], "music world", long[:194] + " " + long[:194] + "-music", long[:194] + "-mus-2"},
	} {
		used := map[string]bool{}
		for _, s := range strings.Fields(c.used) {
			used[s] = true
		}
		if got := freeSlug(c.slug, strings.Fields(c.above), used); got != c.want {
			t.Errorf("%s below %q: %s, want %s", c.slug, c.above, got, c.want)
		}
	}
	if got := freeSlug("fair", []string{"", "music"}, map[string]bool{"fair": true}); got != "fair-music" {
		t.Errorf("below a term without a slug: %s", got)
	}
}

func FuzzFreeSlug(f *testing.F) {
	f.Add("Fair", "Music", "World", uint8(7))
	f.Add(strings.Repeat("日", 100), strings.Repeat("é", 99), "", uint8(200))
	f.Add(strings.Repeat("a", 199), "b", strings.Repeat("c", 200), uint8(30))
	f.Fuzz(func(t *testing.T, name, parent, top string, taken uint8) {
		slug, above := wp.Slug(name), []string{wp.Slug(parent), wp.Slug(top)}
		if slug == "" {
			return
		}
		used := map[string]bool{slug: true}
		for range taken {
			got := freeSlug(slug, above, used)
			if used[got] || len(got) > maxSlug || got == "" || strings.HasSuffix(got, "-") || got != strings.ToLower(got) {
				t.Fatalf("%q below %q: %q", slug, above, got)
			}
			used[got] = true
		}
	})
}

func TestBelow(t *testing.T) {
	tree := byID(circular())
	for _, c := range []struct {
		id, other int64
		want      bool
	}{
		{3, 1, true}, {3, 3, true}, {1, 3, false}, {4, 2, false}, {5, 6, true}, {6, 1, false}, {8, 7, true}, {7, 8, false}, {9, 1, false},
		{9, 99, true}, {0, 1, false}, {77, 1, false},
	} {
		if got := below(tree, c.id, c.other); got != c.want {
			t.Errorf("%d below %d: %v", c.id, c.other, got)
		}
	}
	if got := above(tree, 3); !slices.Equal(got, []string{"c", "b", "a"}) {
		t.Errorf("above: %q", got)
	}
	if got := above(tree, 5); len(got) != maxDepth {
		t.Errorf("above a circle: %d", len(got))
	}
}

func TestChildren(t *testing.T) {
	for want, terms := range map[string][]*store.TaxonomyTerm{
		"a:0:{}":                           {row(1, 0, 0, "", "")},
		"a:1:{i:6;a:1:{i:0;i:8;}}":         {row(6, 0, 0, "", ""), row(8, 6, 0, "", "")},
		"a:1:{i:99;a:1:{i:0;i:9;}}":        {row(9, 99, 0, "", "")}, // as it is stored, whether there is a 99 or not
		"a:1:{i:2;a:2:{i:0;i:1;i:1;i:3;}}": {row(1, 2, 0, "", ""), row(2, 0, 0, "", ""), row(3, 2, 0, "", "")},
	} {
		if got := children(terms); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	read, err := phpval.Unserialize(children(circular()))
	if a, ok := read.(*phpval.Array); err != nil || !ok || a.Len() != 6 {
		t.Errorf("%v, %v", read, err)
	}
}

func TestState(t *testing.T) {
	base := row(1, 2, 3, "slug", "name")
	seen := map[string]bool{revision(base, nil): true}
	for _, change := range []func(*store.TaxonomyTerm){
		func(t *store.TaxonomyTerm) { t.Name = "other" }, func(t *store.TaxonomyTerm) { t.Slug = "other" },
		func(t *store.TaxonomyTerm) { t.Description = "other" }, func(t *store.TaxonomyTerm) { t.Parent = 9 },
		func(t *store.TaxonomyTerm) { t.Name, t.Slug = "slug", "name" }, func(t *store.TaxonomyTerm) { t.Taxonomy = "other" },
	} {
		changed := *base
		change(&changed)
		if s := revision(&changed, nil); seen[s] || strings.ContainsAny(s, `."`) || len(s) < 8 {
			t.Errorf("%+v: %s", changed, s)
		} else {
			seen[s] = true
		}
	}
	counted := *base
	if counted.Count = 77; revision(&counted, nil) != revision(base, nil) {
		t.Error("the count is part of the state")
	}
}

func TestLower(t *testing.T) {
	for in, want := range map[string]string{"ABCxyzZ": "abcxyzz", "ÉTÉ Ärger": "ÉtÉ Ärger", "": "", "[@": "[@"} {
		if got := lower(in); got != want || !utf8.ValidString(got) {
			t.Errorf("%q: %q", in, got)
		}
	}
}
