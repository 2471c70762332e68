package change

import "time"

// findings are the differences between the versions of a poll and the previous ones.
type findings struct {
	renew     string    // why the versions cannot show everything that changed, "" if they can
	moved     bool      // something was committed, or there is no set of transactions that would show it
	forgotten bool      // a table whose time is unknown may have been changed
	compare   bool      // the options have to be read
	own       time.Time // end of the last commit of this program since the previous poll, on the server's clock; zero if there was none
}

// compareWith compares the versions of a poll with the previous ones. began is when the poll began and read when it had
// read the versions. It clears a set of transactions that cannot be relied on.
func (c *Tracker) compareWith(v *Versions, began, read time.Time) (f findings) {
	c.mu.Lock()
	defer c.mu.Unlock()
	unlogged := c.findUnlogged(v, began)
	jumped := !v.Exact && c.drift.addSample(began, v.Now)
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
		c.drift = drift{began: began, now: v.Now} // nothing that was cached before is valid
	}
	f.moved = v.Set == "" || v.Set != c.last.Set
	f.forgotten = !v.Exact && f.moved && read.Sub(c.looked) > unknownGap
	// The table of options is written all the time: what counts is not whether it changed but which options did.
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

// findUnlogged reports whether a commit turns out not to have changed the set of transactions, which is ignored from
// then on. It is a commit of this program, or one that gave a table a later time some polls ago. A commit in progress
// does the latter before it changes the set.
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
		c.logger.Warn("changes are no longer detected by "+MethodSet, "reason", "a commit did not show in them")
		c.unlogged, c.suspect, v.Set = true, "", ""
		return true
	case c.suspect == "" && v.Set == c.last.Set && anyLater(v.Tables, c.last.Tables):
		c.suspect, c.suspected = v.Set, began
	}
	return false
}

// anyLater reports whether a table has a later time than before.
func anyLater(now, before []Version) bool {
	for i, t := range now {
		if t.Updated.After(before[i].Updated) || t.Created.After(before[i].Created) {
			return true
		}
	}
	return false
}

// drift tracks the difference between a server's clock and ours from poll to poll. The difference at the first poll is
// unknown and does not matter.
type drift struct {
	began, now  time.Time     // when a poll began, and the server's clock at that time
	least, most time.Duration // how much the server's clock has gained since
}

// addSample adds the time on the server's clock in a poll. It reports whether the clock jumped, even if in small steps.
func (d *drift) addSample(began, now time.Time) (jumped bool) {
	if d.began.IsZero() {
		return false
	}
	gained := now.Sub(d.now) - began.Sub(d.began)
	d.least, d.most = min(d.least, gained), max(d.most, gained)
	return d.most-d.least > jump
}
