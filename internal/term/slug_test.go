package term

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp"
)

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
