// Package atonce takes a step of a test several times at the same time. Only tests use it.
package atonce

import "sync"

// Run calls f with each of the numbers below n in a goroutine of its own, and returns when all calls have returned. Since
// they are not the goroutine of the test, f must not end it.
func Run(n int, f func(i int)) {
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { f(i) })
	}
	all.Wait()
}
