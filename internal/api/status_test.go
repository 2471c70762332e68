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

// What a new post becomes, by role, status and date.
func TestStatusOfNewPosts(t *testing.T) {
	c := open(t)
	for i, w := range []struct{ as, fields, status, date, utc string }{
		{"admin", ``, "publish", "now", "now-utc"},
		{"author", ``, "publish", "now", "now-utc"},
		{"contributor", ``, "draft", "now", "zero"},
		{"author", `"status":"publish"`, "publish", "now", "now-utc"},
		{"contributor", `"status":"publish"`, "pending", "now", "zero"},
		{"contributor", `"status":"future"`, "pending", "now", "zero"},
		{"contributor", `"status":"pending"`, "pending", "now", "zero"},
		{"contributor", `"status":"draft"`, "draft", "now", "zero"},
		{"contributor", `"status":"private"`, "private", "now", "now-utc"},
		{"admin", `"status":"draft"`, "draft", "now", "zero"},
		{"admin", `"status":"private"`, "private", "now", "now-utc"},
		{"admin", `"status":"inherit"`, "inherit", "now", "now-utc"},
		{"admin", `"status":"auto-draft"`, "auto-draft", "now", "zero"},
		{"admin", `"status":"future"`, "publish", "now", "now-utc"},
		{"admin", `"status":"future","date":"2020-01-02 03:04:05"`, "publish", "2020-01-02 03:04:05", "2020-01-02 02:04:05"},
		{"admin", `"date":"2030-01-02 03:04:05"`, "future", "2030-01-02 03:04:05", "2030-01-02 02:04:05"},
		{"admin", `"status":"publish","date_utc":"2030-01-02 03:04:05"`, "future", "2030-01-02 04:04:05", "2030-01-02 03:04:05"},
		{"admin", `"status":"private","date":"2030-01-02 03:04:05"`, "private", "2030-01-02 03:04:05", "2030-01-02 02:04:05"},
		{"admin", `"status":"draft","date":"2030-01-02 03:04:05"`, "draft", "2030-01-02 03:04:05", "2030-01-02 02:04:05"},
		{"admin", `"status":"pending","date_utc":"2030-01-02 03:04:05"`, "pending", "2030-01-02 04:04:05", "2030-01-02 03:04:05"},
		{"contributor", `"status":"publish","date":"2030-01-02 03:04:05"`, "pending", "2030-01-02 03:04:05", "2030-01-02 02:04:05"},
	} {
		for _, kind := range []struct{ path, field string }{{"/events", "title"}, {"/venues", "venue"}, {"/organizers", "organizer"}} {
			body := fmt.Sprintf(`{%q:"New %d",%s`, kind.field, i, evening)
			if w.fields != "" {
				body += "," + w.fields
			}
			a := c.must(w.as, "POST", kind.path, body+"}")
			p := c.row(a.ID())
			if got, want := [...]string{p.Status, p.Date, p.DateGMT}, [...]string{w.status, moment(w.date), moment(w.utc)}; got != want {
				t.Errorf("%s %s %s: %q, want %q", w.as, kind.path, w.fields, got, want)
			}
			if p.Modified != p.Date || p.ModifiedGMT != p.DateGMT {
				t.Errorf("%s %s: modified %s %s, published %s %s", kind.path, w.fields, p.Modified, p.ModifiedGMT, p.Date, p.DateGMT)
			}
		}
	}
}

// D17: nothing is created in the trash.
func TestD17NoNewPostInTheTrash(t *testing.T) {
	c := open(t)
	for _, kind := range []struct{ path, field string }{{"/venues", "venue"}, {"/organizers", "organizer"}} {
		for _, fields := range []string{
			`"date":"2026-03-01 08:00:00","date_utc":"2025-01-01 00:00:00"`,
			`"date":"2025-01-01 01:00:00","date_utc":"2025-01-01 00:00:00"`, `"date_utc":"2025-01-01 00:00:00"`,
		} {
			p := c.row(c.must("admin", "POST", kind.path, fmt.Sprintf(`{%q:"Dated",%s}`, kind.field, fields)).ID())
			if p.Date != "2025-01-01 01:00:00" || p.DateGMT != "2025-01-01 00:00:00" {
				t.Errorf("D54: %s %s: %s, %s UTC", kind.path, fields, p.Date, p.DateGMT)
			}
			for _, change := range []string{`"date":"2026-03-01 08:00:00"`, `"date_utc":"2026-03-01 07:00:00"`,
				`"date":"2024-01-01","date_utc":"2026-03-01 07:00:00"`} {
				c.Must(200, "admin", "PATCH", fmt.Sprint(kind.path, "/", p.ID), "{"+change+"}")
				if p := c.row(p.ID); p.Date != "2026-03-01 08:00:00" || p.DateGMT != "2026-03-01 07:00:00" {
					t.Errorf("D54: %s %s: %s, %s UTC", kind.path, change, p.Date, p.DateGMT)
				}
				c.Must(200, "admin", "PATCH", fmt.Sprint(kind.path, "/", p.ID), `{"date":"2020-01-01"}`)
			}
		}
	}
	before := c.Dump()
	for _, kind := range []struct{ path, field string }{{"/events", "title"}, {"/venues", "venue"}, {"/organizers", "organizer"}} {
		a := c.Do("admin", "POST", kind.path, fmt.Sprintf(`{%q:"x",%s,"status":"trash"}`, kind.field, evening))
		if a.Status != 400 || a.Code() != "rest_invalid_param" || !strings.Contains(a.Text, `"status":"fault_status_trash"`) {
			t.Errorf("%s: %d %s", kind.path, a.Status, a.Text)
		}
	}
	if d := differing(before, c.Dump()); len(d) > 0 {
		t.Errorf("%v changed", d)
	}
}

