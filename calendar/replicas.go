package calendar

import (
	"context"
	"errors"
	"net/http"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/auth"
	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/follow"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/replica"
	"github.com/agendahq/agenda/internal/rest"
)

// replicas distributes anonymous reads among copies of the database.
type replicas struct {
	set  *replica.Set[Calendar]
	lead *Calendar // the calendar of the primary
}

// watchReplicas starts watching the replicas of a calendar's options. It returns nil if there are none.
func watchReplicas(ctx context.Context, lead *Calendar) *replicas {
	o := &lead.options
	if len(o.Replicas) == 0 {
		return nil
	}
	set := replica.Watch(ctx, replica.Config[Calendar]{
		Primary: o.DB, Replicas: o.Replicas, Lag: o.Cache.Settle / 2, Logger: o.Logger,
		Open: func(ctx context.Context, db *bun.DB) (*Calendar, error) { return openReplica(ctx, lead, db) },
	})
	return &replicas{set, lead}
}

// openReplica creates the calendar of a replica: that of the primary, on the replica's database and read-only.
func openReplica(ctx context.Context, lead *Calendar, db *bun.DB) (*Calendar, error) {
	o := lead.options
	o.DB, o.RoutedReads, o.Replicas, o.ReadOnly, o.PublishEvery, o.Hooks.OnChange = db, false, nil, true, 0, nil
	own := &Calendar{options: o}
	if err := own.open(ctx); err != nil {
		return nil, err
	}
	own.tracker.Follow(lead.tracker)
	own.cancel, own.ended = follow.Publisher{}.Start() // which publishes nothing
	return own, nil
}

// close stops watching the replicas, and closes their calendars.
func (r *replicas) close(ctx context.Context) {
	if r != nil {
		r.set.Close(func(own *Calendar) { _ = own.Close(ctx) })
	}
}

// stats returns the statistics of each replica, and the sum of their counters.
func (r *replicas) stats() (all []ReplicaStats, sum rest.Counters) {
	if r == nil {
		return nil, sum
	}
	for _, one := range r.set.States() {
		s := ReplicaStats{Reason: one.Reason, Lag: one.Lag, Position: one.Position}
		if one.Own != nil {
			n := one.Own.engine.Counters()
			s.Requests, s.Cache = n.Requests, cacheStats(one.Own)
			sum.Requests += n.Requests
			sum.InFlight += n.InFlight
			sum.Failures += n.Failures
		}
		all = append(all, s)
	}
	return all, sum
}

// Serve answers a request from a replica if one can answer it, and otherwise from the primary.
func (r *replicas) Serve(w http.ResponseWriter, q *http.Request, to rest.Target) error {
	engine, reads := r.lead.engine, q.Method == http.MethodGet || q.Method == http.MethodHead
	if to.Above || reads && engine.OfHost(to.Path) {
		return engine.Serve(w, q, to)
	}
	address := r.lead.users.Network.Client(q)
	if !reads && q.Method != http.MethodOptions {
		r.set.Writes(address)
		defer r.set.Wrote(address)
		return engine.Serve(w, q, to)
	}
	who, anonymous := r.caller(q, engine.MayOpen(q, to.Path))
	to.Caller = who
	if anonymous {
		if own, alive := r.set.Pick(address); own != nil {
			ctx, cancel := context.WithCancel(q.Context())
			defer cancel()
			defer context.AfterFunc(alive, cancel)()
			attempt := to
			attempt.Attempt = true
			err := own.engine.Serve(w, q.WithContext(ctx), attempt)
			if !errors.Is(err, rest.ErrUnanswered) {
				return err
			}
		}
	}
	return engine.Serve(w, q, to)
}

// replicaFor returns a replica for a read in the process, under the same conditions as for a request of the client of
// ctx, and a context that ends when the replica stops being usable. It returns nil for the primary.
func (r *replicas) replicaFor(ctx context.Context, o *rest.Operation, rawQuery string) (*Calendar, context.Context) {
	if r == nil {
		return nil, nil
	}
	query, err := param.ParseForm(rawQuery)
	if err != nil || !anonymousIn(ctx) || o.MayOpen(query) || r.lead.env.Content.Store.Transactions.Writing(ctx) {
		return nil, nil
	}
	if own, ok := ctx.Value(keptKey{r.lead}).(*Calendar); ok { // its end also ends ctx
		return own, context.Background()
	}
	address := r.client(ctx)
	if address == "" {
		return nil, nil
	}
	return r.set.Pick(address)
}

// client returns the address of the client of a context, or "" if there is none.
func (r *replicas) client(ctx context.Context) string {
	return r.lead.users.Network.Client((&http.Request{}).WithContext(ctx))
}

// writing records that the client of a context is writing, until the returned function is called. Meanwhile the client
// reads from the primary.
func (r *replicas) writing(ctx context.Context) (wrote func()) {
	if r == nil {
		return func() {}
	}
	address := r.client(ctx)
	if address == "" {
		return func() {}
	}
	r.set.Writes(address)
	return func() { r.set.Wrote(address) }
}

// caller returns a function that determines the caller, or nil if the engine does so, and whether the caller is
// anonymous. Users of the site are only looked up on the primary, so that their rights are current. The same applies if
// the request contains a password, since attempts are counted on the primary.
func (r *replicas) caller(q *http.Request, secret bool) (who func(context.Context) (caller.Principal, error), anonymous bool) {
	host := r.lead.options.Authenticator
	if host == nil { // the users of the site log in
		return nil, !secret && !auth.MayBeLogin(q)
	}
	p, err := host.Authenticate(q)
	who = func(ctx context.Context) (caller.Principal, error) { return hostCaller(ctx, r.lead.users, p, err) }
	return who, !secret && err == nil && p.Anonymous()
}

// validReplica reports whether a database can be a replica of DB: another one with the same dialect.
func (o *Options) validReplica(db *bun.DB) bool {
	return db != nil && o.DB != nil && db != o.DB && db.Dialect().Name() == o.DB.Dialect().Name()
}
