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

// load is the load on a server: clients that each have one connection and one pending request.
type load struct {
	address string
	clients int
	next    request
	status  int // expected status of the answers; 0 accepts any status that can be measured
}

// responses are the responses that the clients received from a server.
type responses struct {
	took    []time.Duration // the duration of each request, in no order
	elapsed time.Duration
	bytes   int64
}

func (h *responses) addResponses(other responses) {
	h.took = append(h.took, other.took...)
	h.elapsed += other.elapsed
	h.bytes += other.bytes
}

// answerTimeout is how long an answer may take.
const answerTimeout = 2 * time.Minute

// during sends requests for a time, and waits for the last answers.
func (l load) during(ctx context.Context, d time.Duration) (responses, error) {
	var until time.Time
	return l.run(ctx, func() { until = time.Now().Add(d) }, func(_ int, now time.Time) bool { return now.Before(until) })
}

// times sends at least n requests in all.
func (l load) times(ctx context.Context, n int) (responses, error) {
	each := (n + l.clients - 1) / l.clients
	return l.run(ctx, func() {}, func(i int, _ time.Time) bool { return i < each })
}

// run starts all clients together, once they are connected.
func (l load) run(ctx context.Context, begin func(), more func(i int, now time.Time) bool) (responses, error) {
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
			return responses{}, err
		}
		connections[i] = c
	}
	// A run that is cancelled does not wait for answers.
	stop := context.AfterFunc(ctx, func() {
		for _, c := range connections {
			_ = c.SetDeadline(time.Unix(1, 0))
		}
	})
	defer stop()
	parts, errs := make([]responses, l.clients), make([]error, l.clients)
	var all sync.WaitGroup
	begin()
	start := time.Now()
	for i, c := range connections {
		all.Go(func() { parts[i], errs[i] = l.client(ctx, i, c, more) })
	}
	all.Wait()
	total := responses{}
	for _, p := range parts {
		total.addResponses(p)
	}
	total.elapsed = time.Since(start)
	return total, errors.Join(ctx.Err(), firstError(errs))
}

// firstError returns the first error; those of other clients are mostly the same.
func firstError(errs []error) error {
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

func (l load) client(ctx context.Context, n int, c net.Conn, more func(i int, now time.Time) bool) (h responses, err error) {
	r := bufio.NewReaderSize(c, 64<<10)
	var b []byte
	h.took = make([]time.Duration, 0, 1<<12)
	now := time.Now()
	if err := c.SetDeadline(now.Add(answerTimeout)); err != nil {
		return h, err
	}
	deadline := now
	for i := 0; more(i, now); i++ {
		if now.Sub(deadline) > answerTimeout/4 && ctx.Err() == nil {
			deadline = now
			if err := c.SetDeadline(now.Add(answerTimeout)); err != nil {
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
		if !isMeasurable(a.status) || l.status != 0 && a.status != l.status {
			return h, &statusError{a.status, fmt.Sprintf("answer %d to %.200q: %.300s", a.status, b, a.body)}
		}
		h.took = append(h.took, now.Sub(sent))
		h.bytes += a.length
	}
	return h, nil
}

// statusError is an answer with another status than the measured one.
type statusError struct {
	status int
	text   string
}

func (e *statusError) Error() string { return e.text }

// isMeasurable reports whether an answer with the status can be measured.
func isMeasurable(status int) bool { return status/100 == 2 || status == 304 }
