package floor

import (
	"context"
	"database/sql"
	"errors"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
)

// TotalTTL is how long a total is cached: as long as a calendar caches it at most while nothing changes. The calendar
// queries the database for changes, the floor does not.
const TotalTTL = 5 * time.Minute

// These are the paths that a Floor answers.
const (
	Events     = "/events"     // start, end, limit, offset; terms, venue, search
	Event      = "/event"      // id, or slug
	NotChanged = "/notchanged" // id: read like Event and answered with 304
	Venues     = "/venues"     // limit, offset
	Categories = "/categories" // limit, offset
)

// Floor answers reads. Its answers are objects that contain lists of rows.
type Floor struct {
	db   *sql.DB
	sql  func(string) string
	sent atomic.Int64
	ties atomic.Int64 // rows that are read before and after a page

	made sync.Map // statements with the site's names, by their templates

	mu     sync.Mutex
	totals map[string]*total
}

type total struct {
	mu sync.Mutex
	at time.Time
	n  int64
}

// New returns a floor on a database.
func New(db *sql.DB, site Site) *Floor {
	const few = 4
	f := &Floor{db: db, sql: site.statements(), totals: map[string]*total{}}
	f.ties.Store(few)
	return f
}

// Statements returns the number of statements that were sent.
func (f *Floor) Statements() int64 { return f.sent.Load() }

var errNotFound = errors.New("not found")

// ServeHTTP answers a read.
func (f *Floor) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	q, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	a := answers.Get().(*answer)
	defer answers.Put(a)
	a.reset(r.Context(), f)
	status := http.StatusOK
	switch r.URL.Path {
	case Events:
		err = a.events(q)
	case Event:
		err = a.event(q)
	case NotChanged:
		err, status = a.event(q), http.StatusNotModified
	case Venues:
		err = a.venues(q)
	case Categories:
		err = a.categories(q)
	default:
		err = errNotFound
	}
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	h := w.Header()
	h.Set("Content-Type", "application/json; charset=UTF-8")
	if status == http.StatusNotModified {
		w.WriteHeader(status)
		return
	}
	a.b = append(a.b, '}')
	h.Set("Content-Length", strconv.Itoa(len(a.b)))
	_, _ = w.Write(a.b) // a client that has gone is no error
}

// statement returns a statement with the site's names.
func (f *Floor) statement(raw string) string {
	if s, ok := f.made.Load(raw); ok {
		return s.(string)
	}
	s := f.sql(raw)
	f.made.Store(raw, s)
	return s
}

// query sends a statement and calls scan for every row.
func (f *Floor) query(ctx context.Context, statement string, args []any, scan func(*sql.Rows) error) error {
	f.sent.Add(1)
	rows, err := f.db.QueryContext(ctx, statement, args...)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		if err := scan(rows); err != nil {
			return err
		}
	}
	return rows.Err()
}

// total counts at most once per TotalTTL. Concurrent callers wait for the same count.
func (f *Floor) total(ctx context.Context, key, statement string, args []any) (int64, error) {
	f.mu.Lock()
	t := f.totals[key]
	if t == nil {
		t = &total{}
		f.totals[key] = t
	}
	f.mu.Unlock()
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.at.IsZero() && time.Since(t.at) < TotalTTL {
		return t.n, nil
	}
	err := f.query(ctx, statement, args, func(r *sql.Rows) error { return r.Scan(&t.n) })
	if err == nil {
		t.at = time.Now()
	}
	return t.n, err
}
