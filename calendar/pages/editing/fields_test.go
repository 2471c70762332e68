package editing

import (
	"encoding/json"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
)

// TestMomentsAsTyped checks that days and times are accepted in all common forms, and that ambiguous ones are rejected.
func TestMomentsAsTyped(t *testing.T) {
	for typed, want := range map[string]string{
		"nl 2031-05-01": "2031-05-01", "nl 1/5/2031": "2031-05-01", "nl 01.05.2031": "2031-05-01", "nl 1-5-2031": "2031-05-01",
		"nl  2031/5/1 ": "2031-05-01", "nl 31/2/2031": "", "nl 1/5": "", "nl ": "", "nl tomorrow": "",
		"en 1/5/2031": "", "en 5/13/2031": "2031-05-13", "en 13/5/2031": "2031-05-13", "en 5/5/2031": "2031-05-05",
	} {
		language, text, _ := strings.Cut(typed, " ")
		if day, ok := readDay(text, language); ok != (want != "") || ok && day.Format(time.DateOnly) != want {
			t.Errorf("in %s %q is %v, %v", language, text, day, ok)
		}
	}
	for text, want := range map[string]string{
		"20:00": "20h0m0s", "20.30": "20h30m0s", "20u30": "20h30m0s", "20 h": "20h0m0s", "8 pm": "20h0m0s", "8.15 a.m.": "8h15m0s",
		"9":    "9h0m0s",
		"12am": "0s", "24:00": "", "9:60": "", "13 pm": "", "": "", "noon": "", "23:59:59": "23h59m59s", "20 uur": "20h0m0s",
	} {
		if at, ok := readClock(text); ok != (want != "") || ok && at.String() != want {
			t.Errorf("%q is %v, %v", text, at, ok)
		}
	}
}

// TestWaysToRepeat checks that a rule is shown as one of the form's choices only if that choice results in exactly the
// same rule.
func TestWaysToRepeat(t *testing.T) {
	day := time.Date(2031, 5, 6, 20, 0, 0, 0, time.UTC) // the first Tuesday of the month
	for rule, want := range map[string]string{
		"FREQ=WEEKLY;UNTIL=20310630T220000Z": weekly, "FREQ=WEEKLY;INTERVAL=1;BYDAY=TU;COUNT=10": ownRule, "FREQ=WEEKLY;BYDAY=TU": weekly,
		"FREQ=WEEKLY;BYDAY=WE": ownRule, "FREQ=WEEKLY;INTERVAL=2": biweekly, "INTERVAL=2;BYDAY=TU;FREQ=WEEKLY": biweekly,
		"FREQ=MONTHLY;BYDAY=1TU": monthly, "FREQ=MONTHLY;BYDAY=-1TU": ownRule, "FREQ=MONTHLY": ownRule, "FREQ=DAILY": ownRule,
	} {
		if way := wayOf(rule, day); way != want {
			t.Errorf("%s repeats %s", rule, way)
		}
	}
	if last := ruleOf(monthly, time.Date(2031, 5, 29, 0, 0, 0, 0, time.UTC)); last != "FREQ=MONTHLY;BYDAY=-1TH" {
		t.Error(last)
	}
	if until := untilOf("FREQ=WEEKLY;UNTIL=20310630T215959Z", zoneOf("UTC+2", nil)); until != "2031-06-30" {
		t.Error(until)
	}
}

// TestFormsAreWritten checks the values for the API: only changed ones, with errors at their fields.
func TestFormsAreWritten(t *testing.T) {
	events := map[string]string{
		"series": `{"title_raw":"Choir &amp; co","start_date":"2031-05-06 20:00:00","end_date":"2031-05-06 22:00:00",
		"all_day":false,"timezone":"Europe/Brussels","description_raw":"<p>A</p>","cost":"€5","cost_details":{"values":["5"]},
		"website":"https://x.org/event/choir/","url":"https://x.org/event/choir/","venue":{"id":7,"venue":"Hall"},
		"categories":[{"id":3},{"id":1}],"featured":true,"image":false,
		"recurrence":{"rrule":"FREQ=WEEKLY;UNTIL=20310630T215959Z","exdates":["2031-05-27 20:00:00"]}}`,
		"night": `{"title_raw":"Ball","start_date":"2031-05-06 20:00:00","end_date":"2031-05-07 02:00:00","timezone":"Europe/Brussels"}`,
		"fair": `{"title_raw":"Fair","start_date":"2031-05-06 00:00:00","end_date":"2031-05-08 23:59:59","all_day":true,
			"timezone":"Europe/Brussels"}`,
	}
	golden.Each(t, "forms.txt", func(name, typed, values, mistakes string) {
		text := events[name]
		k := editorsWith(nil)[0]
		w := &writing{editor: k, fresh: text == "", language: "nl", find: func(_, name string) (string, []string, error) {
			return map[string]string{"hall": "7", "Band": "9"}[name], nil, nil
		}}
		w.typed = url.Values{}
		if text != "" {
			s := must.Get(readStored([]byte(text)))(t)
			in := reading{defaults: defaults{time.UTC}, beside: func(stored) ([]period, bool) { return nil, true }}
			w.was, w.typed = k.formValues(s, in), k.formValues(s, in)
		}
		given, _ := url.ParseQuery(typed)
		for name, list := range given {
			w.typed[name] = list
		}
		w.values()
		faults := map[string]string{}
		for name, f := range w.faults {
			faults[name] = f.Key
		}
		for _, x := range []struct {
			got  any
			want string
		}{{w.out, values}, {faults, mistakes}} {
			var want any
			must.Succeed(t, json.Unmarshal([]byte(x.want), &want))
			got, _ := json.Marshal(x.got)
			if again, _ := json.Marshal(want); !equalJSON(got, again) && (len(faults) == 0 || x.want == mistakes) {
				t.Errorf("%s\ngives %s\nwant  %s", typed, got, again)
			}
		}
	})
}

func equalJSON(a, b []byte) bool {
	var x, y any
	_, _ = json.Unmarshal(a, &x), json.Unmarshal(b, &y)
	p, _ := json.Marshal(x)
	q, _ := json.Marshal(y)
	return string(p) == string(q)
}

// TestConflicts checks that fields that two users changed to different values are in conflict, and that the fields
// about dates count as one.
func TestConflicts(t *testing.T) {
	k := editorsWith([]calendar.Field{{Kind: "events", Name: "seats", Type: calendar.FieldNumber}})[0]
	was := url.Values{"title": {"A"}, "day": {"2031-05-01"}, "from": {"10:00"}, "own.seats": {"5"}}
	with := func(name, value string) url.Values {
		v := url.Values{}
		for n, list := range was {
			v[n] = list
		}
		v[name] = []string{value}
		return v
	}
	for _, c := range []struct {
		typed, now url.Values
		want       string
	}{
		{with("title", "B"), with("from", "11:00"), ""},
		{with("title", "B"), with("title", "B"), ""},
		{with("title", "B"), with("title", "C"), "title"},
		{with("day", "2031-05-02"), with("from", "11:00"), "when"},
		{with("own.seats", "6"), with("own.seats", "7"), "seats"},
	} {
		got := ""
		for _, f := range (&writing{editor: k, was: was, typed: c.typed}).conflicts(c.now) {
			got += f.name
		}
		if got != c.want {
			t.Errorf("%v and %v conflict in %q", c.typed, c.now, got)
		}
	}
}
