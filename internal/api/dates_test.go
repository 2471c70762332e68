package api_test

import (
	"fmt"
	"testing"

	"github.com/agendahq/agenda/schema"
)

// However long an event lasts, its rows in the tables of dates say the same as
// its meta rows, except where a column cannot hold it.
func TestRowsOfDates(t *testing.T) {
	c := open(t)
	for _, w := range []struct{ fields, want string }{
		{`"start_date":"2033-04-05 19:30","end_date":"2033-04-05 22:00"`, "2033-04-05 19:30:00 2033-04-05 22:00:00 Europe/Brussels 9000"},
		{`"start_date":"2033-04-05","end_date":"2034-04-05"`, "2033-04-05 00:00:00 2034-04-05 00:00:00 Europe/Brussels 8388607"},
		{`"start_date":"1900-01-01","end_date":"2299-12-31"`, "1900-01-01 00:00:00 2299-12-31 00:00:00 Europe/Brussels 8388607"},
		{`"start_date":"2033-04-05","end_date":"2033-04-05","all_day":true`,
			"2033-04-05 00:00:00 2033-04-05 23:59:59 Europe/Brussels 86399"},
		{`"start_date":"2033-04-05 10:00","end_date":"2033-04-05 10:00","timezone":"America/Argentina/ComodRivadavia"`,
			"2033-04-05 10:00:00 2033-04-05 10:00:00 America/Argentina/ComodRivadav 0"},
		{`"start_date":"2033-04-05 10:00","end_date":"2033-04-05 11:00","timezone":"UTC+5:30"`,
			"2033-04-05 10:00:00 2033-04-05 11:00:00 UTC+5:30 3600"},
	} {
		created := c.must("admin", "POST", "/events", fmt.Sprintf(`{"title":"Dated",%s}`, w.fields)).ID()
		updated := c.create("admin", "Dated later", "")
		c.change("admin", updated, "{"+w.fields+"}")
		draft := c.create("admin", "Dated draft", `,"status":"draft"`)
		c.change("admin", draft, "{"+w.fields+"}")
		for _, id := range []int64{created, updated, draft} {
			got := c.Scan("SELECT CONCAT_WS(' ', start_date, end_date, timezone, duration) FROM wp_tec_events WHERE post_id = ?", id)
			if fmt.Sprint(got) != "["+w.want+"]" {
				t.Errorf("%s: %v", w.fields, got)
			}
			var list []schema.Occurrence
			if err := c.DB.NewSelect().Model(&list).Where("post_id = ?", id).Scan(t.Context()); err != nil {
				t.Fatal(err)
			}
			if len(list) != 1 {
				t.Errorf("%s: %d occurrences", w.fields, len(list))
				continue
			}
			o := list[0]
			if o.StartDateUTC != c.meta(id, schema.MetaStartDateUTC) || o.EndDateUTC != c.meta(id, schema.MetaEndDateUTC) ||
				o.StartDate != c.meta(id, schema.MetaStartDate) || o.EndDate != c.meta(id, schema.MetaEndDate) ||
				o.Hash != schema.OccurrenceHash(o) {
				t.Errorf("%s: %+v", w.fields, o)
			}
		}
	}
}
