package item

import (
	"context"

	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/surrogate"
	"github.com/agendahq/agenda/internal/wp/phpval"
)

// Noted is a look-up of items of a kind. Whatever it finds or refuses, the answer depends on the kind: another item may come to be, be
// published or be hidden (D88).
func Noted[U, T any](kind string, lookUp func(context.Context, U) (T, error)) func(context.Context, U) (T, error) {
	return func(ctx context.Context, v U) (T, error) {
		surrogate.From(ctx).List(kind)
		return lookUp(ctx, v)
	}
}

// ReadableEvent looks up the id of an event that the caller may read, or of one of its dates.
// Others are unknown.
func (s *Service) ReadableEvent() param.Rule[int64] {
	return param.LookedUp(eventNumber, Noted(s.Content.Types.Events().Collection, func(ctx context.Context, id int64) (int64, error) {
		post, err := s.EventOf(ctx, id)
		if err != nil {
			return 0, err
		}
		found, err := s.Content.Store.Posts.Access(ctx, []int64{post})
		if err == nil && !s.readableEvent(ctx, found[post]) {
			err = param.Invalid("fault_event")
		}
		return id, err
	}))
}

// Linking is an event with its stored values of a meta key.
type Linking struct {
	ID     int64
	Values []string
}

// LinkingEvent is ReadableEvent with the event's values of the key of a type's links, read at
// the same time. One date of an event links what events link one of; of what they link
// several of it has none, as in the site's own software.
func (s *Service) LinkingEvent(t *content.Type) param.Rule[Linking] {
	return param.LookedUp(eventNumber, Noted(s.Content.Types.Events().Collection, func(ctx context.Context, id int64) (Linking, error) {
		post, err := s.EventOf(ctx, id)
		if err != nil {
			return Linking{}, err
		}
		a, values, err := s.Content.Store.Posts.AccessAndMeta(ctx, post, t.LinkKey)
		if err == nil && !s.readableEvent(ctx, a) {
			err = param.Invalid("fault_event")
		}
		if post != id && !t.LinksOne {
			values = nil
		}
		return Linking{id, values}, err
	}))
}

func (s *Service) readableEvent(ctx context.Context, a store.PostAccess) bool {
	return a.Type == s.Content.Types.Events().PostType && s.Content.Types.CanOpen(ctx, a)
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
