package calendar

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/event"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/rest"
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

// RulePreview is what a rule makes of an event.
type RulePreview struct {
	Rule   string      // as it is stored
	Text   string      // in words, in the language of the context; "" for one that words would not say rightly
	Starts []time.Time // of the first dates, in the time zone of the event
	Total  int         // of dates, 0 for a rule without an end
}

// PreviewRule returns what a write would make of the rule of an event, before there is one: of its Recurrence, AllDay, and Start, whose
// location is the event's time zone. It returns the starts of the first dates, at most most. What a write refuses is an *Error with the
// reason in Params["recurrence"]. Nothing is written, and no right is needed.
func (c *Calendar) PreviewRule(ctx context.Context, e Event, most int) (*RulePreview, error) {
	rule := param.NewMap()
	if e.Recurrence != nil {
		var err error
		if rule, err = param.MapOf(e.Recurrence.plain().(map[string]any)); err != nil {
			return nil, fmt.Errorf("calendar: %w", err)
		}
	}
	var found *event.Preview
	l := rest.Local{Operation: c.api.Operations(c.events.Collection).List}
	err := c.engine.Local(ctx, c.root(ctx), l, c.principal, func(ctx context.Context, r *call.Call) (err error) {
		say := func(id string, data map[string]any) string { return c.env.Say(r.Language, id, data) }
		found, err = event.PreviewRule(ctx, rule, e.Start, e.AllDay, most, say)
		return err
	})
	if err = c.refused(ctx, err); err != nil {
		return nil, err
	}
	return &RulePreview{Rule: found.Rule, Text: found.Words, Starts: found.Starts, Total: found.Total}, nil
}

// body returns the values as a request gives them.
func (k Kind[T]) body(v Values) (*param.Map, error) {
	plain := make(map[string]any, len(v))
	for name, value := range v {
		switch x := value.(type) {
		case File:
			plain[name] = &param.File{Name: x.Name, Data: x.Data}
		case time.Time:
			if x.IsZero() {
				return nil, fmt.Errorf("the value of %s is the zero time", name)
			}
			plain[name] = x.Format(time.RFC3339)
			if k.calendar.ownTypes[k.collection][name] == FieldDate {
				plain[name] = x.Format(time.DateOnly)
			}
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
	return param.MapOf(plain)
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
