package change

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Source reads the versions of a database's tables, over one connection that it opens when it is asked, and may share
// with those of other trackers. A Tracker calls one method at a time.
type Source interface {
	// Versions reads the versions of all tables.
	Versions(ctx context.Context) (Versions, error)
	// Options reads the options that answers depend on.
	Options(ctx context.Context) (map[string]string, error)
	// Release closes the connection, also for others. Versions opens another one.
	Release()
	// Pause closes the connection unless others use it, until Versions is called.
	Pause()
}

// Versions are those of all tables at one moment.
type Versions struct {
	// Server identifies the server and the connection to it.
	Server string
	// Now is the server's clock.
	Now time.Time
	// Tables are the versions, in an order that never changes.
	Tables []Version
	// Names are those of the tables, for people.
	Names []string
	// Options is the index of the table of options.
	Options int
	// Exact says that versions differ after every commit, as SQLite's do: they have no
	// times, and need not settle.
	Exact bool
	// AtCommit says that the times are those of commits, as MySQL's are, and not those at
	// which the transactions began.
	AtCommit bool
	// Set tells the transactions that the server has executed, with the server: another
	// text after every commit that the server logs, to whichever database, and not before
	// its rows can be read. It was read before the tables' times. "" where there is none.
	Set string
	// Columns is another text after each change to the columns of one of the tables, to its existence too. "" where that is
	// not told.
	Columns string
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

// Times of a Tracker.
const (
	longestLook = time.Second     // a look that takes longer failed
	longestGap  = time.Minute     // between two looks, for the second to tell what happened between
	unknownGap  = 2 * time.Second // the same for tables whose time is unknown
	jump        = time.Second     // by which a server's clock may gain or lose unseen: as long as a look may take
	grain       = time.Second     // of the times of tables
	commitLag   = time.Second     // by which a commit may be visible later than the time that it gives its tables
	unloggedGap = 2 * time.Second // for which the set of transactions may be older than the times of tables
)

// How changes are noticed, as Stats tell.
const (
	MethodExact  = "the database's version"
	MethodSet    = "global transaction identifiers"
	MethodCommit = "times of commits"
	MethodStart  = "times of transactions"
)

// method returns how the versions tell changes.
func (v *Versions) method() string {
	switch {
	case v.Exact:
		return MethodExact
	case v.Set != "":
		return MethodSet
	case v.AtCommit:
		return MethodCommit
	}
	return MethodStart
}

// Reasons for which epochs grow, besides changes that a look found.
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

// Tracker tells what changed in a database. New makes one.
type Tracker struct {
	source         Source
	settle, maxAge time.Duration
	logger         *slog.Logger
	now            func() time.Time // time.Now unless a test sets it

	looks    Group[struct{}, *State]
	latest   atomic.Pointer[State] // of the last look, nil if it told nothing or its connection was released
	renewing atomic.Bool           // latest is being renewed

	mu        sync.Mutex // of what follows
	state     State      // of now
	epoch     uint64     // the greatest one given
	columns   uint64     // the greatest number of State.Columns
	last      Versions   // of the last look
	looked    time.Time  // when it began, zero if it failed or its connection was released
	renewed   time.Time  // when all epochs grew last because of more than commits of this program
	drift     drift      // of the server's clock
	jumped    time.Time  // when the server's clock was found to have jumped last
	own       uint64     // grows when a commit of this program begins and when it is over
	leads     []*Tracker // whose own commits count too
	running   int        // commits of this program that run now
	committed time.Time  // when the last one was over
	compare   bool       // the options have to be compared: a look failed
	recent    Tables     // whose times, in the last look, could be those of a later commit too
	unmoved   string     // set of transactions that a commit of this program must have moved, "" for none
	suspect   string     // set that was as before though times of tables were later, "" for none
	suspected time.Time  // when that was found
	unlogged  bool       // a commit did not move the set: it is not used
	busy      busy
	advise    bool // to log that it is
	idle      *time.Timer
	closed    bool
	stats     Stats

	reading sync.Mutex // held while the source is used
}

// Stats are figures about a Tracker since it was made.
type Stats struct {
	Looks     int64            // questions sent to the database
	Epochs    map[string]int64 // how often all that was cached, or what was cached of a table, became invalid, by reason
	Unsettled time.Duration    // how long nothing could be cached, as far as looks show
	Unknown   string           // why nothing can be told, "" where it can
	Method    string           // how changes are noticed, "" where they are not
	Moved     map[string]int64 // how many looks found that a table was written, by its name
}

// New returns a tracker. settle is how old a version must be, maxAge the longest time for
// which anything is cached. It does nothing until the first Look. The logger gets a line
// when the source can tell nothing.
func New(source Source, settle, maxAge time.Duration, logger *slog.Logger) *Tracker {
	stats := Stats{Epochs: map[string]int64{}, Moved: map[string]int64{}}
	return &Tracker{
		looks: Group[struct{}, *State]{Gathers: true}, source: source, settle: settle, maxAge: maxAge, logger: logger, now: time.Now,
		stats: stats,
	}
}

// Look returns the state of the database at a moment after the call. One question is
// asked for all that call before it is sent. Where it cannot be answered the state says
// that nothing may be cached. A nil Tracker returns nil.
func (c *Tracker) Look(ctx context.Context) *State {
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

// Versions looks, and returns the versions that the tables have at a moment after the call, and those of them that could be
// versions of a later commit too. It reports false where they are not known.
func (c *Tracker) Versions(ctx context.Context) (v Versions, unsettled Tables, known bool) {
	if c.Look(ctx) == nil {
		return v, All, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.last, c.recent, !c.looked.IsZero() && len(c.last.Tables) > 0
}

var errSlow = errors.New("change: the look took too long")

// look asks the source and compares the answer with the one before.
func (c *Tracker) look(ctx context.Context) *State {
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
		c.source.Release() // which may wait for others that use the connection
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
			c.logger.Info("changes of the database are told", "by", method)
			c.stats.Method = method
		}
		if found.renew != "" {
			c.renew(found.renew, false)
		}
		c.take(began, v, found)
		c.takeOptions(v, options)
	}
	c.releaseWhenIdle()
	s := c.state
	s.began, s.own = c.looked, own
	c.latest.Store(nil)
	if !s.began.IsZero() {
		c.latest.Store(&s)
	}
	return &s
}

// findings are what the versions of a look tell beside those before.
type findings struct {
	renew     string    // why the versions cannot show all that changed, "" if they do
	moved     bool      // something was committed, or there is no set of transactions to tell
	forgotten bool      // a table whose time is unknown may have been changed
	compare   bool      // the options have to be read
	own       time.Time // until when, by the server's clock, this program committed since the last look, zero if it did not
}

// compareWith compares versions, of a look that began and that had read them at two
// moments, with those before. It removes a set that cannot be relied on.
func (c *Tracker) compareWith(v *Versions, began, read time.Time) (f findings) {
	c.mu.Lock()
	defer c.mu.Unlock()
	unlogged := c.findUnlogged(v, began)
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
	case unlogged:
		f.renew = reasonUnlogged
	}
	if f.renew != "" {
		c.drift = drift{began: began, now: v.Now} // nothing that was cached before counts
	}
	f.moved = v.Set == "" || v.Set != c.last.Set
	f.forgotten = !v.Exact && f.moved && read.Sub(c.looked) > unknownGap
	// The table of options is written all the time: what counts is not that it changed
	// but what in it.
	t := v.Tables[v.Options]
	f.compare = f.renew != "" || c.compare || t != c.last.Tables[v.Options] || f.forgotten && t.unknown() ||
		f.moved && c.recent&(1<<v.Options) != 0
	switch {
	case c.running > 0:
		f.own = v.Now
	case !c.committed.Before(c.looked):
		f.own = v.Now.Add(c.committed.Sub(began))
	}
	return f
}

