package calendar

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/auth"
	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/store"
)

// How replicas are watched.
const (
	replicaTick    = 250 * time.Millisecond // between two questions for positions
	replicaTimeout = time.Second            // of such a question
	maxWriters     = 10_000                 // addresses whose writes are remembered

	replicaCompared    = 40          // questions for a position between two comparisons of connections
	replicaConnections = 3           // that are compared
	replicaMemory      = time.Minute // for which a server counts that answered
)

// replicas send anonymous reads to copies of the database. Each copy has a whole engine
// of its own, with its own caches, so that nothing of one server is mixed with another.
type replicas struct {
	lead    *Calendar // of the primary
	primary *bun.DB
	network auth.Network
	host    Authenticator // nil where the site's users log in
	lag     time.Duration // beyond which a replica is not read
	list    []*replica
	next    atomic.Uint64 // takes turns
	now     func() time.Time

	mu      sync.Mutex
	heard   []heard           // of the primary, the oldest first
	writers map[string]writer // by address
	all     writer            // of any address, when there are too many
	cancel  context.CancelFunc
	done    chan struct{}
}

// heard is the position of the primary at a moment.
type heard struct {
	at       time.Time
	position store.Position
}

// writer is what an address has to see of its own writes.
type writer struct {
	at       time.Time      // of the last write
	position store.Position // that holds it, nil until the primary told one that does
}

// watchReplicas starts to use the replicas of the options.
func (c *Calendar) watchReplicas(ctx context.Context) {
	o := &c.options
	if len(o.Replicas) == 0 {
		return
	}
	r := &replicas{
		lead: c, primary: o.DB, network: c.users.Network, host: o.Authenticator, lag: o.Cache.Settle / 2, now: time.Now,
		writers: map[string]writer{}, done: make(chan struct{}),
	}
	for i, db := range o.Replicas {
		r.list = append(r.list, &replica{db: db, number: i + 1, lead: c, reason: "not asked yet", servers: map[string]time.Time{}})
	}
	r.tick(ctx)
	loop, cancel := context.WithCancel(context.Background())
	r.cancel = cancel
	c.replicas, c.server = r, r
	go func() {
		defer close(r.done)
		ticker := time.NewTicker(replicaTick)
		defer ticker.Stop()
		for {
			select {
			case <-loop.Done():
				return
			case <-ticker.C:
				r.tick(loop)
			}
		}
	}()
}

// close ends the watching, and what the replicas run.
func (r *replicas) close(ctx context.Context) {
	if r == nil {
		return
	}
	r.cancel()
	<-r.done
	for _, one := range r.list {
		if one.own != nil {
			_ = one.own.Close(ctx)
		}
	}
}

// stats returns the figures of each replica, and their sums.
func (r *replicas) stats() (all []ReplicaStats, sum rest.Counters) {
	if r == nil {
		return nil, sum
	}
	for _, one := range r.list {
		one.mu.Lock()
		own, s := one.own, ReplicaStats{Reason: one.reason, Lag: one.lag(r.now()), Position: one.position.Last()}
		one.mu.Unlock()
		if own != nil {
			n := own.engine.Counters()
			s.Requests, s.Cache = n.Requests, cacheStats(own)
			sum.Requests += n.Requests
			sum.InFlight += n.InFlight
			sum.Failures += n.Failures
		}
		all = append(all, s)
	}
	return all, sum
}

// tick asks all servers for their positions, at the same time.
func (r *replicas) tick(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, replicaTimeout)
	defer cancel()
	var wait sync.WaitGroup
	wait.Go(func() {
		began := r.now()
		// Without the primary nothing new is written, and what was heard last holds.
		if p, err := store.Written(ctx, r.primary); err == nil {
			r.hear(heard{began, p})
		}
	})
	for _, one := range r.list {
		wait.Go(func() { one.ask(ctx) })
	}
	wait.Wait()
	r.mu.Lock()
	required, known := r.required(), slices.Clone(r.heard)
	r.mu.Unlock()
	for _, one := range r.list {
		one.decide(required)
		one.compare(known)
	}
}

// hear remembers a position of the primary: for replicas, which must not be far behind,
// and for who wrote before it was asked for.
func (r *replicas) hear(h heard) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.heard = append(r.heard, h)
	for address, w := range r.writers {
		switch {
		case w.position == nil && w.at.Before(h.at):
			w.position = h.position
			r.writers[address] = w
		case w.position != nil && w.at.Before(h.at.Add(-r.lag)): // every replica that is read has it
			delete(r.writers, address)
		}
	}
	switch {
	case r.all.position == nil && r.all.at.Before(h.at):
		r.all.position = h.position
	case r.all.at.Before(h.at.Add(-r.lag)):
		r.all = writer{}
	}
}

