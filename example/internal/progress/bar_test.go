package progress

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

func TestBar(t *testing.T) {
	type step struct {
		wait        time.Duration
		table       string
		done, total int64
	}
	steps := []step{
		{0, "wp_posts", 0, 30000}, {10 * time.Millisecond, "wp_posts", 100, 30000}, {990 * time.Millisecond, "wp_posts", 10000, 30000},
		{5 * time.Second, "wp_posts", 15000, 30000}, {0, "wp_posts", 30000, 30000}, {0, "wp_terms", 0, 0},
	}
	for terminal, want := range map[bool]string{
		true: "\r\x1b[K wp_posts [########................] 10,000 of 30,000 rows, 33 %, 10,000/s, 2s left" +
			"\r\x1b[K wp_posts [############............] 15,000 of 30,000 rows, 50 %, 2,500/s, 6s left" +
			"\r\x1b[K wp_posts 30,000 rows, 5,000/s\n\r\x1b[K wp_terms 0 rows\n",
		false: "wp_posts 15,000 of 30,000 rows, 50 %, 2,500/s, 6s left\nwp_posts 30,000 rows, 5,000/s\nwp_terms 0 rows\n",
	} {
		var out bytes.Buffer
		now := time.Unix(0, 0)
		show := newBar(&out, "rows", terminal, func() time.Time { return now })
		for _, s := range steps {
			now = now.Add(s.wait)
			show(s.table, s.done, s.total)
		}
		got := strings.Join(strings.FieldsFunc(out.String(), func(r rune) bool { return r == ' ' }), " ")
		if got != strings.ReplaceAll(want, "[K wp", "[Kwp") {
			t.Errorf("terminal %t:\n%q\n%q", terminal, got, want)
		}
	}
}

func TestBarOutsideTerminal(t *testing.T) {
	var out bytes.Buffer
	Bar(&out, "rows")("wp_posts", 3, 3)
	if strings.Contains(out.String(), "\x1b") || !strings.HasSuffix(out.String(), "3 rows\n") {
		t.Errorf("%q", out.String())
	}
}

func TestBarOfWorkThatGoesOn(t *testing.T) {
	var out bytes.Buffer
	now := time.Unix(0, 0)
	show := newBar(&out, "events", false, func() time.Time { return now })
	show("filling", 600, 1000)
	now = now.Add(5 * time.Second)
	show("filling", 700, 1000)
	got := strings.Join(strings.Fields(out.String()), " ")
	if want := "filling 700 of 1,000 events, 70 %, 20/s, 15s left"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
