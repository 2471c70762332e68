package event

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/internal/wp/strtotime"
)

// load reads a file of recorded values.
func load[T any](t testing.TB, name string) T {
	t.Helper()
	data := must.Get(os.ReadFile("testdata/" + name))(t)
	var v T
	if err := json.Unmarshal(data, &v); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	return v
}

// format formats a schedule in one line: local times, UTC, zone, abbreviation, and the duration in seconds or "day".
func (s schedule) format() string {
	length := s.duration
	if s.allDay {
		length = "day" + s.duration
	}
	return fmt.Sprintf("%s..%s %s..%s %s %s %s", s.start, s.end, s.startUTC, s.endUTC, s.zone, s.abbr, length)
}

// faultOf returns the field and the message id of a validation error.
func faultOf(t testing.TB, err error) string {
	t.Helper()
	var f *param.Failure
	if !errors.As(err, &f) || len(f.Faults) != 1 {
		t.Fatalf("no refusal: %v", err)
	}
	return f.Faults[0].Param + " " + f.Faults[0].Message.ID
}

// brussels returns a planner at 6:24 on 21 November 2026 in Brussels.
func brussels() planner { return planner{now: morning, site: strtotime.SiteZone("Europe/Brussels", 0)} }

// said returns a timing from pairs of name and value.
func said(pairs ...string) timing {
	var t timing
	for i := 0; i < len(pairs); i += 2 {
		value := pairs[i+1]
		switch pairs[i] {
		case "start":
			t.start = &value
		case "end":
			t.end = &value
		case "zone":
			t.zone = &value
		case "all_day":
			whole := value == "true"
			t.allDay = &whole
		}
	}
	return t
}

type writtenDates struct {
	In struct {
		Body struct {
			Start  string  `json:"start_date"`
			End    string  `json:"end_date"`
			Zone   *string `json:"timezone"`
			AllDay any     `json:"all_day"`
		}
		Options map[string]string
	}
	Out struct {
		Status int
		Meta   map[string]string
	}
}

// decidedDates contains the recorded schedules for which a decision requires another result, by index: the decision,
// and the schedule or the error.
var decidedDates = map[int][2]string{
	10: {"D37", "2027-07-10 10:00:00..2027-07-10 12:00:00 2027-07-10 08:00:00..2027-07-10 10:00:00 UTC+2 UTC+2 7200"},
	11: {"D37", "2027-07-10 10:00:00..2027-07-10 12:00:00 2027-07-10 15:00:00..2027-07-10 17:00:00 UTC-5 UTC-5 7200"},
	15: {"D37", "2027-07-10 10:00:00..2027-07-10 12:00:00 2027-07-09 20:00:00..2027-07-09 22:00:00 UTC+14 UTC+14 7200"},
	29: {"D37", "2027-07-10 00:00:00..2027-07-10 23:59:59 2027-07-09 22:00:00..2027-07-10 21:59:59 UTC+2 UTC+2 day"},
	33: {"D36", "2027-07-10 12:00:00..2027-07-10 14:00:00 2027-07-10 10:00:00..2027-07-10 12:00:00 Europe/Brussels CEST 7200"},
	34: {"D36", "2027-07-10 12:00:00..2027-07-10 14:00:00 2027-07-10 10:00:00..2027-07-10 12:00:00 Europe/Brussels CEST 7200"},
	37: {"D38", "end_date fault_end_before_start"},
	40: {"D37", "2027-07-10 10:00:00..2027-07-10 12:00:00 2027-07-10 08:00:00..2027-07-10 10:00:00 UTC+2 UTC+2 7200"},
	45: {"D37", "2027-07-10 00:00:00..2027-07-10 23:59:59 2027-07-09 22:00:00..2027-07-10 21:59:59 UTC+2 UTC+2 day"},
}

