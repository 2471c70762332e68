package change

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"sync"
	"time"
)

// Source reads the versions of a database's tables, over one connection of its own that
// it opens when it is asked. A Clock calls one method at a time.
type Source interface {
	// Versions reads the versions of all tables.
	Versions(ctx context.Context) (Versions, error)
	// Options reads the options that answers depend on.
	Options(ctx context.Context) (map[string]string, error)
	// Release closes the connection. Versions opens another one.
	Release()
}

// Versions are those of all tables at one moment.
type Versions struct {
	// Server identifies the server and the connection to it.
	Server string
	// Now is the server's clock.
	Now time.Time
	// Tables are the versions, in an order that never changes.
	Tables []Version
	// Options is the index of the table of options.
	Options int
	// Exact says that versions differ after every commit, as SQLite's do: they have no
	// times, and need not settle.
	Exact bool
	// Unknown, unless it is empty, is why the versions tell nothing, such as that a
	// table is a view.
	Unknown string
}

// Version is that of one table.
type Version struct {
	Identity         string    // what it is, "" for a table that does not exist
	Created, Updated time.Time // to the second; zero where the server does not know
}

// unknown reports whether the server does not know when a table was changed.
func (v Version) unknown() bool { return v.Identity != "" && v.Updated.IsZero() }

// Times of a Clock.
const (
	longestLook = time.Second     // a look that takes longer failed
	longestGap  = time.Minute     // between two looks, for the second to tell what happened between
	unknownGap  = 2 * time.Second // the same for tables whose time is unknown
	jump        = time.Second     // by which a server's clock may differ from ours between two looks
	grain       = time.Second     // of the times of tables
)

// Reasons for which epochs grow, besides changes that a look found.
const (
	reasonChanged = "table changed"
	reasonOptions = "option changed"
	reasonOwn     = "own commit"
	reasonServer  = "other connection"
	reasonFailed  = "look failed"
	reasonUnknown = "unknown version"
	reasonIdle    = "long without a look"
	reasonJump    = "server's clock jumped"
	reasonAge     = "maximal age"
)

// Clock tells what changed in a database. New makes one.
type Clock struct {
	source         Source
	settle, maxAge time.Duration
	logger         *slog.Logger
	now            func() time.Time // time.Now unless a test sets it

	looks Group[struct{}, *State]

	mu      sync.Mutex // of what follows
	state   State      // of now
	epoch   uint64     // the greatest one given
	last    Versions   // of the last look
	looked  time.Time  // when it began, zero if it failed
	renewed time.Time  // when all epochs grew last because of their age
	own     int        // commits of this program since the last look began
	running int        // commits of this program that run now
	compare bool       // the options have to be compared though their table is as it was
	idle    *time.Timer
	closed  bool
	stats   Stats

	reading sync.Mutex // held while the source is used
}

// Stats are figures about a Clock since it was made.
type Stats struct {
	Looks     int64            // questions sent to the database
	Epochs    map[string]int64 // how often all that was cached, or what was cached of a table, became invalid, by reason
	Unsettled time.Duration    // how long nothing could be cached, as far as looks show
	Unknown   string           // why nothing can be told, "" where it can
}

// New returns a clock. settle is how old a version must be, maxAge the longest time for
// which anything is cached. It does nothing until the first Look. The logger gets a line
// when the source can tell nothing.
func New(source Source, settle, maxAge time.Duration, logger *slog.Logger) *Clock {
	return &Clock{source: source, settle: settle, maxAge: maxAge, logger: logger, now: time.Now, stats: Stats{Epochs: map[string]int64{}}}
}

// Look returns the state of the database at a moment after the call. One question is
// asked for all that call before it is sent. Where it cannot be answered the state says
// that nothing may be cached. A nil Clock returns nil.
func (c *Clock) Look(ctx context.Context) *State {
	if c == nil {
		return nil
	}
	s, _, err := c.looks.Do(ctx, struct{}{}, nil, func() (*State, bool, error) {
		// Others wait for the answer, whatever becomes of this caller.
		return c.look(context.WithoutCancel(ctx)), true, nil
	})
	if err != nil {
		return nil
	}
	return s
}

var errSlow = errors.New("change: the look took too long")

// look asks the source and compares the answer with the one before.
func (c *Clock) look(ctx context.Context) *State {
	c.reading.Lock()
	defer c.reading.Unlock()
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		return nil
	}
	own := c.own > 0 || c.running > 0
	c.own = 0
	c.stats.Looks++
	c.mu.Unlock()
	began := c.now()
	ctx, cancel := context.WithTimeout(ctx, longestLook)
	defer cancel()
	v, err := c.source.Versions(ctx)
	why := c.renewal(began, v)
	var options map[string]string
	if err == nil && v.Unknown == "" && (why != "" || c.mustCompare(began, v)) {
		options, err = c.source.Options(ctx)
	}
	if err == nil && c.now().Sub(began) > longestLook {
		err = errSlow
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case err != nil:
		c.source.Release()
		c.failed(reasonFailed)
	case v.Unknown != "":
		if v.Unknown != c.stats.Unknown {
			c.logger.Warn("nothing is cached", "reason", v.Unknown)
		}
		c.failed(reasonUnknown)
	default:
		if why != "" {
			c.renew(why, false)
		}
		c.take(began, v, own || c.own > 0 || c.running > 0)
		c.takeOptions(v, options)
	}
	c.stats.Unknown = v.Unknown
	c.releaseWhenIdle()
	s := c.state
	return &s
}

