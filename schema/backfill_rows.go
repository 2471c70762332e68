package schema

import (
	"cmp"
	"context"
	"crypto/sha1"
	"encoding/hex"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/uptrace/bun"
)

// MaxDuration is the greatest duration, in seconds, that tec_events and tec_occurrences can store, about 97 days. A
// longer duration is stored as MaxDuration; the post meta contains the real one.
const MaxDuration = 8388607

// maxZone is the length of the column tec_events.timezone. The Events Calendar writes without strict SQL mode, so that
// MySQL truncates longer names.
const maxZone = 30

var dateKeys = []string{MetaStartDate, MetaEndDate, MetaStartDateUTC, MetaEndDateUTC, MetaDuration, MetaTimezone}

// OccurrenceHash returns the hash by which The Events Calendar identifies an occurrence: the SHA-1, in hexadecimal, of
// the post's id, the dates and the duration. The duration must be the stored one, at most MaxDuration.
func OccurrenceHash(o Occurrence) string {
	sum := sha1.Sum(fmt.Appendf(nil, "%d:%s:%s:%s:%s:%d", o.PostID, o.StartDate, o.EndDate, o.StartDateUTC, o.EndDateUTC, o.Duration))
	return hex.EncodeToString(sum[:])
}

// DateRow returns the row of an event in tec_events, made from its meta values. ok is false if it has no valid dates,
// or an end before its start.
func DateRow(post int64, meta map[string]string, siteZone string) (row *EventRow, ok bool) {
	row = &EventRow{
		PostID: post, StartDate: meta[MetaStartDate], EndDate: meta[MetaEndDate],
		StartDateUTC: meta[MetaStartDateUTC], EndDateUTC: meta[MetaEndDateUTC],
		Timezone: cmp.Or(meta[MetaTimezone], siteZone),
	}
	start, okStart := parseDate(row.StartDateUTC)
	end, okEnd := parseDate(row.EndDateUTC)
	_, okLocalStart := parseDate(row.StartDate)
	_, okLocalEnd := parseDate(row.EndDate)
	if !okStart || !okEnd || !okLocalStart || !okLocalEnd || row.EndDate < row.StartDate || !zoneForm.MatchString(row.Timezone) {
		return nil, false
	}
	elapsed := end.Unix() - start.Unix() // a time.Duration would overflow after 292 years
	row.Duration = elapsed
	if stored := strings.TrimSpace(meta[MetaDuration]); stored != "" && stored != "0" {
		seconds, err := strconv.ParseInt(stored, 10, 64)
		if err != nil {
			return nil, false
		}
		row.Duration = seconds
	}
	if elapsed < 0 || row.Duration < 0 || row.Duration > elapsed {
		return nil, false
	}
	row.Duration = min(row.Duration, MaxDuration)
	row.Timezone = row.Timezone[:min(len(row.Timezone), maxZone)]
	return row, true
}

// Occurrence returns the occurrence of a single event, without its ids and hash.
func (e *EventRow) Occurrence() Occurrence {
	return Occurrence{
		PostID: e.PostID, StartDate: e.StartDate, StartDateUTC: e.StartDateUTC,
		EndDate: e.EndDate, EndDateUTC: e.EndDateUTC, Duration: e.Duration,
	}
}

// parseDate parses a stored date in exactly one format. The column would accept others, but then the hash would differ.
func parseDate(s string) (time.Time, bool) {
	at, err := time.Parse(time.DateTime, s)
	return at, err == nil && len(s) == len(time.DateTime)
}

// zoneForm matches a stored time zone: a name, an abbreviation, an offset, or UTC followed by anything. It is not used
// for computing, so the zone does not have to exist in the local time zone database.
var zoneForm = regexp.MustCompile(`^(UTC[ -~]*|[A-Za-z][A-Za-z0-9_+-]*(/[A-Za-z0-9_+-]+)*|[+-][0-9]{1,2}(:?[0-9]{2})?)$`)

