package schema

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/wp/strtotime"
)

// checkZones is the name of the check for events whose UTC times do not match their local times.
const checkZones = "zones"

// zonesOfOthers is added on sites where The Events Calendar computes dates too.
const zonesOfOthers = "The Events Calendar computes UTC times with the zone data of PHP: where that is the older one, it stores such " +
	"times again; update it first"

// askZones finds upcoming events whose local time, time zone and UTC time do not match. They were stored before the
// rules of their zone changed, or by a program with other time zone data.
func askZones(ctx context.Context, p *examinedDB) ([]Finding, error) {
	z := &zoneCheck{db: p, now: time.Now(), names: p.names, dates: p.Report.Dates, unmigrated: p.unmigrated}
	stale, err := z.stale(ctx)
	if err != nil || len(stale) == 0 {
		return nil, err
	}
	options, _, err := p.options(ctx, DateFormOptions()...)
	if err != nil {
		return nil, err
	}
	own := DateFormOf(options) == DatesOwn
	foreign := map[int64]bool{}
	if !own {
		if foreign, err = z.ofOthers(ctx, stale); err != nil {
			return nil, err
		}
	}
	f := finding(Warning, checkZones, "compare the zone data above, then run 'agenda doctor --run zones', which computes them again",
		"upcoming events whose UTC times differ from this program's zone data: %d", len(stale))
	if !own {
		f.Advice += ". " + zonesOfOthers
	}
	if n := len(foreign); n > 0 {
		f.Text += fmt.Sprintf(", of which %d have several dates that only other software computes", n)
	}
	f.Examples = stale[:min(len(stale), someExamples)]
	return []Finding{f}, nil
}

// zoneCheck compares stored UTC times with those computed from the local times.
type zoneCheck struct {
	db    bun.IDB
	now   time.Time
	names Names
	dates DateColumns

	unmigrated bool // the tables of occurrences do not count
}

// zonedTimes are the times of an occurrence as they are stored.
type zonedTimes struct {
	Post                         int64
	Zone                         string
	Start, StartUTC, End, EndUTC string
}

// renew recomputes the UTC times that do not match the local times. It reports whether any did not. It ignores zones
// that are not in the time zone database, such as offsets, since they do not change.
func (t *zonedTimes) renew() bool {
	loc, known := strtotime.Zone(t.Zone)
	if !known || !strtotime.Named(loc) {
		return false
	}
	changed := false
	for _, one := range [...]struct {
		wall string
		utc  *string
	}{{t.Start, &t.StartUTC}, {t.End, &t.EndUTC}} {
		at, ok := strtotime.ParseWall(one.wall, loc)
		if ok && !strtotime.Agree(one.wall, *one.utc, loc) {
			*one.utc, changed = strtotime.Wall(at.UTC()), true
		}
	}
	return changed
}

// upcoming returns the UTC time before which occurrences have certainly ended. It is a day ago, since stored times may
// be wrong by some hours.
func (z *zoneCheck) upcoming() string { return strtotime.Wall(z.now.UTC().AddDate(0, 0, -1)) }

// stale returns the sorted ids of upcoming events whose stored times do not match, in meta rows or in occurrences. It reads
// each in one query.
func (z *zoneCheck) stale(ctx context.Context) ([]int64, error) {
	found := map[int64]bool{}
	err := z.staleMetas(ctx, found)
	if err == nil && z.dates.Events && z.dates.Occurrences && !z.unmigrated {
		err = z.staleOccurrences(ctx, found)
	}
	if err != nil {
		return nil, err
	}
	ids := slices.Sorted(maps.Keys(found))
	var events []int64
	for some := range slices.Chunk(ids, batchSize) {
		var of []int64
		err := z.db.NewSelect().TableExpr("?(prefix)posts AS p").Column("p.ID").Where("p.ID IN (?)", bun.List(some)).
			Where("p.post_type = ?", z.names.Event).Where("p.post_status <> ?", StatusAutoDraft).OrderExpr("p.ID").Scan(ctx, &of)
		if err != nil {
			return nil, err
		}
		events = append(events, of...)
	}
	return events, nil
}

