package resource

import (
	"context"

	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/wp/phpval"
)

// ReadableEvent accepts the id of an event that the caller may read; one that
// the caller may not read is as good as unknown.
func (s *Service) ReadableEvent(ctx context.Context, v any) (any, error) {
	id, err := eventNumber(v)
	if err != nil {
		return nil, err
	}
	found, err := s.Store.Authors(ctx, []int64{id})
	if err != nil {
		return nil, err
	}
	if a := found[id]; a.Type != s.Types.Events().PostType || !s.CanOpen(ctx, a) {
		return nil, param.Invalid("fault_event")
	}
	return id, nil
}

// Linking is an event with its values of a meta key, in stored order.
type Linking struct {
	ID     int64
	Values []string
}

// LinkingEvent accepts what ReadableEvent accepts and returns a Linking, read
// at the same time.
func (s *Service) LinkingEvent(key string) param.Check {
	return func(ctx context.Context, v any) (any, error) {
		id, err := eventNumber(v)
		if err != nil {
			return nil, err
		}
		a, values, err := s.Store.AuthorAndMeta(ctx, id, key)
		if err != nil {
			return nil, err
		}
		if a.Type != s.Types.Events().PostType || !s.CanOpen(ctx, a) {
			return nil, param.Invalid("fault_event")
		}
		return Linking{id, values}, nil
	}
}

// eventNumber reads an id by its leading digits; other text behind them is left
// to the type of the parameter.
func eventNumber(v any) (int64, error) {
	s, ok := param.Scalar(v)
	id := phpval.Int(s)
	if n, whole := param.Convert(param.Integer, v); whole {
		id = n.(int64)
	}
	if !ok || id <= 0 {
		return 0, param.Invalid("fault_event")
	}
	return id, nil
}
