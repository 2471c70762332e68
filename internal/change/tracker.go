package change

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// Durations used by a Tracker.
const (
	longestLook = time.Second     // a poll that takes longer fails
	longestGap  = time.Minute     // maximum between two polls for the second to show what happened in between
	unknownGap  = 2 * time.Second // the same for tables whose time is unknown
	jump        = time.Second     // by which a server's clock may gain or lose unnoticed, the maximum duration of a poll
	grain       = time.Second     // resolution of the times of tables
	commitLag   = time.Second     // how much later than the time of its tables a commit may become visible
	unloggedGap = 2 * time.Second // how long the set of transactions may be older than the times of tables
)

// Reasons for new epochs, besides changes that a poll found.
const (
	reasonChanged  = "table changed"
	reasonSet      = "transactions"
	reasonUnlogged = "transactions not logged"
	reasonOptions  = "option changed"
	reasonOwn      = "own commit"
	reasonServer   = "other connection"
	reasonFailed   = "look failed"
	reasonUnknown  = "unknown version"
	reasonIdle     = "long without a look"
	reasonJump     = "server's clock jumped"
	reasonAge      = "maximal age"
)

// Tracker tracks changes to a database. New makes one.
type Tracker struct {
	source         Source
	settle, maxAge time.Duration
	logger         *slog.Logger
	now            func() time.Time // time.Now except in tests

	looks    Group[struct{}, *State]
	latest   atomic.Pointer[State] // of the last poll; nil if that found nothing or its connection was released
	renewing atomic.Bool           // whether latest is being renewed
	unpolled atomic.Int64          // requests since the last poll that needed none

	mu        sync.Mutex // guards the following fields
	state     State      // the current state
	epoch     uint64     // the highest epoch so far
	columns   uint64     // the highest value of State.Columns so far
	last      Versions   // of the last poll
	looked    time.Time  // when the last poll began; zero if it failed or its connection was released
	renewed   time.Time  // when all tables last got a new epoch for another reason than commits of this program
	drift     drift      // of the server's clock
	jumped    time.Time  // when the server's clock was last found to have jumped
	own       uint64     // incremented when a commit of this program begins and when it has ended
	leads     []*Tracker // trackers whose own commits count too
	running   int        // number of commits of this program in progress
	committed time.Time  // when the last commit ended
	compare   bool       // the options have to be read, because a poll failed
	recent    Tables     // tables whose times in the last poll could also be those of a later commit
	unmoved   string     // set of transactions that a commit of this program must have changed, "" for none
	suspect   string     // set that did not change though times of tables did, "" for none
	suspected time.Time  // when suspect was set
	unlogged  bool       // the set is ignored, because a commit did not change it
	busy      busy
	advise    bool // whether to log that other programs write all the time
	idle      *time.Timer
	closed    bool
	stats     Stats

	reading sync.Mutex // held while the source is used
}

// Stats are statistics of a Tracker since it was made.
type Stats struct {
	Looks     int64            // queries sent to the database
	Epochs    map[string]int64 // how often everything that was cached, or everything of one table, became invalid, by reason
	Unsettled time.Duration    // how long nothing could be cached, as far as polls show
	Unknown   string           // why changes cannot be noticed, "" if they can
	Method    string           // how changes are noticed, "" if they are not
	Moved     map[string]int64 // how many polls found that a table was written, by the table's name
}

// New returns a Tracker. settle is how old a version must be, maxAge the maximum duration for which anything is cached.
// It does nothing until the first Poll. It logs if the source cannot show changes.
func New(source Source, settle, maxAge time.Duration, logger *slog.Logger) *Tracker {
	stats := Stats{Epochs: map[string]int64{}, Moved: map[string]int64{}}
	return &Tracker{
		looks: Group[struct{}, *State]{Gathers: true}, source: source, settle: settle, maxAge: maxAge, logger: logger, now: time.Now,
		stats: stats,
	}
}

// Poll returns the state of the database at some time after the call. One query is sent for all callers that arrive
// before it, and none if Versions.Unchanged reports that the last one would find the same. If the query fails, the state
// says that nothing may be cached. A nil Tracker returns nil.
func (c *Tracker) Poll(ctx context.Context) *State { return c.Recent(ctx, 0) }

