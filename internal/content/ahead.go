package content

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/agendahq/agenda/internal/recurrence"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/store/dberr"
	"github.com/agendahq/agenda/internal/wp/rset"
	"github.com/agendahq/agenda/internal/wp/strtotime"
	"github.com/agendahq/agenda/schema"
)

// The occurrences of a rule without an end are stored up to a horizon that the site's settings define. As time passes
// the horizon moves, and DatesAhead adds the occurrences that have come within it.

const (
	// aheadEvery is how far the horizon must move before occurrences are added again.
	aheadEvery = 24 * time.Hour
	// maxAhead is the maximum number of events that one round of DatesAhead writes.
	maxAhead = 200
)

// ahead is the progress of DatesAhead in this process.
type ahead struct {
	mu    sync.Mutex
	made  time.Time // the horizon of the last round that was completed
	after int64     // the id of the last event that an incomplete round processed
}

// DatesAhead adds the occurrences that have come within the horizon since the last round to the events whose rules have
// no end. It runs only on a site that Agenda created, at most once a day, and writes a bounded number of events.
// Several processes may call it at the same time: the first of them locks an event and adds what is missing. An event
// that cannot be written does not stop the others.
func (u *Upkeep) DatesAhead(ctx context.Context) error {
	settings := site.From(ctx)
	if settings.DateForm != schema.DatesOwn || !u.store.DB.Dated() || !u.ahead.mu.TryLock() {
		return nil
	}
	defer u.ahead.mu.Unlock()
	horizon := u.clock.Moment(ctx).AddDate(0, settings.MonthsAhead, 0)
	if d := horizon.Sub(u.ahead.made); -aheadEvery < d && d < aheadEvery {
		return nil
	}
	var failed []error
	for written := 0; written < maxAhead; {
		sets, err := u.store.Events.Endless(ctx, u.ahead.after, dueBatch)
		if err != nil {
			return errors.Join(append(failed, err)...)
		}
		for _, set := range sets {
			if len(u.missing(ctx, &set, horizon)) > 0 {
				written++
				if err := u.addDates(ctx, set.Post, horizon); err != nil {
					failed = append(failed, fmt.Errorf("dates of event %d: %w", set.Post, err))
					if ctx.Err() != nil || dberr.FaultOf(err) != dberr.NoFault {
						return errors.Join(failed...)
					}
				}
			}
			if u.ahead.after = set.Post; written == maxAhead {
				return errors.Join(failed...)
			}
		}
		if len(sets) < dueBatch {
			u.ahead.made, u.ahead.after = horizon, 0
			break
		}
	}
	return errors.Join(failed...)
}

// missing returns the occurrences of a rule without an end that are not stored yet: from the last stored one, or from
// now, up to the horizon.
func (u *Upkeep) missing(ctx context.Context, set *store.EndlessSet, horizon time.Time) (list []rset.Period) {
	parsed := rset.Parse(set.Text)
	start, _ := parsed.Start()
	finish, ended := parsed.End()
	r, err := recurrence.Parse(parsed.Rule(), start)
	if err != nil || !ended || !r.Endless() || len(parsed.Unknown()) > 0 || parsed.Excepts() {
		return nil
	}
	loc := zoneOf(ctx, set.Zone)
	from := recurrence.Wall(u.clock.Moment(ctx).In(loc))
	last, made := strtotime.ParseWall(set.Last, time.UTC)
	if made && last.After(from) {
		from = last
	}
	excluded, added := parsed.Excluded(), parsed.Dates()
	for _, p := range added {
		excluded = append(excluded, p.Start)
	}
	// The future occurrences, with the added dates, are at most MaxDates. They are generated again once half of them
	// have passed.
	now, end := recurrence.Wall(u.clock.Moment(ctx).In(loc)), recurrence.Wall(horizon.In(loc))
	most := max(MaxDates-len(added), 1)
	room := most
	if made && last.After(now) {
		come, _ := r.Dates(recurrence.ClockIn(loc), now, last, most)
		room -= len(come)
		if _, more := r.Dates(recurrence.ClockIn(loc), now, end, most); more && room <= most/2 {
			return nil
		}
	}
	dates, _ := r.Dates(recurrence.ClockIn(loc), from, end, max(room, 1))
	if len(dates) == 0 && !(made && last.After(now)) { // at least one must be in the future
		dates, _ = r.Dates(recurrence.ClockIn(loc), from, from.AddDate(maxYears, 0, 0), 1)
	}
	for _, at := range dates {
		if wall := recurrence.Wall(at); wall.After(last) && !slices.ContainsFunc(excluded, wall.Equal) {
			list = append(list, rset.Period{Start: wall, End: wall.Add(finish.Sub(start))})
		}
	}
	return list
}

