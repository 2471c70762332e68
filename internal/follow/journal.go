// Package follow finds out which items of a site changed, by any writer, and notifies what follows: sync, webhooks and the
// hook. It compares the items as they are stored, by fingerprints that the database makes, with their last known states, and
// notes what differs with a sequence number.
//
// What differs is read again, with its last known state, while the journal's row is locked, and written in that transaction.
// So the sequence has no gaps, and a comparison that is interrupted loses nothing: the difference is still there. What went to
// and fro between two comparisons is not seen.
package follow

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agendahq/agenda/internal/change"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/store/followstore"
	"github.com/agendahq/agenda/schema"
)

// ErrDeclarations means that the journal was kept by a program whose declarations are others, such as those of another
// release: what either compares, the other would take for changes.
var ErrDeclarations = followstore.ErrDeclarations

// ErrOthersTurn means that another process compares.
var ErrOthersTurn = followstore.ErrOthersTurn

// Usual values of a Comparison.
const (
	sliceSize = 500 // items
	turn      = time.Minute
	keptFor   = 35 * 24 * time.Hour
	pruned    = 1000 // changes at a time
)

// kindSettings is the kind of the site's settings, which are one object.
const kindSettings = "settings"

// Comparison compares the items of a site with their last known states.
type Comparison struct {
	Store   *store.Store
	Journal *followstore.Journal // of the store's site; nil to open it for each call
	Kinds   []followstore.Stored // what is declared; images come last

	// Custom are more meta keys of kinds, by their names, that the site's settings declare.
	Custom map[string][]string

	// Settings returns the settings that items show, from stored options.
	Settings func(context.Context, followstore.ReadOptions) ([]byte, error)

	Settle    time.Duration // how long a transaction of others may take and be found by the next comparison
	SliceSize int64         // of items that are compared at once, 0 for a usual one
	KeptFor   time.Duration // how long changes are kept, 0 for 35 days
}

// Result is what a comparison did.
type Result struct {
	Changes  int           // that were found
	First    bool          // the states were noted for the first time
	Pruned   int64         // changes
	Sequence int64         // of the newest change
	Until    time.Time     // all changes before were found
	Took     time.Duration // the comparison
}

// Release is that of what this program declares: a higher one begins a journal of a lower one anew. It is raised with each change
// of what kinds declare or of how fingerprints are made.
const Release = 3

// hash returns the hash of what is declared, with the release before it.
func (c *Comparison) hash(form store.Form) (string, error) {
	text, err := json.Marshal([]any{c.Kinds, form})
	sum := sha256.Sum256(text)
	return strconv.Itoa(Release) + "." + hex.EncodeToString(sum[:28]), err
}

// releaseOf returns the release of declarations, 0 where there are none.
func releaseOf(declarations string) int {
	release, _, _ := strings.Cut(declarations, ".")
	n, _ := strconv.Atoi(release)
	return n
}

// Declare makes the declarations those of the journal. If it had others, it begins anew with the next Scan.
func (c *Comparison) Declare(ctx context.Context) error {
	return c.inTurn(ctx, func(r *run) error { return r.turn.Declare(ctx, r.declarations) })
}

// run is a comparison that has its turn.
type run struct {
	of           *Comparison
	journal      *followstore.Journal
	turn         *followstore.JournalTurn
	declarations string
	found        Result

	later  func(ctx context.Context, until int64) error                   // notes until when nothing was found; nil to note it at once
	tables change.Tables                                                  // that are read; those of first comparisons are all
	rest   func(ctx context.Context, took time.Duration, found int) error // called after each slice
}

// open returns the journal, and what closes it.
func (c *Comparison) open(ctx context.Context) (*followstore.Journal, func() error, error) {
	if c.Journal != nil {
		return c.Journal, func() error { return nil }, nil
	}
	j, err := followstore.OpenJournal(ctx, c.Store)
	if err != nil {
		return nil, nil, err
	}
	return j, j.Close, nil
}

// inTurn runs fn while no other process compares.
func (c *Comparison) inTurn(ctx context.Context, fn func(*run) error) (err error) {
	j, closed, err := c.open(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, closed()) }()
	r := &run{of: c, journal: j}
	if r.declarations, err = c.hash(j.LanguageForm()); err != nil {
		return err
	}
	if r.turn, err = j.Take(ctx, turn, false); err != nil {
		return err
	}
	err = fn(r)
	ended, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	return errors.Join(err, r.turn.End(ended))
}

