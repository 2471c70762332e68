package contract

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/apitest"
)

// client sends requests to a calendar. A line of level error in its log fails the test.
type client struct {
	apitest.Client
	cal *calendar.Calendar
}

func newClient(t testing.TB, opts calendar.Options) *client {
	t.Helper()
	log := &errorLog{}
	opts.Logger = slog.New(log)
	t.Cleanup(func() {
		for _, line := range log.taken() {
			t.Errorf("logged: %s", line)
		}
	})
	cal, h := Mount(t, opts)
	return &client{apitest.Client{T: t, Handler: h}, cal}
}

// errorLog collects the lines of level error.
type errorLog struct {
	mu    sync.Mutex
	lines []string
}

func (l *errorLog) taken() []string {
	l.mu.Lock()
	defer l.mu.Unlock()
	lines := l.lines
	l.lines = nil
	return lines
}

// Enabled, Handle, WithAttrs and WithGroup implement slog.Handler.
func (l *errorLog) Enabled(_ context.Context, level slog.Level) bool { return level >= slog.LevelError }

func (l *errorLog) Handle(_ context.Context, r slog.Record) error {
	line := r.Message
	r.Attrs(func(a slog.Attr) bool {
		line += fmt.Sprintf(" %s=%.300q", a.Key, a.Value.String())
		return true
	})
	l.mu.Lock()
	defer l.mu.Unlock()
	l.lines = append(l.lines, line)
	return nil
}

func (l *errorLog) WithAttrs([]slog.Attr) slog.Handler { return l }

func (l *errorLog) WithGroup(string) slog.Handler { return l }