// staleOccurrences finds the events of upcoming occurrences.
func (z *zoneCheck) staleOccurrences(ctx context.Context, found map[int64]bool) error {
	q := z.db.NewSelect().TableExpr("?(prefix)tec_occurrences AS o").Join("JOIN ?(prefix)tec_events AS te ON te.post_id = o.post_id").
		ColumnExpr("o.post_id").ColumnExpr("COALESCE(te.timezone, '')").ColumnExpr(asText("o.start_date")).
		ColumnExpr(asText("o.start_date_utc")).ColumnExpr(asText("o.end_date")).ColumnExpr(asText("o.end_date_utc")).
		Where("o.end_date_utc >= ?", z.upcoming())
	rows, err := q.Rows(ctx)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var t zonedTimes
		if err := rows.Scan(&t.Post, &t.Zone, &t.Start, &t.StartUTC, &t.End, &t.EndUTC); err != nil {
			return err
		}
		if t.renew() {
			found[t.Post] = true
		}
	}
	return errors.Join(rows.Err(), rows.Close())
}

// staleMetas finds events by the dates in meta rows, which it reads as they come: to join those of an event takes the server three
// times as long. The first row of a key counts.
func (z *zoneCheck) staleMetas(ctx context.Context, found map[int64]bool) error {
	keys := []string{MetaTimezone, MetaStartDate, MetaStartDateUTC, MetaEndDate, MetaEndDateUTC}
	type gathered struct {
		texts [5]string // by the index of their key
		n     int
	}
	rows, err := z.db.NewSelect().TableExpr("?(prefix)postmeta AS m").ColumnExpr("m.post_id, m.meta_key, m.meta_value").
		Where("m.meta_key IN (?)", bun.List(keys)).Where("m.meta_value <> ''").Rows(ctx)
	if err != nil {
		return err
	}
	defer rows.Close()
	waiting := map[int64]*gathered{}
	for rows.Next() {
		var post int64
		var key, value string
		if err := rows.Scan(&post, &key, &value); err != nil {
			return err
		}
		i, g := slices.Index(keys, key), waiting[post]
		if g == nil {
			g = &gathered{}
			waiting[post] = g
		}
		if i < 0 || g.texts[i] != "" {
			continue
		}
		if g.texts[i], g.n = value, g.n+1; g.n < len(keys) {
			continue
		}
		delete(waiting, post)
		t := zonedTimes{post, g.texts[0], g.texts[1], g.texts[2], g.texts[3], g.texts[4]}
		if t.EndUTC >= z.upcoming() && t.renew() {
			found[post] = true
		}
	}
	return errors.Join(rows.Err(), rows.Close())
}

// asText returns an expression that reads a date column as a string.
func asText(column string) string { return "COALESCE(CAST(" + column + " AS CHAR), '')" }

// ofOthers returns which of some events are recurring and maintained by Events Calendar Pro.
func (z *zoneCheck) ofOthers(ctx context.Context, posts []int64) (map[int64]bool, error) {
	found := map[int64]bool{}
	for some := range slices.Chunk(posts, batchSize) {
		var events []struct {
			ID         int64
			Several    bool
			Recurrence string
		}
		recurrence := z.db.NewSelect().TableExpr("?(prefix)postmeta AS m").ColumnExpr("MAX(m.meta_value)").Where("m.post_id = p.ID").
			Where("m.meta_key = ?", MetaRecurrence)
		err := z.db.NewSelect().TableExpr("?(prefix)posts AS p").ColumnExpr("p.ID AS id").
			ColumnExpr("? AS several", z.dates.Several("p.ID")).ColumnExpr("COALESCE((?), '') AS recurrence", recurrence).
			Where("p.ID IN (?)", bun.List(some)).Scan(ctx, &events)
		if err != nil && !errors.Is(err, sql.ErrNoRows) {
			return nil, err
		}
		for _, e := range events {
			if e.Several || Recurs(e.Recurrence) {
				found[e.ID] = true
			}
		}
	}
	return found, nil
}

// ZoneChange is an occurrence whose UTC times RepairZones has recomputed. Times are in the format "2006-01-02
// 15:04:05".
type ZoneChange struct {
	Post                                     int64 // id of the event
	Zone, Start                              string
	WasStartUTC, StartUTC, WasEndUTC, EndUTC string
}

// compare orders changes by event and start.
func (c ZoneChange) compare(other ZoneChange) int {
	return cmp.Or(cmp.Compare(c.Post, other.Post), cmp.Compare(c.Start, other.Start))
}