// Scan compares all items. The first time, or where Declare began anew, it notes their states alone; one that was interrupted
// goes on where it was, and is followed by a comparison.
func (c *Comparison) Scan(ctx context.Context) (found Result, err error) {
	began := time.Now()
	err = c.inTurn(ctx, func(r *run) error {
		head, err := r.head(ctx)
		if err != nil {
			return err
		}
		resumed := head.Progress != ""
		r.found.First = head.Complete == 0
		if err = r.pass(ctx, head); err == nil && r.found.First && resumed {
			if head, err = r.journal.Head(ctx); err == nil {
				err = r.pass(ctx, head)
			}
		}
		if err == nil {
			r.found.Pruned, err = r.turn.Prune(ctx, c.keptFor(), pruned)
		}
		if err == nil {
			head, err = r.journal.Head(ctx)
		}
		if err != nil {
			return err
		}
		found = r.found
		found.Sequence, found.Until, found.Took = head.Sequence, time.UnixMilli(head.Complete).UTC(), time.Since(began)
		return nil
	})
	return found, err
}

// head returns the row of the journal, if it is about what is declared. One that was only made, as by schema.Install, becomes so.
func (r *run) head(ctx context.Context) (*schema.JournalRow, error) {
	head, err := r.journal.Head(ctx)
	if err == nil && head.Declarations == "" {
		if err = r.turn.Declare(ctx, r.declarations); err == nil {
			head, err = r.journal.Head(ctx)
		}
	}
	if err == nil && head.Declarations != r.declarations {
		err = ErrDeclarations
	}
	return head, err
}

func (c *Comparison) keptFor() time.Duration {
	if c.KeptFor == 0 {
		return keptFor
	}
	return c.KeptFor
}

// progress is how far a first comparison is.
type progress struct {
	began int64  // by the clock of the database
	kind  string // that was compared last
	upto  int64
}

func (p progress) String() string { return fmt.Sprintf("%d %s %d", p.began, p.kind, p.upto) }

func parseProgress(text string) (p progress) {
	words := strings.Fields(text)
	if len(words) == 3 {
		p.began, _ = strconv.ParseInt(words[0], 10, 64)
		p.kind = words[1]
		p.upto, _ = strconv.ParseInt(words[2], 10, 64)
	}
	return p
}

// pass compares all kinds once.
func (r *run) pass(ctx context.Context, head *schema.JournalRow) error {
	first := head.Complete == 0
	at := parseProgress(head.Progress)
	began := at.began
	if began == 0 {
		var err error
		if began, err = r.turn.Now(ctx); err != nil {
			return err
		}
	}
	done := at.kind != "" // the kinds before that which was compared last
	for _, k := range r.of.Kinds {
		after := int64(0)
		if done {
			if k.Kind != at.kind {
				continue
			}
			done, after = false, at.upto
		}
		if err := r.kind(ctx, r.of.withCustom(k), after, began, first); err != nil {
			return err
		}
	}
	text := ""
	if first {
		text = progress{began, kindSettings, 0}.String()
	}
	n, err := r.turn.NoteObject(ctx, r.of.settings, text)
	if err != nil {
		return err
	}
	r.found.Changes += n
	until := began - r.of.Settle.Milliseconds()
	if r.later != nil && !first && r.found.Changes == 0 {
		return r.later(ctx, until)
	}
	return r.turn.Complete(ctx, until)
}

// withCustom adds the keys that the site's settings declare.
func (c *Comparison) withCustom(k followstore.Stored) followstore.Stored {
	k.Keys = append(slices.Clone(k.Keys), c.Custom[k.Kind]...)
	return k
}

// kind compares the items of a kind in slices.
func (r *run) kind(ctx context.Context, k followstore.Stored, after, began int64, first bool) error {
	size := r.of.SliceSize
	if size == 0 {
		size = sliceSize
	}
	tables := r.tables
	if first || tables == 0 {
		tables = change.All
	}
	for {
		at, n := time.Now(), 0
		s, err := r.journal.Compare(ctx, k, after, size, tables)
		if err != nil {
			return err
		}
		switch {
		case first:
			_, err = r.turn.Note(ctx, s, progress{began, k.Kind, s.Upto}.String())
		case !s.Same:
			n, err = r.turn.Note(ctx, s, "")
			r.found.Changes += n
		default:
			err = r.turn.Renew(ctx)
		}
		if err == nil && r.rest != nil {
			err = r.rest(ctx, time.Since(at), n)
		}
		if err != nil || s.Last() {
			return err
		}
		after = s.Upto
	}
}

// settings returns the state of the settings.
func (c *Comparison) settings(ctx context.Context, options followstore.ReadOptions) (*schema.JournalObject, error) {
	text, err := c.Settings(ctx, options)
	sum := sha256.Sum256(text)
	return &schema.JournalObject{Kind: kindSettings, ID: 1, Fingerprint: hex.EncodeToString(sum[:])}, err
}
