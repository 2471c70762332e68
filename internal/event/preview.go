package event

import (
	"context"
	"errors"
	"time"

	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/recurrence"
)

// Preview is the result of applying a rule to an event.
type Preview struct {
	content.Preview
	Rule  string // in its stored form
	Words string // "" if the rule cannot be expressed in words correctly
}

// PreviewRule returns the result of applying a rule, in the form of a write, to an event that begins at first, with the
// starts of its first n occurrences. whole says that the event lasts all day. It returns the same errors as a write.
func PreviewRule(ctx context.Context, rule *param.Map, first time.Time, whole bool, n int, say recurrence.Say) (*Preview, error) {
	given, err := checkRecurrence(ctx, rule)
	if err == nil && given.fault != nil {
		err = given.fault
	}
	var fault *param.Fault
	if errors.As(err, &fault) {
		return nil, param.Refuse(content.FieldRecurrence, fault)
	}
	zone, wall := first.Location(), recurrence.Wall(first)
	p := &Preview{Rule: given.Text}
	if p.Preview, err = given.Preview(wall, zone, whole, n); err != nil {
		return nil, err
	}
	p.Words = recurrence.Words(recurrence.Said{Rule: p.Rule, Start: wall, Clock: recurrence.ClockIn(zone), Excluded: p.Excluded}, say)
	return p, nil
}
