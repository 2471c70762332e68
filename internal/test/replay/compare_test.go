package replay

import (
	"encoding/json"
	"net/http"
	"slices"
	"testing"
	"time"

	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
)

// testComparer returns a comparer with a stopped clock.
func testComparer(t *testing.T) *comparer {
	t.Helper()
	day, zone, err := heading{RecordedUTC: "2026-11-21 05:57:10", SiteTimezone: "Europe/Brussels"}.recordedAt()
	must.Succeed(t, err)
	now := time.Date(2027, 6, 5, 22, 30, 0, 0, time.UTC)
	return &comparer{
		root: "http://site.test/wp-json/v/1", site: site, zone: zone, moving: movingDays(day), now: func() time.Time { return now },
		labels: map[string]any{"e1": json.Number("12"), "text": "12"}, added: []string{"new"},
	}
}

func mustDecode(t *testing.T, s string) any {
	t.Helper()
	v, err := decode([]byte(s))
	if err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	return v
}

func places(diffs []Difference) []string {
	list := []string{}
	for _, d := range diffs {
		list = append(list, d.Place)
	}
	return list
}

func TestCompareFinds(t *testing.T) {
	golden.Each(t, "differences.txt", func(name, want, got string, at []string) {
		t.Run(name, func(t *testing.T) {
			got := places(testComparer(t).compare(mustDecode(t, want), mustDecode(t, got), "json"))
			if !slices.Equal(got, at) {
				t.Errorf("differences at %q, expected at %q", got, at)
			}
		})
	})
}

func TestCompareErrors(t *testing.T) {
	const want = `{"code":"bad","message":true,"data":{"status":400,"params":["a","b"],` +
		`"details":{"a":{"code":"x","message":true},"b":{"code":"y","message":false}}}}`
	golden.Each(t, "errors.txt", func(name, got string, at []string) {
		t.Run(name, func(t *testing.T) {
			got := places(testComparer(t).compare(mustDecode(t, want), mustDecode(t, got), "json"))
			if !slices.Equal(got, at) {
				t.Errorf("differences at %q, expected at %q", got, at)
			}
		})
	})
}

func TestCompareHeaders(t *testing.T) {
	want := map[string]string{
		"allow": "GET, POST", "content-type": "application/json; charset=UTF-8", "x-tec-total": "9", "location": "elsewhere",
	}
	got := func(pairs ...string) http.Header {
		h := http.Header{"Allow": {"POST,GET"}, "Content-Type": {"application/json;charset=utf-8"}, "X-Tec-Total": {"9"}}
		for i := 0; i < len(pairs); i += 2 {
			if h.Del(pairs[i]); pairs[i+1] != "" {
				h.Set(pairs[i], pairs[i+1])
			}
		}
		return h
	}
	for name, c := range map[string]struct {
		got http.Header
		at  []string
	}{
		"same":            {got(), []string{}},
		"fewer methods":   {got("Allow", "GET"), []string{"header allow"}},
		"more methods":    {got("Allow", "GET, POST, PUT"), []string{"header allow"}},
		"no methods":      {got("Allow", ""), []string{"header allow"}},
		"another type":    {got("Content-Type", "text/html; charset=UTF-8"), []string{"header content-type"}},
		"another total":   {got("X-Tec-Total", "10"), []string{"header x-tec-total"}},
		"missing total":   {got("X-Tec-Total", ""), []string{"header x-tec-total"}},
		"everything else": {got("X-Other", "1"), []string{}},
	} {
		t.Run(name, func(t *testing.T) {
			if p := places(testComparer(t).compareHeaders(want, c.got)); !slices.Equal(p, c.at) {
				t.Errorf("differences at %q, expected at %q", p, c.at)
			}
		})
	}
}
