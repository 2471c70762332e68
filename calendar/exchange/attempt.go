package exchange

import (
	"context"
	"errors"
	"slices"

	"github.com/agendahq/agenda/internal/call"
	posts "github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/registry"
	"github.com/agendahq/agenda/internal/store/langstore"
)

// attempt is one attempt of a transaction, which may be retried after a conflict.
type attempt struct {
	*run
	state   *importState       // including what this attempt found and created
	matches map[string][]match // stored events by UID
	dated   map[string][]match // stored events by start
	asOne   bool               // the records are written as one unit: if one is rejected, all are
}

// item writes one record, completely or not at all. It returns an error if the import has to stop; a rejected record is
// an Outcome.
func (a *attempt) item(ctx context.Context, rec *Record) (o Outcome, err error) {
	made := &recordImport{attempt: &attempt{
		run: a.run, state: a.state.layer(), matches: a.matches, dated: a.dated, asOne: a.asOne,
	}, rec: rec}
	write := func(ctx context.Context) (err error) {
		o, err = made.writeRecord(ctx)
		return err
	}
	if a.asOne {
		err = write(ctx)
	} else {
		err = a.importer.Calendar.Transaction(ctx, write)
	}
	switch {
	case err == nil:
		a.state.mergeState(made.state)
		a.recordWritten(made.made)
		return o, nil
	case isRejection(err) && !a.asOne:
		a.images.forget(made.stores)
		return a.refused(rec, err), nil
	}
	return o, err
}

// recordWritten records a written event, so that later records of the transaction find it by its UID.
func (a *attempt) recordWritten(made match) {
	known := func(m match) bool { return m.ID == made.ID }
	if made.UID != "" && !slices.ContainsFunc(a.matches[made.UID], known) {
		a.matches[made.UID] = append(a.matches[made.UID], made)
	}
}

// recordImport is the import of one record.
type recordImport struct {
	*attempt
	rec    *Record
	stores []string // addresses of the images that it stored
	notes  []string
	lost   []*Problem // parts of the record that were rejected
	linked []Outcome  // what was created because the item links it
	hidden bool       // the event is not public, so that what only this event links is not published
	made   match      // the event, with the UID and the source that are stored for it
}

func (m *recordImport) writeRecord(ctx context.Context) (o Outcome, err error) {
	o = Outcome{Action: Unchanged, Kind: m.rec.Kind, Name: m.rec.name(), Place: m.rec.Line}
	code, err := m.language(ctx, m.rec.Kind, m.rec.Language)
	if err != nil {
		return o, m.rec.refuse("language", err.Error())
	}
	if !isStorableText(m.rec.UID) || !isStorableText(m.rec.Group) {
		return o, m.rec.refuse("UID", "cannot be stored")
	}
	if m.rec.Kind == Events {
		err = m.event(ctx, code, &o)
	} else {
		o.ID, o.Action, err = m.linkable(ctx, m.resources.forCollection(m.rec.Kind), m.rec, code)
		o.Foreign, o.traits = o.Action == Skipped, m.resources.forCollection(m.rec.Kind).traits(m.rec)
	}
	if (m.rec.Language != "" || m.importer.Language != "") && m.parts.Events.Service.Content.Languages == nil {
		m.notes = append(m.notes, noLanguages)
	}
	o.Problems, o.Linked = append(slices.Clone(m.rec.Problems), m.lost...), m.linked
	o.Notes = append(slices.Clone(m.rec.notes), m.notes...)
	return o, err
}

// refuse returns a Problem that states why a record, or a field of it, is not imported.
func (rec *Record) refuse(field, reason string) *Problem {
	return &Problem{Place: rec.Line, Item: rec.name(), Field: field, Reason: reason}
}

// noLanguages is a note that an import reports once.
const noLanguages = "the site stores no languages: all items are imported without theirs"

// ErrLanguage is the error of an item in a language that the calendar does not have.
var ErrLanguage = errors.New("the calendar has no such language")

// language returns the code by which the site stores a language for items of a resource, or "" if the resource is not
// translated.
func (r *run) language(ctx context.Context, kind Collection, code string) (string, error) {
	languages := r.parts.Events.Service.Content.Languages
	switch {
	case languages == nil || !translated(ctx, r.parts, r.resources.forCollection(kind)):
		return "", nil
	case code == "" && r.importer.Language == "":
		return languages.Default, nil
	case code == "":
		code = r.importer.Language
	}
	if v := languages.Coded(code); v != nil {
		return v.Code, nil
	}
	return "", ErrLanguage
}

// save creates or updates an item and sets o to what happened. An id of 0 creates one. origin is nil for terms.
func (m *recordImport) save(ctx context.Context, cases item.UseCases, id int64, code string, origin *posts.Origin, body map[string]any,
	o *Outcome) error {
	write := cases.Create
	o.Action = Created
	if id != 0 {
		write = cases.Update
		o.Action = Unchanged
	}
	return m.use(ctx, cases.Declaration().Collection, id, code, body, func(ctx context.Context, c *call.Call) error {
		change, err := write(ctx, c)
		if err != nil {
			return err
		}
		change.Origin = origin
		done, err := posts.Run(ctx, m.parts.Events.Service.Content, change.Work())
		if o.ID = done.ID; err == nil && id != 0 && done.Changed {
			o.Action = Updated
		}
		return err
	})
}

// use calls do with the call.Call for a write in a language: an update of the item id, or the creation of an item if id
// is 0.
func (m *recordImport) use(ctx context.Context, collection string, id int64, code string, body map[string]any,
	do func(context.Context, *call.Call) error) error {
	values, err := param.MapOf(body)
	if err != nil {
		return err
	}
	u := registry.Use{Collection: collection, Verb: registry.Create, ID: id, Values: values, Language: code}
	if id != 0 {
		u.Verb = registry.Update
	}
	return m.parts.Use(ctx, u, do)
}

// join adds an item to the group of its translations, if an earlier record of that group has been imported.
func (m *recordImport) join(ctx context.Context, kind string, rec *Record, one member) error {
	if rec.Group == "" || one.code == "" {
		return nil
	}
	key := string(rec.Kind) + "\x00" + rec.Group
	first, known := m.state.group(key)
	if !known {
		m.state.groups[key] = one
		return nil
	}
	if first.id == one.id || first.code == one.code {
		return nil
	}
	translations := m.parts.Events.Service.Content.Translations
	of := langstore.Member{ID: first.id, Code: first.code}
	return unlessTaken(translations.JoinPosts(ctx, kind, langstore.Member{ID: one.id, Code: one.code}, of))
}

// unlessTaken returns the error of joining a translation group, unless the group already has another item in the same
// language: then the item stays as it is.
func unlessTaken(_ bool, err error) error {
	if errors.Is(err, langstore.ErrVersionTaken) {
		return nil
	}
	return err
}
