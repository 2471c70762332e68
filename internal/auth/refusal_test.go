package auth

import (
	"context"
	"encoding/base64"
	"net/http/httptest"
	"slices"
	"sync"
	"testing"
	"time"

	"golang.org/x/crypto/bcrypt"

	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/internal/wp/phpval"
)

// TestB7RefusedInTime checks that unknown users and wrong passwords, however they are stored, are rejected at the same
// time after their request arrived: a timer compensates for the duration of the check. Right passwords do not wait.
func TestB7RefusedInTime(t *testing.T) {
	h := newFixture(t)
	slow := must.Get(bcrypt.GenerateFromPassword([]byte("x"), bcrypt.MinCost))(t)
	forms := map[string]string{
		"fast": fastHash("right"), "bcrypt": string(slow), "md5": "9dd4e461268c8034f5c8564e155c67a6",
		"phpass":   "$P$B55D6LjfHDkINU5wF.v2BuuzO0/XPk/",
		"of sites": "$wp" + string(slow), "unknown": "$argon2id$x", "none": "",
	}
	ask := func(name, password string) (string, []time.Duration) {
		h.users.Limiter = NewLimiter(Limits{})
		got := outcome(h.authenticate("Authorization", basicAuth(name, password)))
		return got, h.clock.timers()
	}
	for _, took := range []time.Duration{0, time.Millisecond, 300 * time.Millisecond, 999 * time.Millisecond, time.Second,
		2300 * time.Millisecond} {
		h.clock.took = took
		want := []time.Duration{defaultRefuseAfter - took%defaultRefuseAfter}
		for form, hash := range forms {
			h.change(2, func(list *phpval.Array) {
				for _, one := range passwords(list) {
					one.Set(phpval.StrKey(fieldHash), hash)
				}
			})
			if got, timers := ask("editor1", "wrong"); got != wrongPassword || !slices.Equal(timers, want) {
				t.Errorf("%s, took %s: %s after %s, want %s", form, took, got, timers, want)
			}
		}
		for _, name := range []string{"nobody", "nobody@example.org", ""} {
			if got, timers := ask(name, "wrong"); got != wrongPassword || !slices.Equal(timers, want) {
				t.Errorf("%q, took %s: %s after %s, want %s", name, took, got, timers, want)
			}
		}
		if got, timers := ask("admin", h.creds["admin"]); got != "admin" || timers != nil {
			t.Errorf("a right password, took %s: %s after %s", took, got, timers)
		}
	}
	h.users.refusals.after = -1
	if got, timers := ask("nobody", "wrong"); got != wrongPassword || timers != nil {
		t.Errorf("at once: %s after %s", got, timers)
	}
}

// TestB7WaitingRefusals checks that a waiting rejection holds no database connection and ends when its client leaves.
// The number of waiting rejections is limited; above the limit the response comes at once.
func TestB7WaitingRefusals(t *testing.T) {
	h := newFixture(t)
	h.db.SetMaxOpenConns(1)
	h.clock.hold = make(chan time.Time)
	ctx, leave := context.WithCancel(site.With(t.Context(), h.settings))
	const waiting = 8
	var all sync.WaitGroup
	for range waiting {
		all.Go(func() {
			r := httptest.NewRequestWithContext(ctx, "GET", "/", nil)
			r.Header.Set("Authorization", "Basic "+base64.StdEncoding.EncodeToString([]byte("editor1:wrong")))
			if _, _, err := h.users.Authenticate(ctx, r, func(string) (string, bool) { return "", false }); err == nil {
				t.Error("let in")
			}
		})
	}
	for h.users.refusals.waiting.Load() < waiting {
		time.Sleep(time.Millisecond)
	}
	if got := outcome(h.authenticate("Authorization", basicAuth("admin", h.creds["admin"]))); got != "admin" {
		t.Errorf("%d refusals wait, and a right password is answered %s", waiting, got)
	}
	if inUse := h.db.Stats().InUse; inUse != 0 {
		t.Errorf("%d connections are held", inUse)
	}
	leave()
	all.Wait()
	if n := h.users.refusals.waiting.Load(); n != 0 {
		t.Errorf("%d wait for clients that left", n)
	}
	h.clock.timers()
	h.users.refusals.waiting.Store(maxRefusals)
	if got := outcome(h.authenticate("Authorization", basicAuth("author1", "wrong"))); got != "429 rest_too_many_attempts" ||
		h.clock.timers() != nil {
		t.Errorf("where too many wait: %s", got)
	}
	if n := h.users.refusals.waiting.Load(); n != maxRefusals {
		t.Errorf("%d wait", n)
	}
	h.users.refusals.waiting.Store(0)
	h.clock.hold = nil
	h.users.Limiter = NewLimiter(Limits{PerPair: 1})
	for _, want := range []string{wrongPassword, "429 rest_too_many_attempts"} {
		got, timers := outcome(h.authenticate("Authorization", basicAuth("author1", "wrong"))), h.clock.timers()
		if got != want || (got == wrongPassword) != (len(timers) == 1) {
			t.Errorf("%s after %s, want %s", got, timers, want)
		}
	}
}
