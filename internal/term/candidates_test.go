package term

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp"
)

// comparing returns what find should return, by comparing an element with every term.
func comparing(all []*store.TaxonomyTerm, native int, item string) *store.TaxonomyTerm {
	if id, ok := param.Integer(item); ok {
		if id <= 0 {
			return nil
		}
		if i := slices.IndexFunc(all, func(t *store.TaxonomyTerm) bool { return t.ID == id }); i >= 0 {
			return all[i]
		}
	}
	for _, terms := range [][]*store.TaxonomyTerm{all[:native], all[native:]} {
		slug := wp.Slug(item)
		if i := slices.IndexFunc(terms, func(t *store.TaxonomyTerm) bool { return slug != "" && strings.EqualFold(t.Slug, slug) }); i >= 0 {
			return terms[i]
		}
		if isNumeric(item) {
			continue
		}
		names := []string{wp.Folded(item), wp.Folded(wp.EscapeHTML(item)), wp.Folded(wp.TermName(item))}
		if i := slices.IndexFunc(terms, func(t *store.TaxonomyTerm) bool {
			return wp.Folded(t.Name) != "" && slices.Contains(names, wp.Folded(t.Name))
		}); i >= 0 {
			return terms[i]
		}
	}
	return nil
}

// odds are names that are easily confused.
var odds = []string{
	"Music", "MUSIC ", "música", "Rock & Roll", "Rock &amp; Roll", "rock-roll", "2", "02", "12", "1.5", "İstanbul", "istanbul", "ſound",
	"sound", "\u212aelvin",
	"kelvin", "日本", "%e6%97%a5%e6%9c%ac", "straße", "STRASSE", "<b>Bold</b>", "Bold", "", " ", "-3", "été", "e\u0301te\u0301", "ÉTÉ",
}

// TestLookedUpAsCompared checks that looking up terms gives the same result as comparing each (B4, D06).
func TestLookedUpAsCompared(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	odd := func() string { return odds[r.IntN(len(odds))] }
	found := 0
	for range 2000 {
		var all []*store.TaxonomyTerm
		for i := range r.IntN(12) {
			slug := strings.ToUpper(wp.Slug(odd()))
			if r.IntN(2) == 0 {
				slug = odd()
			}
			all = append(all, row(int64(i+1), 0, 0, slug, wp.TermName(odd())))
		}
		native := r.IntN(len(all) + 1)
		c := newCandidates(all, native, wp.Slug)
		for range 5 {
			item := odd()
			want := comparing(all, native, item)
			if want != nil {
				found++
			}
			if got := c.find(item); got != want {
				t.Fatalf("%q of %d in %v: %v, want %v", item, native, all, got, want)
			}
		}
		made := row(99, 0, 0, "made", "Made")
		c.addTerm(made)
		if c.find("made") != made || c.find("MADE ") != made || c.find("99") != made {
			t.Fatal("what was added is not found")
		}
	}
	if found < 2000 {
		t.Errorf("only %d were found", found)
	}
}

// TestLookedUpOnce checks that the cost of looking up a term does not grow with the number of terms (B4).
func TestLookedUpOnce(t *testing.T) {
	cost := func(terms int) float64 {
		var all []*store.TaxonomyTerm
		for i := range terms {
			all = append(all, row(int64(i+1), 0, 0, "s", fmt.Sprintf("Näme %d", i)))
		}
		c := newCandidates(all, len(all), wp.Slug)
		c.find("Nothing") // builds the maps
		return testing.AllocsPerRun(20, func() {
			if c.find("Nøthing Ät All") != nil {
				t.Error("found")
			}
		})
	}
	if few, many := cost(10), cost(2000); many > few+5 {
		t.Errorf("%v allocations among 10 terms, %v among 2000", few, many)
	}
}

// TestD59ItemsOnce checks that a list contains each element once, however often it was given (D59).
func TestD59ItemsOnce(t *testing.T) {
	for _, v := range []any{strings.Repeat("Jazz,", 900) + "Pop", slices.Repeat([]any{"Jazz", " Jazz", "Pop"}, 300)} {
		items, err := itemsOf(t.Context(), v)
		if want := []string{"Jazz", "Pop"}; err != nil || !slices.Equal(items, want) {
			t.Errorf("%.30v: %.60q, %v", v, items, err)
		}
	}
}

// TestItemsAreCountedWhileSplit checks that a string with many commas is not split further than elements are allowed.
func TestItemsAreCountedWhileSplit(t *testing.T) {
	text := strings.Repeat("a,", 1<<19)
	n := testing.AllocsPerRun(5, func() {
		if _, err := itemsOf(t.Context(), text); err == nil {
			t.Error("half a million items are taken")
		}
	})
	if n > 100 {
		t.Errorf("%.0f allocations", n)
	}
}

// row returns a stored term. Its term_taxonomy_id is its id plus 100.
func row(id, parent, count int64, slug, name string) *store.TaxonomyTerm {
	return &store.TaxonomyTerm{ID: id, TaxonomyID: id + 100, Parent: parent, Count: count, Slug: slug, Name: name}
}
