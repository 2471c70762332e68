package change

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// Parameters of busy.
const (
	busyWindow = time.Minute
	busyLeast  = 100 // minimum number of requests in a window
)

// busy counts the polls since a time with the requests that needed none, and the polls after which nothing that was cached
// could be used or nothing could be cached.
type busy struct {
	since         time.Time
	looks, spoilt int64
	moved         map[string]int64
	told          bool
}

// noteBusy logs once that other programs write so often that caching has little effect.
func (c *Tracker) noteBusy(began time.Time, v Versions, f findings) {
	b := &c.busy
	if !c.advise || b.told {
		return
	}
	b.looks += 1 + c.unpolled.Swap(0)
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
		c.logger.Info("few responses are cached because other programs write often; if responses may be a second old, "+
			"set Cache.MaxStale (--max-stale 1s)", "written", strings.Join(tables, ", "), "within", within.Round(time.Second),
			"looks", b.looks, "without", b.spoilt)
	}
}

// Advise makes the tracker log once if other programs write so often that little can be cached.
func (c *Tracker) Advise() {
	if c == nil {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.advise = true
}
