package schema

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/wp/strtotime"
)

// zonesAtOnce is how many events RepairZones changes in one transaction.
const zonesAtOnce = 100

// RepairZones recomputes the UTC times of upcoming occurrences that do not match their local times, which are kept,
// with this program's time zone data. Meta rows, tec_events and tec_occurrences are changed together, 100 events in a
// transaction. If there is an error, the transactions before it remain. done is called after each transaction with its
// changes. Recurring events that Events Calendar Pro maintains are left alone; RepairZones returns their number.
//
// The database may belong to another program, so run RepairZones only if its owner agrees.
func RepairZones(ctx context.Context, db *bun.DB, prefix string, names Names, done func([]ZoneChange)) (left int, err error) {
	db, err = Bind(db, prefix)
	if err == nil {
		left, err = repairZones(ctx, db, prefix, names, done)
	}
	if err != nil {
		return left, fmt.Errorf("schema: zones: %w", err)
	}
	return left, nil
}

func repairZones(ctx context.Context, db *bun.DB, prefix string, names Names, done func([]ZoneChange)) (int, error) {
	dates, err := ReadDateColumns(ctx, db)
	if err != nil {
		return 0, err
	}
	options, _, err := storedOptions(ctx, db, prefix, slices.Concat(DateFormOptions(), MigrationOptions()))
	if err != nil {
		return 0, err
	}
	z := &zoneCheck{db: db, now: time.Now(), names: names, dates: dates}
	_, z.unmigrated = Unmigrated(options)
	stale, err := z.stale(ctx)
	if err != nil || len(stale) == 0 {
		return 0, err
	}
	foreign := map[int64]bool{}
	if DateFormOf(options) != DatesOwn {
		if foreign, err = z.ofOthers(ctx, stale); err != nil {
			return 0, err
		}
	}
	companion, err := HasCompanion(ctx, db, prefix)
	if err != nil {
		return 0, err
	}
	stale = slices.DeleteFunc(stale, func(post int64) bool { return foreign[post] })
	for posts := range slices.Chunk(stale, zonesAtOnce) {
		var changed []ZoneChange
		err := repeated(func() error {
			return db.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) (err error) {
				r := &zoneRepair{tx: tx, zoneCheck: z}
				err = r.repair(ctx, posts)
				if changed = r.changed; err != nil || !companion || len(changed) == 0 {
					return err
				}
				var touched Touched
				for _, c := range changed {
					touched.Posts(c.Post)
				}
				return touched.Insert(ctx, tx, prefix)
			})
		})
		if err != nil {
			return len(foreign), err
		}
		slices.SortFunc(changed, ZoneChange.compare)
		done(changed)
	}
	return len(foreign), nil
}

type zoneRepair struct {
	*zoneCheck
	tx      bun.Tx
	changed []ZoneChange
}

func (r *zoneRepair) repair(ctx context.Context, posts []int64) error {
	lock := r.tx.NewSelect().TableExpr("?(prefix)posts AS p").Column("p.ID").Where("p.ID IN (?)", bun.List(posts)).OrderExpr("p.ID")
	if !isSQLite(r.tx) {
		lock = lock.For("UPDATE") // as other writers of events do
	}
	var locked []int64
	if err := lock.Scan(ctx, &locked); err != nil {
		return err
	}
	if r.dates.Events && r.dates.Occurrences {
		if err := r.rows(ctx, locked); err != nil {
			return err
		}
	}
	return r.metas(ctx, locked)
}

// recordChange records the change of an occurrence, unless it is recorded already.
func (r *zoneRepair) recordChange(was, is zonedTimes) {
	c := ZoneChange{is.Post, is.Zone, is.Start, was.StartUTC, is.StartUTC, was.EndUTC, is.EndUTC}
	if !slices.ContainsFunc(r.changed, func(other ZoneChange) bool { return other.compare(c) == 0 }) {
		r.changed = append(r.changed, c)
	}
}

// withTimes selects the times in a table of occurrences as strings.
func withTimes(q *bun.SelectQuery, table string) *bun.SelectQuery {
	for _, name := range []string{"start_date", "end_date", "start_date_utc", "end_date_utc"} {
		q = q.ColumnExpr(asText(table+"."+name) + " AS " + name)
	}
	return q.ColumnExpr("COALESCE(?, 0) AS duration", bun.Ident(table+".duration"))
}

