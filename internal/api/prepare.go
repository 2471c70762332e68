package api

import (
	"context"
	"time"

	"github.com/agendahq/agenda/internal/change"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
)

// State is the state of the database and of the site, with which requests are prepared.
type State struct {
	Tracker *change.Tracker // nil if the database cannot report changes
	Site    *site.Cache
	Store   *store.Store
}

// Prepare implements the engine's Prepare for requests outside of a transaction: it puts a state of the database and the
// settings of the site into the context of a request.
func (s State) Prepare(ctx context.Context, state *change.State) (context.Context, bool, error) {
	ctx = change.With(ctx, state)
	if err := ctx.Err(); err != nil {
		return ctx, false, err
	}
	settings, err := s.Site.Settings(ctx)
	if err != nil {
		return ctx, false, err
	}
	if settings.Network != nil && settings.Network.Closed {
		return ctx, false, rest.ErrSiteClosed
	}
	if err := s.Store.DB.UseDates(ctx, !settings.Unmigrated); err != nil {
		return ctx, false, err
	}
	if settings.Members.Restricts {
		restricted, err := s.Store.Posts.Restricted(ctx)
		if err != nil {
			return ctx, false, err
		}
		settings = settings.Restricting(restricted)
	}
	return site.With(ctx, settings), !settings.Disabled, nil
}

// Recall implements the engine's Recall. It answers for the usual state alone: everything else, such as a closed site,
// or one where some members may read more than others, is left to Prepare.
func (s State) Recall(ctx context.Context, maxStale time.Duration) (state *change.State, known *site.Settings, usual bool) {
	if s.Store.Transactions.Writing(ctx) {
		return nil, nil, false
	}
	state = s.Tracker.Recent(ctx, maxStale)
	known = s.Site.Known(state)
	closed := known == nil || known.Disabled || known.Members.Restricts || known.Network != nil && known.Network.Closed
	return state, known, !closed && ctx.Err() == nil
}
