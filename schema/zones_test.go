package schema_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/uptrace/bun"

	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// zoned inserts an event with times that another release of the time zone database computed.
func zoned(t *testing.T, db *bun.DB, id int64, zone, start, startUTC, end, endUTC string) {
	t.Helper()
	event(t, db, id, schema.DefaultNames().Event, schema.MetaTimezone, zone, schema.MetaTimezoneAbbr, "OLD", schema.MetaStartDate, start,
		schema.MetaStartDateUTC, startUTC, schema.MetaEndDate, end, schema.MetaEndDateUTC, endUTC, schema.MetaDuration, "7200")
}

// zonesOf returns the stored times of an event: its meta rows, its row and its occurrences.
func zonesOf(t *testing.T, db *bun.DB, id int64) string {
	t.Helper()
	var all []string
	for _, query := range []string{
		"SELECT CONCAT(meta_key, '=', meta_value) FROM wp_postmeta WHERE post_id = ? AND (meta_key LIKE '%UTC' OR meta_key LIKE '%Abbr' " +
			"OR meta_key LIKE '%Duration') ORDER BY meta_key",
		"SELECT CONCAT('row ', start_date, ' ', start_date_utc, ' ', end_date_utc, ' ', duration) FROM wp_tec_events WHERE post_id = ?",
	} {
		var some []string
		must.Succeed(t, db.NewRaw(query, id).Scan(t.Context(), &some))
		all = append(all, some...)
	}
	var occurrences []schema.Occurrence
	err := db.NewSelect().Model(&occurrences).ModelTableExpr("wp_tec_occurrences AS oc").Where("post_id = ?", id).Order("start_date").
		Scan(t.Context())
	must.Succeed(t, err)
	for _, o := range occurrences {
		hashed := 0
		if o.Hash == schema.OccurrenceHash(o) {
			hashed = 1
		}
		all = append(all, fmt.Sprintf("occurrence %s %s %s %d %d", o.StartDate, o.StartDateUTC, o.EndDateUTC, o.Duration, hashed))
	}
	return strings.Join(all, "\n")
}

