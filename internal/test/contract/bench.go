package contract

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/schema"
)

// bench is a small site that is written to. What its calendar sends to the
// database is recorded and can be made to fail.
type bench struct {
	*site
	counter *testdb.Counter
	cal     *calendar.Calendar
	h       http.Handler
	log     *errorLog
	heard   *hearing
	uploads string // directory
}

// newBench makes a small site in which users, two terms and an image are stored.
func newBench(t testing.TB, e Engine) *bench {
	t.Helper()
	b := &bench{log: &errorLog{}, heard: &hearing{}, uploads: t.TempDir()}
	b.site = newSite(t, Engine{Blank: func(t testing.TB) *bun.DB {
		db, counter := e.Counted(t)
		b.counter = counter
		return db
	}})
	for name, id := range callerIDs {
		b.insert(&schema.User{ID: id, Login: name, Registered: "2030-01-01 00:00:00"})
	}
	b.categories("cat")
	b.tags("tag")
	b.post(schema.TypeAttachment, thing{slug: "picture", status: schema.StatusInherit})
	b.exec("UPDATE ?(prefix)posts SET post_mime_type = 'image/png' WHERE ID = ?", b.of("picture"))
	b.meta("picture", schema.MetaAttachedFile, "2030/01/picture.png")
	return b
}

// open mounts the calendar.
func (b *bench) open(opts calendar.Options) {
	b.t.Helper()
	opts.DB, opts.Logger, opts.Authenticator = b.host, slog.New(b.log), callersOf(b.t, b.db, schema.DefaultPrefix)
	if opts.Now == nil {
		opts.Now = func() time.Time { return now }
	}
	if opts.Hooks.OnChange == nil {
		opts.Hooks.OnChange = b.heard.hear
	}
	b.cal, b.h = Mount(b.t, opts)
	b.t.Cleanup(func() {
		for _, line := range b.log.taken() {
			b.t.Errorf("logged: %s", line)
		}
	})
}

// do sends a request. It may be called from any goroutine; an answer that is
// not JSON has no members.
func (b *bench) do(ctx context.Context, method, path, as, body string) *answer {
	r := httptest.NewRequestWithContext(ctx, method, Root+path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	if as != "" {
		r.Header.Set(callerHeader, as)
	}
	w := httptest.NewRecorder()
	b.h.ServeHTTP(w, r)
	a := &answer{request: clipped(method + " " + path + " as " + as + " " + body), status: w.Code, header: w.Header(), body: w.Body.Bytes()}
	d := json.NewDecoder(bytes.NewReader(a.body))
	d.UseNumber()
	_ = d.Decode(&a.json)
	return a
}

// admin sends a request of the administrator that has to be answered with a status.
func (b *bench) admin(method, path, body string, status int) *answer {
	b.t.Helper()
	a := b.do(b.t.Context(), method, path, "admin", body)
	if a.status != status {
		b.t.Errorf("%s\n answered %d %s, want %d", a.request, a.status, clipped(string(a.body)), status)
	}
	return a
}

// number is a member of the answer as a number, 0 if it is absent.
func (a *answer) number(name string) int64 {
	n, _ := a.json[name].(json.Number)
	i, _ := n.Int64()
	return i
}

// create makes something that must succeed, and remembers its id by a name.
func (b *bench) create(name, path, body string) int64 {
	b.t.Helper()
	b.id[name] = b.admin("POST", path, b.fill(body), http.StatusCreated).number("id")
	return b.id[name]
}

// fill puts ids in the place of <names>.
func (b *bench) fill(text string) string {
	for name, id := range b.id {
		text = strings.ReplaceAll(text, "<"+name+">", itoa(id))
	}
	return text
}

// settle returns what the change hook was called for since the last call, once
// no change waits for it any more.
func (b *bench) settle() []string {
	b.t.Helper()
	for b.cal.Stats().ChangesWaiting > 0 {
		select {
		case <-b.t.Context().Done():
			b.t.Fatal("the change hook has not ended")
		case <-time.After(time.Millisecond):
		}
	}
	return b.heard.taken()
}

// files are the uploaded files.
func (b *bench) files() (names []string) {
	b.t.Helper()
	err := filepath.WalkDir(b.uploads, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, path)
		}
		return err
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return names
}

// hearing is a change hook that remembers.
type hearing struct {
	mu    sync.Mutex
	lines []string
}

func (h *hearing) hear(_ context.Context, c calendar.Change) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.lines = append(h.lines, changeLine(c))
}

func changeLine(c calendar.Change) string {
	return fmt.Sprintf("%s %s %d by %s: %s>%s", c.Op, c.Kind, c.ID, c.Principal.Login, c.Before, c.After)
}

func (h *hearing) taken() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	lines := slices.Clone(h.lines)
	h.lines = nil
	return lines
}
