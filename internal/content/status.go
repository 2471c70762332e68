package content

import (
	"context"
	"time"

	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/strtotime"
	"github.com/agendahq/agenda/schema"
)

// zeroDate is the date of what was never published.
const zeroDate = "0000-00-00 00:00:00"

// unpublished are the states in which a post has no date of publication and
// needs no slug of its own.
func unpublished(status string) bool {
	return status == schema.StatusDraft || status == schema.StatusPending || status == schema.StatusAutoDraft
}

// applyDates settles the dates of publication and what follows from them for
// the status: what is published in the future waits, what waits for the past is
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

// publishedNow reports whether a post without a given date gets that of this
// moment: a new one, one that never had a date, one that was to wait and is
// published before its time.
func (s *Service) publishedNow(d *Edit) bool {
	switch {
	case d.New():
		return true
	case unpublished(d.Row.Status):
		return false
	}
	return d.Row.DateGMT == zeroDate || d.Stored.Status == schema.StatusFuture && d.Row.Status == schema.StatusPublish
}

// givenDates reads date and date_utc; the one that is not given follows from
// the other. If both are, an event keeps them as they are, as the site's other
// programs do; of any other post date_utc decides, which names one moment, so
// that the two columns agree (D54). A draft has no date in UTC unless one is
// given.
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
	t, _ := strtotime.ParseWall(local, loc) // a time that summer time leaves out moves on
	d.Row.Date = strtotime.Wall(t)
	switch {
	case utc != "":
		d.Row.DateGMT = utc
	case unpublished(d.Row.Status):
		d.Row.DateGMT = zeroDate
	default:
		d.Row.DateGMT = strtotime.Wall(t.UTC())
	}
	return nil
}

// localClock reads the site's own wall clock from a date text: its digits, not
// its offset. A number is a timestamp; whose clock shows it depends on the kind.
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

// utcClock reads a wall clock in UTC; an offset in the text counts.
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