// TestD87RepairZones checks that upcoming events whose UTC times do not match their local times are found, and that
// RepairZones corrects all their stored times together. Events stay as they are if they have ended, match by either
// reading of a local time, have no zone in the database, or are recurring and maintained by Events Calendar Pro.
func TestD87RepairZones(t *testing.T) {
	for name, tables := range map[string]bool{"with the tables of dates": true, "with meta rows alone": false} {
		t.Run(name, func(t *testing.T) {
			db := testdb.SiteA(t)
			zoned(t, db, 9001, "Europe/Brussels", "2037-11-07 20:00:00", "2037-11-07 18:00:00", "2037-11-07 22:00:00",
				"2037-11-07 20:00:00")
			zoned(t, db, 9002, "Europe/Brussels", "2037-07-07 20:00:00", "2037-07-07 18:00:00", "2037-07-07 22:00:00",
				"2037-07-07 21:00:00")
			zoned(t, db, 9003, "Europe/Brussels", "2020-11-07 20:00:00", "2020-11-07 18:00:00", "2020-11-07 22:00:00",
				"2020-11-07 20:00:00")
			zoned(t, db, 9004, "Europe/Brussels", "2037-10-25 02:30:00", "2037-10-25 00:30:00", "2037-10-25 04:30:00",
				"2037-10-25 03:30:00")
			zoned(t, db, 9005, "UTC+2", "2037-11-07 20:00:00", "2037-11-07 17:00:00", "2037-11-07 22:00:00", "2037-11-07 19:00:00")
			zoned(t, db, 9006, "Europe/Brussels", "2037-11-07 20:00:00", "2037-11-07 18:00:00", "2037-11-07 22:00:00",
				"2037-11-07 20:00:00")
			if tables {
				must.Get(schema.Backfill(t.Context(), db, "wp_", schema.DefaultNames()))(t)
				run(t, db, "INSERT INTO wp_tec_occurrences (event_id, post_id, start_date, start_date_utc, end_date, end_date_utc, "+
					"duration, hash) "+
					"SELECT event_id, post_id, '2037-11-08 20:00:00', '2037-11-08 18:00:00', '2037-11-08 22:00:00', '2037-11-08 "+
					"20:00:00', 7200, 'x' "+
					"FROM wp_tec_events WHERE post_id = 9006")
			} else {
				run(t, db, "DROP TABLE wp_tec_occurrences, wp_tec_events")
				run(t, db, "INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (9006, '_EventRecurrence', "+
					"'a:1:{s:5:\"rules\";a:1:{i:0;a:1:{s:4:\"type\";s:5:\"Daily\";}}}')")
			}
			kept := map[int64]string{}
			for _, id := range []int64{9003, 9004, 9005, 9006} {
				if tables {
					kept[id] = zonesOf(t, db, id)
				}
			}
			found := func() (list []schema.Finding) {
				for _, f := range diagnose(t, db, "wp_").Findings {
					if f.Check == "zones" && f.Level == schema.Warning {
						list = append(list, f)
					}
				}
				return list
			}
			if list := found(); len(list) != 1 || !slices.Equal(list[0].Examples, []int64{9001, 9002, 9006}) ||
				list[0].Subject != "zones" ||
				!strings.Contains(list[0].Text, "1 have several dates") || !strings.Contains(list[0].Advice, "PHP") {
				t.Errorf("found %+v", list)
			}
			var changes []string
			left, err := schema.RepairZones(t.Context(), db, "wp_", schema.DefaultNames(), func(changed []schema.ZoneChange) {
				for _, c := range changed {
					changes = append(changes, fmt.Sprint(c.Post, " ", c.WasStartUTC[11:], " ", c.StartUTC[11:], " ", c.WasEndUTC[11:],
						" ", c.EndUTC[11:]))
				}
			})
			want := []string{"9001 18:00:00 19:00:00 20:00:00 21:00:00", "9002 18:00:00 18:00:00 21:00:00 20:00:00"}
			if err != nil || left != 1 || !slices.Equal(changes, want) {
				t.Errorf("%q, %d left: %v", changes, left, err)
			}
			if list := found(); len(list) != 1 || !slices.Equal(list[0].Examples, []int64{9006}) {
				t.Errorf("after the repair %+v", list)
			}
			if !tables {
				return
			}
			for id, want := range map[int64]string{
				9001: "_EventDuration=7200\n_EventEndDateUTC=2037-11-07 21:00:00\n_EventStartDateUTC=2037-11-07 " +
					"19:00:00\n_EventTimezoneAbbr=CET\n" +
					"row 2037-11-07 20:00:00 2037-11-07 19:00:00 2037-11-07 21:00:00 7200\n" +
					"occurrence 2037-11-07 20:00:00 2037-11-07 19:00:00 2037-11-07 21:00:00 7200 1",
				9002: "_EventDuration=7200\n_EventEndDateUTC=2037-07-07 20:00:00\n_EventStartDateUTC=2037-07-07 " +
					"18:00:00\n_EventTimezoneAbbr=CEST\n" +
					"row 2037-07-07 20:00:00 2037-07-07 18:00:00 2037-07-07 20:00:00 7200\n" +
					"occurrence 2037-07-07 20:00:00 2037-07-07 18:00:00 2037-07-07 20:00:00 7200 1",
			} {
				if got := zonesOf(t, db, id); got != want {
					t.Errorf("event %d has\n%s\nwant\n%s", id, got, want)
				}
			}
			for id, was := range kept {
				if is := zonesOf(t, db, id); is != was {
					t.Errorf("event %d has\n%s\nhad\n%s", id, is, was)
				}
			}
		})
	}
}

