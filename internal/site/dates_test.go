package site

import (
	"testing"

	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/wp/migration"
	"github.com/agendahq/agenda/schema"
)

// TestD67Dates checks that lists show an item per occurrence if Events Calendar Pro is active, or if the host says so
// (D67).
func TestD67Dates(t *testing.T) {
	dates := map[string]schema.DateForm{"auto": "", "plain": schema.DatesPlain, "each": schema.DatesEach}
	golden.Each(t, "dates.txt", func(name, says string, options map[string]string, want int64) {
		options[migration.State] = `a:1:{s:5:"phase";s:18:"migration-complete";}`
		golden.Equal(t, name, (&Cache{Dates: dates[says]}).parse(options).DateBase, want)
	})
}

// TestD67NextDateBase checks that the base moves once fewer than a million ids below it are free, on sites that Agenda
// created only (D67).
func TestD67NextDateBase(t *testing.T) {
	for _, c := range []struct {
		own      string
		id, want int64
	}{{"1", 9_000_000, 0}, {"1", 9_000_001, 20_000_000}, {"1", 10_000_000, 30_000_000}, {"1", 19_999_999, 30_000_000}, {"", 9_999_999, 0}} {
		s := (&Cache{Dates: schema.DatesEach}).parse(map[string]string{"agenda_site": c.own})
		golden.Equal(t, c, s.NextDateBase(c.id), c.want)
	}
	if s := (&Cache{}).parse(map[string]string{"agenda_site": "1", baseOption: "40000000"}); s.NextDateBase(38_000_000) != 0 {
		t.Error("the base of the site was not taken")
	}
}

const baseOption = "tec_custom_tables_v1_provisional_post_base_provisional_id"

// TestD92Unmigrated checks in which phases of its migration the tables of The Events Calendar are used, and what
// happens if no phase is stored (D92).
func TestD92Unmigrated(t *testing.T) {
	golden.Each(t, "migrations.txt", func(name string, options map[string]string, want bool) {
		golden.Equal(t, name, (&Cache{}).parse(options).Unmigrated, want)
	})
}
