//go:build cluster

package cluster

import (
	"sync"
	"time"
)

// machine records when this machine stood still, as virtual ones sometimes do. Requests that take long at such times
// are not the fault of the program.
var machine struct {
	sync.Mutex
	stills []still
}

type still struct {
	from time.Time
	took time.Duration
}

// watchMachine runs as long as the tests.
func watchMachine() {
	const tick, late = 50 * time.Millisecond, time.Second
	for last := time.Now(); ; {
		time.Sleep(tick)
		now := time.Now()
		if gap := now.Sub(last); gap > late {
			machine.Lock()
			machine.stills = append(machine.stills, still{last, gap})
			machine.Unlock()
		}
		last = now
	}
}

// stoodStill returns how long the machine stood still between two times.
func stoodStill(from, to time.Time) (sum time.Duration) {
	machine.Lock()
	defer machine.Unlock()
	for _, s := range machine.stills {
		if s.from.Before(to) && s.from.Add(s.took).After(from) {
			sum += s.took
		}
	}
	return sum
}
