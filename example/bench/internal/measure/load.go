package measure

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"
)

// request appends the i-th request of a client to a buffer.
type request func(b []byte, client, i int) []byte

// load is what a server is asked, by clients of which each has a connection and
// one request under way.
type load struct {
	address string
	clients int
	next    request
}

// heard is what the clients heard of a server.
type heard struct {
	took    []time.Duration // each request, in no order
	elapsed time.Duration
	bytes   int64
}

func (h *heard) add(other heard) {
	h.took = append(h.took, other.took...)
	h.elapsed += other.elapsed
	h.bytes += other.bytes
}

// patience is how long an answer may take.
const patience = 2 * time.Minute

// during asks for a time; the last requests are waited for.
func (l load) during(ctx context.Context, d time.Duration) (heard, error) {
	var until time.Time
	return l.run(ctx, func() { until = time.Now().Add(d) }, func(_ int, now time.Time) bool { return now.Before(until) })
}

// times asks a number of times in all, at least.
func (l load) times(ctx context.Context, n int) (heard, error) {
	each := (n + l.clients - 1) / l.clients
	return l.run(ctx, func() {}, func(i int, _ time.Time) bool { return i < each })
}

// run lets all clients begin together, when they are connected.
func (l load) run(ctx context.Context, begin func(), more func(i int, now time.Time) bool) (heard, error) {
	connections := make([]net.Conn, l.clients)
	defer func() {
		for _, c := range connections {
			if c != nil {
				_ = c.Close()
			}
		}
	}()
	for i := range connections {
		c, err := (&net.Dialer{}).DialContext(ctx, "tcp", l.address)
		if err != nil {
			return heard{}, err
		}
		connections[i] = c
	}
	// A run that is given up does not wait for its answers.
	stop := context.AfterFunc(ctx, func() {
		for _, c := range connections {
			_ = c.SetDeadline(time.Unix(1, 0))
		}
	})
	defer stop()
	parts, errs := make([]heard, l.clients), make([]error, l.clients)
	var all sync.WaitGroup
	begin()
	start := time.Now()
	for i, c := range connections {
		all.Go(func() { parts[i], errs[i] = l.client(ctx, i, c, more) })
	}
	all.Wait()
	total := heard{}
	for _, p := range parts {
		total.add(p)
	}
	total.elapsed = time.Since(start)
	return total, errors.Join(ctx.Err(), first(errs))
}

// first is the first error: those of other clients are mostly the same.
func first(errs []error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func (l load) client(ctx context.Context, n int, c net.Conn, more func(i int, now time.Time) bool) (h heard, err error) {
	r := bufio.NewReaderSize(c, 64<<10)
	var b []byte
	h.took = make([]time.Duration, 0, 1<<12)
	now := time.Now()
	if err := c.SetDeadline(now.Add(patience)); err != nil {
		return h, err
	}
	deadline := now
	for i := 0; more(i, now); i++ {
		if now.Sub(deadline) > patience/4 && ctx.Err() == nil {
			deadline = now
			if err := c.SetDeadline(now.Add(patience)); err != nil {
				return h, err
			}
		}
		b = l.next(b[:0], n, i)
		sent := time.Now()
		if _, err := c.Write(b); err != nil {
			return h, err
		}
		a, err := readAnswer(r)
		if err != nil {
			return h, err
		}
		now = time.Now()
		if !okay(a.status) {
			return h, fmt.Errorf("answer %d to %.200q: %.300s", a.status, b, a.body)
		}
		h.took = append(h.took, now.Sub(sent))
		h.bytes += a.length
	}
	return h, nil
}

// okay are the answers that a measurement takes.
func okay(status int) bool { return status/100 == 2 || status == 304 }
