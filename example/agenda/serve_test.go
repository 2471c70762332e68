package main

import (
	"bytes"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/example/internal/cli"
	"github.com/agendahq/agenda/example/internal/demo"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

func writeTestFile(t *testing.T, path, content string) {
	t.Helper()
	must.Succeed(t, os.MkdirAll(filepath.Dir(path), 0o700))
	must.Succeed(t, os.WriteFile(path, []byte(content), 0o600))
}

// raw sends a request with a path as it is and returns the status line and the response.
func raw(t *testing.T, address, path string) (status, answer string) {
	t.Helper()
	conn := must.Get(net.Dial("tcp", strings.TrimPrefix(address, "http://")))(t)
	defer conn.Close()
	fmt.Fprintf(conn, "GET %s HTTP/1.0\r\n\r\n", path)
	var b bytes.Buffer
	_, _ = b.ReadFrom(conn)
	status, answer, _ = strings.Cut(b.String(), "\r\n")
	return status, answer
}

// TestUploadsAndDemoPicturesAreServed checks that pictures are served below the path of the base URL.
func TestUploadsAndDemoPicturesAreServed(t *testing.T) {
	t.Parallel()
	dir := demoDirectory(t)
	host := freeAddress(t)
	address, end := server(t, "-addr", host, "-data", dir, "-base-url", "http://"+host+"/town/wp-json")
	writeTestFile(t, filepath.Join(dir, "uploads", "2026", "11", "fair.jpg"), "a picture")
	writeTestFile(t, filepath.Join(dir, "uploads", "2026", "11", "page.html"), "<script>")
	uploads := "/town" + demo.UploadsPath
	resp, body := get(t, address+uploads+"2026/11/fair.jpg")
	if resp.StatusCode != http.StatusOK || body != "a picture" || resp.Header.Get("Content-Type") != "image/jpeg" ||
		resp.Header.Get("X-Content-Type-Options") != "nosniff" {
		t.Errorf("%d %s %v", resp.StatusCode, body, resp.Header)
	}
	if resp, err := http.Head(address + uploads + "2026/11/fair.jpg"); err != nil || resp.StatusCode != http.StatusOK {
		t.Errorf("HEAD: %v %v", resp, err)
	}
	_, list := get(t, address+"/town/wp-json/vendor/events/v1/events?per_page=50&start_date=2000-01-01")
	_, picture, _ := strings.Cut(strings.ReplaceAll(list, `\/`, "/"), `"image":{"url":"`)
	picture, _, _ = strings.Cut(picture, `"`)
	if resp, _ := get(t, picture); !strings.HasPrefix(picture, address+uploads+"demo/") || resp.StatusCode != http.StatusOK ||
		resp.Header.Get("Content-Type") != "image/jpeg" {
		t.Errorf("demo picture %s: %d", picture, resp.StatusCode)
	}
	for _, name := range []string{
		"", "2026", "2026/11/", "2026/11/page.html", "../demo-passwords", "../agenda.db", "2026/../../agenda.db", "%2e%2e/demo-passwords",
		"..%2fdemo-passwords", "%2e%2e%2f%2e%2e%2fagenda.db", `..\demo-passwords`, "..%5cdemo-passwords", "demo/nothing.jpg",
		"demo/../../demo-passwords",
	} {
		status, answer := raw(t, address, uploads+name)
		if strings.Contains(status, "200") || strings.Contains(answer, "SQLite format") ||
			strings.Contains(answer, "prints at every start") || strings.Contains(answer, "fair") {
			t.Errorf("%s: %s %.200s", name, status, answer)
		}
	}
	ended(t, end)
}

func TestUploadsOfADatabaseInMemoryEndWithIt(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	address, printed, end := printing(t, "-data", ":memory:")
	got := credentials(printed)
	if code := as(t, "editor", got["editor"], address+drafts); code != http.StatusOK || len(got) != 5 {
		t.Errorf("%d users, drafts: %d", len(got), code)
	}
	if made, err := filepath.Glob(filepath.Join(os.TempDir(), "agenda-uploads-*")); err != nil || len(made) != 1 {
		t.Errorf("directories: %v, %v", made, err)
	}
	ended(t, end)
	if left, err := filepath.Glob(filepath.Join(os.TempDir(), "*")); err != nil || len(left) != 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestWhereUploadsGo(t *testing.T) {
	t.Parallel()
	dir, db := t.TempDir(), testdb.SiteA(t)
	site, files := cli.Database{DSN: testdb.DSNOf(t, db)}, cli.Database{Data: dir}
	for name, c := range map[string]struct {
		s    settings
		want string
	}{
		"a site's": {settings{Database: site, uploads: dir}, dir + " http://site.test/wp-content/uploads"},
		"as given": {settings{Database: site, uploads: dir, uploadsURL: "https://img.example.org/u/"},
			dir + " https://img.example.org/u/"},
		"nowhere":   {settings{Database: site}, "none"},
		"not there": {settings{Database: site, uploads: dir + "/gone"}, "--uploads " + dir + "/gone: there is no such directory"},
		"embedded":  {settings{Database: files}, dir + "/uploads http://127.0.0.1:1/town/wp-content/uploads"},
		"embedded, else": {settings{Database: files, uploads: dir + "/new/place"},
			dir + "/new/place http://127.0.0.1:1/town/wp-content/uploads"},
		"in memory": {settings{Database: cli.Database{Data: ":memory:"}, uploads: dir + "/kept"},
			dir + "/kept http://127.0.0.1:1/town/wp-content/uploads"},
	} {
		c.s.Prefix = "wp_"
		u, remove, err := c.s.openUploads(t.Context(), db, version{siteURL: "http://127.0.0.1:1/town"})
		remove()
		got := "none"
		if err != nil {
			got = err.Error()
		} else if u.Dir != "" || u.BaseURL != "" {
			got = u.Dir + " " + u.BaseURL
			if info, err := os.Stat(u.Dir); err != nil || !info.IsDir() {
				t.Errorf("%s: %v", name, err)
			}
		}
		if got != c.want {
			t.Errorf("%s: %s, want %s", name, got, c.want)
		}
	}
}

func TestScheduledEventsArePublished(t *testing.T) {
	dir, db := earlier(t)
	bound := must.Get(schema.Bind(db, "wp_"))(t)
	var due schema.Post
	must.Succeed(t, bound.NewSelect().Model(&due).Where("post_type = ?", schema.DefaultNames().Event).
		Where("post_status = ?", schema.StatusPublish).Limit(1).Scan(t.Context()))
	status := func() (got string) {
		must.Succeed(t, bound.NewSelect().Model(&due).Column("post_status").WherePK().Scan(t.Context(), &got))
		return got
	}
	must.Get(bound.NewUpdate().Model(&due).Set("post_status = ?", schema.StatusFuture).WherePK().Exec(t.Context()))(t)
	_, end := server(t, "-data", dir, "-publish-every", "0")
	end()
	if got := status(); got != schema.StatusFuture {
		t.Errorf("published although that is off: %s", got)
	}
	_, end = server(t, "-data", dir, "-log-level", "debug")
	for deadline := time.Now().Add(3 * time.Minute); status() != schema.StatusPublish && time.Now().Before(deadline); {
		time.Sleep(5 * time.Millisecond)
	}
	_, log := end()
	want := fmt.Sprintf("msg=change kind=events id=%d op=update user=0 before=future after=publish", due.ID)
	if status() != schema.StatusPublish || !strings.Contains(log, want) {
		t.Errorf("the event is %s; no %q in %s", status(), want, log)
	}
	running := func() bool {
		stacks := make([]byte, 1<<20)
		return strings.Contains(string(stacks[:runtime.Stack(stacks, true)]), "publishLoop")
	}
	eventually(t, "the end of publishing", func() bool { return !running() })
}

func TestOptionsOfTheFlags(t *testing.T) {
	s := parsed(t,
		"-plain-http", "-trusted-proxies", "10.1.2.3, 192.168.7.9/16,fd00::1/8,::1, ::ffff:10.0.0.9", "-publish-every", "90s",
		"-cache-bytes", "1048576", "-cache-settle", "5s", "-cache-max-age", "1m", "-max-stale", "2s", "-max-body", "2048",
		"-max-answer", "4096", "-read-only",
		"-request-timeout", "7s",
	)
	must.Succeed(t, s.check())
	u := calendar.Uploads{Dir: "x"}
	o, err := s.options(nil, nil, u, slog.New(slog.DiscardHandler))
	must.Succeed(t, err)
	if got := fmt.Sprint(o.Login.TrustedProxies); got != "[10.1.2.3/32 192.168.0.0/16 fd00::/8 ::1/128 10.0.0.9/32]" {
		t.Errorf("proxies %s", got)
	}
	if !o.ReadOnly || !o.Login.PlainHTTP || o.PublishEvery != 90*time.Second ||
		o.Cache != (calendar.Cache{Bytes: 1 << 20, Settle: 5 * time.Second, MaxAge: time.Minute, MaxStale: 2 * time.Second}) ||
		o.Limits.MaxBody != 2048 || o.Limits.MaxAnswer != 4096 || o.Limits.RequestTimeout != 7*time.Second ||
		o.Uploads.Dir != u.Dir || o.Hooks.OnChange == nil {
		t.Errorf("options %+v", o)
	}
	plain := parsed(t)
	if o, err = plain.options(nil, nil, calendar.Uploads{}, nil); err != nil || o.ReadOnly || o.Login.PlainHTTP ||
		o.Login.TrustedProxies != nil || o.PublishEvery != time.Minute ||
		o.Cache != (calendar.Cache{Settle: 3 * time.Second, MaxAge: 5 * time.Minute}) || o.Limits.MaxBody != 1<<20 ||
		o.Limits.RequestTimeout != 30*time.Second {
		t.Errorf("defaults %+v, %v", o, err)
	}
	t.Setenv("AGENDA_CACHE_BYTES", "-1")
	none := parsed(t)
	if o, err = none.options(nil, nil, calendar.Uploads{}, nil); err != nil || none.check() != nil || o.Cache.Bytes != calendar.None {
		t.Errorf("no answers kept: %+v, %v, %v", o.Cache, err, none.check())
	}
	for flag, wrong := range map[string]calendar.Cache{
		"-cache-bytes": {Bytes: -2}, "-cache-settle": {MaxAge: 1, Settle: -1}, "-cache-max-age": {Settle: 1, MaxAge: -1},
		"-max-stale": {Settle: 1, MaxAge: 1, MaxStale: 2}, "--max-stale -1s": {Settle: 1, MaxAge: 1, MaxStale: -time.Second},
	} {
		none.cache = wrong
		if err := none.check(); err == nil || !strings.Contains(err.Error(), flag) {
			t.Errorf("%s: %v", flag, err)
		}
	}
	for _, list := range []string{",", "10.0.0.1,", "10.0.0.0/33", "proxy.example.org", "::ffff:10.0.0.0/104", "10.0.0.1:80"} {
		wrong := settings{trustedProxies: list, maxBody: 1, maxAnswer: 1, maxAnswers: 1, dbConnections: 1,
			requestTimeout: time.Second, colour: "#123"}
		if err := wrong.check(); err == nil {
			t.Errorf("proxies %q are taken", list)
		}
	}
}

func TestConnectionsHaveALimit(t *testing.T) {
	dsn := testdb.DSNOf(t, testdb.SiteA(t))
	t.Setenv("AGENDA_DB_CONNECTIONS", "7")
	for want, args := range map[int][]string{7: nil, 5: {"-db-connections", "5"}} {
		s := parsed(t, append(args, "-dsn", dsn)...)
		db := must.Get(s.open(t.Context(), version{}, slog.New(slog.DiscardHandler)))(t)
		if n := db.Stats().MaxOpenConnections; n != want {
			t.Errorf("%q: %d connections, want %d", args, n, want)
		}
		_ = db.Close()
	}
}
