package event

import (
	"context"
	"strconv"
	"strings"
	"time"

	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/change"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store/eventlist"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/strtotime"
)

// dateText is a valid value of a date parameter. Its meaning depends on strict_dates.
type dateText struct {
	text    string
	numeric bool
}

// defaultStart returns the start of the default range: the last minute of yesterday in UTC, converted to the site's
// zone.
func (l lister) defaultStart(ctx context.Context) any {
	return strtotime.Wall(l.events.Service.Content.Clock.Today(ctx).Add(-time.Minute).In(site.From(ctx).Location))
}

// defaultEnd returns the end of the default range: 24 months from now, in UTC. readDates knows whether its day or its
// exact time counts, and records how long the response stays valid.
func (l lister) defaultEnd(context.Context) any {
	return strtotime.Wall(l.events.Service.Content.Now().UTC().AddDate(0, 24, 0))
}

// Numbers in date parameters are seconds since 1970. They must be between these limits.
const (
	firstSecond = -62167219200 // the beginning of the year 0
	lastSecond  = 253402300799 // the end of the year 9999
)

// checkDate accepts a date text or a number of seconds since 1970.
//
// Whether a text is valid does not depend on the current time.
func (l lister) checkDate(_ context.Context, v any) (d dateText, err error) {
	s, ok := param.Scalar(v)
	if _, isBool := v.(bool); !ok || isBool || s == "" {
		return d, param.Invalid("fault_date")
	}
	if _, _, isNumber := wp.Numeric(s); isNumber {
		seconds, whole := strtotime.Seconds(s)
		if !whole || seconds < firstSecond || seconds > lastSecond {
			return d, param.Invalid("fault_date")
		}
		return dateText{text: strings.TrimSpace(s), numeric: true}, nil
	}
	m, ok := strtotime.ParseFunc(s, l.events.Service.Content.Now, time.UTC)
	if !ok || m.Time.Unix() == 0 {
		return d, param.Invalid("fault_date")
	}
	return dateText{text: s}, nil
}

// moment returns the time that a date text means at the current time now. A text without a zone is interpreted in zone.
func (d dateText) moment(now func() time.Time, zone *time.Location) time.Time {
	if d.numeric {
		if n, _ := strtotime.Seconds(d.text); n != 0 {
			return time.Unix(n, 0).UTC()
		}
		return now().UTC()
	}
	m, _ := strtotime.ParseFunc(d.text, now, zone)
	return m.Time
}

// relative reports whether the meaning of a date text depends on the current time.
func (d dateText) relative(now func() time.Time) (asked bool) {
	d.moment(func() time.Time { asked = true; return now() }, time.UTC)
	return asked
}

// day returns a time on the UTC day that a date text means. If the day may change before the current day ends, as for
// "+3 hours" but not for "tomorrow", it records that the response is valid only at this moment.
func (l lister) day(ctx context.Context, d dateText) time.Time {
	relative := false
	at := func(now time.Time) time.Time {
		return d.moment(func() time.Time { relative = true; return now }, time.UTC).UTC()
	}
	t := at(l.events.Service.Content.Now())
	if !relative {
		return t
	}
	first := l.events.Service.Content.Clock.Today(ctx)
	last := first.AddDate(0, 0, 1).Add(-time.Second)
	if day := t.Format(time.DateOnly); at(first).Format(time.DateOnly) != day || at(last).Format(time.DateOnly) != day {
		change.Momentary(ctx)
	}
	return t
}

// dateParams describes the date parameters.
var dateParams = []struct {
	key  param.Key[dateText]
	end  bool // compares the end of events instead of the start
	last bool // means the last second of a day instead of the first
	op   string
}{
	{paramStart, false, false, ">="}, {paramEnd, true, true, "<="},
	{paramStartBefore, false, true, "<"}, {paramStartAfter, false, true, ">"},
	{paramEndBefore, true, true, "<"}, {paramEndAfter, true, true, ">"},
}

// dates contains the bounds of a request's date parameters.
type dates struct {
	bounds []eventlist.Bound
	walls  map[param.Key[dateText]]string // in the site's local time, for the URLs of other pages
	exact  bool                           // the times in the URLs of other pages are exact
}

