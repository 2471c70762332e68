// Package nudge wakes the companion of a WordPress site after writes, so that page caches are updated without waiting
// for a visitor.
package nudge

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/url"
	"time"

	"github.com/agendahq/agenda/calendar"
)

const (
	pause    = time.Second      // between two nudges
	longest  = 10 * time.Second // maximum duration of a nudge
	logAgain = time.Minute      // minimum time between two logged failures
)

// Nudger requests an address after changes, without content and at most once a second. A failed nudge is not repeated:
// the change is recorded in the database, and the next request to the site reads it.
type Nudger struct {
	address string
	client  http.Client
	logger  *slog.Logger
	woken   chan struct{}
	ended   chan struct{}
	end     func()
}

// New starts a Nudger. Close stops it.
func New(address string, logger *slog.Logger) (*Nudger, error) {
	u, err := url.Parse(address)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.Host == "" {
		return nil, errors.New("use an address of the site that begins with http:// or https://")
	}
	ctx, cancel := context.WithCancel(context.Background())
	n := &Nudger{
		address: address, logger: logger, woken: make(chan struct{}, 1), ended: make(chan struct{}), end: cancel,
		client: http.Client{
			Timeout:       longest,
			CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse },
		},
	}
	go n.run(ctx)
	return n, nil
}

// Changed is a calendar.Hooks.OnChange. It does not block.
func (n *Nudger) Changed(_ context.Context, c calendar.Change) {
	if c.Foreign {
		return
	}
	select {
	case n.woken <- struct{}{}:
	default: // a nudge that is about to be sent covers this change too
	}
}

func (n *Nudger) run(ctx context.Context) {
	defer close(n.ended)
	var logged time.Time
	for {
		select {
		case <-ctx.Done():
			return
		case <-n.woken:
		}
		if err := n.nudge(ctx); err != nil && ctx.Err() == nil && time.Since(logged) > logAgain {
			logged = time.Now()
			n.logger.Warn("the site could not be notified: its companion acts at the next request", "error", err)
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(pause):
		}
	}
}

// nudge sends an empty POST, which no cache answers. Any answer is a success, because WordPress reads the recorded
// changes before it answers.
func (n *Nudger) nudge(ctx context.Context) error {
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, n.address, http.NoBody)
	if err != nil {
		return err
	}
	r.Header.Set("User-Agent", "Agenda")
	answer, err := n.client.Do(r)
	if err != nil {
		return err
	}
	defer answer.Body.Close()
	_, _ = io.CopyN(io.Discard, answer.Body, 1<<16)
	return nil
}

// Close stops the Nudger.
func (n *Nudger) Close() {
	n.end()
	<-n.ended
}
