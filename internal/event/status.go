package event

import (
	"context"

	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/schema"
)

// States of an event. The last two are stored; one that takes place as planned has no row.
const (
	statusScheduled = "scheduled"
	StatusCanceled  = "canceled"
	StatusPostponed = "postponed"
)

const (
	fieldEventStatus  param.Key[string] = "event_status"
	fieldStatusReason param.Key[string] = "event_status_reason"
)

// storedStatus returns the stored status of an event that does not take place as planned,
// "" for any other.
func storedStatus(m store.Meta) string {
	switch s := m.Text(schema.MetaEventStatus); s {
	case StatusCanceled, StatusPostponed:
		return s
	}
	return ""
}

// status is whether an event takes place, and why not (D72). The site's own software
// has neither member, and an event that takes place has none either.
func status() []*item.Field {
	words := []string{statusScheduled, StatusCanceled, StatusPostponed}
	shown := jsonschema.Words(StatusCanceled, StatusPostponed).Example(StatusCanceled)
	taken := jsonschema.Words(words...).As("EventStatus").Example(StatusCanceled)
	return []*item.Field{
		{
			Name: string(fieldEventStatus), Shape: shown, Masked: item.Omitted, Sparse: true, Maybe: true,
			Keys:   []string{schema.MetaEventStatus},
			Text:   func(it *item.Item) string { return storedStatus(it.Meta) },
			Stored: item.NotStored, // an import stores it with the state of its record
			Param: func(bool) *param.Param {
				return fieldEventStatus.Param(taken, param.Checked(param.OneOf(words...)),
					param.Doc("param_events_field_event_status"), param.Untyped())
			},
			Apply: func(_ context.Context, in *item.Input, e *content.Edit) error {
				given := fieldEventStatus.Given(in.Values)
				switch {
				case given == nil || *given == e.Text(schema.MetaEventStatus):
				case *given == statusScheduled:
					e.Set(schema.MetaEventStatus)
					e.Set(schema.MetaEventStatusReason)
				default:
					e.Set(schema.MetaEventStatus, *given)
				}
				return nil
			},
		},
		statusReason(),
	}
}

func statusReason() *item.Field {
	f := Text(fieldStatusReason, "param_events_field_event_status_reason", schema.MetaEventStatusReason)
	f.Shape = f.Shape.Example("The hall is flooded.")
	return f
}
