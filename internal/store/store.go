// Package store contains all SQL. Queries are built with bun. Dates are bound and selected as strings. Ids are read
// first and rows follow in batches, so that the number of statements does not grow with a page. The package does not
// decide about rights: its callers pass conditions on what may be seen.
package store

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/change"
	"github.com/agendahq/agenda/internal/store/timelimit"
	"github.com/agendahq/agenda/internal/store/versions"
	"github.com/agendahq/agenda/internal/store/writequeue"
	"github.com/agendahq/agenda/schema"
)

// Config contains the settings of a Store. DB must be set; the zero value of every other field is valid unless its
// description says otherwise.
type Config struct {
	DB *bun.DB // bound by schema.Bind to the site's prefix

	// Users is the database bound by schema.Bind to the prefix of the accounts' tables, nil for a Store without
	// accounts: see package userstore.
	Users *bun.DB

	Names       schema.Names           // names that the site uses in the database
	Links       map[string]string      // the meta keys by which events link posts, by post type
	Occurrences bool                   // the site has the tables of dates; otherwise dates are read from the events' meta rows
	DateColumns bool                   // the tables of dates have columns for several dates of an event
	SearchIndex bool                   // event lists search words with the FULLTEXT index, which schema.CheckSearchIndex must have found
	Foreign     []schema.ForeignColumn // columns of other programs that need a value in new rows
	TermMeta    bool                   // meta rows of terms are read
	UTF8MB3     bool                   // columns of the site cannot store characters of four bytes, such as emoji
	Narrow      []string               // these columns, with the names of their tables: "posts.post_title"
	ReadOnly    bool                   // nothing is written

	// Translations is the form in which the site's languages are read and written: AnyForm for the one that it uses,
	// UnusedForm to ignore languages, and "" for a site without any.
	Translations Form

	LimitReads  bool   // the server ends each read that takes longer than its request may, if it can: see Pool
	RoutedReads bool   // DB has a ConnResolver, which sends reads to other pools
	Watch       *Watch // what is computed from tables is cached until something is committed to them; nil to cache nothing

	Now    func() time.Time // returns the current time; default time.Now
	Logger *slog.Logger     // for background work; default slog.Default()
}

// Watch contains the settings of noticing changes.
type Watch struct {
	Options        []string // the names of the options on which answers depend
	Settle, MaxAge time.Duration
}

// Store reads and writes the tables of one site. Its parts are each about one subject and use the same DB.
type Store struct {
	Config       Config // with its defaults
	DB           *DB
	Transactions *Transactions
	Posts        *Posts
	Events       *Events
	Links        *Links
	Tickets      *Tickets
	Terms        *Terms
	Options      *Options
	Languages    *Languages
	Idempotency  *Idempotency
	Comments     *Comments
	Probe        *Probe
	Companion    *Companion

	// Tracker reports changes. It is nil if that is not configured or not possible; in the latter case Unwatched is the
	// reason.
	Tracker   *change.Tracker
	Unwatched string

	closing sync.Once
}

// New returns a Store. It queries the capabilities of the server and how the site stores languages, as far as the
// Config requires. The Store must be closed.
func New(ctx context.Context, c Config) (*Store, error) {
	if c.Now == nil {
		c.Now = time.Now
	}
	if c.Logger == nil {
		c.Logger = slog.Default()
	}
	db, err := newDB(ctx, c)
	if err != nil {
		return nil, err
	}
	s := &Store{Config: c, DB: db, Options: &Options{db}, Events: &Events{db}, Idempotency: &Idempotency{db}, Comments: &Comments{db},
		Probe: &Probe{db: db}}
	s.Languages = &Languages{db: db, options: s.Options}
	if err = s.Languages.find(ctx, c.Translations); err != nil {
		return nil, err
	}
	s.Tickets = &Tickets{db}
	s.Posts = &Posts{db, s.Languages}
	s.Terms = &Terms{db, s.Languages}
	s.Links = &Links{db, s.Languages, s.Events, s.Probe}
	s.Companion = &Companion{pool: db.pool, prefix: db.prefix, now: c.Now}
	s.Transactions = &Transactions{
		db: db, options: s.Options, terms: s.Terms, companion: s.Companion, queue: writequeue.ForTable(c.DB, TableOptions.String()),
		longestConflict: longestConflict,
	}
	if !c.ReadOnly {
		if err = s.Companion.Find(ctx); err != nil {
			return nil, err
		}
	}
	if c.Watch != nil {
		s.Tracker, s.Unwatched = s.Transactions.watch(c.Watch)
		s.Transactions.clock = s.Tracker
	}
	if db.pool.limits == timelimit.SetStatement && !db.pool.routed { // MySQL derives the types of parameters in another way
		db.pool.prepared = sharePrepared(c.DB.DB)
	}
	return s, nil
}

// Close ends the background check of Probe, and releases the connection of the tracker and the prepared statements.
func (s *Store) Close() {
	s.closing.Do(func() {
		versions.Leave(s.Tracker)
		s.DB.pool.prepared.leave()
	})
	s.Probe.close()
}
