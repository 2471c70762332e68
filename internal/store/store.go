// Package store holds all SQL. Queries are built by bun. Dates are bound and selected
// as text. Ids are read first and rows follow in batches, so that the number of
// statements does not grow with a page. Package store decides no rights: it is given
// conditions on what a caller may see.
package store

import (
	"context"
	"log/slog"
	"sync"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/change"
	"github.com/agendahq/agenda/schema"
)

// Config says what a Store works on. DB has to be set; the zero value of all else is right
// where its description says nothing.
type Config struct {
	DB *bun.DB // that schema.Bind bound to the site's prefix

	// Users is the database as schema.Bind bound it to the prefix of the accounts' tables, nil for a Store
	// without accounts; Capabilities is the meta key of their rights on this site: see NewUsers.
	Users        *bun.DB
	Capabilities string

	Names       schema.Names           // under which the site stores things
	Links       map[string]string      // the meta keys by which events link posts, by types of posts
	Occurrences bool                   // the site has the tables of dates, else dates are read from the events' meta rows
	DateColumns bool                   // the tables of dates have columns for several of an event
	SearchIndex bool                   // event lists search words in the FULLTEXT index, which schema.CheckSearchIndex must have found
	Foreign     []schema.ForeignColumn // of other programs, that rows have to name
	TermMeta    bool                   // rows of terms' meta are read
	UTF8MB3     bool                   // columns of the site lack characters of four bytes, such as emoji
	Narrow      []string               // these columns, with the names of their tables: "posts.post_title"
	ReadOnly    bool                   // nothing is written

	// Translations is the form in which the site's languages are read and written: AnyForm for the one that it
	// has, UnusedForm for none, whatever it has, and "" for none of a site that has none.
	Translations Form

	LimitReads  bool   // the server ends each read that takes longer than its request may, where it can: see database
	RoutedReads bool   // DB has a ConnResolver, which sends reads to other pools
	Watch       *Watch // what is computed of tables is kept for as long as nothing is committed to them; nil for never

	Now    func() time.Time // the clock. Default time.Now
	Logger *slog.Logger     // of background work. Default slog.Default()
}

// Watch says how a Store asks what changed.
type Watch struct {
	Options        []string // the names of the options that answers depend on
	Settle, MaxAge time.Duration
}

// Store reads and writes the tables of one site: each part is about one subject, all on the same DB.
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
	Translations *Translations
	Sources      *Sources
	Idempotency  *Idempotency
	Comments     *Comments
	Users        *Users // the accounts of the site, nil without Config.Users
	Probe        *Probe
	Companion    *Companion

	// Tracker reports changes, nil where that is not asked for, or cannot be done; then Unwatched says why.
	Tracker   *change.Tracker
	Unwatched string

	closing sync.Once
}

// New returns a store that is complete: it asks the server what it can do, and the site how it stores languages, as
// far as the Config wants to know. Close it.
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
	if s.Languages, err = newLanguages(ctx, db, s.Options, c.Translations); err != nil {
		return nil, err
	}
	s.Tickets = &Tickets{db}
	s.Posts = &Posts{db, s.Languages}
	s.Terms = &Terms{db, s.Languages}
	s.Translations = &Translations{db, s.Languages, s.Terms}
	s.Links = &Links{db, s.Languages, s.Events, s.Probe}
	s.Sources = &Sources{db, s.Posts}
	s.Companion = &Companion{pool: db.pool, prefix: db.prefix, now: c.Now}
	s.Transactions = &Transactions{
		db: db, options: s.Options, terms: s.Terms, companion: s.Companion, queue: writeQueueOf(c.DB, TableOptions),
		longestConflict: longestConflict,
	}
	if c.Users != nil {
		s.Users = &Users{
			db: newDatabase(c.Users, db.pool.limits, db.pool.routed), queue: writeQueueOf(c.Users, tableUserMeta), readOnly: c.ReadOnly,
			capabilities: c.Capabilities, Companion: s.Companion,
		}
		if s.Users.marks, err = s.Users.findMarks(ctx, db.network.Table != ""); err != nil {
			return nil, err
		}
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
	return s, nil
}

// Close ends the background check of Probe, and gives the connection of the tracker back.
func (s *Store) Close() {
	s.closing.Do(func() { unwatch(s.Tracker) })
	s.Probe.close()
}
