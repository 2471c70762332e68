package exchange

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/registry"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/store/dberr"
	"github.com/agendahq/agenda/internal/store/sourcestore"
)

// Importer writes the records of a source to a calendar, with the rights of a user: everything is validated and
// filtered as requests are.
//
// A source describes events, but does not decide who may do what. So its HTML is filtered as for a user without
// "unfiltered_html", new events have the Importer's Status, and only events that came from the same Source are changed
// or trashed. A record that matches an event of another source, or one made on the site, is skipped; it matches by UID,
// or by slug or title with equal dates. Existing venues, organizers and terms are linked unchanged. Trust lifts these
// restrictions.
//
// Existing items are found by the UID and source that are stored with each imported item, by the ids in UIDs of the
// site's own feed, then by slug or title with equal dates; venues, organizers and terms are found by UID or slug, then
// by name and address. A UID that contains "@", or has at least 22 characters, identifies an item in all sources; a
// shorter one only within its source. Thus repeating an import writes nothing, and an interrupted import can be
// continued.
type Importer struct {
	Calendar  *calendar.Calendar
	Principal calendar.Principal // whose rights apply

	// Source identifies the source when it is imported again: a path or an address. An address is stored without its
	// login and the values of its query, and recognized by a hash of the rest. If Source is empty, imported items are
	// not attributed to any source.
	Source string

	// AdoptSource is a former name of the source, or "". Items that came from there belong to Source from now on.
	AdoptSource string

	// Trust is for sources that are the site's own. It lets JSON lines contain any HTML that the user may write, and
	// also authors, passwords and rows of meta that no request can set. It lets files, and APIs that were read with a
	// login, set the status of their items. Matching items of other sources, or made on the site, are changed; those
	// that were there before are never trashed.
	Trust bool

	Language string // code of the language of records without one; "" for the site's language
	Status   string // of new events, unless a trusted source states one; "" for "publish"

	DryRun bool // everything is tried, but nothing is stored
	Prune  bool // events of the source that it no longer contains are trashed

	// Batch is the maximum number of records per transaction, by default 64.
	Batch int

	// Done, if not nil, is called after each item, in the order of the source.
	Done func(Outcome)
}

const (
	defaultBatch = 64
	// longestBatch is how long items are added to a transaction: other writers wait for it, and its duration must stay
	// below the calendar's limit.
	longestBatch = 400 * time.Millisecond
)

// errDry rolls back a transaction of a dry run.
var errDry = errors.New("exchange: dry run")

// run is an import in progress.
type run struct {
	importer  *Importer
	parts     *registry.Calendar
	resources *resources
	ctx       context.Context // for reads outside of transactions
	may       func(capability string) bool
	source    sourcestore.Source
	ours      map[sourcestore.Source]bool    // the names under which the source is stored
	takes     map[Collection]map[string]bool // parameters of writes, and whether untrusted sources may set them
	site      string                         // the host in UIDs of the site's own feed
	summary   *Summary
	state     *importState
	images    *images
	seen      map[[12]byte]bool // keys of the UIDs that the source contains
	found     map[int64]bool    // ids of the events that the source contains
	unread    map[string]bool   // names and UIDs of items that could not be read
	read      int64
	cancels   bool                  // the source cancels events (METHOD:CANCEL), so it does not contain the others
	told      map[string]bool       // notes that were reported; each is reported once
	reported  map[string][][]string // what a dry run has reported, by name, to report it once: see Outcome.traits
	refuses   bool                  // a record of the last batch was rejected, so the next batch may have such records too
	tried     map[string]string     // in a dry run, which stores nothing: fingerprints of its events, by UID and language
}

