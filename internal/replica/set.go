// Package replica watches copies of the database, and chooses those that are recent enough to be read.
package replica

import (
	"context"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/store/replication"
)

// Parameters of watching replicas.
const (
	pollEvery   = 250 * time.Millisecond // between two polls of positions
	pollTimeout = time.Second            // of a poll
	maxWriters  = 10_000                 // maximal number of addresses whose writes are remembered

	compareEvery = 40          // polls between two comparisons of the servers behind several connections
	compared     = 3           // connections that are compared
	serverMemory = time.Minute // how long a server that responded is remembered
)

// Config describes replicas. A T reads one of them.
type Config[T any] struct {
	Primary  *bun.DB
	Replicas []*bun.DB
	Lag      time.Duration // a replica that is further behind is not read
	Logger   *slog.Logger
	// Open returns what reads a replica. It is called when the replica has responded for the first time.
	Open func(ctx context.Context, db *bun.DB) (*T, error)
}

// Set contains the replicas of a database. Each has a T of its own, with caches of its own, so that data of different
// servers is not mixed.
type Set[T any] struct {
	config Config[T]
	list   []*replica[T]
	next   atomic.Uint64 // counter for reading the replicas in turn
	now    func() time.Time

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

// Watch starts watching replicas, until Close.
func Watch[T any](ctx context.Context, c Config[T]) *Set[T] {
	s := &Set[T]{config: c, now: time.Now, writers: map[string]writer{}, done: make(chan struct{})}
	for i, db := range c.Replicas {
		s.list = append(s.list, &replica[T]{
			config: &s.config, db: db, number: i + 1, reason: "not asked yet", servers: map[string]time.Time{},
		})
	}
	s.tick(ctx)
	loop, cancel := context.WithCancel(context.Background())
	s.cancel = cancel
	go func() {
		defer close(s.done)
		ticker := time.NewTicker(pollEvery)
		defer ticker.Stop()
		for {
			select {
			case <-loop.Done():
				return
			case <-ticker.C:
				s.tick(loop)
			}
		}
	}()
	return s
}

// Close stops watching the replicas, and calls end for what reads each of them.
func (s *Set[T]) Close(end func(own *T)) {
	s.cancel()
	<-s.done
	for _, one := range s.list {
		if one.own != nil {
			end(one.own)
		}
	}
}

// State is the state of a replica.
type State[T any] struct {
	Own      *T     // what reads it; nil until it was opened
	Reason   string // why it is not read; "" while it is read
	Lag      time.Duration
	Position map[string]uint64
}

// States returns the state of each replica.
func (s *Set[T]) States() (all []State[T]) {
	for _, one := range s.list {
		one.mu.Lock()
		all = append(all, State[T]{Own: one.own, Reason: one.reason, Lag: one.lag(s.now()), Position: one.position.Last()})
		one.mu.Unlock()
	}
	return all
}

// tick polls all servers for their positions, concurrently.
func (s *Set[T]) tick(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, pollTimeout)
	defer cancel()
	var wait sync.WaitGroup
	wait.Go(func() {
		began := s.now()
		// If the primary does not respond, nothing new is written, and its last position stays valid.
		if p, err := replication.Written(ctx, s.config.Primary); err == nil {
			s.hear(heard{began, p})
		}
	})
	for _, one := range s.list {
		wait.Go(func() { one.pollPosition(ctx) })
	}
	wait.Wait()
	s.mu.Lock()
	required, known := s.required(), slices.Clone(s.heard)
	s.mu.Unlock()
	for _, one := range s.list {
		one.decide(required)
		one.compare(known)
	}
}

// hear records a position of the primary: for replicas, which must not be far behind it, and for clients that wrote
// before it was polled.
func (s *Set[T]) hear(h heard) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.heard = append(s.heard, h)
	for address, w := range s.writers {
		switch {
		case w.position == nil && w.at.Before(h.at):
			w.position = h.position
			s.writers[address] = w
		case w.position != nil && w.at.Before(h.at.Add(-s.config.Lag)): // every usable replica includes the write
			delete(s.writers, address)
		}
	}
	switch {
	case s.all.position == nil && s.all.at.Before(h.at):
		s.all.position = h.position
	case s.all.at.Before(h.at.Add(-s.config.Lag)):
		s.all = writer{}
	}
}

// required returns the position that a replica must have reached: the primary's position one lag ago, less the time
// until the next poll. It removes older positions.
func (s *Set[T]) required() replication.Position {
	limit := s.now().Add(pollEvery - s.config.Lag)
	for len(s.heard) > 1 && !s.heard[1].at.After(limit) {
		s.heard = s.heard[1:]
	}
	if len(s.heard) == 0 {
		return nil
	}
	return s.heard[0].position
}

// Wrote records that the client with an address has written.
func (s *Set[T]) Wrote(address string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	w := writer{at: s.now()}
	if _, known := s.writers[address]; !known && len(s.writers) >= maxWriters {
		s.all = w
		return
	}
	s.writers[address] = w
}

// Writes records that the client with an address is writing, since the client may receive the answer before Wrote is
// called. The time of the record is in the future, so that no position of the primary includes it.
func (s *Set[T]) Writes(address string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.writers) < maxWriters {
		s.writers[address] = writer{at: s.now().AddDate(1, 0, 0)}
	}
}

// Pick returns what reads a replica that can answer the client with an address, in turn, and a context that ends when the
// replica stops being usable. It returns nil for the primary.
func (s *Set[T]) Pick(address string) (*T, context.Context) {
	s.mu.Lock()
	w, all := s.writers[address], s.all
	s.mu.Unlock()
	first := s.next.Add(1)
	for i := range uint64(len(s.list)) {
		one := s.list[(first+i)%uint64(len(s.list))]
		if own, alive := one.usableFor(w, all); own != nil {
			return own, alive
		}
	}
	return nil, nil
}

// seen reports whether a server that has reached a position includes the write.
func (w writer) seen(reached replication.Position) bool {
	return w.at.IsZero() || w.position != nil && reached.Reached(w.position)
}