// findUnlogged reports whether a commit turns out not to have moved the set of
// transactions, which is not used from then on: one of this program, or one that gave a
// table a later time some looks ago. One that is under way does so before it moves the set.
func (c *Tracker) findUnlogged(v *Versions, began time.Time) (found bool) {
	if c.unlogged {
		v.Set = ""
	}
	unmoved := ""
	if began.After(c.committed) {
		unmoved, c.unmoved = c.unmoved, ""
	}
	if v.Set == "" || c.looked.IsZero() || v.Server != c.last.Server || len(v.Tables) != len(c.last.Tables) {
		c.suspect = ""
		return false
	}
	if v.Set != c.suspect {
		c.suspect = ""
	}
	switch {
	case v.Set == unmoved, c.suspect != "" && began.Sub(c.suspected) >= unloggedGap:
		c.logger.Warn("changes are not told by "+MethodSet+" any more", "reason", "a commit did not show in them")
		c.unlogged, c.suspect, v.Set = true, "", ""
		return true
	case c.suspect == "" && v.Set == c.last.Set && later(v.Tables, c.last.Tables):
		c.suspect, c.suspected = v.Set, began
	}
	return false
}

// later reports whether a table has a later time than before.
func later(now, before []Version) bool {
	for i, t := range now {
		if t.Updated.After(before[i].Updated) || t.Created.After(before[i].Created) {
			return true
		}
	}
	return false
}