// Import imports all records of a source. It returns an error only if that ended the import; rejected records are
// counted in the summary.
func (im *Importer) Import(ctx context.Context, src Source) (*Summary, error) {
	all := resourcesOf(im.Calendar)
	r := &run{
		importer: im, parts: registry.Of(im.Calendar), resources: all,
		summary: &Summary{Counts: map[Collection]map[Action]int64{}, kinds: all.collections()},
		seen:    map[[12]byte]bool{}, found: map[int64]bool{}, unread: map[string]bool{},
		told: map[string]bool{}, reported: map[string][][]string{}, tried: map[string]string{},
	}
	ctx, err := r.begin(ctx, im.Trust && isJSONLines(src))
	if err != nil {
		return r.summary, err
	}
	defer r.images.remove()
	size := im.Batch
	if size <= 0 {
		size = defaultBatch
	}
	var batch []*Record
	for {
		rec, err := r.next(ctx, src)
		var problem *Problem
		switch {
		case err == nil:
			r.read++
			r.cancels = r.cancels || rec.calls
			batch = append(batch, r.split(rec)...)
		case errors.As(err, &problem):
			var kind Collection // none if the problem concerns the source and no item
			if !problem.part {
				kind = cmp.Or(problem.kind, Events)
				r.read++
				r.unread[foldName(problem.Item)] = true
			}
			if err := r.flush(ctx, &batch, 1); err != nil { // outcomes must be reported in order
				return r.summary, err
			}
			r.done(Outcome{Action: Refused, Kind: kind, Name: problem.Item, Place: problem.Place, Problems: []*Problem{problem}})
		case errors.Is(err, io.EOF):
			if err := r.flush(ctx, &batch, 1); err != nil {
				return r.summary, err
			}
			return r.summary, r.prune(ctx)
		default:
			return r.summary, errors.Join(r.flush(ctx, &batch, 1), err)
		}
		if err := r.flush(ctx, &batch, size); err != nil {
			return r.summary, err
		}
	}
}

// next returns the next record of a source whose resource the calendar has.
func (r *run) next(ctx context.Context, src Source) (*Record, error) {
	rec, err := src.Next(ctx)
	if err != nil {
		return rec, err
	}
	r.resources.know(rec)
	if !r.importer.Trust {
		rec.Problems = append(rec.Problems, rec.shorten(func(text string) string { return asStored(r.ctx, text, false) })...)
	}
	if r.resources.forCollection(rec.Kind) == nil {
		return nil, rec.refuse("kind", "there is no kind "+strconv.Quote(string(rec.Kind)))
	}
	if r.parts.Events.Service.Content.Store.Config.UTF8MB3 {
		rec.Problems = append(rec.Problems, rec.narrow()...)
	}
	return rec, nil
}

// begin reads what the import needs to know of the site, and returns a context for its writes.
func (r *run) begin(ctx context.Context, anyHTML bool) (context.Context, error) {
	known, err := r.parts.Prepare(calendar.WithPrincipal(ctx, r.importer.Principal))
	if err != nil {
		return nil, err
	}
	p, err := r.parts.Caller(known)
	if err != nil {
		return nil, err
	}
	if !anyHTML && p.Can(unfilteredHTML) {
		p.Capabilities = maps.Clone(p.Capabilities)
		delete(p.Capabilities, unfilteredHTML)
	}
	ctx = calendar.WithPrincipal(ctx, calendar.Principal(p))
	if r.ctx, err = r.parts.Prepare(ctx); err != nil {
		return nil, err
	}
	if _, err := r.language(r.ctx, Events, ""); err != nil {
		return nil, fmt.Errorf("import: %w: %q", err, r.importer.Language)
	}
	r.may = p.Can
	r.site = site.From(r.ctx).Host()
	r.state = newImportState()
	r.images = newImages()
	r.takes = r.parameters()
	return ctx, r.claimSources(ctx)
}

const unfilteredHTML = "unfiltered_html"

// isJSONLines reports whether a source reads JSON lines.
func isJSONLines(src Source) bool {
	switch s := src.(type) {
	case *Opened:
		return isJSONLines(s.Source)
	case *bounded:
		return isJSONLines(s.Source)
	case *jsonLines:
		return true
	}
	return false
}

// flush writes the batch if it has at least a number of records.
func (r *run) flush(ctx context.Context, batch *[]*Record, least int) error {
	if len(*batch) < least {
		return nil
	}
	if err := r.images.fetch(ctx, r, *batch); err != nil {
		return err
	}
	for rest := *batch; len(rest) > 0; {
		n, err := r.writeRecords(ctx, rest)
		if err != nil {
			return err
		}
		rest = rest[n:]
	}
	*batch = (*batch)[:0]
	return nil
}

