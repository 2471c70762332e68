package rendercache

import (
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/agendahq/agenda/internal/test/atonce"
)

func TestRendersOnce(t *testing.T) {
	m := New(1 << 20)
	calls := 0
	upper := func(s string) string { calls++; return strings.ToUpper(s) }
	for range 3 {
		if got := m.Render('t', "en", "abc", upper); got != "ABC" {
			t.Fatalf("got %q", got)
		}
	}
	if calls != 1 {
		t.Errorf("rendered %d times", calls)
	}
	m.Render('d', "en", "abc", upper)
	m.Render('t', "nl", "abc", upper)
	m.Render('t', "e", "nabc", upper)
	if calls != 4 {
		t.Errorf("kinds, settings and texts are mixed up: %d calls", calls)
	}
	if s := m.Stats(); s.Hits != 2 || s.Misses != 4 || s.Bytes != 4*overhead+13 {
		t.Errorf("%+v", s)
	}
}

func TestStaysBounded(t *testing.T) {
	const max = 100_000
	m := New(max)
	keep := func(s string) string { return s }
	for i := range 10_000 {
		m.Render('t', "", "often", keep)
		m.Render('t', "", strconv.Itoa(i)+strings.Repeat("x", i%500), keep)
		if s := m.Stats(); s.Bytes > max+1000 {
			t.Fatalf("%d bytes after %d", s.Bytes, i)
		}
	}
	if s := m.Stats(); s.Hits < 9_990 {
		t.Errorf("a text that is used all the time was dropped: %+v", s)
	}
	before := m.Stats().Bytes
	for i := range 100 {
		m.Render('t', "", strings.Repeat("x", max/16+i), keep)
	}
	if s := m.Stats(); s.Bytes != before {
		t.Errorf("large texts pushed out others: %d bytes, before %d", s.Bytes, before)
	}
	m.Render('t', "", strings.Repeat("x", max), keep)
	if s := m.Stats(); s.Bytes > max+1000 {
		t.Errorf("a text larger than its share was kept: %+v", s)
	}
}

func TestConcurrentUse(t *testing.T) {
	m := New(50_000)
	atonce.Run(8, func(g int) {
		for i := range 2_000 {
			text := strconv.Itoa((i + g) % 700)
			if got := m.Render('t', "", text, func(s string) string { return s + "!" }); got != text+"!" {
				t.Errorf("%q became %q", text, got)
			}
		}
	})
}

// TestRendersOnceForMany checks that of several callers with the same text at the same time only one renders it (B3).
func TestRendersOnceForMany(t *testing.T) {
	m := New(1 << 20)
	begun, end := make(chan struct{}), make(chan struct{})
	var calls atomic.Int64
	slow := func(s string) string {
		if calls.Add(1) == 1 {
			close(begun)
		}
		<-end
		return s + "!"
	}
	var wg sync.WaitGroup
	ask := func() {
		if got := m.Render('t', "", "text", slow); got != "text!" {
			t.Errorf("got %q", got)
		}
	}
	wg.Go(ask)
	<-begun
	for range 8 {
		wg.Go(ask)
	}
	if got := m.Render('t', "", "other", strings.ToUpper); got != "OTHER" {
		t.Errorf("got %q", got)
	}
	close(end)
	wg.Wait()
	if n := calls.Load(); n != 1 {
		t.Errorf("rendered %d times", n)
	}
}

// TestPanicsAlone checks that a rendering that panics leaves no caller waiting.
func TestPanicsAlone(t *testing.T) {
	m := New(1 << 20)
	for range 2 {
		func() {
			defer func() {
				if recover() == nil {
					t.Error("the panic is lost")
				}
			}()
			m.Render('t', "", "text", func(string) string { panic("broken") })
		}()
	}
	if got := m.Render('t', "", "text", strings.ToUpper); got != "TEXT" {
		t.Errorf("got %q", got)
	}
}
