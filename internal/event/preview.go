package event

import (
	"context"
	"errors"
	"time"

	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/recurrence"
)

// Preview is what a rule makes of an event.
type Preview struct {
	content.Preview
	Rule  string // as it is stored
	Words string // "" where no words say it rightly
}

// PreviewRule returns what a rule, as a write has it, makes of an event that begins at a time of its zone, with the starts of its first n
// dates; whole says that it takes whole days. It refuses what a write refuses.
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
	p.Words = recurrence.Words(recurrence.Said{Rule: p.Rule, Start: wall, Clock: recurrence.In(zone), Excluded: p.Excluded}, say)
	return p, nil
}
