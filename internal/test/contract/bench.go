package contract

import (
	"context"
	"fmt"
	"io/fs"
	"log/slog"
	"net/http"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/apitest"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// bench is a small site for tests that write. The statements that its calendar sends are recorded and can be made to
// fail.
type bench struct {
	*site
	apitest.Client
	counter *testdb.Counter
	cal     *calendar.Calendar
	opts    calendar.Options // of cal
	others  []*bench         // other processes on the same site, which the method together uses
	log     *errorLog
	hook    *hookCalls
	uploads string // directory
	// fetching is called when an image is requested; it may be nil.
	fetching func()
}

// newBench returns a bench on a small site with users, two terms and an image.
func newBench(t testing.TB, e Engine) *bench {
	t.Helper()
	b := &bench{Client: apitest.Client{T: t}, log: &errorLog{}, hook: &hookCalls{}, uploads: t.TempDir()}
	b.site = newSite(t, Engine{Network: e.Network, Installed: e.Installed, Blank: func(t testing.TB) *bun.DB {
		db, counter := e.Counted(t)
		b.counter = counter
		return db
	}})
	for name, user := range apitest.Users {
		b.users().Insert(&schema.User{ID: user.ID, Login: name, Registered: "2030-01-01 00:00:00"})
	}
	b.categories("cat")
	b.tags("tag")
	b.post(schema.TypeAttachment, thing{slug: "picture", status: schema.StatusInherit})
	b.Exec("UPDATE ?(prefix)posts SET post_mime_type = 'image/png' WHERE ID = ?", b.idOf("picture"))
	b.meta("picture", schema.MetaAttachedFile, "2030/01/picture.png")
	return b
}

// open mounts the calendar.
func (b *bench) open(opts calendar.Options) {
	b.site.T.Helper()
	b.opts = opts
	opts.DB, opts.Site.Prefix, opts.Logger = b.host, b.prefix, slog.New(b.log)
	if opts.Authenticator == nil {
		opts.Authenticator = callersOf(b.site.T, b.DB, b.prefix)
	}
	if opts.Now == nil {
		opts.Now = func() time.Time { return now }
	}
	if opts.Hooks.OnChange == nil {
		opts.Hooks.OnChange = b.hook.record
	}
	b.Client.T = b.site.T
	if b.counter != nil { // calendar.New may read with its own deadline, and set a limit for the session
		b.counter.Watch(nil)
	}
	b.cal, b.Handler = Mount(b.T, opts)
	if b.counter != nil && b.host.Dialect().Name() == dialect.MySQL { // on SQLite, reads end with their context
		b.counter.Watch(func(ctx context.Context, query string) {
			if _, limited := ctx.Deadline(); limited && isUnlimited(query) {
				b.T.Errorf("without a time limit: %s", query)
			}
		})
	}
	b.T.Cleanup(func() {
		for _, line := range b.log.taken() {
			b.T.Errorf("logged: %s", line)
		}
	})
}

// isUnlimited reports whether a statement is a read that the server would continue when its request is over, because it
// has neither the limit of MariaDB, with which it would begin, nor that of MySQL.
func isUnlimited(query string) bool {
	text := strings.TrimLeft(query, "( ")
	return (strings.HasPrefix(text, "SELECT") || strings.HasPrefix(text, "WITH")) && !strings.Contains(text, "/*+ MAX_EXECUTION_TIME(")
}

// admin sends a request as the administrator, and fails the test unless the response has the status.
func (b *bench) admin(method, path, body string, status int) apitest.Answer {
	b.T.Helper()
	a := b.DoWithin(b.T.Context(), "admin", method, path, body)
	if a.Status != status {
		b.T.Errorf("%s\n answered %d %s, want %d", a.Request, a.Status, apitest.Clip(a.Text), status)
	}
	return a
}

// create sends a POST that must succeed, and stores the id of the new item under a name.
func (b *bench) create(name, path, body string) int64 {
	b.T.Helper()
	b.id[name] = b.admin("POST", path, b.fill(body), http.StatusCreated).Number("id")
	return b.id[name]
}

// settle waits until the change hook was called for all changes, and returns the calls since the last time.
func (b *bench) settle() []string {
	b.T.Helper()
	for _, process := range append([]*bench{b}, b.others...) {
		for process.cal.Stats().ChangesWaiting > 0 {
			select {
			case <-b.T.Context().Done():
				b.T.Fatal("the change hook has not ended")
			case <-time.After(time.Millisecond):
			}
		}
	}
	return b.hook.taken()
}

// files returns the uploaded files.
func (b *bench) files() (names []string) {
	b.T.Helper()
	must.Succeed(b.T, filepath.WalkDir(b.uploads, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, path)
		}
		return err
	}))
	return names
}

// hookCalls is a change hook that records its calls.
type hookCalls struct {
	mu    sync.Mutex
	lines []string
	terms []int64 // the terms in the changes of all calls
}

func (h *hookCalls) record(_ context.Context, c calendar.Change) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.lines, h.terms = append(h.lines, changeLine(c)), append(h.terms, c.Terms...)
}

func changeLine(c calendar.Change) string {
	return fmt.Sprintf("%s %s %d by %s: %s>%s", c.Op, c.Kind, c.ID, c.Principal.Login, c.Before, c.After)
}

func (h *hookCalls) taken() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	lines := slices.Clone(h.lines)
	h.lines = nil
	return lines
}