func TestRecordedSchedules(t *testing.T) {
	all := load[[]writtenDates](t, "dates-write.json")
	if len(all) != 49 {
		t.Fatalf("%d schedules", len(all))
	}
	for i, v := range all {
		body := v.In.Body
		given := timing{start: &body.Start, end: &body.End, zone: body.Zone}
		var got, want string
		sent := param.NewMap()
		sent.Set(string(fieldAllDay), body.AllDay)
		params := []*param.Param{fieldAllDay.Param(jsonschema.Bool(), nil)}
		if values, err := param.Read(t.Context(), params, param.Sources{JSON: sent}); body.AllDay != nil && err != nil {
			got = "all_day"
		} else if body.AllDay != nil {
			given.allDay = fieldAllDay.Given(values)
		}
		if body.Zone != nil {
			if _, err := checkZone(t.Context(), *body.Zone); err != nil {
				got = "timezone"
			}
		}
		if v.Out.Status == 400 {
			if got == "" {
				t.Errorf("%d: accepted", i)
			}
			continue
		}
		p := planner{now: morning, site: siteOf(t, v.In.Options), cutoff: v.In.Options["multiDayCutoff"]}
		s, err := p.create(given)
		if got = s.format(); err != nil {
			got = faultOf(t, err)
		}
		m := v.Out.Meta
		want = schedule{
			m["_EventStartDate"], m["_EventEndDate"], m["_EventStartDateUTC"], m["_EventEndDateUTC"],
			m["_EventTimezone"], m["_EventTimezoneAbbr"], m["_EventAllDay"] == "1", m["_EventDuration"],
		}.format()
		if d, ok := decidedDates[i]; ok {
			if want == d[1] {
				t.Errorf("%d: %s changes nothing", i, d[0])
			}
			want = d[1]
		}
		if got != want {
			t.Errorf("%d %+v:\n got  %s\n want %s", i, body, got, want)
		}
	}
}

func siteOf(t *testing.T, options map[string]string) *time.Location {
	t.Helper()
	zone, given := options["timezone_string"]
	if !given {
		zone = "Europe/Brussels"
	}
	offset := 0.0
	if text := options["gmt_offset"]; text != "" {
		offset = must.Get(strconv.ParseFloat(text, 64))(t)
	}
	return strtotime.SiteZone(zone, offset)
}

// TestFixedOffsets checks D37: a recorded result applies if it is that of a fixed offset, and otherwise the name of the
// zone determines the offset.
func TestFixedOffsets(t *testing.T) {
	type offset struct {
		In  string
		Out struct{ Winter, Abbr, Summer string }
	}
	superseded := 0
	for _, v := range load[[]offset](t, "dates-utc-offsets.json") {
		hours := must.Get(strconv.ParseFloat(strings.TrimPrefix(v.In, "UTC"), 64))(t)
		_, wrong := checkZone(t.Context(), v.In)
		if outside := hours < -12 || hours > 14; outside != (wrong != nil) {
			t.Errorf("%s: %v", v.In, wrong)
		} else if outside {
			superseded++
			continue
		}
		for month, recorded := range map[string]string{"01": v.Out.Winter, "07": v.Out.Summer} {
			day := "2027-" + month + "-10 10:00:00"
			s := must.Get(brussels().create(said("start", day, "end", day, "zone", v.In)))(t)
			clock, ok := strtotime.ParseWall(day, time.UTC)
			want := strtotime.Wall(clock.Add(-time.Duration(hours * float64(time.Hour))))
			if !ok || s.startUTC != want || s.endUTC != want || s.abbr != v.Out.Abbr || s.zone != v.In {
				t.Errorf("%s: %s, want %s in UTC", day, s.format(), want)
			}
			if recorded != want {
				superseded++
			}
		}
	}
	if superseded == 0 {
		t.Error("the decision changes nothing")
	}
}

// TestDateTexts reads the recorded date texts as starts of events.
func TestDateTexts(t *testing.T) {
	grammar := load[struct {
		Now   int64
		Cases []struct {
			In       string
			UTC      *int64
			Brussels *int64
		}
	}](t, "dates-grammar.json")
	for zone, read := range map[string]func(i int) *int64{
		"UTC":             func(i int) *int64 { return grammar.Cases[i].UTC },
		"Europe/Brussels": func(i int) *int64 { return grammar.Cases[i].Brussels },
	} {
		p := planner{now: time.Unix(grammar.Now, 0), site: strtotime.SiteZone(zone, 0)}
		for i, c := range grammar.Cases {
			s, err := p.create(said("start", c.In, "end", "9999-12-30", "zone", zone))
			want := read(i)
			if want == nil || *want < firstSecond+366*24*3600 || *want > lastSecond-48*3600 {
				if err == nil {
					t.Errorf("%s %q: %s", zone, c.In, s.format())
				}
				continue
			}
			if _, err := strconv.ParseFloat(strings.TrimSpace(c.In), 64); err == nil {
				continue // bare numbers are tested by TestNumbers
			}
			if utc := strtotime.Wall(time.Unix(*want, 0).UTC()); err != nil || s.startUTC != utc {
				t.Errorf("%s %q: %s %v, want %s", zone, c.In, s.format(), err, utc)
			}
		}
	}
}
