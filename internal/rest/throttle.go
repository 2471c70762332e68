package rest

import (
	"maps"
	"sync"
	"time"
)

// logEvery is how often the same lasting failure is logged.
const logEvery = time.Minute

// maxFaults limits how many failures are remembered.
const maxFaults = 100

// throttle remembers when each failure was last logged.
type throttle struct {
	mu     sync.Mutex
	logged map[string]time.Time // by failure
}

// due reports whether a failure is to be logged now, and records that it is.
func (t *throttle) due(fault string, now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	maps.DeleteFunc(t.logged, func(_ string, at time.Time) bool { return now.Sub(at) >= logEvery })
	if _, lately := t.logged[fault]; lately || len(t.logged) >= maxFaults {
		return false
	}
	if t.logged == nil {
		t.logged = map[string]time.Time{}
	}
	t.logged[fault] = now
	return true
}
