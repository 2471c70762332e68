package calendartest

import (
	"context"
	"encoding/base64"
	"errors"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/schema/embedded"
)

// namespace is the path of the API below a root, unless an option changes it.
const namespace = "vendor/events/v1"

// Site is a calendar with the content that the comment of the package describes. Changes to it do not affect other
// sites.
type Site struct {
	// Calendar can be mounted on a router of the host.
	Calendar *calendar.Calendar

	// Handler is Calendar.Handler, for requests without a connection.
	Handler http.Handler

	// URL is the address of the API's first language version, "http://127.0.0.1:…/wp-json/vendor/events/v1". Links in
	// responses begin with Home instead, so that they are always the same.
	URL string

	// Clock is the clock of the calendar.
	Clock *Clock

	// DB is the site's database, in memory, with the usual table prefix.
	DB *bun.DB

	// Options are the options of the calendar. Hosts can create another calendar from them.
	Options calendar.Options

	server *httptest.Server
	hosts  map[string]bool // the host names for which the server responds
}

// New returns a new site, which is closed when the test ends. Each change may modify the options of its calendar.
func New(t testing.TB, change ...func(*calendar.Options)) *Site {
	t.Helper()
	logged := func(o *calendar.Options) { o.Logger = slog.New(slog.NewTextHandler(t.Output(), nil)) }
	s, err := Open(t.Context(), append([]func(*calendar.Options){logged}, change...)...)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// Open is like New for use outside of tests, as in examples: the caller closes the site.
func Open(ctx context.Context, change ...func(*calendar.Options)) (*Site, error) {
	snapshot, err := seeded()
	if err != nil {
		return nil, err
	}
	db, err := embedded.OpenSnapshot(ctx, snapshot)
	if err != nil {
		return nil, err
	}
	s := &Site{DB: db, Clock: &Clock{now: Now}, hosts: map[string]bool{}}
	s.Options = options(db, s.Clock.Now)
	for _, f := range change {
		f(&s.Options)
	}
	// Not ctx, because background work of the calendar continues until it is closed.
	if s.Calendar, err = calendar.New(context.WithoutCancel(ctx), s.Options); err != nil {
		return nil, errors.Join(err, db.Close())
	}
	s.Handler = s.Calendar.Handler()
	s.listen()
	return s, nil
}

// options returns the options of a site's calendar. It accepts passwords over connections without TLS, as in tests, and
// rejects wrong ones without a delay.
func options(db *bun.DB, now func() time.Time) calendar.Options {
	return calendar.Options{
		DB: db, Now: now,
		Languages: []calendar.Language{
			{Tag: "en", BaseURL: Home + "/wp-json"},
			{Tag: "nl", BaseURL: Home + "/nl/wp-json", SiteURL: Home + "/nl"},
			{Tag: "fr", BaseURL: Home + "/fr/wp-json", SiteURL: Home + "/fr"},
		},
		Login: calendar.Login{PlainHTTP: true, RefuseAfter: calendar.None},
	}
}

// listen starts the server and determines for which addresses it responds.
func (s *Site) listen() {
	s.server = httptest.NewServer(s.Handler)
	path := "/wp-json"
	for i, l := range s.Options.Languages {
		base, err := url.Parse(l.BaseURL)
		if err != nil {
			continue // New would have rejected it
		}
		s.hosts[base.Host] = true
		switch {
		case i > 0:
		case l.Mount != "":
			path = l.Mount
		default:
			path = base.Path
		}
	}
	below := s.Options.Namespace
	if below == "" {
		below = namespace
	}
	s.URL = s.server.URL + strings.TrimSuffix(path, "/") + "/" + strings.Trim(below, "/")
}

// Client returns a client of an anonymous caller.
func (s *Site) Client() *http.Client { return s.client("") }

// As returns a client of the user with a role, such as Editor. It follows links in responses to this site, and sends
// the user's password to no other site.
func (s *Site) As(role string) *http.Client { return s.client(Authorization(role)) }

// Authorization returns the Authorization header of the user with a role, for requests to Handler.
func Authorization(role string) string {
	for _, u := range logins {
		if u.role == role {
			return "Basic " + base64.StdEncoding.EncodeToString([]byte(u.login+":"+Password))
		}
	}
	panic("calendartest: there is no user with the role " + role)
}

func (s *Site) client(authorization string) *http.Client {
	return &http.Client{Transport: transport{site: s, authorization: authorization}}
}

// transport sends requests for the site's addresses to its server.
type transport struct {
	site          *Site
	authorization string
}

func (t transport) RoundTrip(r *http.Request) (*http.Response, error) {
	server := t.site.server
	address := strings.TrimPrefix(server.URL, "http://")
	linked := t.site.hosts[r.URL.Host]
	if linked || r.URL.Host == address {
		r = r.Clone(r.Context())
		if linked {
			r.Host = r.URL.Host
			r.URL.Scheme, r.URL.Host = "http", address
		}
		if t.authorization != "" && r.Header.Get("Authorization") == "" {
			r.Header.Set("Authorization", t.authorization)
		}
	}
	return server.Client().Transport.RoundTrip(r)
}

// Close closes the site. It waits until the change hook has been called for all changes.
func (s *Site) Close() error {
	s.server.Close()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	return errors.Join(s.Calendar.Close(ctx), s.DB.Close())
}