// rows updates the rows of events in tec_events and tec_occurrences.
func (r *zoneRepair) rows(ctx context.Context, posts []int64) error {
	var events []EventRow
	err := withTimes(r.tx.NewSelect().Model(&events).Column("event_id", "post_id").ColumnExpr("COALESCE(te.timezone, '') AS timezone"),
		"te").
		Where("te.post_id IN (?)", bun.List(posts)).OrderExpr("te.event_id").Scan(ctx)
	if err != nil {
		return err
	}
	zones := map[int64]string{}
	for i := range events {
		e := &events[i]
		zones[e.PostID] = e.Timezone
		t := zonedTimes{e.PostID, e.Timezone, e.StartDate, e.StartDateUTC, e.EndDate, e.EndDateUTC}
		if was := t; e.EndDateUTC >= r.upcoming() && t.renew() {
			e.Duration = min(lasting(e.Duration, was, t), MaxDuration)
			e.StartDateUTC, e.EndDateUTC = t.StartUTC, t.EndUTC
			if _, err := r.tx.NewUpdate().Model(e).Column("start_date_utc", "end_date_utc", "duration").WherePK().Exec(ctx); err != nil {
				return err
			}
		}
	}
	var occurrences []Occurrence
	err = withTimes(r.tx.NewSelect().Model(&occurrences).Column("occurrence_id", "event_id", "post_id"), "oc").
		Where("oc.post_id IN (?)", bun.List(posts)).Where("oc.end_date_utc >= ?", r.upcoming()).OrderExpr("oc.occurrence_id").Scan(ctx)
	if err != nil {
		return err
	}
	for i := range occurrences {
		o := &occurrences[i]
		t := zonedTimes{o.PostID, zones[o.PostID], o.StartDate, o.StartDateUTC, o.EndDate, o.EndDateUTC}
		was := t
		if !t.renew() {
			continue
		}
		r.recordChange(was, t)
		o.Duration = min(lasting(o.Duration, was, t), MaxDuration)
		o.StartDateUTC, o.EndDateUTC = t.StartUTC, t.EndUTC
		o.Hash = OccurrenceHash(*o)
		_, err := r.tx.NewUpdate().Model(o).Column("start_date_utc", "end_date_utc", "duration", "hash").WherePK().Exec(ctx)
		if err != nil {
			return err
		}
	}
	return nil
}

// lasting returns the new duration, in seconds, of an occurrence that changed. A duration that matched its old times
// matches the new ones afterwards. A shorter one is kept, if it still fits.
func lasting(duration int64, was, is zonedTimes) int64 {
	now := elapsed(is)
	if duration == elapsed(was) || duration > now {
		return max(now, 0)
	}
	return duration
}

func elapsed(t zonedTimes) int64 {
	start, _ := parseDate(t.StartUTC)
	end, _ := parseDate(t.EndUTC)
	return end.Unix() - start.Unix()
}

// metas updates the meta rows of events.
func (r *zoneRepair) metas(ctx context.Context, posts []int64) error {
	events, err := oldestMetas(ctx, r.tx, posts, append(slices.Clone(dateKeys), MetaTimezoneAbbr))
	if err != nil {
		return err
	}
	for _, post := range posts {
		if err := r.meta(ctx, post, events[post]); err != nil {
			return err
		}
	}
	return nil
}

// meta updates the meta rows that an event has.
func (r *zoneRepair) meta(ctx context.Context, post int64, rows map[string]*PostMeta) error {
	text := func(key string) string {
		if m := rows[key]; m != nil {
			return m.Value
		}
		return ""
	}
	t := zonedTimes{
		post, text(MetaTimezone), text(MetaStartDate), text(MetaStartDateUTC), text(MetaEndDate), text(MetaEndDateUTC),
	}
	was := t
	if t.EndUTC < r.upcoming() || !t.renew() {
		return nil
	}
	r.recordChange(was, t)
	values := map[string]string{MetaStartDateUTC: t.StartUTC, MetaEndDateUTC: t.EndUTC}
	if stored, err := strconv.ParseInt(text(MetaDuration), 10, 64); err == nil {
		values[MetaDuration] = strconv.FormatInt(lasting(stored, was, t), 10)
	}
	start, _ := strtotime.ParseWall(t.StartUTC, time.UTC)
	if short, known := strtotime.Abbreviation(t.Zone, start); known {
		values[MetaTimezoneAbbr] = short
	}
	for _, key := range []string{MetaStartDateUTC, MetaEndDateUTC, MetaDuration, MetaTimezoneAbbr} {
		value, changes := values[key]
		if m := rows[key]; changes && m != nil && m.Value != value {
			m.Value = value
			if _, err := r.tx.NewUpdate().Model(m).Column("meta_value").WherePK().Exec(ctx); err != nil {
				return err
			}
		}
	}
	return nil
}