// Versions polls, and returns the versions that the tables have at some time after the call, and the tables whose
// version could also be that of a later commit. known is false if the versions are not known.
func (c *Tracker) Versions(ctx context.Context) (v Versions, unsettled Tables, known bool) {
	if c == nil {
		return v, All, false
	}
	if s, _, err := c.looks.Do(ctx, struct{}{}, nil, c.polling(ctx)); err != nil || s == nil {
		return v, All, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.last, c.recent, !c.looked.IsZero() && len(c.last.Tables) > 0
}

var errSlow = errors.New("change: reading the versions took too long")

// pollSource polls the source and compares the result with the previous one.
func (c *Tracker) pollSource(ctx context.Context) *State {
	c.reading.Lock()
	defer c.reading.Unlock()
	c.mu.Lock()
	if c.closed {
		c.mu.Unlock()
		return nil
	}
	c.stats.Looks++
	c.mu.Unlock()
	own, began := c.ownCommits(), c.now()
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
		if found = c.compareWith(&v, began, read); found.compare {
			options, err = c.source.Options(ctx)
		}
		if err == nil && c.now().Sub(began) > longestLook {
			err = errSlow
		}
	}
	if err != nil {
		c.source.Release() // this may wait for others that use the connection
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	switch {
	case err != nil:
		c.failed(reasonFailed)
	case v.Unknown != "":
		if v.Unknown != c.stats.Unknown {
			c.logger.Warn("nothing is cached", "reason", v.Unknown)
		}
		c.stats.Unknown, c.stats.Method = v.Unknown, ""
		c.failed(reasonUnknown)
	default:
		c.stats.Unknown = ""
		if method := v.method(); method != c.stats.Method {
			c.logger.Info("changes in the database are detected", "by", method)
			c.stats.Method = method
		}
		if found.renew != "" {
			c.renew(found.renew, false)
		}
		c.recordVersions(began, v, found)
		c.takeOptions(v, options)
	}
	c.releaseWhenIdle()
	s := c.state
	s.began, s.own, s.unchanged = c.looked, own, v.Unchanged
	s.until = c.looked.Add(min(longestUnpolled, c.maxAge-c.looked.Sub(c.renewed)))
	c.latest.Store(nil)
	if !s.began.IsZero() {
		c.latest.Store(&s)
	}
	return &s
}

// failed records that nothing is known.
func (c *Tracker) failed(reason string) {
	c.renew(reason, false)
	c.looked, c.last, c.compare, c.recent = time.Time{}, Versions{}, true, 0
	c.state.unsettled, c.state.options, c.state.columns = All, nil, 0
}

// recordVersions records the versions of tables.
func (c *Tracker) recordVersions(began time.Time, v Versions, f findings) {
	if !c.looked.IsZero() && c.state.unsettled != 0 {
		c.stats.Unsettled += began.Sub(c.looked)
	}
	recent := Tables(0)
	for i, t := range v.Tables {
		if len(c.last.Tables) == len(v.Tables) && t != c.last.Tables[i] && i < len(v.Names) {
			c.stats.Moved[v.Names[i]]++
		}
		if !v.Exact && !c.settled(began, &v, t) {
			recent |= 1 << i
		}
		if i == v.Options {
			continue
		}
		own := !f.own.IsZero() && (v.Exact || !t.unknown() && !t.Updated.After(f.own))
		switch {
		case len(c.last.Tables) != len(v.Tables):
		case t != c.last.Tables[i]:
			c.changed(i, reasonChanged, own)
		case f.forgotten && t.unknown():
			c.changed(i, reasonUnknown, false)
		case v.Set != c.last.Set && c.recent&(1<<i) != 0: // the time may be that of a later commit
			c.changed(i, reasonSet, own)
		}
	}
	switch {
	case v.Columns == "":
		c.state.columns = 0
	case c.state.columns == 0 || v.Server != c.last.Server || v.Columns != c.last.Columns:
		c.columns++
		c.state.columns = c.columns
	}
	c.noteBusy(began, v, f)
	c.recent, c.state.unsettled = recent, recent&^(1<<v.Options)
	if v.Set != "" {
		c.state.unsettled = 0 // the next commit changes the set
	}
	c.looked = began
}

// settled reports whether no transaction can still be committed that gives the table the same time, even if the
// server's clock jumped. Where times are those at which transactions began, this assumes that none lasts longer than
// settle.
func (c *Tracker) settled(began time.Time, v *Versions, t Version) bool {
	newest, settle := t.Updated, c.settle
	if newest.Before(t.Created) {
		newest = t.Created
	}
	if v.AtCommit {
		settle = commitLag
	}
	return !newest.Add(grain+settle).After(v.Now) && began.Sub(c.jumped) >= longestLook+settle
}

// takeOptions compares the options with the previous ones, if they were read.
func (c *Tracker) takeOptions(v Versions, options map[string]string) {
	if options != nil && (c.state.options == nil || !maps.Equal(options, *c.state.options)) {
		if c.state.options != nil {
			c.changed(v.Options, reasonOptions, false)
		}
		c.state.options = &options
	}
	if options != nil {
		c.compare = false
	}
	c.last = v
}

// changed gives one table a new epoch.
func (c *Tracker) changed(table int, reason string, own bool) {
	c.epoch++
	c.stats.Epochs[reason]++
	c.state.epochs[table] = c.epoch
	if !own {
		c.state.foreigns[table] = c.epoch
	}
}

// renew gives all tables new epochs.
func (c *Tracker) renew(reason string, own bool) {
	c.epoch++
	c.stats.Epochs[reason]++
	c.state.base = c.epoch
	if !own {
		c.state.foreign = c.epoch
		c.renewed = c.now()
	}
}

// Commit records that this program begins to commit a transaction. The caller must call committed when the commit has
// ended, whether or not it succeeded; changed says whether it is known to have changed rows. A nil Tracker does
// nothing.
func (c *Tracker) Commit() (committed func(changed bool)) {
	if c == nil {
		return func(bool) {}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.running++
	c.own++
	c.renew(reasonOwn, true)
	before := c.last.Set
	return func(changed bool) {
		c.mu.Lock()
		defer c.mu.Unlock()
		c.running--
		c.own++
		c.committed = c.now()
		c.renew(reasonOwn, true)
		if changed && before == c.last.Set { // otherwise a poll has found another set in the meantime
			c.unmoved = before
		}
	}
}

// Follow makes the commits of this program to the database of another Tracker count as own commits in State.Own. The
// database of c is a copy of that one.
func (c *Tracker) Follow(lead *Tracker) {
	if c == nil || lead == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if !slices.Contains(c.leads, lead) {
		c.leads = append(c.leads, lead)
	}
}

// ownCommits returns the value of State.Own.
func (c *Tracker) ownCommits() uint64 {
	c.mu.Lock()
	n, leads := c.own, c.leads
	c.mu.Unlock()
	for _, lead := range leads {
		n += lead.ownCommits()
	}
	return n
}

// releaseWhenIdle closes the connection when nobody has polled for so long that everything would be invalid anyway.
func (c *Tracker) releaseWhenIdle() {
	if c.closed {
		return
	}
	if c.idle == nil {
		c.idle = time.AfterFunc(longestGap, func() { c.release(c.source.Pause) })
		return
	}
	c.idle.Reset(longestGap)
}

// release ends the use of the connection. The next connection may be indistinguishable from it if the server was
// restarted.
func (c *Tracker) release(end func()) {
	c.reading.Lock()
	defer c.reading.Unlock()
	c.latest.Store(nil)
	end()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.looked = time.Time{}
}

// Reconnect makes the next poll open a new connection, which may lead to another server.
func (c *Tracker) Reconnect() {
	if c != nil {
		c.release(c.source.Release)
	}
}

// Close closes the connection. Later calls of Poll return nil.
func (c *Tracker) Close() {
	if c == nil {
		return
	}
	c.mu.Lock()
	c.closed = true
	if c.idle != nil {
		c.idle.Stop()
	}
	c.mu.Unlock()
	c.release(c.source.Pause)
}

// Stats returns the current statistics; those of a nil Tracker are zero.
func (c *Tracker) Stats() Stats {
	if c == nil {
		return Stats{}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	s := c.stats
	s.Epochs, s.Moved = maps.Clone(s.Epochs), maps.Clone(s.Moved)
	return s
}
