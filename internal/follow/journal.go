// Package follow finds which items of a site changed, by any writer, and notifies the followers of the journal: sync,
// webhooks and the hook. It compares the items as they are stored, by fingerprints that the database computes, with
// their last known states, and records the differences in the journal with a sequence number.
//
// An item that differs is read again, with its last known state, while the journal's row is locked, and is written in
// that transaction. So the sequence has no gaps, and an interrupted comparison loses nothing: the next one finds the
// same difference. Changes that are undone between two comparisons are not noticed.
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

// Parameters of a Comparison.
const (
	sliceSize = 500 // items compared at once
	turn      = time.Minute
	keptFor   = 35 * 24 * time.Hour // how long changes are kept
	pruned    = 1000                // changes deleted at a time
)

// kindSettings is the kind of the site's settings, which are one object.
const kindSettings = "settings"

// Comparison compares the items of a site with their last known states.
type Comparison struct {
	Store   *store.Store
	Journal *followstore.Journal // of the store's site; nil to open it for each call
	Kinds   []followstore.Stored // what is compared; images must be last

	// Custom are additional meta keys by kind, which the site's settings define.
	Custom map[string][]string

	// Settings returns the settings that items show, from stored options.
	Settings func(context.Context, followstore.ReadOptions) ([]byte, error)

	Settle time.Duration // maximum duration of a transaction of another program for the next comparison to find it
}

// Result is the result of a comparison.
type Result struct {
	Changes  int           // number of changes found
	First    bool          // the states were recorded for the first time
	Pruned   int64         // number of changes deleted
	Sequence int64         // of the newest change
	Until    time.Time     // all changes before this time were found
	Took     time.Duration // duration of the comparison
}

// Release is the version of this program's declarations. A program with a higher one restarts the journal of a lower
// one. It must be raised with each change to what is declared or to how fingerprints are computed.
const Release = 3

// hash returns the hash of the declarations, preceded by Release.
func (c *Comparison) hash(form store.Form) (string, error) {
	text, err := json.Marshal([]any{c.Kinds, form})
	sum := sha256.Sum256(text)
	return strconv.Itoa(Release) + "." + hex.EncodeToString(sum[:28]), err
}

// releaseOf returns the release of declarations, 0 if there are none.
func releaseOf(declarations string) int {
	release, _, _ := strings.Cut(declarations, ".")
	n, _ := strconv.Atoi(release)
	return n
}

// Declare stores the declarations in the journal. If the journal had others, it restarts with the next Scan.
func (c *Comparison) Declare(ctx context.Context) error {
	return c.inTurn(ctx, func(r *run) error { return r.turn.Declare(ctx, r.declarations) })
}

// run is a comparison in progress, by the process that holds the turn.
type run struct {
	of           *Comparison
	journal      *followstore.Journal
	turn         *followstore.JournalTurn
	declarations string
	found        Result

	// later records until which time all changes were found, if there were none. nil records it at once.
	later  func(ctx context.Context, until int64) error
	tables change.Tables                                                  // to be compared; a first comparison reads all
	rest   func(ctx context.Context, took time.Duration, found int) error // called after each slice
}

// open returns the journal and a function that closes it.
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
	if r.turn, err = j.TakeTurn(ctx, turn, false); err != nil {
		return err
	}
	return errors.Join(fn(r), r.turn.End(ctx))
}

// Scan compares all items. The first time, or after Declare restarted the journal, it only records their states; if
// that was interrupted, it continues where it was and then compares.
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
			r.found.Pruned, err = r.turn.Prune(ctx, keptFor, pruned)
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

// head returns the row of the journal, if the journal has the declarations of this program. A journal without
// declarations, as schema.Install creates it, gets them.
func (r *run) head(ctx context.Context) (*schema.JournalRow, error) {
	head, err := r.journal.Head(ctx)
	if err == nil && head.Declarations == "" {
		if err = r.turn.Declare(ctx, r.declarations); err == nil {
			head, err = r.journal.Head(ctx)
		}
	}
	if err == nil && head.Declarations != r.declarations {
		err = followstore.ErrDeclarations
	}
	return head, err
}

// progress is how far a first comparison is.
type progress struct {
	began int64  // by the clock of the database
	kind  string // the kind that was compared last
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
	done := at.kind != "" // skips the kinds before the one that was compared last
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

// withCustom adds the meta keys that the site's settings define.
func (c *Comparison) withCustom(k followstore.Stored) followstore.Stored {
	k.Keys = append(slices.Clone(k.Keys), c.Custom[k.Kind]...)
	return k
}

// kind compares the items of a kind in slices.
func (r *run) kind(ctx context.Context, k followstore.Stored, after, began int64, first bool) error {
	tables := r.tables
	if first || tables == 0 {
		tables = change.All
	}
	for {
		at, n := time.Now(), 0
		s, err := r.journal.Compare(ctx, k, after, sliceSize, tables)
		if err != nil {
			return err
		}
		switch {
		case first:
			_, err = r.turn.RecordDifferences(ctx, s, progress{began, k.Kind, s.Upto}.String())
		case !s.Same:
			n, err = r.turn.RecordDifferences(ctx, s, "")
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
