package item

import (
	"context"

	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/surrogate"
	"github.com/agendahq/agenda/internal/wp/phpval"
)

// Noted wraps a look-up of items of a resource so that the cached response depends on the whole resource (D88). This
// holds even for a look-up that fails, because the item may be created, published or hidden later.
func Noted[U, T any](kind string, lookUp func(context.Context, U) (T, error)) func(context.Context, U) (T, error) {
	return func(ctx context.Context, v U) (T, error) {
		surrogate.From(ctx).List(kind)
		return lookUp(ctx, v)
	}
}

// ReadableEvent looks up the id of an event, or of an occurrence, that the caller may read. Other ids are treated as
// unknown.
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

// LinkingEvent is like ReadableEvent, and also reads the event's values of the meta key in which links to posts of type
// t are stored. An occurrence has the event's link to a type of which an event links at most one post; to other types
// it has no links, as in The Events Calendar.
func (s *Service) LinkingEvent(t *content.Storage) param.Rule[Linking] {
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

// eventNumber reads the digits at the beginning of an id. Other strings are rejected by the type of the parameter.
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
