package replica

import (
	"context"
	"errors"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/store/replication"
)

// replica is a copy of the database.
type replica[T any] struct {
	config *Config[T]
	db     *bun.DB
	number int

	tried   int                  // how often it was polled
	servers map[string]time.Time // servers that recently responded at its address: the time of the last response, by server identifier

	mu       sync.Mutex
	own      *T // nil until it was opened
	usable   bool
	position replication.Position
	lacks    heard           // the oldest known position of the primary that it has not reached; the zero value if there is none
	alive    context.Context // ends when the replica stops being usable
	die      context.CancelFunc
	reason   string // why it is not usable, as logged last
}

// usableFor returns what reads the replica, and a context that ends when the replica stops being usable. It returns nil
// if the replica must not be read, or lacks one of the writes.
func (one *replica[T]) usableFor(writes ...writer) (*T, context.Context) {
	one.mu.Lock()
	defer one.mu.Unlock()
	if !one.usable || slices.ContainsFunc(writes, func(w writer) bool { return !w.seen(one.position) }) {
		return nil, nil
	}
	return one.own, one.alive
}

// errSeveralServers is the error of a replica whose address leads to several servers, as a load balancer's does: the
// position of one server says nothing about the others.
var errSeveralServers = errors.New("its address leads to several servers: name each of them as a replica")

// pollPosition polls the replica's position, and opens the replica at its first response.
func (one *replica[T]) pollPosition(ctx context.Context) {
	p, server, err := replication.Replayed(ctx, one.db)
	one.answered(server)
	if one.tried%compareEvery == 0 {
		for _, server := range replication.ServersBehind(ctx, one.db, compared) {
			one.answered(server)
		}
	}
	one.tried++
	if err == nil && len(one.servers) > 1 {
		err = errSeveralServers
	}
	own := one.own
	if err == nil && own == nil {
		own, err = one.config.Open(ctx, one.db)
	}
	one.mu.Lock()
	defer one.mu.Unlock()
	if one.own, one.position = own, p; err != nil {
		one.position = nil
		one.refuse(err.Error())
	}
}

// answered records that a server responded at the replica's address. It removes servers that have not responded for a
// while, since another server may have replaced them.
func (one *replica[T]) answered(server string) {
	now := time.Now()
	if server != "" {
		one.servers[server] = now
	}
	maps.DeleteFunc(one.servers, func(_ string, last time.Time) bool { return now.Sub(last) > serverMemory })
}

// decide sets whether the replica is read, given the position that it must have reached.
func (one *replica[T]) decide(required replication.Position) {
	one.mu.Lock()
	defer one.mu.Unlock()
	switch {
	case one.position == nil || one.own == nil:
		return // pollPosition has already recorded why
	case required == nil:
		one.refuse("the primary's position is not known")
	case !one.position.Reached(required):
		one.refuse("it is too far behind the primary")
	case !one.usable:
		one.usable, one.reason = true, ""
		one.alive, one.die = context.WithCancel(context.Background())
		one.config.Logger.Info("replica in use", "replica", one.number)
	}
}

// compare records the oldest of the primary's known positions that the replica has not reached.
func (one *replica[T]) compare(known []heard) {
	one.mu.Lock()
	defer one.mu.Unlock()
	if one.lacks.position != nil && !one.position.Reached(one.lacks.position) {
		return // still not reached
	}
	one.lacks = heard{}
	for _, h := range known {
		if !one.position.Reached(h.position) {
			one.lacks = h
			return
		}
	}
}

// lag returns how long ago the primary had the position that the replica has not reached.
func (one *replica[T]) lag(now time.Time) time.Duration {
	if one.lacks.position == nil {
		return 0
	}
	return now.Sub(one.lacks.at)
}

// refuse excludes the replica from reads, and ends the reads in progress.
func (one *replica[T]) refuse(reason string) {
	if one.usable {
		one.usable = false
		one.die()
	}
	if one.reason != reason {
		one.reason = reason
		one.config.Logger.Warn("replica not in use", "replica", one.number, "reason", reason)
	}
}
