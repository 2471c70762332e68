package api_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

const zero = "0000-00-00 00:00:00"

// The clock of the tests, and the words by which tables name it.
const (
	nowLocal = "2026-11-21 08:10:50"
	nowUTC   = "2026-11-21 07:10:50"
)

func moment(s string) string {
	return strings.NewReplacer("now-utc", nowUTC, "now", nowLocal, "zero", zero).Replace(s)
}

// What an update makes of status and dates. A field that is not given stays
// (D14); a date belongs to its status.
func TestTransitions(t *testing.T) {
	c := open(t)
	const (
		past   = `"date":"2026-02-03 04:05:06"`
		future = `"date":"2030-02-03 04:05:06"`
	)
	for i, w := range []struct{ as, stored, update, status, date, utc string }{
		{"admin", `"status":"draft"`, `"status":"publish"`, "publish", "later", "later-utc"},
		{"admin", `"status":"draft"`, `"status":"private"`, "private", "later", "later-utc"},
		{"admin", `"status":"draft"`, `"status":"pending"`, "pending", "now", "zero"},
		{"admin", `"status":"draft"`, `"status":"future"`, "publish", "later", "later-utc"},
		{"admin", `"status":"draft"`, `"status":"publish",` + past, "publish", "2026-02-03 04:05:06", "2026-02-03 03:05:06"},
		{"admin", `"status":"draft"`, `"status":"publish",` + future, "future", "2030-02-03 04:05:06", "2030-02-03 03:05:06"},
		{"admin", `"status":"draft"`, `"title":"Other"`, "draft", "now", "zero"},
		{"admin", `"status":"draft"`, future, "draft", "2030-02-03 04:05:06", "2030-02-03 03:05:06"},
		{"admin", `"status":"publish"`, `"title":"Other"`, "publish", "now", "now-utc"},
		{"admin", `"status":"publish"`, `"status":"draft"`, "draft", "now", "now-utc"},
		{"admin", `"status":"publish"`, `"status":"private"`, "private", "now", "now-utc"},
		{"admin", `"status":"publish"`, `"status":"future"`, "publish", "now", "now-utc"},
		{"admin", `"status":"publish"`, past, "publish", "2026-02-03 04:05:06", "2026-02-03 03:05:06"},
		{"admin", `"status":"publish"`, future, "future", "2030-02-03 04:05:06", "2030-02-03 03:05:06"},
		{"admin", `"status":"publish"`, `"date_utc":"2026-02-03 04:05:06"`, "publish", "2026-02-03 05:05:06", "2026-02-03 04:05:06"},
		{"admin", future, `"status":"publish"`, "publish", "later", "later-utc"},
		{"admin", future, `"title":"Other"`, "future", "2030-02-03 04:05:06", "2030-02-03 03:05:06"},
		{"admin", future, past, "publish", "2026-02-03 04:05:06", "2026-02-03 03:05:06"},
		{"admin", future, `"status":"draft"`, "draft", "2030-02-03 04:05:06", "2030-02-03 03:05:06"},
		{"contributor", `"status":"draft"`, `"status":"publish"`, "pending", "now", "zero"},
		{"contributor", `"status":"pending"`, `"title":"Other"`, "pending", "now", "zero"},
		{"contributor", `"status":"draft"`, `"title":"Other"`, "draft", "now", "zero"},
	} {
		for _, kind := range []struct{ path, field string }{{"/events", "title"}, {"/venues", "venue"}} {
			c.Now = time.Date(2026, 11, 21, 7, 10, 50, 0, time.UTC)
			id := c.must(w.as, "POST", kind.path, fmt.Sprintf(`{%q:"Moving %d",%s,%s}`, kind.field, i, evening, w.stored)).ID()
			c.Now = c.Now.Add(26 * time.Hour)
			c.must(w.as, "PATCH", fmt.Sprint(kind.path, "/", id),
				"{"+strings.ReplaceAll(w.update, `"title"`, fmt.Sprintf("%q", kind.field))+"}")
			later := strings.NewReplacer("later-utc", "2026-11-22 09:10:50", "later", "2026-11-22 10:10:50")
			p := c.row(id)
			got, want := [...]string{p.Status, p.Date, p.DateGMT}, [...]string{w.status, moment(later.Replace(w.date)),
				moment(later.Replace(w.utc))}
			if got != want {
				t.Errorf("%s %s %s then %s: %q, want %q", w.as, kind.path, w.stored, w.update, got, want)
			}
		}
	}
}
