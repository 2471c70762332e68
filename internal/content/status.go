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

// unpublished reports whether posts in a state have no date of publication and need
// no unique slug.
func unpublished(status string) bool {
	return status == schema.StatusDraft || status == schema.StatusPending || status == schema.StatusAutoDraft
}

// applyDates sets the dates of publication, and the status that follows from them: a
// post published in the future is scheduled, a post scheduled in the past is
// published.
func (s *Service) applyDates(ctx context.Context, d *Edit, f *Fields) error {
	now := s.now(ctx)
	if err := s.givenDates(ctx, d, f, now); err != nil {
		return err
	}
	if !d.New() && !d.statusSet && !d.moved {
		return nil
	}
	if !d.moved && s.publishedNow(d) {
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

// publishedNow reports whether a post without a given date gets the current one: a
// new post, one that never had a date, a scheduled one that is published early.
func (s *Service) publishedNow(d *Edit) bool {
	switch {
	case d.New():
		return true
	case unpublished(d.Row.Status):
		return false
	}
	return d.Row.DateGMT == zeroDate || d.Stored.Status == schema.StatusFuture && d.Row.Status == schema.StatusPublish
}

// givenDates reads date and date_utc; if only one is given, the other follows from
// it. If both are given, an event keeps them, as the site's other programs do; of
// other posts date_utc decides, since it is never ambiguous (D54). A draft without
// either has no date in UTC.
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
	t, _ := strtotime.ParseWall(local, loc) // a time that summer time skips moves on
	d.Row.Date = strtotime.Wall(t)
	if d.Row.DateGMT = utc; utc == "" {
		d.Row.DateGMT = strtotime.Wall(t.UTC())
	}
	return nil
}

// localClock reads the site's local time from a date text: its digits, without its
// offset. A number is a timestamp; in which zone it is shown depends on the kind.
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

// utcClock reads a time in UTC; an offset in the text counts.
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