// zoneOf returns the time zone with a name, or the site's if the name is not known.
func zoneOf(ctx context.Context, name string) *time.Location {
	if loc, ok := strtotime.Zone(name); ok {
		return loc
	}
	return site.From(ctx).Location
}

// addDates adds the occurrences that an event lacks up to the horizon. Where it would have more than MaxDates, the
// oldest past ones are removed, except the main occurrence and explicit dates. This is not an edit, so the event is not
// marked as modified.
func (u *Upkeep) addDates(ctx context.Context, id int64, horizon time.Time) error {
	return u.service.Write(ctx, func(ctx context.Context) error {
		d, err := u.service.Open(ctx, id)
		if err != nil || d == nil || d.Row.Type != u.service.Types.Events().PostType {
			return err
		}
		stored, err := u.service.Occurrences.StoredDates(ctx, d)
		if err != nil {
			return err
		}
		set := &store.EndlessSet{Text: stored.Event.Rset, Zone: stored.Event.Timezone}
		starts, sequence := map[string]bool{}, int64(1)
		for i := range stored.Rows {
			r := &stored.Rows[i]
			if starts[r.StartDate], sequence = true, max(sequence, r.Sequence); r.IsRdate == 0 {
				set.Last = max(set.Last, r.StartDate)
			}
		}
		loc := zoneOf(ctx, set.Zone)
		var rows []*schema.OccurrenceDates
		for _, p := range u.missing(ctx, set, horizon) {
			date := planned{Date: dateOn(p, loc), Marks: store.Marks{Several: true}}
			if !starts[date.Start] {
				rows = append(rows, date.inserted(date.occurrence(0, id), sequence))
			}
		}
		if len(rows) == 0 {
			return nil
		}
		passed := passedDates(stored, recurrence.Wall(u.clock.Moment(ctx).In(loc)).Format(time.DateTime))
		over := max(len(stored.Rows)+len(rows)-MaxDates, 0)
		if keep := max(len(rows)-max(over-len(passed), 0), 1); keep < len(rows) {
			rows = rows[:keep]
		}
		if err := u.store.Events.AddDates(ctx, stored, rows, passed[:min(over, len(passed))]); err != nil {
			return err
		}
		if err := u.service.Changes.RecordChanges(ctx, u.service.Changes.change(d, OpUpdate, d.Stored.Status)); err != nil {
			return err
		}
		return u.service.calendarRange.updateRange(ctx, d)
	})
}

// passedDates returns the ids of the occurrences that the event's rule generates and that began before now, which is on
// the event's clock, oldest first. The main occurrence is not included.
func passedDates(stored *store.Dates, now string) (ids []int64) {
	rows := slices.Clone(stored.Rows)
	slices.SortFunc(rows, func(a, b schema.OccurrenceDates) int { return strings.Compare(a.StartDate, b.StartDate) })
	for i := range rows {
		if r := &rows[i]; r.IsRdate == 0 && r.StartDate < now && r.StartDate != stored.Event.StartDate {
			ids = append(ids, r.ID)
		}
	}
	return ids
}