// How texts of publication dates are read.
func TestPublicationDates(t *testing.T) {
	c := open(t)
	for _, w := range []struct{ fields, date, utc string }{
		{`"date":"2026-03-01 08:00:00"`, "2026-03-01 08:00:00", "2026-03-01 07:00:00"},
		{`"date":"2026-03-01T08:00:00+05:00"`, "2026-03-01 08:00:00", "2026-03-01 07:00:00"},
		{`"date":"2026-03-01T08:00:00Z","timezone":"Asia/Tokyo"`, "2026-03-01 08:00:00", "2026-03-01 07:00:00"},
		{`"date":"1772352000"`, "2026-03-01 08:00:00", "2026-03-01 07:00:00"},
		{`"date_utc":"2026-03-01 08:00:00"`, "2026-03-01 09:00:00", "2026-03-01 08:00:00"},
		{`"date_utc":"2026-03-01T08:00:00+05:00"`, "2026-03-01 04:00:00", "2026-03-01 03:00:00"},
		{`"date":"2026-03-01 08:00:00","date_utc":"2025-01-01 00:00:00"`, "2026-03-01 08:00:00", "2025-01-01 00:00:00"},
		{`"date":"0"`, "now", "now-utc"},
		{`"date_utc":"0"`, "1970-01-01 01:00:00", "1970-01-01 00:00:00"},
		{`"date":"2026-03-29 02:30:00"`, "2026-03-29 03:30:00", "2026-03-29 01:30:00"},
	} {
		p := c.row(c.create("admin", "Dated", ","+w.fields))
		if p.Date != moment(w.date) || p.DateGMT != moment(w.utc) {
			t.Errorf("%s: %s, %s UTC; want %s, %s UTC", w.fields, p.Date, p.DateGMT, w.date, w.utc)
		}
	}
	if p := c.row(c.create("admin", "Dated", `,"date":"1970-01-01 01:00:00"`)); p.DateGMT != "1970-01-01 00:00:00" {
		t.Errorf("the last refused second in another zone: %s UTC", p.DateGMT)
	}
	v := c.row(c.must("admin", "POST", "/venues", `{"venue":"Dated","date":"1772352000"}`).ID())
	if v.Date != "2026-03-01 09:00:00" || v.DateGMT != "2026-03-01 08:00:00" {
		t.Errorf("a timestamp of a venue: %s, %s UTC", v.Date, v.DateGMT)
	}
	before := c.Dump()
	for _, kind := range []struct{ path, field string }{{"/events", "title"}, {"/venues", "venue"}, {"/organizers", "organizer"}} {
		for _, fields := range []string{`"date":""`, `"date":"bogus"`, `"date":1772352000`, `"date":true`, `"date_utc":"1970-01-01"`,
			`"date":"99999999999999"`, `"date":"1970-01-01 00:00"`, `"date_utc":"-99999999999999"`, `"date":["2026-01-01"]`} {
			a := c.Do("admin", "POST", kind.path, fmt.Sprintf(`{%q:"x",%s,%s}`, kind.field, evening, fields))
			if a.Status != 400 || a.Code() != "rest_invalid_param" || !strings.Contains(a.Text, `"params":{"date`) {
				t.Errorf("%s %s: %d %s", kind.path, fields, a.Status, a.Text)
			}
		}
	}
	if d := differing(before, c.Dump()); len(d) > 0 {
		t.Errorf("refused dates changed %v", d)
	}
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

// D15: who may not edit others' posts gives and takes no posts of others.
func TestD15Author(t *testing.T) {
	c := open(t)
	for as, status := range map[string]int{"admin": 201, "editor": 201, "author": 403, "contributor": 403} {
		for _, kind := range []struct{ path, field string }{{"/events", "title"}, {"/venues", "venue"}, {"/organizers", "organizer"}} {
			before, path := c.Dump(), kind.path
			other := map[bool]int64{true: 2, false: 1}[as == "admin"]
			body := fmt.Sprintf(`{%q:"x",%s,"author":`, kind.field, evening)
			a := c.Do(as, "POST", path, fmt.Sprint(body, other, "}"))
			if a.Status != status || status == 403 && a.Code() != "rest_forbidden" {
				t.Errorf("%s %s: %d %s", as, path, a.Status, a.Text)
			}
			if d := differing(before, c.Dump()); status == 403 && len(d) > 0 {
				t.Errorf("%s %s: %v changed", as, path, d)
			}
			own := c.must(as, "POST", path, fmt.Sprint(body, c.Caller(as).UserID, "}")).ID()
			a = c.Do(as, "PATCH", fmt.Sprint(path, "/", own), `{"author":5,"description":"y"}`)
			p := c.row(own)
			if want := map[bool]int64{true: 5, false: c.Caller(as).UserID}[status == 201]; p.Author != want ||
				(p.Content == "y") != (status == 201) {
				t.Errorf("%s PATCH %s: %d, author %d, %q", as, path, a.Status, p.Author, p.Content)
			}
		}
	}
}
