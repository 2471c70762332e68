package item

import (
	"context"

	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp/phpval"
)

// ReadableEvent looks up the id of an event that the caller may read. Others are
// unknown.
func (s *Service) ReadableEvent() param.Rule[int64] {
	return param.LookedUp(eventNumber, func(ctx context.Context, id int64) (int64, error) {
		found, err := s.Content.Store.Posts.Access(ctx, []int64{id})
		if err == nil && !s.readableEvent(ctx, found[id]) {
			err = param.Invalid("fault_event")
		}
		return id, err
	})
}

// Linking is an event with its stored values of a meta key.
type Linking struct {
	ID     int64
	Values []string
}

// LinkingEvent is ReadableEvent with the event's values of a key, read at the same
// time.
func (s *Service) LinkingEvent(key string) param.Rule[Linking] {
	return param.LookedUp(eventNumber, func(ctx context.Context, id int64) (Linking, error) {
		a, values, err := s.Content.Store.Posts.AccessAndMeta(ctx, id, key)
		if err == nil && !s.readableEvent(ctx, a) {
			err = param.Invalid("fault_event")
		}
		return Linking{id, values}, err
	})
}

func (s *Service) readableEvent(ctx context.Context, a store.PostAccess) bool {
	return a.Type == s.Content.Types.Events().PostType && s.Content.CanOpen(ctx, a)
}

// eventNumber reads the digits at the beginning of an id; other text is left to the
// type of the parameter.
func eventNumber(_ context.Context, v any) (int64, error) {
	s, ok := param.Scalar(v)
	id := phpval.Int(s)
	if n, whole := param.Integer(v); whole {
		id = n
	}
	if !ok || id <= 0 {
		return 0, param.Invalid("fault_event")
	}
	return id, nil
}
