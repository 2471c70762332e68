package fill

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect"

	"github.com/agendahq/agenda/schema"
)

// ErrNotOurs is returned for a database whose content this package did not create, or created with other options.
var ErrNotOurs = errors.New("not a database of this program")

// Options are the options of Run.
type Options struct {
	Prefix   string                  // of the tables, which are created if they are missing
	Events   int64                   // number of events that the calendar has afterwards
	Seed     uint64                  // another seed results in other events
	Now      func() time.Time        // the events lie within ten years around its day; default time.Now
	Progress func(done, total int64) // called at the start and after every transaction, if set

	// These sizes depend on the engine if they are 0.
	chunkEvents, chunks int
}

// Summary is what Run did, and what the database contains after it.
type Summary struct {
	Begun       int64 // number of events before
	Events      int64 // number of events after
	Posts, Rows int64 // added by this run
	Took        time.Duration
}

// Run fills a database until it has o.Events events. Each transaction leaves a complete calendar, and stores its
// progress in the database: after an error, an interruption or a crash, Run continues from there.
func Run(ctx context.Context, db *bun.DB, o Options) (sum Summary, err error) {
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Progress == nil {
		o.Progress = func(int64, int64) {}
	}
	began := time.Now()
	defer func() { sum.Took = time.Since(began) }()
	if db, err = schema.Bind(db, o.Prefix); err != nil {
		return sum, err
	}
	if err := mustBeOurs(ctx, db, o); err != nil {
		return sum, err
	}
	if err := schema.Install(ctx, db, o.Prefix); err != nil {
		return sum, err
	}
	s, err := openSession(ctx, db)
	if err != nil {
		return sum, err
	}
	defer s.close()
	f := &filler{Options: o, session: s, sum: &sum}
	f.setSizes(db)
	if err := f.run(ctx); err != nil {
		return sum, fmt.Errorf("after %d events: %w", sum.Events, err)
	}
	return sum, s.analyze(ctx, o.Prefix)
}

// setSizes sets the sizes of transactions: small, so that a crash loses little work, but large on SQLite, whose commits
// wait for the disk.
func (o *Options) setSizes(db *bun.DB) {
	if o.chunkEvents == 0 {
		o.chunkEvents = 500
	}
	if o.chunks == 0 {
		o.chunks = 4
		if db.Dialect().Name() == dialect.SQLite {
			o.chunks = 20
		}
	}
}

// filler is one run.
type filler struct {
	Options
	session *session
	sum     *Summary
	place   *place
	state   state
	stored  string // the state as the database contains it
}

func (f *filler) run(ctx context.Context) error {
	if err := f.begin(ctx); err != nil {
		return err
	}
	f.sum.Begun, f.sum.Events = f.state.Events, f.state.Events
	f.Progress(f.state.Events, max(f.Events, f.state.Events))
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	chunks := make(chan *chunk, 1)
	go f.compose(ctx, chunks)
	for f.state.Events < f.Events {
		var done part
		err := f.session.conn.RunInTx(ctx, nil, func(ctx context.Context, tx bun.Tx) (err error) {
			done, err = f.writeChunks(ctx, tx, chunks)
			return err
		})
		if err != nil {
			return err
		}
		f.took(done)
		f.Progress(f.state.Events, f.Events)
	}
	return nil
}

// took adds what a transaction has added to the summary.
func (f *filler) took(done part) {
	f.state, f.stored = done.after, done.after.encode()
	f.sum.Events = done.after.Events
	f.sum.Posts, f.sum.Rows = f.sum.Posts+done.posts, f.sum.Rows+done.rows
}

// compose creates the chunks, one ahead of the database.
func (f *filler) compose(ctx context.Context, to chan<- *chunk) {
	defer close(to)
	for at := f.state; at.Events < f.Events; {
		c := f.place.compose(at, int(min(int64(f.chunkEvents), f.Events-at.Events)))
		at = c.after
		select {
		case to <- c:
		case <-ctx.Done():
			return
		}
	}
}
