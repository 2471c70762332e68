package follow

import (
	"context"
	"errors"
	"log/slog"
	"runtime/debug"
	"sync"
	"time"
)

// PublishStats are statistics of publishing; see calendar.PublishStats.
type PublishStats struct {
	Posts, Rounds, Failures int64
	Last                    time.Time
}

// Published contains the statistics of publishing. Its zero value is ready to use.
type Published struct {
	mu    sync.Mutex
	stats PublishStats
}

// Add counts a run that published posts. ended reports whether it ended without an error.
func (p *Published) Add(posts int, ended bool, now func() time.Time) {
	var last time.Time
	if ended {
		last = now() // called before locking, since it is the host's code
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stats.Posts += int64(posts)
	if !ended {
		p.stats.Failures++
		return
	}
	p.stats.Rounds++
	p.stats.Last = last
}

// Stats returns the statistics.
func (p *Published) Stats() PublishStats {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.stats
}

// Publisher publishes scheduled posts at intervals.
type Publisher struct {
	Every   time.Duration                      // 0: never
	Publish func(context.Context) (int, error) // publishes those that are due
	Closed  error                              // the error of Publish that is not logged: nothing is published any more
	Journal *Runner
	Logger  *slog.Logger
}

// Start starts publishing. cancel ends it, and ended is closed when it has ended.
func (p Publisher) Start() (cancel func(), ended <-chan struct{}) {
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	if p.Every == 0 {
		close(done)
		return cancel, done
	}
	go func() {
		defer close(done)
		tick := time.NewTicker(p.Every)
		defer tick.Stop()
		for {
			p.publishOnce(ctx)
			select {
			case <-tick.C:
			case <-ctx.Done():
				return
			}
		}
	}()
	return cancel, done
}

// publishOnce is one iteration of the loop. Errors and panics are logged; the next iteration tries again.
func (p Publisher) publishOnce(ctx context.Context) {
	defer func() {
		if reason := recover(); reason != nil {
			p.Logger.Error("panic while publishing scheduled posts", "panic", reason, "stack", string(debug.Stack()))
		}
	}()
	// The journal may have been installed since the last iteration.
	if err := p.Journal.Start(ctx); err != nil && ctx.Err() == nil {
		p.Logger.Warn("the journal could not be updated", "error", err)
	}
	if _, err := p.Publish(ctx); err != nil && ctx.Err() == nil && !errors.Is(err, p.Closed) {
		p.Logger.Error("scheduled posts were not published", "error", err)
	}
}
