package measure

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"log/slog"
	"net"
	"net/http"
	"time"

	"github.com/gin-gonic/gin"
	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/calendar/pages"
	"github.com/agendahq/agenda/example/bench/internal/floor"
	"github.com/agendahq/agenda/schema"
)

// Target is one of the servers that are measured.
type Target string

// These are the servers.
const (
	Service  Target = "service"  // a calendar that creates each answer; it caches totals and the like
	Cached   Target = "cached"   // a calendar with the default options, which caches answers too
	Uncached Target = "uncached" // a calendar that caches nothing but rendered texts
	Floor    Target = "floor"

	// These belong to RunBare: calendars that cache answers, as the program serves them, and a server that only has
	// their bytes.
	Exact Target = "exact"
	Stale Target = "stale" // its answers may be a second old
	Bare  Target = "bare"
)

// fewConnections are too few for a calendar to detect changes, so that it caches nothing.
const fewConnections = 2

// Endpoint contains the addresses of a server: Address for what is measured, Control for questions about the server.
type Endpoint struct {
	Address string
	Control string
	Token   string // for writes
}

// Server is a server that is measured.
type Server struct {
	Endpoint
	servers []*http.Server
	closing []func(context.Context) error
}

// apiPath is the path below which the service answers.
const apiPath = "/wp-json/vendor/events/v1"

// Serve starts a server on a database, on free ports of this machine. Uncached limits the connections of db.
func Serve(ctx context.Context, target Target, db *bun.DB, site calendar.Site) (*Server, error) {
	s := &Server{}
	listener, err := s.listener(ctx)
	if err != nil {
		return nil, err
	}
	s.Address, s.Token = listener.Addr().String(), rand.Text()
	bound, err := schema.Bind(db, site.Prefix)
	if err != nil {
		return nil, errors.Join(err, s.Close(ctx))
	}
	state := &subject{db: bound, prefix: site.Prefix}
	var handler http.Handler
	if target == Floor {
		handler, err = s.floor(ctx, state)
	} else {
		handler, err = s.service(ctx, state, site, target)
	}
	if err == nil {
		err = s.control(ctx, state)
	}
	if err != nil {
		return nil, errors.Join(err, s.Close(ctx))
	}
	s.serve(listener, handler)
	return s, nil
}

func (s *Server) listener(ctx context.Context) (net.Listener, error) {
	l, err := (&net.ListenConfig{}).Listen(ctx, "tcp", "127.0.0.1:0")
	if err == nil {
		s.closing = append(s.closing, func(context.Context) error {
			if err := l.Close(); !errors.Is(err, net.ErrClosed) {
				return err
			}
			return nil
		})
	}
	return l, err
}

func (s *Server) serve(l net.Listener, h http.Handler) {
	server := &http.Server{Handler: h, ReadHeaderTimeout: 10 * time.Second, IdleTimeout: 2 * time.Minute}
	s.servers = append(s.servers, server)
	go func() { _ = server.Serve(l) }() // returns after Close
}

// service creates a calendar. Uncached needs no more connections than it has, because its first answers are compared
// with those of Cached one by one.
func (s *Server) service(ctx context.Context, state *subject, site calendar.Site, target Target) (http.Handler, error) {
	user, err := state.administrator(ctx)
	if err != nil {
		return nil, err
	}
	options := calendar.Options{
		DB: state.db, Site: site, Cache: calendar.Cache{Bytes: calendar.None},
		Languages:     []calendar.Language{{Tag: "en", BaseURL: "http://" + s.Address + "/wp-json"}},
		Authenticator: bearer{"Bearer " + s.Token, user},
		Logger:        slog.New(slog.DiscardHandler),
	}
	switch target {
	case Cached:
		options.Cache = calendar.Cache{}
	case Uncached:
		state.db.SetMaxOpenConns(fewConnections)
	case Exact, Bare:
		options.Cache, options.Authenticator = calendar.Cache{}, nil
	case Stale:
		options.Cache, options.Authenticator = calendar.Cache{MaxStale: time.Second}, nil
	}
	gin.SetMode(gin.ReleaseMode)
	router := gin.New()
	c, err := calendar.New(ctx, options)
	if err != nil {
		return nil, err
	}
	s.closing = append(s.closing, c.Close)
	state.statements = func() int64 { return int64(state.db.DBStats().Queries) }
	state.off = func() string { return c.Stats().Cache.Off }
	if err := c.Register(router); err != nil {
		return nil, err
	}
	if target == Exact || target == Stale || target == Bare {
		if err := pages.New(c, pages.Options{Origin: "http://" + s.Address}).Register(router); err != nil {
			return nil, err
		}
	}
	if target != Bare {
		return router, nil
	}
	return &bare{of: router}, nil
}

func (s *Server) floor(ctx context.Context, state *subject) (http.Handler, error) {
	site, err := state.floorSite(ctx)
	if err != nil {
		return nil, err
	}
	f := floor.New(state.db.DB, site)
	state.statements, state.off = f.Statements, func() string { return "a floor caches no answers" }
	return f, nil
}

// control answers questions about the server on a separate port.
func (s *Server) control(ctx context.Context, state *subject) error {
	listener, err := s.listener(ctx)
	if err != nil {
		return err
	}
	s.Control = listener.Addr().String()
	mux := http.NewServeMux()
	answer := func(path string, what func(ctx context.Context) (any, error)) {
		mux.HandleFunc(path, func(w http.ResponseWriter, r *http.Request) {
			v, err := what(r.Context())
			if err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
			_ = json.NewEncoder(w).Encode(v) // a client that has gone is no error
		})
	}
	answer("GET /figures", func(context.Context) (any, error) { return figuresNow(state.statements()), nil })
	answer("POST /peak", func(context.Context) (any, error) { return resetPeak(), nil })
	answer("GET /off", func(context.Context) (any, error) { return state.off(), nil })
	answer("GET /plan", func(ctx context.Context) (any, error) { return state.plan(ctx) })
	answer("POST /change", func(ctx context.Context) (any, error) { return true, state.change(ctx) })
	answer("GET /left", func(ctx context.Context) (any, error) { return state.left(ctx) })
	s.serve(listener, mux)
	return nil
}

// Close stops the server immediately.
func (s *Server) Close(ctx context.Context) (err error) {
	for _, server := range s.servers {
		err = errors.Join(err, server.Close())
	}
	for _, c := range s.closing {
		err = errors.Join(err, c(ctx))
	}
	return err
}

// bearer authenticates requests with the token that was created for this run.
type bearer struct {
	header string
	user   int64
}

func (b bearer) Authenticate(r *http.Request) (calendar.Principal, error) {
	switch r.Header.Get("Authorization") {
	case "":
		return calendar.Principal{}, nil
	case b.header:
		if b.user != 0 {
			return calendar.Principal{UserID: b.user}, nil
		}
	}
	return calendar.Principal{}, &calendar.AuthError{Err: errors.New("not the token of this run")}
}
