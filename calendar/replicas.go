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
	"github.com/agendahq/agenda/internal/store/replication"
)

// Parameters of watching replicas.
const (
	replicaTick    = 250 * time.Millisecond // between two polls of positions
	replicaTimeout = time.Second            // of a poll
	maxWriters     = 10_000                 // maximal number of addresses whose writes are remembered

	replicaCompared    = 40          // polls between two comparisons of the servers behind several connections
	replicaConnections = 3           // connections that are compared
	replicaMemory      = time.Minute // how long a server that responded is remembered
)

// replicas distributes anonymous reads among copies of the database. Each copy has an engine with caches of its own, so
// that data of different servers is not mixed.
type replicas struct {
	lead    *Calendar // the calendar of the primary
	primary *bun.DB
	network auth.Network
	host    Authenticator // nil if the users of the site log in
	lag     time.Duration // a replica that is further behind is not read
	list    []*replica
	next    atomic.Uint64 // counter for reading the replicas in turn
	now     func() time.Time

	mu      sync.Mutex
	heard   []heard           // recent positions of the primary, the oldest first
	writers map[string]writer // by address
	all     writer            // a write of any address, used while there are too many addresses
	cancel  context.CancelFunc
	done    chan struct{}
}

// heard is the position of the primary at a time.
type heard struct {
	at       time.Time
	position replication.Position
}

// writer is a write that its client must see.
type writer struct {
	at       time.Time            // time of the client's last write
	position replication.Position // a position that includes the write; nil until the primary has reported one
}

// watchReplicas starts watching the replicas of a calendar's options. It returns nil if there are none.
func watchReplicas(ctx context.Context, lead *Calendar) *replicas {
	o := &lead.options
	if len(o.Replicas) == 0 {
		return nil
	}
	r := &replicas{
		lead: lead, primary: o.DB, network: lead.users.Network, host: o.Authenticator, lag: o.Cache.Settle / 2, now: time.Now,
		writers: map[string]writer{}, done: make(chan struct{}),
	}
	for i, db := range o.Replicas {
		r.list = append(r.list, &replica{db: db, number: i + 1, lead: lead, reason: "not asked yet", servers: map[string]time.Time{}})
	}
	r.tick(ctx)
	loop, cancel := context.WithCancel(context.Background())
	r.cancel = cancel
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
	return r
}

// close stops watching the replicas, and closes their calendars.
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

// stats returns the statistics of each replica, and the sum of their counters.
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

// tick polls all servers for their positions, concurrently.
func (r *replicas) tick(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, replicaTimeout)
	defer cancel()
	var wait sync.WaitGroup
	wait.Go(func() {
		began := r.now()
		// If the primary does not respond, nothing new is written, and its last position stays valid.
		if p, err := replication.Written(ctx, r.primary); err == nil {
			r.hear(heard{began, p})
		}
	})
	for _, one := range r.list {
		wait.Go(func() { one.pollPosition(ctx) })
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

// hear records a position of the primary: for replicas, which must not be far behind it, and for clients that wrote
// before it was polled.
func (r *replicas) hear(h heard) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.heard = append(r.heard, h)
	for address, w := range r.writers {
		switch {
		case w.position == nil && w.at.Before(h.at):
			w.position = h.position
			r.writers[address] = w
		case w.position != nil && w.at.Before(h.at.Add(-r.lag)): // every usable replica includes the write
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

// required returns the position that a replica must have reached: the primary's position one lag ago, less the time
// until the next poll. It removes older positions.
func (r *replicas) required() replication.Position {
	limit := r.now().Add(replicaTick - r.lag)
	for len(r.heard) > 1 && !r.heard[1].at.After(limit) {
		r.heard = r.heard[1:]
	}
	if len(r.heard) == 0 {
		return nil
	}
	return r.heard[0].position
}

// wrote records that the client with an address has written.
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

// writes records that the client with an address is writing, since the client may receive the answer before wrote is
// called. The time of the record is in the future, so that no position of the primary includes it.
func (r *replicas) writes(address string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.writers) < maxWriters {
		r.writers[address] = writer{at: r.now().AddDate(1, 0, 0)}
	}
}

// pick returns a replica that can answer the client with an address, in turn, or nil for the primary.
func (r *replicas) pick(address string) (*Calendar, context.Context) {
	r.mu.Lock()
	w, all := r.writers[address], r.all
	r.mu.Unlock()
	first := r.next.Add(1)
	for i := range uint64(len(r.list)) {
		one := r.list[(first+i)%uint64(len(r.list))]
		if own, alive := one.usableCalendar(w, all); own != nil {
			return own, alive
		}
	}
	return nil, nil
}

// seen reports whether a server that has reached a position includes the write.
func (w writer) seen(reached replication.Position) bool {
	return w.at.IsZero() || w.position != nil && reached.Reached(w.position)
}

// Serve answers a request from a replica if one can answer it, and otherwise from the primary.
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
	return r.pick(address)
}

// client returns the address of the client of a context, or "" if there is none.
func (r *replicas) client(ctx context.Context) string {
	return r.network.Client((&http.Request{}).WithContext(ctx))
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
	r.writes(address)
	return func() { r.wrote(address) }
}

// caller returns a function that determines the caller, or nil if the engine does so, and whether the caller is
// anonymous. Users of the site are only looked up on the primary, so that their rights are current. The same applies if
// the request contains a password, since attempts are counted on the primary.
func (r *replicas) caller(q *http.Request, users *auth.Users, secret bool) (who func(context.Context) (caller.Principal, error),

	anonymous bool) {
	if r.host == nil {
		return nil, !secret && !auth.MayBeLogin(q)
	}
	p, err := r.host.Authenticate(q)
	who = func(ctx context.Context) (caller.Principal, error) { return hostCaller(ctx, users, p, err) }
	return who, !secret && err == nil && p.Anonymous()
}

// validReplica reports whether a database can be a replica of DB: another one with the same dialect.
func (o *Options) validReplica(db *bun.DB) bool {
	return db != nil && o.DB != nil && db != o.DB && db.Dialect().Name() == o.DB.Dialect().Name()
}
