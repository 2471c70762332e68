package event

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/ical"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/recurrence"
	"github.com/agendahq/agenda/internal/wp/rset"
)

// fieldRecurrence is the field for the recurrence rule of an event (D69).
const fieldRecurrence param.Key[givenRule] = content.FieldRecurrence

// givenRule is a rule in a request. fault is its validation error, which is ignored if the rule equals the stored one.
type givenRule struct {
	content.Rule
	fault   *param.Fault
	unknown bool // an object of another form, which contains no rule as a string (D89)
}

// repeats reports whether the rule equals that of a set.
func (r *givenRule) repeats(set *rset.Set, loc *time.Location) bool {
	return r != nil && r.Rule.Repeats(set, loc)
}

// takenRecurrence declares the parameter for the rule. It is applied together with the dates of the event.
func takenRecurrence(bool) *param.Param {
	text := jsonschema.Text()
	rule := jsonschema.Object("RecurrenceInput",
		jsonschema.Has("rrule", text.Example("FREQ=WEEKLY;BYDAY=TU;COUNT=10")).Doc("doc_recurrence_rrule"),
		jsonschema.Optional("exdates", jsonschema.List(text.Example("2031-05-13")).UpTo(maxDates)).
			Doc("doc_recurrence_input_exdates")).Opened()
	takes := jsonschema.OneOf(rule, jsonschema.Only(""), jsonschema.EmptyList(), jsonschema.Null()).As("EventRecurrenceInput")
	return fieldRecurrence.Param(takes, param.Checked(checkRecurrence), param.Null(),
		param.Doc("param_events_field_recurrence"))
}

// givenRecurrence returns the rule in a request: an empty one for null, and nil if the request contains none.
func givenRecurrence(v *param.Values) *givenRule {
	if r := fieldRecurrence.Given(v); r != nil || !fieldRecurrence.IsGiven(v) {
		return r
	}
	return &givenRule{}
}

// checkRecurrence accepts an object with a rule and its exceptions, or an empty value, which removes the rule. An
// object without the string of a rule does not remove the stored one, because clients of other calendars send objects
// of their own form (D89).
func checkRecurrence(_ context.Context, v any) (r givenRule, err error) {
	m, isMap := v.(*param.Map)
	if !isMap {
		if list, isList := param.Elements(v); v == "" || isList && len(list) == 0 {
			return r, nil
		}
		return r, param.Invalid("fault_rule")
	}
	rule, _ := m.Get("rrule")
	text, _ := rule.(string)
	if r.Written = strings.TrimSpace(text); r.Written == "" {
		r.unknown, r.fault = true, param.Invalid("fault_rule")
		return r, nil
	}
	if r.Text, err = recurrence.Check(r.Written); err != nil {
		r.fault = ruleFault(err)
	}
	exdates, _ := m.Get("exdates")
	list, isList := param.Elements(exdates)
	switch {
	case exdates == nil:
		return r, nil
	case !isList:
		return r, param.Invalid("fault_rule_exdates")
	case len(list) > maxDates:
		return r, param.Invalid("fault_too_many", "Max", maxDates)
	}
	for _, x := range list {
		text, _ := x.(string)
		at, ok := ical.ParseDateTime(text)
		if !ok {
			return r, param.Invalid("fault_rule_exdates")
		}
		r.Excluded = append(r.Excluded, at)
	}
	return r, nil
}

// ruleFault converts an error of a rule to a validation error.
func ruleFault(err error) *param.Fault {
	var wrong *recurrence.Error
	if !errors.As(err, &wrong) {
		return param.Invalid("fault_rule")
	}
	id := map[recurrence.Reason]string{
		recurrence.NoFrequency: "fault_rule_freq", recurrence.Unsupported: "fault_rule_part", recurrence.WrongValue: "fault_rule_value",
		recurrence.Contradiction: "fault_rule_parts", recurrence.TooLong: "fault_rule_long",
	}[wrong.Reason]
	return param.Invalid(id, "Part", wrong.Part)
}
