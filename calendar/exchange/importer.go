package exchange

import (
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
)

// Importer writes the records of a source to a calendar, with the rights of a user: all
// is validated and filtered as requests are.
//
// A source says what an event is, and not who may do what. So HTML is filtered as for a user
// without "unfiltered_html", new events have the Status of the Importer, and no more is
// changed or trashed than what came from the same Source. What names an event of another one,
// or of the site, is skipped: by its UID, or by slug or title with equal dates. Venues,
// organizers and terms of others are linked as they are. Trust lifts that.
//
// What exists is found again: by the UID and source that are stored with each imported
// item, by ids in UIDs that the site's own feed writes, then by slug or title with equal
// dates; venues, organizers and terms by UID or slug, then by name, and address. A UID with
// an "@" in it, or of 22 characters and more, names an item wherever it comes from; a
// shorter one within its source. So the same import again writes nothing, and one that was
// interrupted goes on.
type Importer struct {
	Calendar  *calendar.Calendar
	Principal calendar.Principal // whose rights count

	// Source names the source when it is imported again: a path, or an address, which is stored
	// without its login and the values of its query, and known by a hash of the rest. Without
	// one nothing is known to have come from it.
	Source string

	// AdoptSource is the former name of the source, "" for none: what came from there is the
	// source's own from now on.
	AdoptSource string

	// Trust is for sources of one's own. It lets JSON lines have any HTML, as far as the user
	// may write it, and authors, passwords and rows that no write takes; it lets files and APIs
	// that were asked by a login have the status of their items; and what is found of others, or
	// of the site, is changed. Of that, what was there before is never trashed.
	Trust bool

	Language string // code of the language of records that name none; "" for the site's
	Status   string // of new events, but of trusted sources that give one; "" for "publish"

	DryRun bool // everything is tried and nothing is stored
	Prune  bool // events that came from the source and are in it no more are trashed

	// Batch is how many records are one transaction at most. Default 64.
	Batch int

	// Done is called after each item, in the order of the source; nil for nobody.
	Done func(Outcome)
}

const (
	defaultBatch = 64
	// longestBatch is for how long items are added to a transaction: other writers wait
	// for it, and it must not become older than the calendar allows.
	longestBatch = 400 * time.Millisecond
)

// errDry ends a transaction of a dry run.
var errDry = errors.New("exchange: dry run")

// run is one import.
type run struct {
	importer *Importer
	parts    *registry.UseCases
	kinds    *kinds
	ctx      context.Context // for what is read outside of transactions
	may      func(capability string) bool
	source   store.Source
	ours     map[store.Source]bool          // as the source is stored
	takes    map[Collection]map[string]bool // the parameters of writes, and whether any source may give them
	site     string                         // the host in UIDs of the site's own feed
	summary  *Summary
	state    *importState
	images   *images
	seen     map[string]bool // UIDs of the source
	found    map[int64]bool  // ids of events that are in it
	unread   map[string]bool // names and UIDs of items that could not be read
	read     int64
	told     map[string]bool   // notes that are given once
	reported map[string]bool   // what a dry run has reported, to report it once
	refuses  bool              // a record of the last batch was refused, so others of the next may be
	tried    map[string]string // and the events that it would have made, by UID and language
}

