package calendar

import (
	"encoding/json"
	"slices"
	"time"
)

// EventDate is one of the dates of an Event that has several.
type EventDate struct {
	ID         int64     // of the date in lists, 0 on a site whose lists have one item for each event
	Start, End time.Time // in the event's TimeZone
}

// Recurrence is the rule that dates of an Event follow from.
type Recurrence struct {
	Rule     string   // RRULE of iCalendar
	Excluded []string // starts that the event has not, by the clock of its TimeZone: YYYY-MM-DD HH:MM:SS
	Text     string   // the rule in words, in the language of the answer; "" for one that words would not say rightly
}

func (r *Recurrence) clone() *Recurrence {
	if r == nil {
		return nil
	}
	return &Recurrence{r.Rule, slices.Clone(r.Excluded), r.Text}
}

// plain returns the values as JSON could hold them.
func (v Values) plain() map[string]any {
	plain := make(map[string]any, len(v))
	for name, value := range v {
		switch x := value.(type) {
		case *Recurrence:
			plain[name] = x.plain()
		case []EventDate:
			list := make([]any, len(x))
			for i, d := range x {
				list[i] = map[string]any{"start_date": d.Start.Format(time.RFC3339), "end_date": d.End.Format(time.RFC3339)}
			}
			plain[name] = list
		default:
			plain[name] = value
		}
	}
	return plain
}

// plain returns the rule as a write gives it, nil for none.
func (r *Recurrence) plain() any {
	if r == nil {
		return nil
	}
	return map[string]any{"rrule": r.Rule, "exdates": r.Excluded}
}

// storedDate is a date in an answer.
type storedDate struct {
	ID       int64  `json:"id"`
	Start    string `json:"start_date"`
	End      string `json:"end_date"`
	StartUTC string `json:"utc_start_date"`
	EndUTC   string `json:"utc_end_date"`
}

func (d storedDate) in(zone string) EventDate {
	return EventDate{d.ID, moment(d.Start, d.StartUTC, zone), moment(d.End, d.EndUTC, zone)}
}

// recurrence returns a rule, nil where there is none.
func (m member) recurrence() (*Recurrence, error) {
	if m.kind() != '{' {
		return nil, nil
	}
	var in struct {
		Rule     string   `json:"rrule"`
		Excluded []string `json:"exdates"`
		Text     string   `json:"text"`
	}
	err := json.Unmarshal(m.JSON, &in)
	return &Recurrence{in.Rule, in.Excluded, in.Text}, err
}
