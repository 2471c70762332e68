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
	jump        = time.Second     // by which a server's clock may gain or lose unseen: as long as a look may take
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

	mu        sync.Mutex // of what follows
	state     State      // of now
	epoch     uint64     // the greatest one given
	last      Versions   // of the last look
	looked    time.Time  // when it began, zero if it failed or its connection was released
	renewed   time.Time  // when all epochs grew last because of more than commits of this program
	drift     drift      // of the server's clock
	jumped    time.Time  // when the server's clock was found to have jumped last
	running   int        // commits of this program that run now
	committed time.Time  // when the last one was over
	compare   bool       // the options have to be compared though their table is as it was
	idle      *time.Timer
	closed    bool
	stats     Stats

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
	c.stats.Looks++
	c.mu.Unlock()
	began := c.now()
	ctx, cancel := context.WithTimeout(ctx, longestLook)
	defer cancel()
	v, err := c.source.Versions(ctx)
	read := c.now()
	if err == nil && read.Sub(began) > longestLook {
		err = errSlow
	}
	var found findings
	var options map[string]string
	if err == nil && v.Unknown == "" {
		if found = c.compareWith(v, began, read); found.compare {
			options, err = c.source.Options(ctx)
		}
		if err == nil && c.now().Sub(began) > longestLook {
			err = errSlow
		}
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
		c.stats.Unknown = v.Unknown
		c.failed(reasonUnknown)
	default:
		c.stats.Unknown = ""
		if found.renew != "" {
			c.renew(found.renew, false)
		}
		c.take(began, v, found)
		c.takeOptions(began, v, options)
	}
	c.releaseWhenIdle()
	s := c.state
	return &s
}

// findings are what the versions of a look tell beside those before.
type findings struct {
	renew     string    // why the versions cannot show all that changed, "" if they do
	forgotten bool      // a table whose time is unknown may have been changed
	compare   bool      // the options have to be read
	own       time.Time // until when, by the server's clock, this program committed since the last look, zero if it did not
}

// compareWith compares versions, of a look that began and that had read them at two
// moments, with those before.
func (c *Clock) compareWith(v Versions, began, read time.Time) (f findings) {
	c.mu.Lock()
	defer c.mu.Unlock()
	jumped := !v.Exact && c.drift.add(began, v.Now)
	if jumped {
		c.jumped = began
	}
	switch {
	case jumped:
		f.renew = reasonJump
	case c.looked.IsZero(), v.Server != c.last.Server, len(v.Tables) != len(c.last.Tables):
		f.renew = reasonServer
	case began.Sub(c.looked) > longestGap:
		f.renew = reasonIdle
	case began.Sub(c.renewed) > c.maxAge:
		f.renew = reasonAge
	}
	if f.renew != "" {
		c.drift = drift{began: began, now: v.Now} // nothing that was cached before counts
	}
	f.forgotten = !v.Exact && read.Sub(c.looked) > unknownGap
	// The table of options is written all the time: what counts is not that it changed
	// but what in it.
	t := v.Tables[v.Options]
	f.compare = f.renew != "" || c.compare || t != c.last.Tables[v.Options] || f.forgotten && t.unknown()
	switch {
	case c.running > 0:
		f.own = v.Now
	case !c.committed.Before(c.looked):
		f.own = v.Now.Add(c.committed.Sub(began))
	}
	return f
}

// failed notes that nothing is known.
func (c *Clock) failed(reason string) {
	c.renew(reason, false)
	c.looked, c.last, c.compare = time.Time{}, Versions{}, true
	c.state.unsettled, c.state.options = All, nil
}

// take notes the versions of tables.
func (c *Clock) take(began time.Time, v Versions, f findings) {
	if !c.looked.IsZero() && c.state.unsettled != 0 {
		c.stats.Unsettled += began.Sub(c.looked)
	}
	c.state.unsettled = 0
	for i, t := range v.Tables {
		if i == v.Options {
			continue
		}
		switch {
		case len(c.last.Tables) != len(v.Tables):
		case t != c.last.Tables[i]:
			own := !f.own.IsZero() && (v.Exact || !t.unknown() && !t.Updated.After(f.own))
			c.changed(i, reasonChanged, own)
		case f.forgotten && t.unknown():
			c.changed(i, reasonUnknown, false)
		}
		if !v.Exact && !c.settled(began, v.Now, t) {
			c.state.unsettled |= 1 << i
		}
	}
	c.looked = began
}

// settled reports whether no transaction that is not longer than settle can still be
// committed with the time that a table has, though the server's clock jumped.
func (c *Clock) settled(began, now time.Time, t Version) bool {
	newest := t.Updated
	if newest.Before(t.Created) {
		newest = t.Created
	}
	return !newest.Add(grain+c.settle).After(now) && began.Sub(c.jumped) >= longestLook+c.settle
}

// takeOptions compares options with those before, if they were read.
func (c *Clock) takeOptions(began time.Time, v Versions, options map[string]string) {
	if options != nil && (c.state.options == nil || !maps.Equal(options, *c.state.options)) {
		if c.state.options != nil {
			c.changed(v.Options, reasonOptions, false)
		}
		c.state.options = &options
	}
	if options != nil {
		c.compare = !v.Exact && !c.settled(began, v.Now, v.Tables[v.Options])
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
		c.committed = c.now()
		c.renew(reasonOwn, true)
	}
}

// releaseWhenIdle gives the connection back when nobody has looked for as long as would
// make everything new anyway.
func (c *Clock) releaseWhenIdle() {
	if c.closed {
		return
	}
	if c.idle == nil {
		c.idle = time.AfterFunc(longestGap, c.release)
		return
	}
	c.idle.Reset(longestGap)
}

// release closes the connection. The next one may look the same, after a restart of the
// server.
func (c *Clock) release() {
	c.reading.Lock()
	defer c.reading.Unlock()
	c.source.Release()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.looked = time.Time{}
}

// Reconnect makes the next look use a new connection, which may lead to another server.
func (c *Clock) Reconnect() {
	if c != nil {
		c.release()
	}
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

// drift follows how a server's clock differs from ours, from look to look. What it did
// before the first one is not known.
type drift struct {
	began, now  time.Time     // of a look, and what the server's clock showed then
	least, most time.Duration // what that has gained since
}

// add notes what the server's clock shows in a look. It reports whether the clock jumped,
// were it in small steps.
func (d *drift) add(began, now time.Time) (jumped bool) {
	if d.began.IsZero() {
		return false
	}
	gained := now.Sub(d.now) - began.Sub(d.began)
	d.least, d.most = min(d.least, gained), max(d.most, gained)
	return d.most-d.least > jump
}
