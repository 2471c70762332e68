//go:build cluster

package cluster

import (
	"sync/atomic"
	"testing"
	"time"
)

// TestBrokenConnections stalls and resets the connections to the database while clients write and repeat each write
// with its Idempotency-Key until it succeeds.
func TestBrokenConnections(t *testing.T) {
	const timeout = 4 * time.Second
	s, proxy, program := bench(t, "--request-timeout", timeout.String())
	commits := func(is Break) func() {
		return func() {
			var n atomic.Int64
			proxy.Commits(func() Break { // every third COMMIT
				if n.Add(1)%3 == 0 {
					return is
				}
				return NoBreak
			})
			time.Sleep(5 * time.Second)
			proxy.Commits(nil)
		}
	}
	stall := func(d time.Duration) {
		proxy.Stall()
		time.Sleep(d)
	}
	for _, fault := range []struct {
		name string
		do   func()
	}{
		{"stall for 2 s", func() { stall(2 * time.Second); proxy.Flow() }},
		{"stall for 7 s, longer than a request", func() { stall(7 * time.Second); proxy.Flow() }},
		{"stall for 2 s, then reset", func() { stall(2 * time.Second); proxy.Reset(); proxy.Flow() }},
		{"resets, 10 a second for 5 s", func() {
			for range 50 {
				proxy.Reset()
				time.Sleep(100 * time.Millisecond)
			}
		}},
		{"reset before every third COMMIT for 5 s", commits(BeforeCommit)},
		{"reset after every third COMMIT for 5 s", commits(AfterCommit)},
	} {
		load := Start(t, Clients{Writers: 6, Readers: 6, Keys: true, Patience: time.Minute}, program)
		time.Sleep(time.Second)
		fault.do()
		time.Sleep(2 * time.Second)
		load.Stop()
		load.judged(t, fault.name, s, timeout+time.Second)
	}
}