// renewal returns why the versions cannot show all that changed since the last look, ""
// if they do.
func (c *Clock) renewal(began time.Time, v Versions) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	gap := began.Sub(c.looked)
	drift := v.Now.Sub(c.last.Now) - gap
	switch {
	case c.looked.IsZero(), v.Server != c.last.Server, len(v.Tables) != len(c.last.Tables):
		return reasonServer
	case gap > longestGap:
		return reasonIdle
	case !v.Exact && (drift < -jump || drift > jump):
		return reasonJump
	case began.Sub(c.renewed) > c.maxAge:
		return reasonAge
	}
	return ""
}

// failed notes that nothing is known.
func (c *Clock) failed(reason string) {
	c.renew(reason, false)
	c.looked, c.last, c.compare = time.Time{}, Versions{}, true
	c.state.unsettled, c.state.options = All, nil
}

// take compares versions with those before.
func (c *Clock) take(began time.Time, v Versions, own bool) {
	gap := began.Sub(c.looked)
	if !c.looked.IsZero() && c.state.unsettled != 0 {
		c.stats.Unsettled += gap
	}
	c.state.unsettled = 0
	for i, t := range v.Tables {
		if i == v.Options {
			continue
		}
		switch {
		case len(c.last.Tables) != len(v.Tables):
		case t != c.last.Tables[i]:
			c.changed(i, reasonChanged, own)
		case !v.Exact && t.unknown() && gap > unknownGap:
			c.changed(i, reasonUnknown, false)
		}
		if !v.Exact && !c.old(v.Now, t) {
			c.state.unsettled |= 1 << i
		}
	}
	c.looked = began
}

// old reports whether no transaction that is not longer than settle can still be
// committed with the time that a table has.
func (c *Clock) old(now time.Time, t Version) bool {
	newest := t.Updated
	if newest.Before(t.Created) {
		newest = t.Created
	}
	return !newest.Add(grain + c.settle).After(now)
}

// mustCompare reports whether the options have to be read: their table is written all
// the time, so what counts is not that it changed but what in it.
func (c *Clock) mustCompare(began time.Time, v Versions) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := v.Tables[v.Options]
	return c.compare || c.state.options == nil || t != c.last.Tables[v.Options] ||
		!v.Exact && t.unknown() && began.Sub(c.looked) > unknownGap
}

// takeOptions compares options with those before, if they were read.
func (c *Clock) takeOptions(v Versions, options map[string]string) {
	if options != nil && (c.state.options == nil || !maps.Equal(options, *c.state.options)) {
		if c.state.options != nil {
			c.changed(v.Options, reasonOptions, false)
		}
		c.state.options = &options
	}
	if options != nil {
		c.compare = !v.Exact && !c.old(v.Now, v.Tables[v.Options])
	}
	c.last = v
}

// changed grows the epoch of one table.
func (c *Clock) changed(table int, reason string, own bool) {
	c.epoch++
	c.stats.Epochs[reason]++
	c.state.epochs[table] = c.epoch
	if !own {
		c.state.foreigns[table] = c.epoch
	}
}

// renew grows the epochs of all tables.
func (c *Clock) renew(reason string, own bool) {
	c.epoch++
	c.stats.Epochs[reason]++
	c.state.base = c.epoch
	if !own {
		c.state.foreign = c.epoch
		c.renewed = c.now()
	}
}

// Commit notes that this program begins to commit a transaction. The caller calls
// committed when it is over, however it ended. Both of a nil Clock do nothing.
func (c *Clock) Commit() (committed func()) {
	if c == nil {
		return func() {}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.running++
	c.renew(reasonOwn, true)
	return func() {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.running--
		c.own++
		c.renew(reasonOwn, true)
	}
}

// releaseWhenIdle gives the connection back when nobody has looked for as long as would
// make everything new anyway.
func (c *Clock) releaseWhenIdle() {
	if c.idle == nil {
		c.idle = time.AfterFunc(longestGap, c.release)
		return
	}
	c.idle.Reset(longestGap)
}

func (c *Clock) release() {
	c.reading.Lock()
	defer c.reading.Unlock()
	c.source.Release()
}

// Close gives the connection back. Later looks return nil.
func (c *Clock) Close() {
	if c == nil {
		return
	}
	c.mu.Lock()
	c.closed = true
	if c.idle != nil {
		c.idle.Stop()
	}
	c.mu.Unlock()
	c.release()
}

// Stats returns the figures of this moment; those of a nil Clock are zero.
func (c *Clock) Stats() Stats {
	if c == nil {
		return Stats{}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.stats
	s.Epochs = maps.Clone(s.Epochs)
	return s
}