// siteZone returns the zone of events that store none: the site's zone, or its UTC offset in the form in which The
// Events Calendar writes it.
func siteZone(ctx context.Context, db bun.IDB) (string, error) {
	var options []Option
	err := db.NewSelect().Model(&options).Where("option_name IN (?)", bun.List([]string{OptionTimezone, OptionGMTOffset})).Scan(ctx)
	if err != nil {
		return "", err
	}
	values := make(map[string]string, len(options))
	for _, o := range options {
		values[o.Name] = strings.TrimSpace(o.Value)
	}
	if name := values[OptionTimezone]; name != "" {
		return name, nil
	}
	hours, _ := strconv.ParseFloat(values[OptionGMTOffset], 64)
	return fmt.Sprintf("UTC%+g", hours), nil
}

// insertEvents inserts the missing rows of tec_events and sets the id of every row, new or not. If an event's
// occurrence refers to a row that was lost, the new row gets that id, unless it is in use.
func insertEvents(ctx context.Context, tx bun.Tx, gaps []gap, rows map[int64]*EventRow) error {
	var named, fresh []*EventRow
	taken, err := eventIDs(ctx, tx, gaps)
	if err != nil {
		return err
	}
	for _, g := range gaps {
		row := rows[g.PostID]
		switch {
		case g.EventID != 0:
		case g.OccurrenceOf > 0 && !slices.Contains(taken, g.OccurrenceOf):
			row.ID = g.OccurrenceOf
			taken = append(taken, row.ID)
			named = append(named, row)
		default:
			fresh = append(fresh, row)
		}
	}
	if len(named) > 0 {
		q := tx.NewInsert().Model(&named).ExcludeColumn("updated_at")
		if err := insertNaming(ctx, tx, eventsTable, q); err != nil {
			return err
		}
	}
	if len(fresh) > 0 {
		q := tx.NewInsert().Model(&fresh).ExcludeColumn("event_id", "updated_at")
		if err := insertNaming(ctx, tx, eventsTable, q); err != nil {
			return err
		}
	}
	return readEventIDs(ctx, tx, rows)
}

// eventIDs returns which of the ids in the gaps' occurrences are in use in tec_events.
func eventIDs(ctx context.Context, tx bun.Tx, gaps []gap) (taken []int64, err error) {
	var asked []int64
	for _, g := range gaps {
		if g.EventID == 0 && g.OccurrenceOf > 0 {
			asked = append(asked, g.OccurrenceOf)
		}
	}
	if len(asked) == 0 {
		return nil, nil
	}
	err = tx.NewSelect().Model((*EventRow)(nil)).Column("event_id").Where("event_id IN (?)", bun.List(asked)).Scan(ctx, &taken)
	return taken, err
}

// readEventIDs reads the ids of inserted rows, since the ids that drivers compute for an insert of several rows can be
// wrong.
func readEventIDs(ctx context.Context, tx bun.Tx, rows map[int64]*EventRow) error {
	var stored []EventRow
	err := tx.NewSelect().Model(&stored).Column("event_id", "post_id").
		Where("post_id IN (?)", bun.List(slices.Collect(maps.Keys(rows)))).Scan(ctx)
	for _, s := range stored {
		rows[s.PostID].ID = s.ID
	}
	return err
}

func insertOccurrences(ctx context.Context, tx bun.Tx, gaps []gap, rows map[int64]*EventRow) error {
	var occurrences []*Occurrence
	for _, g := range gaps {
		if g.OccurrenceOf >= 0 {
			continue
		}
		e := rows[g.PostID]
		o := e.Occurrence()
		o.EventID, o.Hash = e.ID, OccurrenceHash(o)
		occurrences = append(occurrences, &o)
	}
	if len(occurrences) == 0 {
		return nil
	}
	return insertNaming(ctx, tx, occurrencesTable,
		tx.NewInsert().Model(&occurrences).ExcludeColumn("occurrence_id", "updated_at"))
}
