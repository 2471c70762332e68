package exchange

import (
	"context"
	"maps"
	"slices"

	posts "github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/feed"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/schema"
)

// sameUID is the reason for rejecting the second of two different items that have the same UID.
const sameUID = "is also that of an earlier item, which differs"

// notTaken begins a note, which is reported once per member of the other API's answers.
const notTaken = "not imported from the API of another calendar: "

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
		m.state.claims[stored.ID] = true
		return nil
	}
	switch {
	case rec.calls && stored.ID == 0:
		m.notes = append(m.notes, "cancels an event that is not here: it is ignored")
		return nil
	case stored.ID != 0 && rec.changes != nil && feed.Whole(ctx):
		if rec, err = m.changed(ctx, rec, stored); err != nil {
			return err
		}
	case rec.calls:
		rec = calledOff(rec)
	}
	if stored.own && !rec.full {
		if rec, err = m.ofOwnFeed(ctx, rec, stored); err != nil {
			return err
		}
	}
	// In a dry run nothing of an earlier batch is stored, so a second record of its event is compared with the first.
	first, tried := m.tried[tryKey(rec)]
	switch {
	case !tried:
	case first == m.fingerprint(rec):
		o.ID = stored.ID
		return nil
	case stored.ID == 0:
		return rec.refuse("UID", sameUID)
	}
	m.passed(rec)
	isNew := stored.ID == 0 || stored.pruned
	body := m.values(rec)
	said := m.statusOf(rec, body, stored, isNew)
	again := tried || stored.ID != 0 && m.state.claimed(stored.ID)
	whole := !rec.Partial && !stored.guessed
	if stored.ID != 0 && whole {
		m.empty(body, rec)
		if stored.several && body[fieldDates] == nil && feed.Whole(ctx) { // the record has no explicit occurrences
			body[fieldDates] = []any{dateValue(rec.stringValue(fieldStart), rec.stringValue(fieldEnd))}
		}
	}
	if err := m.links(ctx, body, rec, code, stored.ID != 0 && whole); err != nil {
		return err
	}
	origin := m.origin(ctx, rec, stored, whole)
	maps.Copy(origin.Rows, said)
	if values := rec.moves.values(); !stored.own && (values != nil || rec.moves != nil && stored.moved != "") {
		origin.Rows[schema.MetaSourceDates] = values
	}
	if err := m.save(ctx, m.parts.Events.Posts, stored.ID, code, origin, body, o); err != nil {
		return err
	}
	if again && o.Action == Updated { // otherwise the two would overwrite each other in every import
		return rec.refuse("UID", sameUID)
	}
	m.state.claims[o.ID] = true
	m.made = match{ID: o.ID, UID: origin.UID, Source: stored.Source, language: code, ours: stored.ours}
	if origin.Source.Name != "" {
		m.made.Source, m.made.ours = origin.Source, m.ours[origin.Source]
	}
	return m.join(ctx, m.parts.Events.PostType, rec, member{o.ID, code})
}

// passed reports what the source has of an event and the import does not use. A value that belongs to no field of this
// calendar, or a member that is a field here but that the API of another calendar does not provide in a usable form, is
// a part left out of this event. Other members of that API's answers are noted once.
func (m *recordImport) passed(rec *Record) {
	k := m.resources.forCollection(rec.Kind)
	declared := func(name string) bool {
		_, isField := k.has(name)
		return isField || slices.ContainsFunc(k.declared, func(f *item.Field) bool { return f.Name == name && f.Param != nil })
	}
	for _, name := range slices.Sorted(maps.Keys(rec.Values)) {
		if !declared(name) {
			m.lost = append(m.lost, rec.refuse(name, "is not a field of this calendar"))
		}
	}
	for _, name := range slices.Sorted(slices.Values(rec.passed)) {
		if declared(name) {
			m.lost = append(m.lost, rec.refuse(name, "is not imported from the API of another calendar"))
			continue
		}
		m.notes = append(m.notes, notTaken+name)
	}
}

// origin returns where an event came from, together with values that no ordinary write accepts, such as its password.
func (m *recordImport) origin(ctx context.Context, rec *Record, stored match, whole bool) *posts.Origin {
	o := &posts.Origin{Password: m.password(ctx, rec), Rows: m.rows(ctx, rec, whole)}
	switch {
	case stored.own:
	case stored.ID == 0:
		o.UID, o.Source = rec.UID, m.source
	case stored.Source.Name != "":
		o.UID = rec.UID // the first source that imported the event stays its source
	case rec.UID != "": // the event was not imported, but matches the record
		o.UID, o.Source, o.Adopted = rec.UID, m.source, true
	}
	if stored.pruned {
		o.Rows[schema.MetaPruned] = nil
	}
	return o
}

// empty adds to an update what removes each value that the record, which is complete, does not contain.
func (m *recordImport) empty(body map[string]any, rec *Record) {
	if rec.full {
		for _, f := range m.resources.events.fields {
			if _, given := body[f.Name]; given || !f.added || f.Local || f.Name == fieldDates || f.Name == fieldRecurrence {
				continue
			}
			switch {
			case f.form == item.FormText:
				body[f.Name] = ""
			case f.Param(false).TakesNull():
				body[f.Name] = nil
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
