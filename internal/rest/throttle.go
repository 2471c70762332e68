package rest

import (
	"maps"
	"sync"
	"time"
)

// logEvery is the interval at which the same lasting failure is logged.
const logEvery = time.Minute

// maxFaults is the maximum number of failures that are remembered.
const maxFaults = 100

// throttle remembers when each failure was last logged.
type throttle struct {
	mu     sync.Mutex
	logged map[string]time.Time // by failure
}

// due reports whether a failure is to be logged now, and if so records that it was.
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