// required returns the position that a replica must have reached: that of the primary
// one lag ago, less the time until the next question. It forgets older ones.
func (r *replicas) required() store.Position {
	limit := r.now().Add(replicaTick - r.lag)
	for len(r.heard) > 1 && !r.heard[1].at.After(limit) {
		r.heard = r.heard[1:]
	}
	if len(r.heard) == 0 {
		return nil
	}
	return r.heard[0].position
}

// wrote remembers that an address wrote.
func (r *replicas) wrote(address string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	w := writer{at: r.now()}
	if _, known := r.writers[address]; !known && len(r.writers) >= maxWriters {
		r.all = w
		return
	}
	r.writers[address] = w
}

// writes remembers that an address is writing: its client can have the answer before
// wrote is called. No position of the primary holds a write of the future.
func (r *replicas) writes(address string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.writers) < maxWriters {
		r.writers[address] = writer{at: r.now().AddDate(1, 0, 0)}
	}
}

// pick returns a replica that may answer an address, in turn; nil for the primary.
func (r *replicas) pick(address string) (*Calendar, context.Context) {
	r.mu.Lock()
	w, all := r.writers[address], r.all
	r.mu.Unlock()
	first := r.next.Add(1)
	for i := range uint64(len(r.list)) {
		one := r.list[(first+i)%uint64(len(r.list))]
		if own, alive := one.read(w, all); own != nil {
			return own, alive
		}
	}
	return nil, nil
}

// seen reports whether a server that has reached a position holds the write.
func (w writer) seen(reached store.Position) bool {
	return w.at.IsZero() || w.position != nil && reached.Reached(w.position)
}

// Serve answers a request: from a replica if one may answer it, else from the primary.
func (r *replicas) Serve(w http.ResponseWriter, q *http.Request, to rest.Target) error {
	engine := r.lead.engine
	if to.Above {
		return engine.Serve(w, q, to)
	}
	address := r.network.Client(q)
	if reads := q.Method == http.MethodGet || q.Method == http.MethodHead; reads && engine.OfHost(to.Path) {
		return engine.Serve(w, q, to)
	}
	if q.Method != http.MethodGet && q.Method != http.MethodHead && q.Method != http.MethodOptions {
		r.writes(address)
		defer r.wrote(address)
		return engine.Serve(w, q, to)
	}
	who, anonymous := r.caller(q, r.lead.users, engine.MayOpen(q, to.Path))
	to.Caller = who
	if anonymous {
		if own, alive := r.pick(address); own != nil {
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

// replicaFor returns a replica from which what is read in the process for the client of a context may
// come, as that of a request does, and a context that ends when it is found to be dead; nil for the
// primary.
func (c *Calendar) replicaFor(ctx context.Context, o *rest.Operation, rawQuery string) (*Calendar, context.Context) {
	if c.replicas == nil {
		return nil, nil
	}
	query, err := param.ParseForm(rawQuery)
	if err != nil || !anonymousIn(ctx) || o.MayOpen(query) || c.env.Content.Store.Transactions.Writing(ctx) {
		return nil, nil
	}
	if own, ok := ctx.Value(keptKey{c}).(*Calendar); ok { // whose end ends the context
		return own, context.Background()
	}
	address := c.replicas.client(ctx)
	if address == "" {
		return nil, nil
	}
	return c.replicas.pick(address)
}

// client returns the address of the client of a context, "" without one.
func (r *replicas) client(ctx context.Context) string {
	return r.network.Client((&http.Request{}).WithContext(ctx))
}

// writing notes that the client of a context writes, until the returned function is called: it
// reads that from the primary.
func (c *Calendar) writing(ctx context.Context) (wrote func()) {
	if c.replicas == nil {
		return func() {}
	}
	address := c.replicas.client(ctx)
	if address == "" {
		return func() {}
	}
	c.replicas.writes(address)
	return func() { c.replicas.wrote(address) }
}

// caller returns who asks, nil if the engine is to find out, and whether that is nobody.
// The site's users are looked for on the primary alone, where their rights are those of
// this moment; so is whatever a secret opens, whose trials are counted there.
func (r *replicas) caller(q *http.Request, users *auth.Users, secret bool) (who func(context.Context) (caller.Principal, error),

	anonymous bool) {
	if r.host == nil {
		return nil, !secret && !auth.MayBeLogin(q)
	}
	p, err := r.host.Authenticate(q)
	who = func(ctx context.Context) (caller.Principal, error) { return hostCaller(ctx, users, p, err) }
	return who, !secret && err == nil && p.Anonymous()
}

// validReplica reports whether a database can be a copy of DB.
func (o *Options) validReplica(db *bun.DB) bool {
	return db != nil && o.DB != nil && db != o.DB && db.Dialect().Name() == o.DB.Dialect().Name()
}
