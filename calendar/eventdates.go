package calendar

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/event"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/rest"
)

// EventDate is an occurrence of a recurring Event.
type EventDate struct {
	ID         int64     // id of the occurrence in lists; 0 if lists have one item per event
	Start, End time.Time // in the event's TimeZone
}

// Recurrence is the recurrence rule of an Event.
type Recurrence struct {
	Rule     string   // RRULE of iCalendar (RFC 5545)
	Excluded []string // excluded starts, in the event's TimeZone: YYYY-MM-DD HH:MM:SS
	Text     string   // description in the language of the answer; "" if no sentence describes the rule exactly
}

func (r *Recurrence) clone() *Recurrence {
	if r == nil {
		return nil
	}
	return &Recurrence{r.Rule, slices.Clone(r.Excluded), r.Text}
}

// RulePreview is the effect of a recurrence rule on an event.
type RulePreview struct {
	Rule   string      // in the form in which it is stored
	Text   string      // description in the language of the context; "" if no sentence describes the rule exactly
	Starts []time.Time // starts of the first occurrences, in the event's time zone
	Total  int         // number of occurrences; 0 if the rule has no end
}

// PreviewRule returns the effect of the recurrence rule of an event that need not exist. It uses its Recurrence, AllDay
// and Start, whose location is the event's time zone. most is the maximal number of starts in the result. If a write
// would reject the rule, the error is an *Error with the reason in Params["recurrence"]. Nothing is written, and the
// caller needs no rights.
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
	err := c.engine.Local(ctx, mountIn(ctx, c.own).Root, l, c.principal, func(ctx context.Context, r *call.Call) (err error) {
		say := func(id string, data map[string]any) string { return c.env.Say(r.Language, id, data) }
		found, err = event.PreviewRule(ctx, rule, e.Start, e.AllDay, most, say)
		return err
	})
	if err = hostError(ctx, err); err != nil {
		return nil, err
	}
	return &RulePreview{Rule: found.Rule, Text: found.Words, Starts: found.Starts, Total: found.Total}, nil
}

// body converts the values to those of a request.
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

// plain converts the rule to the parameter of a request, nil if there is none.
func (r *Recurrence) plain() any {
	if r == nil {
		return nil
	}
	return map[string]any{"rrule": r.Rule, "exdates": r.Excluded}
}

// storedDate is an occurrence in an answer.
type storedDate struct {
	ID       int64  `json:"id"`
	Start    string `json:"start_date"`
	End      string `json:"end_date"`
	StartUTC string `json:"utc_start_date"`
	EndUTC   string `json:"utc_end_date"`
}

func (d storedDate) eventDateIn(zone string) EventDate {
	return EventDate{d.ID, item.Moment(d.Start, d.StartUTC, zone), item.Moment(d.End, d.EndUTC, zone)}
}

// recurrence returns the recurrence rule, or nil if there is none.
func (m member) recurrence() (*Recurrence, error) {
	if m.Kind() != '{' {
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
