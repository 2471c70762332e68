package fill

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/schema"
)

// version is the version of the generated content: it changes when the same seed and number result in another event.
const version = 1

// StateOption is the option that stores how far a database was filled.
const StateOption = "agenda_bench_fill"

// state records how far a database was filled, and the inputs from which the remaining events are generated.
type state struct {
	Version int
	Seed    uint64
	Day     string // on which the filling was started, and around which the events lie
	Zone    string // of the site at that time
	Events  int64  // number of events that exist

	Post, Meta, Date int64 // the next ids: in posts, in postmeta, in both tables of dates

	// The first id of each; the others follow it.
	Users, Images, Venues, Organizers, Categories, Tags int64
}

func (s state) encode() string {
	b, _ := json.Marshal(s) // numbers and a string: it cannot fail
	return string(b)
}

// loadState returns the state of a database; found is false if it was not filled.
func loadState(ctx context.Context, db bun.IDB) (s state, stored string, found bool, err error) {
	stored, found, err = readOption(ctx, db, StateOption)
	if err != nil || !found {
		return s, stored, found, err
	}
	if err := json.Unmarshal([]byte(stored), &s); err != nil {
		return s, stored, true, fmt.Errorf("%w: option %s: %v", ErrNotOurs, StateOption, err)
	}
	return s, stored, true, nil
}

// errElsewhere is returned if the state is not the one that this run has stored.
var errElsewhere = errors.New("another program is filling this database")

// hold locks the state at the start of a transaction: if two programs fill at once, the second one waits here, and then
// fails.
func (f *filler) hold(ctx context.Context, tx bun.Tx) error {
	q := tx.NewSelect().Model((*schema.Option)(nil)).Column("option_value").Where("option_name = ?", StateOption)
	if f.session.mysql {
		q = q.For("UPDATE") // on SQLite one transaction writes at a time
	}
	var stored string
	if err := q.Scan(ctx, &stored); err != nil {
		return err
	}
	if stored != f.stored {
		return errElsewhere
	}
	return nil
}

// mustBeOurs returns an error for a database with content of other programs.
func mustBeOurs(ctx context.Context, db *bun.DB, o Options) error {
	posts, err := tableExists(ctx, db, o.Prefix, "posts")
	if err != nil || !posts {
		return err
	}
	options, err := tableExists(ctx, db, o.Prefix, "options")
	if err != nil {
		return err
	}
	if options {
		s, _, found, err := loadState(ctx, db)
		if err != nil || found {
			return errors.Join(err, s.fits(o))
		}
	}
	names := schema.DefaultNames()
	filled, err := db.NewSelect().Model((*schema.Post)(nil)).
		Where("post_type IN (?)", bun.List([]string{names.Event, names.Venue, names.Organizer})).Exists(ctx)
	if err == nil && filled {
		err = fmt.Errorf("%w: there are events, venues or organizers that were not made here; name an empty database or another prefix",
			ErrNotOurs)
	}
	if err != nil {
		return err
	}
	var some []int64
	err = db.NewSelect().Model((*schema.Post)(nil)).Column("ID").Limit(maxPosts+1).Scan(ctx, &some)
	if err == nil && len(some) > maxPosts {
		err = fmt.Errorf("%w: there is a site with posts that were not made here; name an empty database or another prefix", ErrNotOurs)
	}
	return err
}

// maxPosts is more than the number of posts on a new site of any program.
const maxPosts = 20

// fits returns an error if the filling was started with other options.
func (s state) fits(o Options) error {
	if _, err := time.Parse(time.DateOnly, s.Day); s.Version != version || err != nil {
		return fmt.Errorf("%w: another version of this program filled it; name an empty database or another prefix", ErrNotOurs)
	}
	if s.Seed != o.Seed {
		return fmt.Errorf("%w: it was filled with the seed %d; use that one, an empty database or another prefix", ErrNotOurs, s.Seed)
	}
	return nil
}

// tableExists reports whether a site has a table.
func tableExists(ctx context.Context, db *bun.DB, prefix, table string) (bool, error) {
	report, err := schema.Check(ctx, db, prefix)
	for _, name := range append(report.Missing, report.Denied...) {
		if name == prefix+table {
			return false, err
		}
	}
	return err == nil, err
}
