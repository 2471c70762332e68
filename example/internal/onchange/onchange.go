// Package onchange delivers the changes of a calendar to a command or to an address, so that caches can drop outdated
// answers.
package onchange

import (
	"context"
	"crypto/rand"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/agendahq/agenda/calendar"
)

// Line describes a change, as one line of JSON.
type Line struct {
	Kind      string   `json:"kind"`
	ID        int64    `json:"id,omitempty"` // 0 if it concerns all items of the resource
	Operation string   `json:"operation"`
	Address   string   `json:"address"` // in the API
	Tags      []string `json:"tags"`    // cache tags: the resource, and the item as "events-12"
}

// Purge is the Operation of a Line that concerns a whole resource, of which more items changed than can be remembered.
const Purge = "purge"

const (
	maxWaiting = 4096 // items that are remembered
	maxSent    = 500  // lines that are delivered at a time
	maxTries   = 6
	firstPause = time.Second // after a failure; each further one is twice as long
	sendTime   = 30 * time.Second
	laterPause = 5 * time.Minute // after maxTries; new lines are delivered in the meantime
)

// Config determines where changes are delivered.
type Config struct {
	// Send delivers lines: see Command and Post. All attempts to deliver the same lines have the same id.
	Send func(ctx context.Context, id string, list []Line) error
	// Again is the delay after which each line is delivered once more, because a cache may have stored an answer that
	// was begun before the change.
	Again time.Duration
	// Base is the address of the API, to which the path of an item is added.
	Base   string
	Logger *slog.Logger
}

// Notifier remembers changes and delivers them. Several changes of an item become one.
type Notifier struct {
	Config
	wake  chan struct{}
	ended chan struct{}
	end   func()

	mu      sync.Mutex
	waiting lines
	again   lines
}

// lines contains changes, in the order in which their items first changed.
type lines struct {
	order []string
	of    map[string]dated
}

type dated struct {
	Line
	due time.Time
}

// New starts a Notifier. Close stops it.
func New(c Config) *Notifier {
	ctx, cancel := context.WithCancel(context.Background())
	n := &Notifier{Config: c, wake: make(chan struct{}, 1), ended: make(chan struct{}), end: cancel}
	go n.run(ctx)
	return n
}

// Changed records a change. It is a calendar.Hooks.OnChange and does not block.
func (n *Notifier) Changed(_ context.Context, c calendar.Change) {
	l := Line{
		Kind: c.Kind, ID: c.ID, Operation: c.Op, Address: fmt.Sprintf("%s/%s/%d", n.Base, c.Kind, c.ID),
		Tags: c.Tags(),
	}
	n.mu.Lock()
	n.waiting.addLine(dated{l, time.Time{}}, n.Base)
	n.again.addLine(dated{l, time.Now().Add(n.Again)}, n.Base)
	n.mu.Unlock()
	select {
	case n.wake <- struct{}{}:
	default:
	}
}

// addLine adds a line, which replaces an earlier one of the same item. If too many are remembered, further lines of a
// resource become a single one for all its items.
func (l *lines) addLine(d dated, base string) {
	if l.of == nil {
		l.of = map[string]dated{}
	}
	key := d.Address
	if _, known := l.of[key]; !known && (len(l.order) >= maxWaiting || l.whole(d.Kind, base)) {
		key = base + "/" + d.Kind
		d.Line = Line{Kind: d.Kind, Operation: Purge, Address: key, Tags: []string{d.Kind}}
	}
	if _, known := l.of[key]; !known {
		l.order = append(l.order, key)
	}
	l.of[key] = d
}

// whole reports whether there is a line for a whole resource.
func (l *lines) whole(kind, base string) bool {
	_, there := l.of[base+"/"+kind]
	return there
}

// takeDue removes and returns the first lines that are due, and returns when the next one is due.
func (l *lines) takeDue(now time.Time) (due []Line, next time.Time) {
	var left []string
	for _, key := range l.order {
		d := l.of[key]
		switch {
		case d.due.After(now):
			if next.IsZero() || d.due.Before(next) {
				next = d.due
			}
			left = append(left, key)
		case len(due) == maxSent:
			left, next = append(left, key), now
		default:
			due = append(due, d.Line)
			delete(l.of, key)
		}
	}
	l.order = left
	return due, next
}

// run delivers what is due until ctx ends.
func (n *Notifier) run(ctx context.Context) {
	defer close(n.ended)
	for {
		now := time.Now()
		n.mu.Lock()
		first, more := n.waiting.takeDue(now)
		again, next := n.again.takeDue(now)
		n.mu.Unlock()
		n.send(ctx, first) // if it fails, they are delivered with the second delivery
		if !n.send(ctx, again) {
			n.later(again)
			continue
		}
		if !more.IsZero() {
			continue
		}
		var timer <-chan time.Time
		if !next.IsZero() {
			timer = time.After(time.Until(next))
		}
		select {
		case <-ctx.Done():
			return
		case <-n.wake:
		case <-timer:
		}
	}
}

// later schedules lines that could not be delivered, unless they are scheduled already, because the receiver may be
// down for longer.
func (n *Notifier) later(list []Line) {
	n.mu.Lock()
	defer n.mu.Unlock()
	due := time.Now().Add(laterPause)
	for _, l := range list {
		if _, known := n.again.of[l.Address]; !known && !n.again.whole(l.Kind, n.Base) {
			n.again.addLine(dated{l, due}, n.Base)
		}
	}
}

// send delivers lines, with several attempts. It reports whether that succeeded, and logs a failure.
func (n *Notifier) send(ctx context.Context, list []Line) bool {
	if len(list) == 0 {
		return true
	}
	pause, id := firstPause, "msg_"+rand.Text()
	for try := 1; ; try++ {
		within, cancel := context.WithTimeout(context.WithoutCancel(ctx), sendTime)
		err := n.Send(within, id, list)
		cancel()
		switch {
		case err == nil:
			return true
		case try == maxTries || ctx.Err() != nil:
			n.Logger.Error("changes could not be delivered", "changes", len(list), "error", err)
			return false
		}
		n.Logger.Warn("changes could not be delivered yet", "changes", len(list), "error", err)
		select {
		case <-time.After(pause):
		case <-ctx.Done():
		}
		pause *= 2
	}
}

// Close delivers what is waiting, including the second deliveries, and stops the notifier. It returns early if ctx
// ends.
func (n *Notifier) Close(ctx context.Context) {
	n.end()
	select {
	case <-n.ended:
	case <-ctx.Done():
		return
	}
	ended, cancel := context.WithCancel(ctx)
	cancel() // one attempt each
	for _, l := range []*lines{&n.waiting, &n.again} {
		for ctx.Err() == nil {
			n.mu.Lock()
			due, _ := l.takeDue(time.Now().Add(max(n.Again, laterPause)))
			n.mu.Unlock()
			if len(due) == 0 {
				break
			}
			n.send(ended, due)
		}
	}
}
