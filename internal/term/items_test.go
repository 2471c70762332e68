package term

import (
	"fmt"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/wp"
)

// Object returns the map that {"k0":…,"k1":…} is parsed into. It is exported for the external tests of this package.
func Object(values ...any) *param.Map {
	m := param.NewMap()
	for i, v := range values {
		m.Set(fmt.Sprint("k", i), v)
	}
	return m
}

func FuzzItems(f *testing.F) {
	f.Add("a, b,,c", "x,y")
	f.Add(" \t", "\x00")
	f.Fuzz(func(t *testing.T, text, element string) {
		for _, v := range []any{text, []any{element, text}, Object(text)} {
			items, err := itemsOf(t.Context(), v)
			if err != nil && strings.Count(text, ",") < param.MaxList && len(text) < maxItem && len(element) < maxItem {
				t.Fatalf("%v: %v", v, err)
			}
			for _, item := range items {
				if item == "" || strings.TrimSpace(item) != item {
					t.Fatalf("%v: %q", v, items)
				}
			}
		}
	})
}

func TestMayEdit(t *testing.T) {
	env := item.New(item.Config{Content: content.New(content.Config{Types: content.Types{{PostType: "tribe_events"}}})})
	categories, tags := &UseCases{Service: env, Tree: true}, &UseCases{Service: env}
	golden.Each(t, "may-edit.txt", func(capabilities string, category, isTag bool) {
		p := caller.Principal{UserID: 1, Capabilities: map[string]bool{}}
		for name := range strings.FieldsSeq(capabilities) {
			p.Capabilities[name] = true
		}
		golden.Equal(t, capabilities, categories.CanEdit(p), category)
		golden.Equal(t, capabilities, tags.CanEdit(p), isTag)
	})
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
