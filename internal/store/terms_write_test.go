package store

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/wp"
)

func TestTermSlugs(t *testing.T) {
	s, db := recorded(t)
	long := strings.Repeat("a", 200)
	octets := strings.Repeat("%e6%97%a5", 22)
	for i, slug := range []string{"fair", "fair-2", "FAIR-3", "fair-music-2", "fairground", "f_ir", "f_ir-2", "a%c3%b7b", "a%c3%b7b-2",
		long, long[:198] + "-2", long[:197] + "-10", octets, octets + "-2", octets[:189] + "-10"} {
		execute(t, db, "INSERT INTO wp_terms (name, slug) VALUES (?, ?)", fmt.Sprint("slug ", i), slug)
	}
	for slug, want := range map[string][]string{
		"fair": {"fair", "fair-2", "fair-3", "fair-music-2"}, "f_ir": {"f_ir", "f_ir-2"}, "a%c3%b7b": {"a%c3%b7b", "a%c3%b7b-2"},
		"nothing": nil, "%": nil,
		long:   {long[:197] + "-10", long[:198] + "-2", long},
		octets: {octets, octets[:189] + "-10", octets + "-2"},
	} {
		used, err := s.Terms.Slugs(t.Context(), slug)
		if got := slices.Sorted(maps.Keys(used)); err != nil || !slices.Equal(got, slices.Sorted(slices.Values(want))) {
			t.Errorf("%s: %q, %v", slug, got, err)
		}
		// Variants with any number are found.
		for _, n := range []int{2, 10, 12345, 999_999_999} {
			variant := wp.SuffixSlug(slug, n)
			family := slug + "-"
			if len(slug) > longSlug {
				family = wp.CutSlug(slug, longSlug)
			}
			if !strings.HasPrefix(variant, family) {
				t.Errorf("%s is none of %s", variant, family)
			}
		}
	}
}
