package term

import (
	"cmp"
	"slices"
	"testing"

	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp"
)

// row is a stored term, whose taxonomy id is its id and 100.
func row(id, parent, count int64, slug, name string) *store.TaxonomyTerm {
	return &store.TaxonomyTerm{ID: id, TaxonomyID: id + 100, Parent: parent, Count: count, Slug: slug, Name: name}
}

func TestD06Find(t *testing.T) {
	terms := []*store.TaxonomyTerm{
		row(2, 0, 1, "music", "Music"), row(3, 0, 1, "2", "Two"), row(4, 0, 1, "2026", "Year"),
		row(5, 0, 1, "rock-roll", "Rock &amp; Roll"),
		row(6, 0, 1, "other", "music"), row(7, 0, 1, "renamed", "Été indien"), row(8, 0, 1, "%e6%97%a5%e6%9c%ac", "日本"),
		row(9, 0, 1, "1-5", "1.5"), row(10, 0, 1, "", "Nameless"),
	}
	for item, want := range map[string]int64{
		"2": 2, "02": 2, "2.0": 2, " 2": 2, "3": 3, // an id first
		"2026": 4, // no such id: a slug
		"99":   0, "0": 0, "-2": 0,
		"music": 2, "MUSIC": 2, "Music": 2, // a slug before a name
		"rock-roll": 5, "Rock & Roll": 5, "rock &amp; roll": 5, "Rock &  Roll": 5,
		"Été indien": 7, "ETE INDIEN": 7, "été indien": 7, "renamed": 7,
		"日本": 8, "%e6%97%a5%e6%9c%ac": 8, "%E6%97%A5%E6%9C%AC": 8,
		"Two": 3, "Year": 4,
		"1.5": 9, "1-5": 9, // its slug
		"1e1": 10, "": 0, "?": 0, "unknown": 0, "mus": 0, "music%": 2, "' OR ''='": 0,
	} {
		var got int64
		if found := newCandidates(terms, len(terms), wp.Slug).find(item); found != nil {
			got = found.ID
		}
		if got != want {
			t.Errorf("%q finds %d, want %d", item, got, want)
		}
	}
	if newCandidates(nil, 0, wp.Slug).find("music") != nil {
		t.Error("something is found in nothing")
	}
}

// circular is a tree that another program broke: 5 and 6 are each other's
// parents, 7 is its own, and the parent of 9 does not exist.
func circular() []*store.TaxonomyTerm {
	return []*store.TaxonomyTerm{
		row(1, 0, 0, "a", "A"), row(2, 1, 0, "b", "B"), row(3, 2, 1, "c", "C"), row(4, 1, 0, "d", "D"),
		row(5, 6, 0, "e", "E"), row(6, 5, 1, "f", "F"), row(7, 7, 0, "g", "G"), row(8, 7, 2, "h", "H"), row(9, 99, 1, "i", "I"),
		row(10, 0, 0, "j", "J"),
	}
}

func TestWithDescendants(t *testing.T) {
	for _, c := range []struct {
		about     string
		ids, want []int64
	}{
		{"a leaf", []int64{3}, []int64{103}},
		{"a tree", []int64{1}, []int64{101, 102, 103, 104}},
		{"two of one tree", []int64{2, 1, 2}, []int64{101, 102, 103, 104}},
		{"each other's parents", []int64{5}, []int64{105, 106}},
		{"its own parent", []int64{7}, []int64{107, 108}},
		{"several", []int64{3, 10, 9}, []int64{103, 109, 110}},
		{"unknown", []int64{77}, nil},
		{"none", nil, nil},
	} {
		var got []int64
		for _, t := range withDescendants(circular(), c.ids) {
			got = append(got, t.TaxonomyID)
		}
		slices.Sort(got)
		if got = slices.Compact(got); !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, want %v", c.about, got, c.want)
		}
	}
}

func byID(terms []*store.TaxonomyTerm) map[int64]*store.TaxonomyTerm {
	m := map[int64]*store.TaxonomyTerm{}
	for _, t := range terms {
		m[t.ID] = t
	}
	return m
}

func TestD11Ancestors(t *testing.T) {
	got := ancestors(byID(circular()))
	slices.SortFunc(got, cmp.Compare[int64])
	if want := []int64{1, 2, 5, 7}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got := ancestors(nil); len(got) != 0 {
		t.Errorf("of nothing: %v", got)
	}
	// A chain: each ancestor once, the full ones left out.
	chain := []*store.TaxonomyTerm{row(1, 0, 0, "", ""), row(2, 1, 3, "", ""), row(3, 2, 0, "", ""), row(4, 3, 1, "", ""),
		row(5, 3, 1, "", "")}
	got = ancestors(byID(chain))
	slices.Sort(got)
	if want := []int64{1, 3}; !slices.Equal(got, want) {
		t.Errorf("of a chain: %v, want %v", got, want)
	}
}