// TestD87RepairZonesOfOurOwn checks that on a site that Agenda created, recurring events are corrected too.
func TestD87RepairZonesOfOurOwn(t *testing.T) {
	db := testdb.SiteA(t)
	run(t, db, "DELETE FROM wp_options WHERE option_name = 'active_plugins'")
	run(t, db, "INSERT INTO wp_options (option_name, option_value, autoload) VALUES ('agenda_site', '1', 'on')")
	zoned(t, db, 9001, "Europe/Brussels", "2037-07-07 20:00:00", "2037-07-07 18:00:00", "2037-07-07 22:00:00", "2037-07-07 20:00:00")
	must.Get(schema.Backfill(t.Context(), db, "wp_", schema.DefaultNames()))(t)
	run(t, db, "INSERT INTO wp_tec_occurrences (event_id, post_id, start_date, start_date_utc, end_date, end_date_utc, duration, hash) "+
		"SELECT event_id, post_id, '2037-11-08 20:00:00', '2037-11-08 18:00:00', '2037-11-08 22:00:00', '2037-11-08 20:00:00', 7200, 'x' "+
		"FROM wp_tec_events WHERE post_id = 9001")
	was := zonesOf(t, db, 9001)
	left, err := schema.RepairZones(t.Context(), db, "wp_", schema.DefaultNames(), func([]schema.ZoneChange) {})
	is := strings.ReplaceAll(was, "2037-11-08 18:00:00 2037-11-08 20:00:00 7200 0", "2037-11-08 19:00:00 2037-11-08 21:00:00 7200 1")
	if got := zonesOf(t, db, 9001); err != nil || left != 0 || got != is || got == was {
		t.Errorf("%d left, %v:\n%s\nwant\n%s", left, err, got, is)
	}
}

// TestD92ZonesInMetaRows checks that times in meta rows are compared, whatever the tables of occurrences say: while The Events
// Calendar has not moved all events to these they alone count, and afterwards events show them too.
func TestD92ZonesInMetaRows(t *testing.T) {
	for _, phase := range []string{"migration-prompt", "migration-in-progress", "migration-complete"} {
		db := testdb.SiteA(t)
		for _, id := range []int64{9001, 9002} {
			zoned(t, db, id, "Europe/Brussels", "2037-11-07 20:00:00", "2037-11-07 18:00:00", "2037-11-07 22:00:00", "2037-11-07 20:00:00")
		}
		must.Get(schema.Backfill(t.Context(), db, "wp_", schema.DefaultNames()))(t)
		for _, table := range []string{"wp_tec_events", "wp_tec_occurrences"} {
			run(t, db, "UPDATE "+table+" SET start_date_utc = '2037-11-07 19:00:00', end_date_utc = '2037-11-07 21:00:00' "+
				"WHERE post_id = 9001")
			run(t, db, "DELETE FROM "+table+" WHERE post_id = 9002")
		}
		run(t, db, "REPLACE INTO wp_options (option_name, option_value, autoload) VALUES ('active_plugins', "+
			"'a:1:{i:0;s:43:\"the-events-calendar/the-events-calendar.php\";}', 'on'), ('tec_ct1_migration_state', "+
			fmt.Sprintf("'a:1:{s:5:\"phase\";s:%d:\"%s\";}', 'on')", len(phase), phase))
		found := func() (ids []int64) {
			for _, f := range diagnose(t, db, "wp_").Findings {
				if f.Check == "zones" {
					ids = append(ids, f.Examples...)
				}
			}
			return ids
		}
		if ids := found(); !slices.Equal(ids, []int64{9001, 9002}) {
			t.Errorf("%s: found %d", phase, ids)
		}
		left, err := schema.RepairZones(t.Context(), db, "wp_", schema.DefaultNames(), func([]schema.ZoneChange) {})
		if ids := found(); err != nil || left != 0 || len(ids) != 0 {
			t.Errorf("%s: after the repair %d, %d left: %v", phase, ids, left, err)
		}
		for id, rows := range map[int64]string{
			9001: "\nrow 2037-11-07 20:00:00 2037-11-07 19:00:00 2037-11-07 21:00:00 7200" +
				"\noccurrence 2037-11-07 20:00:00 2037-11-07 19:00:00 2037-11-07 21:00:00 7200 0",
			9002: "",
		} {
			want := "_EventDuration=7200\n_EventEndDateUTC=2037-11-07 21:00:00\n_EventStartDateUTC=2037-11-07 19:00:00\n" +
				"_EventTimezoneAbbr=CET" + rows
			if got := zonesOf(t, db, id); got != want {
				t.Errorf("%s: event %d has\n%s\nwant\n%s", phase, id, got, want)
			}
		}
	}
}