// failed notes that nothing is known.
func (c *Tracker) failed(reason string) {
	c.renew(reason, false)
	c.looked, c.last, c.compare, c.recent = time.Time{}, Versions{}, true, 0
	c.state.unsettled, c.state.options, c.state.columns = All, nil, 0
}

// take notes the versions of tables.
func (c *Tracker) take(began time.Time, v Versions, f findings) {
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
		c.state.unsettled = 0 // the next commit moves the set
	}
	c.looked = began
}

// Busy looks.
const (
	busyWindow = time.Minute
	busyLeast  = 100 // looks in a window that tell something
)

// busy counts looks since a moment, and those after which nothing that was cached could be
// used, or nothing could be cached.
type busy struct {
	since         time.Time
	looks, spoilt int64
	moved         map[string]int64
	told          bool
}

// noteBusy logs once that other programs write so often that caching is worth little.
func (c *Tracker) noteBusy(began time.Time, v Versions, f findings) {
	b := &c.busy
	if !c.advise || b.told {
		return
	}
	b.looks++
	if c.state.unsettled != 0 || f.own.IsZero() && len(c.last.Tables) == len(v.Tables) && !slices.Equal(c.last.Tables, v.Tables) {
		b.spoilt++
	}
	switch within := began.Sub(b.since); {
	case b.since.IsZero(), within > 2*busyWindow:
		*b = busy{since: began, moved: maps.Clone(c.stats.Moved)}
	case within < busyWindow:
	case b.looks < busyLeast || 2*b.spoilt < b.looks:
		*b = busy{since: began, moved: maps.Clone(c.stats.Moved)}
	default:
		b.told = true
		var tables []string
		for _, name := range v.Names {
			if n := c.stats.Moved[name] - b.moved[name]; n > 0 {
				tables = append(tables, fmt.Sprintf("%s %d", name, n))
			}
		}
		c.logger.Info("few answers are cached, so often do other programs write; if answers may be a second old, "+
			"set Cache.MaxStale (--max-stale 1s)", "written", strings.Join(tables, ", "), "within", within.Round(time.Second),
			"looks", b.looks, "without", b.spoilt)
	}
}

// Advise makes the tracker log once that other programs write so often that little can be
// cached.
func (c *Tracker) Advise() {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.advise = true
}

// settled reports whether no transaction can still be committed with the time that a table
// has, though the server's clock jumped: of those not longer than settle where times are
// those at which they began.
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

// takeOptions compares options with those before, if they were read.
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

// changed grows the epoch of one table.
func (c *Tracker) changed(table int, reason string, own bool) {
	c.epoch++
	c.stats.Epochs[reason]++
	c.state.epochs[table] = c.epoch
	if !own {
		c.state.foreigns[table] = c.epoch
	}
}

// renew grows the epochs of all tables.
func (c *Tracker) renew(reason string, own bool) {
	c.epoch++
	c.stats.Epochs[reason]++
	c.state.base = c.epoch
	if !own {
		c.state.foreign = c.epoch
		c.renewed = c.now()
	}
}

// Commit notes that this program begins to commit a transaction. The caller calls
// committed when it is over, however it ended, with whether rows are known to have been
// changed. Both of a nil Tracker do nothing.
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
		if changed && before == c.last.Set { // else a look found another one meanwhile
			c.unmoved = before
		}
	}
}

// Follow makes the commits that this program makes to the database of another Tracker count
// as its own for State.Own: c is that of a copy of it.
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

// ownCommits returns the number of State.Own.
func (c *Tracker) ownCommits() uint64 {
	c.mu.Lock()
	n, leads := c.own, c.leads
	c.mu.Unlock()
	for _, lead := range leads {
		n += lead.ownCommits()
	}
	return n
}

// releaseWhenIdle gives the connection back when nobody has looked for as long as would
// make everything new anyway.
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

// release ends the use of the connection. The next one may look the same, after a restart of the
// server.
func (c *Tracker) release(end func()) {
	c.reading.Lock()
	defer c.reading.Unlock()
	end()
	c.latest.Store(nil)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.looked = time.Time{}
}

// Reconnect makes the next look use a new connection, which may lead to another server.
func (c *Tracker) Reconnect() {
	if c != nil {
		c.release(c.source.Release)
	}
}

// Close gives the connection back. Later looks return nil.
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

// Stats returns the figures of this moment; those of a nil Tracker are zero.
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