// writeRecords writes as many of the records in one transaction as its time allows, and returns their number. If one of them
// is rejected, they are written again with a savepoint per record. If a batch cannot be written at all, its first
// record is tried alone, because it may be the one that prevents the others.
func (r *run) writeRecords(ctx context.Context, records []*Record) (int, error) {
	outcomes, err := r.try(ctx, records, !r.refuses)
	if err != nil && !r.refuses && !endsImport(ctx, err) { // without savepoints, the error does not name the record at fault
		outcomes, err = r.try(ctx, records, false)
	}
	if err != nil && len(records) > 1 && ctx.Err() == nil && !errors.Is(err, store.ErrOutcomeUnknown) {
		records = records[:1]
		outcomes, err = r.try(ctx, records, false)
	}
	if err != nil && endsImport(ctx, err) {
		return 0, fmt.Errorf("import: %w", err)
	}
	if err != nil {
		rec := records[0]
		outcomes = []Outcome{r.refused(rec, err)}
	}
	r.refuses = slices.ContainsFunc(outcomes, func(o Outcome) bool { return o.Action == Refused })
	for i, o := range outcomes {
		switch rec := records[i]; {
		case rec.Kind != Events:
		case rec.UID != "":
			r.seen[uidKey(rec.UID)], r.found[o.ID] = true, true
		case o.ID != 0:
			r.found[o.ID] = true
		default:
			r.unread[foldName(rec.name())] = true
		}
		if rec := records[i]; r.importer.DryRun && rec.Kind == Events && o.Action != Refused && o.Action != Skipped && rec.UID != "" {
			r.tried[tryKey(rec)] = r.fingerprint(rec)
		}
		if r.repeats(o) {
			o.Action = Unchanged
		}
		r.done(o)
	}
	return len(outcomes), nil
}

// endsImport reports whether an error of a transaction ends the import.
func endsImport(ctx context.Context, err error) bool {
	return ctx.Err() != nil || dberr.FaultOf(err) != dberr.NoFault || errors.Is(err, store.ErrOutcomeUnknown) ||
		errors.Is(err, calendar.ErrClosed)
}

// tryKey returns the key of an event in a dry run.
func tryKey(rec *Record) string { return rec.Language + "\x00" + rec.UID }

// fingerprint returns a hash of a record, to compare it with another.
func (r *run) fingerprint(rec *Record) string {
	text, _ := json.Marshal(jsonOf(rec, r.resources)) // cannot fail: all values come from JSON
	sum := sha256.Sum256(text)
	return string(sum[:])
}

// try runs one transaction. asOne omits the savepoint per record.
func (r *run) try(ctx context.Context, records []*Record, asOne bool) (outcomes []Outcome, err error) {
	var a *attempt
	err = r.importer.Calendar.Transaction(ctx, func(ctx context.Context) error {
		began := time.Now()
		r.images.undone()
		outcomes, a = nil, &attempt{run: r, state: r.state.layer(), asOne: asOne}
		if asOne {
			ctx = r.parts.Events.Service.Content.Store.Transactions.AsOne(ctx)
		}
		if err := a.find(ctx, records); err != nil {
			return err
		}
		if err := a.readLinked(ctx, records); err != nil {
			return err
		}
		for i, rec := range records {
			if i > 0 && time.Since(began) > longestBatch {
				break
			}
			o, err := a.item(ctx, rec)
			if err != nil {
				return err
			}
			outcomes = append(outcomes, o)
		}
		if r.importer.DryRun {
			return errDry
		}
		return nil
	})
	if errors.Is(err, errDry) {
		err = nil
	} else if err == nil {
		r.state.mergeState(a.state)
		r.images.stored()
		return outcomes, nil
	}
	r.images.undone()
	return outcomes, err
}

// repeats reports whether an outcome of a dry run is that of an item which an earlier outcome reported: as nothing is
// stored, each batch creates the item again.
func (r *run) repeats(o Outcome) bool {
	if !r.importer.DryRun || o.Kind == Events || o.Action != Created && o.Action != Updated {
		return false
	}
	key := string(o.Kind) + string(o.Action) + foldName(o.Name)
	if slices.ContainsFunc(r.reported[key], func(before []string) bool { return valuesAgree(before, o.traits) }) {
		return true
	}
	r.reported[key] = append(r.reported[key], o.traits)
	return false
}

func (r *run) done(o Outcome) {
	o.At = r.read
	o.Notes = slices.DeleteFunc(o.Notes, func(note string) bool {
		before := r.told[note]
		r.told[note] = note == noLanguages || strings.HasPrefix(note, notTaken)
		return before
	})
	for _, one := range o.Linked {
		if !r.repeats(one) {
			r.done(one)
		}
	}
	r.summary.addOutcome(o)
	if r.importer.Done != nil {
		r.importer.Done(o)
	}
}

// refused returns the outcome of a record that was rejected.
func (r *run) refused(rec *Record, err error) Outcome {
	return Outcome{
		Action: Refused, Kind: rec.Kind, Name: rec.name(), Place: rec.Line, Problems: append(rec.Problems, rec.problems("", err)...),
	}
}
