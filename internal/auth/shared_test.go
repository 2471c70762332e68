package auth

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/agendahq/agenda/internal/apierror"
	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/test/atonce"
	"github.com/agendahq/agenda/internal/test/golden"
)

// memory is a Counter that also records its calls.
type memory struct {
	mu     sync.Mutex
	now    func() time.Time
	counts map[string]Count
	calls  string // one letter per call
	fail   error
}

func (m *memory) Counts(_ context.Context, keys []string) ([]Count, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls += "c"
	all := make([]Count, len(keys))
	for i, key := range keys {
		if c := m.counts[key]; c.Ends.After(m.now()) {
			all[i] = c
		}
	}
	return all, m.fail
}

func (m *memory) Add(_ context.Context, keys []string, window time.Duration) ([]Count, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls += "a"
	all := make([]Count, len(keys))
	for i, key := range keys {
		c := m.counts[key]
		if !c.Ends.After(m.now()) {
			c = Count{Ends: m.now().Add(window)}
		}
		c.N++
		m.counts[key], all[i] = c, c
	}
	return all, m.fail
}

func (m *memory) Forget(_ context.Context, keys []string) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.calls += "f"
	for _, key := range keys {
		delete(m.counts, key)
	}
	return m.fail
}

func (m *memory) taken() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	calls := m.calls
	m.calls = ""
	return calls
}

// processes returns fixtures that stand for processes with a common Counter.
func processes(t *testing.T, n int) ([]*fixture, *memory) {
	var all []*fixture
	shared := &memory{counts: map[string]Count{}}
	for range n {
		h := newFixture(t)
		h.users.shared = newSharedLimiter(shared, Limits{}, h.users.Logger)
		all = append(all, h)
	}
	shared.now = func() time.Time { return all[0].now }
	return all, shared
}

const tooOften = "429 rest_too_many_attempts"

// TestCountedTogether checks that the limit applies to the attempts in all processes together, and that a process that
// has reached it asks the Counter once and then rejects by its own count.
func TestCountedTogether(t *testing.T) {
	all, shared := processes(t, 3)
	a, b, c := all[0], all[1], all[2]
	right, wrong := basicAuth("admin", a.creds["admin"]), basicAuth("admin", "x")
	for i := range 10 {
		if got := outcome(all[i%2].authenticate("Authorization", wrong)); got != wrongPassword {
			t.Fatalf("%d: %s", i, got)
		}
	}
	shared.taken()
	for _, p := range []struct {
		*fixture
		calls string
	}{{a, "c"}, {a, ""}, {b, "c"}, {b, ""}, {c, "c"}, {c, ""}} {
		p.counter.Reset()
		principal, headers, err := p.authenticate("Authorization", right)
		if got := outcome(principal, headers, err); got != tooOften || shared.calls != p.calls {
			t.Errorf("%s, asked %q, want %q", got, shared.calls, p.calls)
		}
		if after := err.(*apierror.Error).RetryAfter; after != 300 {
			t.Error(after)
		}
		if sent := p.counter.Statements(); len(sent) > 0 {
			t.Errorf("sent %q", sent)
		}
		shared.taken()
	}
	golden.Equal(t, "from elsewhere", outcome(c.send(request("203.0.113.5:1", false, "Authorization", right))), "admin")
	for _, p := range all {
		p.now = p.now.Add(5 * time.Minute)
	}
	golden.Equal(t, "later", outcome(b.authenticate("Authorization", right)), "admin")
	for key := range shared.counts {
		if len(key) != 64 || strings.Contains(key, "admin") {
			t.Errorf("key %q", key)
		}
	}
}

// TestSharedFamiliar checks that a user can keep logging in from a familiar address, in every process, while many
// machines guess, and that a login normally writes nothing to the Counter.
func TestSharedFamiliar(t *testing.T) {
	all, shared := processes(t, 2)
	a, b := all[0], all[1]
	right := basicAuth("admin", a.creds["admin"])
	for i, want := range []string{"cfa", "c", "c"} {
		if got := outcome(a.authenticate("Authorization", right)); got != "admin" || shared.calls != want {
			t.Errorf("login %d: %s, asked %q", i, got, shared.calls)
		}
		shared.taken()
	}
	for i := range 100 {
		address := fmt.Sprintf("203.0.113.%d:1", i)
		if got := outcome(all[i%2].send(request(address, false, "Authorization", basicAuth("admin", "x")))); got != wrongPassword {
			t.Fatalf("%d: %s", i, got)
		}
	}
	golden.Equal(t, "from a new address", outcome(b.send(request("198.51.100.1:1", false, "Authorization", right))), tooOften)
	golden.Equal(t, "from a familiar address", outcome(b.authenticate("Authorization", right)), "admin")
}

// TestCountedAtOnce checks that of concurrent attempts in many processes, no more than the limit are revealed as wrong.
func TestCountedAtOnce(t *testing.T) {
	all, _ := processes(t, 8)
	wrong := basicAuth("admin", "x")
	var mu sync.Mutex
	shown := map[string]int{}
	atonce.Run(len(all), func(i int) {
		p := all[i]
		for range 5 {
			got := outcome(p.authenticate("Authorization", wrong))
			mu.Lock()
			shown[got]++
			mu.Unlock()
		}
	})
	if shown[wrongPassword] != 10 || shown[tooOften] != 30 {
		t.Errorf("%v", shown)
	}
}

// TestCounterFails checks that without the Counter each process counts for itself, lets users in, and logs the failure
// once.
func TestCounterFails(t *testing.T) {
	all, shared := processes(t, 1)
	a := all[0]
	shared.fail = errors.New("no counter today")
	golden.Equal(t, "a right password", outcome(a.authenticate("Authorization", basicAuth("admin", a.creds["admin"]))), "admin")
	for i := range 12 {
		want := wrongPassword
		if i >= 10 {
			want = tooOften
		}
		golden.Equal(t, i, outcome(a.authenticate("Authorization", basicAuth("admin", "x"))), want)
	}
	if n := strings.Count(a.log.String(), "no counter today"); n != 1 {
		t.Errorf("logged %d times:\n%s", n, a.log)
	}
}

// TestPostPasswordsTogether checks that attempts at the passwords of posts are counted for all processes, too.
func TestPostPasswordsTogether(t *testing.T) {
	all, shared := processes(t, 2)
	r := request("192.0.2.9:1", false)
	for i := range 50 {
		if err := all[i%2].users.TryPostPassword(r, 7, false); err != nil {
			t.Fatalf("%d: %v", i, err)
		}
	}
	for _, p := range all {
		if err := p.users.TryPostPassword(r, 7, true); outcome(caller.Principal{}, nil, err) != tooOften {
			t.Errorf("past the limit: %v", err)
		}
	}
	shared.taken()
	other := request("192.0.2.10:1", false)
	if err := all[0].users.TryPostPassword(other, 7, true); err != nil || shared.calls != "c" {
		t.Errorf("from elsewhere: %v, asked %q", err, shared.calls)
	}
}
