package content

import (
	"context"
	"time"

	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/strtotime"
	"github.com/agendahq/agenda/schema"
)

// zeroDate is the date of a post that was never published.
const zeroDate = "0000-00-00 00:00:00"

// unpublished reports whether posts with a status have no date of publication and need no unique slug.
func unpublished(status string) bool {
	return status == schema.StatusDraft || status == schema.StatusPending || status == schema.StatusAutoDraft
}

// applyDates sets the dates of publication and adapts the status: a post published in the future becomes scheduled, a
// scheduled post whose date has passed becomes published.
func (s *Service) applyDates(ctx context.Context, d *Edit, f *Fields) error {
	now := s.Clock.now(ctx)
	if err := s.givenDates(ctx, d, f, now); err != nil {
		return err
	}
	if !d.New() && !d.statusSet && !d.moved {
		return nil
	}
	if !d.moved && publishedNow(d) {
		d.Row.Date, d.Row.DateGMT = strtotime.Wall(now), strtotime.Wall(now.UTC())
	}
	if !d.moved && d.New() && unpublished(d.Row.Status) {
		d.Row.DateGMT = zeroDate
	}
	future := d.Row.DateGMT > strtotime.Wall(now.UTC())
	switch {
	case d.Row.Status == schema.StatusPublish && future:
		d.Row.Status = schema.StatusFuture
	case d.Row.Status == schema.StatusFuture && !future:
		d.Row.Status = schema.StatusPublish
	}
	return nil
}

// publishedNow reports whether a post without a date in the request gets the current one: a new post, one that never
// had a date, or a scheduled one that is published early.
func publishedNow(d *Edit) bool {
	switch {
	case d.New():
		return true
	case unpublished(d.Row.Status):
		return false
	}
	return d.Row.DateGMT == zeroDate || d.Stored.Status == schema.StatusFuture && d.Row.Status == schema.StatusPublish
}

// givenDates parses date and date_utc; if the request has only one, the other is computed from it. If it has both, an
// event keeps them, as in The Events Calendar; for other posts date_utc decides, since it is never ambiguous (D54). A
// draft without either has no date in UTC.
func (s *Service) givenDates(ctx context.Context, d *Edit, f *Fields, now time.Time) error {
	loc := site.From(ctx).Location
	var local, utc string
	if f.Date != nil {
		local = s.localClock(d, *f.Date, now)
	}
	if f.DateUTC != nil {
		utc = utcClock(*f.DateUTC, now)
	}
	read := map[string]string{FieldDate: local, FieldDateUTC: utc}
	for _, name := range f.DateNames {
		if date := read[name]; date != "" && (len(date) != len(zeroDate) || date < "0001") {
			return fault(name, "fault_date")
		}
	}
	if local == "" && utc == "" {
		return nil
	}
	d.moved = true
	if local == "" || utc != "" && d.Row.Type != s.Types.Events().PostType {
		t, _ := strtotime.ParseWall(utc, time.UTC)
		local = strtotime.Wall(t.In(loc))
	}
	t, _ := strtotime.ParseWall(local, loc) // a time that daylight saving time skips is moved forwards
	d.Row.Date = strtotime.Wall(t)
	if d.Row.DateGMT = utc; utc == "" {
		d.Row.DateGMT = strtotime.Wall(t.UTC())
	}
	return nil
}

// localClock parses a date as local time of the site: its digits, ignoring an offset. A number is a timestamp; the time
// zone in which it is shown depends on the type.
func (s *Service) localClock(d *Edit, text string, now time.Time) string {
	if _, _, numeric := wp.Numeric(text); numeric {
		n, whole := strtotime.Seconds(text)
		if !whole || n == 0 {
			return ""
		}
		t := time.Unix(n, 0).UTC()
		if d.Row.Type != s.Types.Events().PostType {
			t = t.In(now.Location())
		}
		return strtotime.Wall(t)
	}
	m, ok := strtotime.Parse(text, now, now.Location())
	if !ok {
		return ""
	}
	return m.Clock()
}

// utcClock parses a time in UTC; an offset in the text is applied.
func utcClock(text string, now time.Time) string {
	if _, _, numeric := wp.Numeric(text); numeric {
		n, whole := strtotime.Seconds(text)
		if !whole {
			return ""
		}
		return strtotime.Wall(time.Unix(n, 0).UTC())
	}
	m, ok := strtotime.Parse(text, now, time.UTC)
	if !ok {
		return ""
	}
	return strtotime.Wall(m.Time.UTC())
}
