package site

import (
	"strconv"
	"testing"

	"github.com/agendahq/agenda/internal/wp/migration"
)

// TestD67Dates checks that lists show an item per occurrence if Events Calendar Pro is active, or if the host says so
// (D67).
func TestD67Dates(t *testing.T) {
	const addOn = `a:2:{i:0;s:43:"the-events-calendar/the-events-calendar.php";i:1;s:43:"events-calendar-pro/events-calendar-pro.php";}`
	const plugin = `a:1:{i:0;s:43:"the-events-calendar/the-events-calendar.php";}`
	const network = `a:1:{s:43:"events-calendar-pro/events-calendar-pro.php";i:1700000000;}`
	const other = `a:1:{i:0;s:9:"other.php";}`
	const plugins = `a:1:{s:43:"the-events-calendar/the-events-calendar.php";i:1700000000;}`
	for name, c := range map[string]struct {
		dates   Dates
		options map[string]string
		want    int64
	}{
		"nothing stored":        {DatesAuto, nil, 0},
		"the plugin alone":      {DatesAuto, map[string]string{"active_plugins": plugin}, 0},
		"with its add-on":       {DatesAuto, map[string]string{"active_plugins": addOn}, 10_000_000},
		"with its own dates":    {DatesAuto, map[string]string{"tec_events_recurrence_active": "1"}, 10_000_000},
		"switched off":          {DatesAuto, map[string]string{"tec_events_recurrence_active": "0"}, 0},
		"a broken list":         {DatesAuto, map[string]string{"active_plugins": "a:1:{"}, 0},
		"another base":          {DatesAuto, map[string]string{"active_plugins": addOn, baseOption: "25000000"}, 25_000_000},
		"a base that is none":   {DatesAuto, map[string]string{"active_plugins": addOn, baseOption: "many"}, 10_000_000},
		"of the whole network":  {DatesAuto, map[string]string{"active_sitewide_plugins": network}, 10_000_000},
		"our own":               {DatesAuto, map[string]string{"agenda_site": "1"}, 10_000_000},
		"our own, once":         {DatesAuto, map[string]string{"agenda_site": "1", "active_plugins": plugin}, 0},
		"our own, with others":  {DatesAuto, map[string]string{"agenda_site": "1", "active_plugins": other}, 10_000_000},
		"our own, once, there":  {DatesAuto, map[string]string{"agenda_site": "1", "active_sitewide_plugins": plugins}, 0},
		"our own, in doubt":     {DatesAuto, map[string]string{"agenda_site": "1", "active_plugins": "a:1:{"}, 0},
		"plain, says the host":  {DatesPlain, map[string]string{"active_plugins": addOn}, 0},
		"each, says the host":   {DatesEach, nil, 10_000_000},
		"each, on another base": {DatesEach, map[string]string{baseOption: "7000000"}, 7_000_000},
	} {
		if got := (&Cache{Dates: c.dates}).parse(copied(c.options)).DateBase; got != c.want {
			t.Errorf("%s: %d, want %d", name, got, c.want)
		}
	}
}

// TestD67NextDateBase checks that the base moves once fewer than a million ids below it are free, on sites that Agenda
// created only (D67).
func TestD67NextDateBase(t *testing.T) {
	for _, c := range []struct {
		own      string
		id, want int64
	}{{"1", 9_000_000, 0}, {"1", 9_000_001, 20_000_000}, {"1", 10_000_000, 30_000_000}, {"1", 19_999_999, 30_000_000}, {"", 9_999_999, 0}} {
		s := (&Cache{Dates: DatesEach}).parse(map[string]string{"agenda_site": c.own})
		if got := s.NextDateBase(c.id); got != c.want {
			t.Errorf("%+v: %d", c, got)
		}
	}
	if s := (&Cache{}).parse(map[string]string{"agenda_site": "1", baseOption: "40000000"}); s.NextDateBase(38_000_000) != 0 {
		t.Error("the base of the site was not taken")
	}
}

const baseOption = "tec_custom_tables_v1_provisional_post_base_provisional_id"

// copied returns the options of a site whose events have been migrated to the tables of occurrences.
func copied(options map[string]string) map[string]string {
	all := map[string]string{migration.State: `a:1:{s:5:"phase";s:18:"migration-complete";}`}
	for name, value := range options {
		all[name] = value
	}
	return all
}

// TestD92Unmigrated checks in which phases of its migration the tables of The Events Calendar are used, and what
// happens if no phase is stored (D92).
func TestD92Unmigrated(t *testing.T) {
	phase := func(name string) string { return `a:1:{s:5:"phase";s:` + strconv.Itoa(len(name)) + `:"` + name + `";}` }
	const plugins = "active_plugins"
	cases := map[string]struct {
		options map[string]string
		want    bool
	}{
		"a site from before":         {map[string]string{plugins: "a:0:{}"}, true},
		"no WordPress":               {map[string]string{}, false},
		"our own":                    {map[string]string{"agenda_site": "1", plugins: "a:0:{}"}, false},
		"once our own":               {map[string]string{"agenda_site": "1", plugins: `a:1:{i:0;s:23:"the-events-calendar/x.p";}`}, true},
		"a state that is no list":    {map[string]string{plugins: "a:0:{}", migration.State: "x"}, true},
		"complete, but not in use":   {map[string]string{migration.State: phase("migration-complete"), migration.Active: ""}, true},
		"complete, and in use":       {map[string]string{migration.State: phase("migration-complete"), migration.Active: "1"}, false},
		"of a version that is later": {map[string]string{migration.State: phase("migration-verified")}, true},
	}
	for name, want := range map[string]bool{
		"migration-not-required": false, "migration-complete": false, "preview-prompt": true, "preview-in-progress": true,
		"migration-prompt": true, "migration-in-progress": true, "cancel-in-progress": true, "cancel-complete": true,
		"migration-failed-in-progress": true, "migration-failed-complete": true, "revert-in-progress": true, "revert-complete": true,
	} {
		cases[name] = struct {
			options map[string]string
			want    bool
		}{map[string]string{plugins: "a:0:{}", migration.State: phase(name)}, want}
	}
	for name, c := range cases {
		if got := (&Cache{}).parse(c.options).Unmigrated; got != c.want {
			t.Errorf("%s: %t", name, got)
		}
	}
}