// Import imports all records of a source. Its error ended the import; what was refused is
// counted in the summary.
func (im *Importer) Import(ctx context.Context, src Source) (*Summary, error) {
	all := kindsOf(im.Calendar)
	r := &run{
		importer: im, parts: registry.Of(im.Calendar), kinds: all,
		summary: &Summary{Counts: map[Collection]map[Action]int64{}, kinds: all.collections()},
		seen:    map[string]bool{}, found: map[int64]bool{}, unread: map[string]bool{},
		told: map[string]bool{}, reported: map[string]bool{}, tried: map[string]string{},
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
			batch = append(batch, r.split(rec)...)
		case errors.As(err, &problem):
			if !problem.part {
				r.read++
				r.unread[folded(problem.Item)] = true
			}
			if err := r.flush(ctx, &batch, 1); err != nil { // what is reported comes in order
				return r.summary, err
			}
			r.done(Outcome{Action: Refused, Kind: Events, Name: problem.Item, Place: problem.Place, Problems: []*Problem{problem}})
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

// next returns the next record of a source, if it is one of a kind of the calendar.
func (r *run) next(ctx context.Context, src Source) (*Record, error) {
	rec, err := src.Next(ctx)
	if err != nil {
		return rec, err
	}
	r.kinds.know(rec)
	if !r.importer.Trust {
		rec.Problems = append(rec.Problems, rec.shorten(func(text string) string { return asStored(r.ctx, text, false) })...)
	}
	if r.kinds.of(rec.Kind) == nil {
		return nil, rec.refuse("kind", "there is no kind "+strconv.Quote(string(rec.Kind)))
	}
	if r.parts.Events.Service.Content.Store.Config.UTF8MB3 {
		rec.Problems = append(rec.Problems, rec.narrow()...)
	}
	return rec, nil
}

// begin reads what the import needs of the site, and returns a context for its writes.
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

// isJSONLines reports whether a source is an export of our own form.
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

// flush writes the batch, if it has a number of records at least.
func (r *run) flush(ctx context.Context, batch *[]*Record, least int) error {
	if len(*batch) < least {
		return nil
	}
	if err := r.images.fetch(ctx, r, *batch); err != nil {
		return err
	}
	for rest := *batch; len(rest) > 0; {
		n, err := r.write(ctx, rest)
		if err != nil {
			return err
		}
		rest = rest[n:]
	}
	*batch = (*batch)[:0]
	return nil
}

// write writes records as one transaction, as many as its time allows, and returns how
// many. Where one of them is refused, they are written again, each so that it can be undone
// alone. Where a batch cannot be written, its first record is tried alone: it may be the one
// that keeps the others from it.
func (r *run) write(ctx context.Context, records []*Record) (int, error) {
	outcomes, err := r.try(ctx, records, !r.refuses)
	if err != nil && !r.refuses && !ends(ctx, err) { // an error of a part, which is not yet what its record is refused with
		outcomes, err = r.try(ctx, records, false)
	}
	if err != nil && len(records) > 1 && ctx.Err() == nil && !errors.Is(err, store.ErrOutcomeUnknown) {
		records = records[:1]
		outcomes, err = r.try(ctx, records, false)
	}
	if err != nil && ends(ctx, err) {
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
			r.seen[rec.UID], r.found[o.ID] = true, true
		case o.ID != 0:
			r.found[o.ID] = true
		default:
			r.unread[folded(rec.name())] = true
		}
		if rec := records[i]; r.importer.DryRun && rec.Kind == Events && o.Action == Created && rec.UID != "" {
			r.tried[tryKey(rec)] = r.fingerprint(rec)
		}
		r.done(o)
	}
	return len(outcomes), nil
}

// ends reports whether an error of a transaction ends the import.
func ends(ctx context.Context, err error) bool {
	return ctx.Err() != nil || store.FaultOf(err) != store.NoFault || errors.Is(err, store.ErrOutcomeUnknown) ||
		errors.Is(err, calendar.ErrClosed)
}

// tryKey names an event in a dry run.
func tryKey(rec *Record) string { return rec.Language + "\x00" + rec.UID }

// fingerprint returns what differs where two records do.
func (r *run) fingerprint(rec *Record) string {
	text, _ := json.Marshal(jsonOf(rec, r.kinds)) // values of JSON alone
	sum := sha256.Sum256(text)
	return string(sum[:])
}

// try runs one transaction, asOne without a savepoint for each record.
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
		r.state.take(a.state)
		r.images.stored()
		return outcomes, nil
	}
	r.images.undone()
	return outcomes, err
}

func (r *run) done(o Outcome) {
	o.At = r.read
	o.Notes = slices.DeleteFunc(o.Notes, func(note string) bool {
		before := r.told[note]
		r.told[note] = note == noLanguages || strings.HasPrefix(note, notTaken)
		return before
	})
	for _, one := range o.Linked {
		key := string(one.Kind) + "\x00" + one.Name
		if r.importer.DryRun && r.reported[key] {
			continue // a dry run makes it again for each batch
		}
		if r.importer.DryRun {
			r.reported[key] = true
		}
		r.done(one)
	}
	r.summary.add(o)
	if r.importer.Done != nil {
		r.importer.Done(o)
	}
}

// refused returns the outcome of a record that was not written.
func (r *run) refused(rec *Record, err error) Outcome {
	return Outcome{
		Action: Refused, Kind: rec.Kind, Name: rec.name(), Place: rec.Line, Problems: append(rec.Problems, rec.problems("", err)...),
	}
}
