package calendar_test

import (
	"encoding/json"
	"testing"

	"github.com/agendahq/agenda/calendar"
)

// TestOddMembersAreNone checks that an image, a price or a date of an unexpected form, as people and other programs
// store them, is left out and does not prevent the rest of an event from being decoded.
func TestOddMembersAreNone(t *testing.T) {
	var e calendar.Event
	err := json.Unmarshal([]byte(`{"id":7,"title":"Fair","all_day":false,
		"image":{"url":"http://x/a.jpg","width":"wide"},"cost":"5","cost_details":{"values":{"0":"5"}},
		"event_status":"canceled","event_status_reason":"Rain.",
		"start_date":"2030-07-01 10:00:00","utc_start_date":"soon","end_date":"soon","utc_end_date":"2030-07-01 09:00:00",
		"venue":{"id":8,"venue":"Hall","image":{"sizes":[1]}}}`), &e)
	if err != nil || e.ID != 7 || e.Title != "Fair" || e.Cost != "5" || len(e.Venues) != 1 || e.Venues[0].Name != "Hall" {
		t.Fatalf("%+v %v", e, err)
	}
	if e.EventStatus != "canceled" || e.StatusReason != "Rain." {
		t.Errorf("%q because of %q", e.EventStatus, e.StatusReason)
	}
	if e.Image != nil || e.Prices != nil || !e.Start.IsZero() || !e.End.IsZero() {
		t.Errorf("%+v %q %s %s", e.Image, e.Prices, e.Start, e.End)
	}
}
