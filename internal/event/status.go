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

// Values of event_status. Only the last two are stored; an event that takes place as planned has no row.
const (
	statusScheduled = "scheduled"
	StatusCanceled  = "canceled"
	StatusPostponed = "postponed"
)

const (
	fieldEventStatus  param.Key[string] = "event_status"
	fieldStatusReason param.Key[string] = "event_status_reason"
)

// storedStatus returns the stored status of a canceled or postponed event, and "" for any other.
func storedStatus(m store.Meta) string {
	switch s := m.Text(schema.MetaEventStatus); s {
	case StatusCanceled, StatusPostponed:
		return s
	}
	return ""
}

// status returns the fields that say whether an event is canceled or postponed, and why (D72). The Events Calendar
// lacks both, and an event that takes place as planned has neither.
func status() []*item.Field {
	words := []string{statusScheduled, StatusCanceled, StatusPostponed}
	shown := jsonschema.Words(StatusCanceled, StatusPostponed).Example(StatusCanceled)
	taken := jsonschema.Words(words...).As("EventStatus").Example(StatusCanceled)
	return []*item.Field{
		{
			Name: string(fieldEventStatus), Shape: shown, Masked: item.Omitted, Sparse: true, Maybe: true,
			Keys:   []string{schema.MetaEventStatus},
			Text:   func(it *item.Item) string { return storedStatus(it.Meta) },
			Stored: item.NotStored, // an import stores it together with the status of the imported record
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
