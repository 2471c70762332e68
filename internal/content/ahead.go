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
	"github.com/agendahq/agenda/internal/wp/rset"
	"github.com/agendahq/agenda/internal/wp/strtotime"
	"github.com/agendahq/agenda/schema"
)

// The dates of a rule without an end are made as far ahead as the settings of the site say. As time goes on they get more, which
// DatesAhead adds.

const (
	// aheadEvery is how far the horizon moves before dates are made again.
	aheadEvery = 24 * time.Hour
	// maxAhead is how many events a round writes at most.
	maxAhead = 200
)

// ahead is how far the dates of rules without an end are made by this process.
type ahead struct {
	mu    sync.Mutex
	made  time.Time // the horizon of the last round that came to an end
	after int64     // the last event that a round looked at which did not
}

// DatesAhead adds the dates that have come within the horizon since they were made last to events whose rules have no end, on a
// site of our own, at most once a day and for a bounded number of events. Several processes may do so at the same time: an event
// is locked, and has what is missing added, by the first of them. One that cannot be written does not stop the others.
func (s *Service) DatesAhead(ctx context.Context) error {
	settings := site.From(ctx)
	if settings.DateForm != schema.DatesOwn || !s.Store.DB.Dated() || !s.ahead.mu.TryLock() {
		return nil
	}
	defer s.ahead.mu.Unlock()
	horizon := s.Moment(ctx).AddDate(0, settings.MonthsAhead, 0)
	if d := horizon.Sub(s.ahead.made); -aheadEvery < d && d < aheadEvery {
		return nil
	}
	var failed []error
	for written := 0; written < maxAhead; {
		sets, err := s.Store.Events.Endless(ctx, s.ahead.after, dueBatch)
		if err != nil {
			return errors.Join(append(failed, err)...)
		}
		for _, set := range sets {
			if len(s.missing(ctx, &set, horizon)) > 0 {
				written++
				if err := s.addDates(ctx, set.Post, horizon); err != nil {
					failed = append(failed, fmt.Errorf("dates of event %d: %w", set.Post, err))
					if ctx.Err() != nil || store.FaultOf(err) != store.NoFault {
						return errors.Join(failed...)
					}
				}
			}
			if s.ahead.after = set.Post; written == maxAhead {
				return errors.Join(failed...)
			}
		}
		if len(sets) < dueBatch {
			s.ahead.made, s.ahead.after = horizon, 0
			break
		}
	}
	return errors.Join(failed...)
}

// missing returns the dates of a rule without an end from the last that was made, or from now on, to the horizon.
func (s *Service) missing(ctx context.Context, set *store.EndlessSet, horizon time.Time) (list []rset.Period) {
	parsed := rset.Parse(set.Text)
	start, _ := parsed.Start()
	finish, ended := parsed.End()
	r, err := recurrence.Parse(parsed.Rule(), start)
	if err != nil || !ended || !r.Endless() || len(parsed.Unknown()) > 0 || parsed.Excepts() {
		return nil
	}
	loc := zoneOf(ctx, set)
	from := recurrence.Wall(s.Moment(ctx).In(loc))
	last, made := strtotime.ParseWall(set.Last, time.UTC)
	if made && last.After(from) {
		from = last
	}
	excluded, added := parsed.Excluded(), parsed.Dates()
	for _, p := range added {
		excluded = append(excluded, p.Start)
	}
	// The dates to come are at most MaxDates with those added, and made anew when half of them have passed.
	now, end := recurrence.Wall(s.Moment(ctx).In(loc)), recurrence.Wall(horizon.In(loc))
	most := max(MaxDates-len(added), 1)
	room := most
	if made && last.After(now) {
		come, _ := r.Dates(recurrence.In(loc), now, last, most)
		room -= len(come)
		if _, more := r.Dates(recurrence.In(loc), now, end, most); more && room <= most/2 {
			return nil
		}
	}
	dates, _ := r.Dates(recurrence.In(loc), from, end, max(room, 1))
	if len(dates) == 0 && !(made && last.After(now)) { // at least one is to come
		dates, _ = r.Dates(recurrence.In(loc), from, from.AddDate(maxYears, 0, 0), 1)
	}
	for _, at := range dates {
		if wall := recurrence.Wall(at); wall.After(last) && !slices.ContainsFunc(excluded, wall.Equal) {
			list = append(list, rset.Period{Start: wall, End: wall.Add(finish.Sub(start))})
		}
	}
	return list
}

// zoneOf returns the zone of a set, the site's where that is not known.
func zoneOf(ctx context.Context, set *store.EndlessSet) *time.Location {
	if loc, ok := strtotime.Zone(set.Zone); ok {
		return loc
	}
	return site.From(ctx).Location
}

// addDates adds the dates that an event lacks up to the horizon. The oldest past ones give way to them where there would be more
// than MaxDates, but for the event's own date and explicit ones. It is no edit, so the event is not modified.
func (s *Service) addDates(ctx context.Context, id int64, horizon time.Time) error {
	return s.Write(ctx, func(ctx context.Context) error {
		d, err := s.Open(ctx, id)
		if err != nil || d == nil || d.Row.Type != s.Types.Events().PostType {
			return err
		}
		stored, err := s.StoredDates(ctx, d)
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
		loc := zoneOf(ctx, set)
		var rows []*schema.OccurrenceDates
		for _, p := range s.missing(ctx, set, horizon) {
			date := planned{Date: dateOn(p, loc), Marks: store.Marks{Several: true}}
			if !starts[date.Start] {
				rows = append(rows, date.inserted(date.occurrence(0, id), sequence))
			}
		}
		if len(rows) == 0 {
			return nil
		}
		passed := passedDates(stored, recurrence.Wall(s.Moment(ctx).In(loc)).Format(time.DateTime))
		over := max(len(stored.Rows)+len(rows)-MaxDates, 0)
		if keep := max(len(rows)-max(over-len(passed), 0), 1); keep < len(rows) {
			rows = rows[:keep]
		}
		if err := s.Store.Events.AddDates(ctx, stored, rows, passed[:min(over, len(passed))]); err != nil {
			return err
		}
		if err := s.Note(ctx, s.change(d, OpUpdate, d.Stored.Status)); err != nil {
			return err
		}
		return s.updateRange(ctx, d)
	})
}

// passedDates returns the ids of the dates that follow from the rule of an event and began before a time of its clock, the oldest
// first, without the event's own date.
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