// readDates returns the bounds of the date parameters. start_date and end_date have defaults, unless include, another
// date parameter or sync is given. starts_after replaces start_date, and ends_before replaces end_date.
func (l lister) readDates(ctx context.Context, c *call.Call) dates {
	v := c.Values
	s, isStrict := site.From(ctx), paramStrict.Value(v)
	d := dates{walls: map[param.Key[dateText]]string{}, exact: isStrict || s.Cutoff != ""}
	if paramInclude.IsGiven(v) {
		return d
	}
	relative := c.Sync != nil || paramStartBefore.IsGiven(v) || paramStartAfter.IsGiven(v) || paramEndBefore.IsGiven(v) ||
		paramEndAfter.IsGiven(v)
	for _, p := range dateParams {
		text, ok := p.key.Get(v)
		if !ok || !p.key.IsGiven(v) && relative {
			continue
		}
		if p.key == paramEnd && !paramEnd.IsGiven(v) {
			l.defaultEndCounts(ctx, isStrict)
		}
		wall := l.effective(ctx, s, text, isStrict, p.last)
		d.walls[p.key] = wall
		if p.key == paramStart && paramStartAfter.IsGiven(v) || p.key == paramEnd && paramEndBefore.IsGiven(v) {
			continue
		}
		bound := eventlist.Bound{End: p.end, Op: p.op, Value: wall, UTC: s.UTC || s.InSiteZone}
		if s.InSiteZone {
			if t, ok := strtotime.ParseWall(wall, s.Location); ok {
				bound.Value = strtotime.Wall(t.UTC())
			}
		}
		d.bounds = append(d.bounds, bound)
	}
	return d
}

// defaultEndCounts records how long a response with the default end is valid: until the day changes, or only at this
// moment if dates are strict.
func (l lister) defaultEndCounts(ctx context.Context, isStrict bool) {
	if isStrict {
		change.Momentary(ctx)
	} else {
		_ = l.events.Service.Content.Clock.Today(ctx)
	}
}

// date returns a filter by the dates of events.
func (l lister) date(key param.Key[dateText], doc string, more ...param.Option) *filter {
	return &filter{
		Param: key.Param(jsonschema.Text().Chars(1, 0).Example("2031-05-01"), param.Checked(l.checkDate),
			append(more, param.Doc(doc), param.Untyped())...),
		Moves: func(q *query) bool { return key.Value(q.Values()).relative(l.events.Service.Content.Now) },
		Apply: func(q *query) error {
			if wall, printed := q.dates.walls[key]; printed {
				q.Links.Add(string(key), readable(wall, q.dates.exact, site.From(q.Ctx).Location))
			}
			return nil
		},
	}
}

// strict adds strict_dates to the URLs of other pages: whether their dates are exact times. If days begin at a cutoff
// time, a date without a time would not be precise enough.
func strict(q *query) error {
	if paramStrict.IsGiven(q.Values()) || q.dates.exact && len(q.dates.walls) > 0 {
		q.Links.Add(string(paramStrict), strconv.FormatBool(q.dates.exact))
	}
	return nil
}

// effective returns the local time that a date means. If strict, it is the exact time, where a time with a zone is
// converted to the site's zone. Otherwise it is the first or the last second of its day in UTC.
func (l lister) effective(ctx context.Context, s *site.Settings, d dateText, strict, last bool) string {
	if strict {
		if t, plain := strtotime.ParseWall(d.text, time.UTC); plain { // even in an hour that is skipped when daylight saving time begins
			return strtotime.Wall(t)
		}
		moment := d.moment(func() time.Time { return l.events.Service.Content.Clock.Moment(ctx) }, s.Location)
		return strtotime.Wall(moment.In(s.Location))
	}
	day := l.day(ctx, d)
	if last {
		return strtotime.DayEnd(day, s.Cutoff)
	}
	return strtotime.DayStart(day, s.Cutoff)
}

const lastWall = "9999-12-31 23:59:59"

// readable returns a time for the URLs of other pages in a form that is accepted there. The Unix epoch is rejected as a
// date, so the following second is used, or the zone is added. Years are limited to four digits.
func readable(wall string, exact bool, zone *time.Location) string {
	if len(wall) > len(lastWall) && wall[0] != '-' {
		return lastWall
	}
	if wall != "1970-01-01 00:00:00" {
		return wall
	}
	if t, ok := strtotime.ParseWall(wall, zone); ok && exact && t.Unix() != 0 {
		return t.Format(time.RFC3339)
	}
	return "1970-01-01 00:00:01"
}
