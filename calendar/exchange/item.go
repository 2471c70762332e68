package exchange

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/agendahq/agenda/internal/call"
	posts "github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/registry"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/schema"
)

// attempt is one try of a transaction.
type attempt struct {
	*run
	known   *importState       // with what the attempt found and made
	matches map[string][]match // stored events by UID
	dated   map[string][]match // and by start
}

// item writes one record, all of it or nothing. Its error is a failure; a refusal is an
// outcome.
func (a *attempt) item(ctx context.Context, rec *Record) (o Outcome, err error) {
	made := &recordImport{attempt: &attempt{run: a.run, known: a.known.layer(), matches: a.matches, dated: a.dated}, rec: rec}
	err = a.importer.Calendar.Transaction(ctx, func(ctx context.Context) (err error) {
		o, err = made.write(ctx)
		return err
	})
	switch {
	case err == nil:
		a.known.take(made.known)
		a.note(made.made)
		return o, nil
	case refusal(err):
		a.images.forget(made.stores)
		return a.refused(rec, err), nil
	}
	return o, err
}

// note lets later records of the transaction find an event by its UID.
func (a *attempt) note(made match) {
	known := func(m match) bool { return m.ID == made.ID }
	if made.UID != "" && !slices.ContainsFunc(a.matches[made.UID], known) {
		a.matches[made.UID] = append(a.matches[made.UID], made)
	}
}

// recordImport is a record that is written.
type recordImport struct {
	*attempt
	rec    *Record
	stores []string // addresses of images that it stored
	notes  []string
	lost   []*Problem // parts that were refused
	linked []Outcome  // what was made for the item
	made   match      // the event, with the UID and source that are stored
}

func (m *recordImport) write(ctx context.Context) (o Outcome, err error) {
	o = Outcome{Action: Unchanged, Kind: m.rec.Kind, Name: m.rec.name(), Place: m.rec.Line}
	code, err := m.language(m.rec.Language)
	if err != nil {
		return o, m.rec.refuse("language", err.Error())
	}
	if !clean(m.rec.UID) || !clean(m.rec.Group) {
		return o, m.rec.refuse("UID", "cannot be stored")
	}
	if m.rec.Kind == Events {
		err = m.event(ctx, code, &o)
	} else {
		o.ID, o.Action, err = m.linkable(ctx, m.kinds.of(m.rec.Kind), m.rec, code)
		o.Foreign = o.Action == Skipped
	}
	if m.rec.Language != "" && m.parts.Events.Service.Content.Languages == nil {
		m.notes = append(m.notes, noLanguages)
	}
	o.Problems, o.Notes, o.Linked = append(slices.Clone(m.rec.Problems), m.lost...), m.notes, m.linked
	return o, err
}

// refuse returns why a record cannot be imported.
func (rec *Record) refuse(field, reason string) *Problem {
	return &Problem{Place: rec.Line, Item: rec.name(), Field: field, Reason: reason}
}

// sameUID is why the second of two items is refused.
const sameUID = "is that of an item before, which differs"

// notTaken begins a note that is given once for each member.
const notTaken = "not taken from the API of another calendar: "

// noLanguages is a note that is given once.
const noLanguages = "the site stores no languages: all items come in as they are, without theirs"

// ErrLanguage is the error of a language that the calendar does not have.
var ErrLanguage = errors.New("the calendar has no such language")

// language returns the code under which the site stores a language, "" on a site that
// stores none.
func (r *run) language(code string) (string, error) {
	languages := r.parts.Events.Service.Content.Languages
	switch {
	case languages == nil:
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

// event writes an event.
func (m *recordImport) event(ctx context.Context, code string, o *Outcome) error {
	rec := m.rec
	if rec.several() {
		return rec.refuse("dates", severalDates)
	}
	stored, err := m.match(rec)
	if err != nil {
		return err
	}
	if stored.ID != 0 && !stored.ours && !m.importer.Trust {
		o.ID, o.Action, o.Foreign, o.Owner = stored.ID, Skipped, true, stored.Source.Name
		return nil
	}
	if stored.trashed && !stored.pruned {
		o.ID, o.Action = stored.ID, Skipped
		m.known.claims[stored.ID] = true
		return nil
	}
	if stored.own && !rec.full {
		if rec, err = m.ofOwnFeed(ctx, rec, stored); err != nil {
			return err
		}
	}
	if before, tried := m.tried[tryKey(rec)]; tried && stored.ID == 0 { // a dry run has no more of it
		if before != m.fingerprint(rec) {
			return rec.refuse("UID", sameUID)
		}
		return nil
	}
	m.passed(rec)
	isNew := stored.ID == 0 || stored.pruned
	body := m.values(rec, isNew)
	again := stored.ID != 0 && m.known.claimed(stored.ID)
	whole := !rec.Partial && !stored.guessed
	if stored.ID != 0 && whole {
		m.empty(body, rec)
	}
	if err := m.links(ctx, body, rec, code, stored.ID != 0 && whole); err != nil {
		return err
	}
	if body[posts.FieldStatus] == nil && isNew {
		body[posts.FieldStatus] = m.status()
	}
	origin := m.origin(ctx, rec, stored, whole)
	if err := m.save(ctx, m.parts.Events.Posts, stored.ID, code, origin, body, o); err != nil {
		return err
	}
	if again && o.Action == Updated { // else each of the two would replace the other, in each import
		return rec.refuse("UID", sameUID)
	}
	m.known.claims[o.ID] = true
	m.made = match{ID: o.ID, UID: origin.UID, Source: stored.Source, language: code, ours: stored.ours}
	if origin.Source.Name != "" {
		m.made.Source, m.made.ours = origin.Source, m.ours[origin.Source]
	}
	return m.join(ctx, m.parts.Events.Type.PostType, rec, member{o.ID, code})
}

// passed lists what the source has of an event and the import does not take: values of no field of
// this calendar, and members of another calendar's answers. Those that are a field here are a part
// that was left out; the others are noted once.
func (m *recordImport) passed(rec *Record) {
	k := m.kinds.of(rec.Kind)
	declared := func(name string) bool {
		_, isField := k.has(name)
		return isField || slices.ContainsFunc(k.declared, func(f *item.Field) bool { return f.Name == name && f.Param != nil })
	}
	for _, name := range slices.Sorted(maps.Keys(rec.Values)) {
		if !declared(name) {
			m.lost = append(m.lost, rec.refuse(name, "is no field of this calendar"))
		}
	}
	for _, name := range slices.Sorted(slices.Values(rec.passed)) {
		if declared(name) {
			m.lost = append(m.lost, rec.refuse(name, "is not taken from the API of another calendar"))
			continue
		}
		m.notes = append(m.notes, notTaken+name)
	}
}

// origin returns what is stored of where an event came from, with what no write takes.
func (m *recordImport) origin(ctx context.Context, rec *Record, stored match, whole bool) *posts.Origin {
	o := &posts.Origin{Password: m.password(ctx, rec), Rows: m.rows(ctx, rec, whole)}
	switch {
	case stored.own:
	case stored.ID == 0:
		o.UID, o.Source = rec.UID, m.source
	case stored.Source.Name != "":
		o.UID = rec.UID // the first source that brought it keeps it
	case rec.UID != "": // else it was not brought, but is as what is
		o.UID, o.Source, o.Adopted = rec.UID, m.source, true
	}
	if stored.pruned {
		o.Rows[schema.MetaPruned] = nil
	}
	return o
}

// empty gives an update what removes the values that a whole record does not have.
func (m *recordImport) empty(body map[string]any, rec *Record) {
	if rec.full {
		for _, f := range m.kinds.events.fields {
			if _, given := body[f.Name]; !given && f.Added && f.form == item.FormText {
				body[f.Name] = ""
			}
		}
	}
	for name, none := range map[string]any{
		"description": "", "excerpt": "", fieldReason: "", "cost": []any{}, "website": "", "all_day": false, "featured": false, "image": "",
	} {
		if _, given := body[name]; !given {
			body[name] = none
		}
	}
}

// links puts what an event links, and its image, into the body of a write. clear removes
// what the record does not have.
func (m *recordImport) links(ctx context.Context, body map[string]any, rec *Record, code string, clear bool) error {
	for _, kind := range slices.Sorted(maps.Keys(rec.Linked)) {
		if m.kinds.of(kind) == nil {
			m.lost = append(m.lost, rec.refuse(string(kind), "is no kind of this calendar"))
		}
	}
	for _, k := range m.kinds.linked {
		records, given := rec.Linked[k.Collection]
		if len(records) == 0 && !(clear && (given || rec.full || !k.added)) {
			continue
		}
		ids := []int64{}
		for _, linked := range records {
			id, err := m.part(ctx, k, linked, code)
			if err != nil {
				return err
			}
			if id != 0 && !slices.Contains(ids, id) {
				ids = append(ids, id)
			}
		}
		if len(ids) < len(records) && len(ids) == 0 {
			continue // refused: what is stored stays
		}
		body[k.field] = ids
	}
	return m.image(ctx, body, rec)
}

// part finds or makes one thing that an event links. One that is refused is left out and
// listed.
func (m *recordImport) part(ctx context.Context, k *kind, linked *Record, code string) (id int64, err error) {
	if linked.Language != "" {
		if code, err = m.language(linked.Language); err != nil {
			m.lost = append(m.lost, m.rec.refuse(k.field, err.Error()))
			return 0, nil
		}
	}
	if id, known := m.known.item(m.key(linked, code)); known {
		return id, nil
	}
	before, action, stores, links := m.known, Unchanged, len(m.stores), len(m.linked)
	err = m.importer.Calendar.Transaction(ctx, func(ctx context.Context) (err error) {
		m.known = before.layer()
		id, action, err = m.linkable(ctx, k, linked, code)
		return err
	})
	made := m.known
	m.known = before
	if err == nil {
		before.take(made)
		m.link(linked, id, action)
		return id, nil
	}
	m.linked = m.linked[:links]
	if !refusal(err) {
		return 0, err
	}
	m.run.images.forget(m.stores[stores:])
	m.stores = m.stores[:stores]
	m.lost = append(m.lost, m.rec.problems(k.field, err)...)
	return 0, nil
}

// linkable finds or makes an item of a kind that events link.
func (m *recordImport) linkable(ctx context.Context, k *kind, rec *Record, code string) (int64, Action, error) {
	if k.terms != nil {
		return m.term(ctx, k, rec, code)
	}
	return m.post(ctx, k, rec, code)
}

// link notes what was made or changed for the item.
func (m *recordImport) link(rec *Record, id int64, action Action) {
	if action == Created || action == Updated {
		m.linked = append(m.linked, Outcome{Action: action, Kind: rec.Kind, ID: id, Name: rec.name(), Place: rec.Line})
	}
}

// save writes a post.
func (m *recordImport) save(ctx context.Context, kind *item.Posts, id int64, code string, origin *posts.Origin, body map[string]any,
	o *Outcome) error {
	write := kind.Create
	o.Action = Created
	if id != 0 {
		write = kind.Update
		o.Action = Unchanged
	}
	return m.use(ctx, kind.Type.Collection, id, code, body, func(ctx context.Context, c *call.Call) error {
		change, err := write(ctx, c)
		if err != nil {
			return err
		}
		change.Origin = origin
		var done item.Result
		err = kind.Service.Content.WithImages(ctx, change.Images, func(ctx context.Context) error {
			return kind.Service.Content.Write(ctx, func(ctx context.Context) (err error) {
				done, err = change.Apply(ctx, nil)
				return err
			})
		})
		if o.ID = done.ID; err == nil && id != 0 && done.Changed {
			o.Action = Updated
		}
		return err
	})
}

// use calls do with a write in a language: with an update of an item, with the creation of one where
// id is 0.
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

// join puts an item into the group of its versions in other languages.
func (m *recordImport) join(ctx context.Context, kind string, rec *Record, one member) error {
	if rec.Group == "" || one.code == "" {
		return nil
	}
	key := string(rec.Kind) + "\x00" + rec.Group
	first, known := m.known.group(key)
	if !known {
		m.known.groups[key] = one
		return nil
	}
	if first.id == one.id || first.code == one.code {
		return nil
	}
	translations := m.parts.Events.Service.Content.Store.Translations
	return translations.JoinPosts(ctx, kind, store.Member{ID: one.id, Code: one.code}, store.Member{ID: first.id,
		Code: first.code})
}
