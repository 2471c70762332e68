package exchange

import (
	"cmp"
	"context"
	"maps"
	"slices"

	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/store"
)

// links adds what an event links, and its image, to the body of a write. clear removes links that the record does not
// have.
func (m *recordImport) links(ctx context.Context, body map[string]any, rec *Record, code string, clear bool) error {
	for _, kind := range slices.Sorted(maps.Keys(rec.Linked)) {
		if m.resources.forCollection(kind) == nil {
			m.lost = append(m.lost, rec.refuse(string(kind), "is not a kind of this calendar"))
		}
	}
	for _, k := range m.resources.linked {
		_, given := rec.Linked[k.Collection]
		records, err := m.unsplit(ctx, k, rec, code)
		if err != nil {
			return err
		}
		if len(records) == 0 && !(clear && (given || rec.full || item.Recorded(k.Resource))) {
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
			continue // all were rejected: the stored links stay
		}
		body[k.field] = ids
	}
	return m.image(ctx, body, rec)
}

// readLinked reads the rights on those items that the records link and that the import knows already, all at once. The
// transaction keeps them: otherwise each event would read those on its own venue.
func (a *attempt) readLinked(ctx context.Context, records []*Record) error {
	var ids []int64
	for _, rec := range records {
		for _, k := range a.resources.linked {
			for _, linked := range rec.Linked[k.Collection] {
				if id := a.knownPost(k, rec, linked); id != 0 {
					ids = append(ids, id)
				}
			}
		}
	}
	if len(ids) == 0 {
		return nil
	}
	_, err := a.parts.Events.Service.Content.Store.Posts.Access(ctx, store.Distinct(ids))
	return err
}

// knownPost returns the id of the item that a public event links if the import has found or created it, otherwise 0.
func (a *attempt) knownPost(k *resource, rec, linked *Record) (id int64) {
	if k.PostType == "" {
		return 0
	}
	code, err := a.language(a.ctx, rec.Kind, rec.Language)
	if err == nil {
		code, err = a.language(a.ctx, k.Collection, cmp.Or(linked.Language, code))
	}
	if err == nil {
		id, _ = a.state.item(linkedKey(linked, code, false))
	}
	return id
}

// part finds or creates a linked item. If that is rejected, the link is left out and reported.
func (m *recordImport) part(ctx context.Context, k *resource, linked *Record, code string) (id int64, err error) {
	if code, err = m.language(ctx, k.Collection, cmp.Or(linked.Language, code)); err != nil {
		m.lost = append(m.lost, m.rec.refuse(k.field, err.Error()))
		return 0, nil
	}
	if id, known := m.state.item(m.key(linked, code)); known {
		return id, nil
	}
	before, action, stores, links := m.state, Unchanged, len(m.stores), len(m.linked)
	err = m.importer.Calendar.Transaction(ctx, func(ctx context.Context) (err error) {
		m.state = before.layer()
		id, action, err = m.linkable(ctx, k, linked, code)
		return err
	})
	made := m.state
	m.state = before
	if err == nil {
		before.mergeState(made)
		m.link(linked, id, action)
		return id, nil
	}
	m.linked = m.linked[:links]
	if m.asOne || !isRejection(err) { // without savepoints nothing of the transaction is left to continue
		return 0, err
	}
	m.run.images.forget(m.stores[stores:])
	m.stores = m.stores[:stores]
	m.lost = append(m.lost, m.rec.problems(k.field, err)...)
	return 0, nil
}

// linkable finds or creates an item of a resource that events link.
func (m *recordImport) linkable(ctx context.Context, k *resource, rec *Record, code string) (int64, Action, error) {
	if k.terms != nil {
		return m.term(ctx, k, rec, code)
	}
	return m.post(ctx, k, rec, code)
}

// link records that a linked item was created or changed.
func (m *recordImport) link(rec *Record, id int64, action Action) {
	if action == Created || action == Updated {
		m.linked = append(m.linked, Outcome{Action: action, Kind: rec.Kind, ID: id, Name: rec.name(), Place: rec.Line,
			traits: m.resources.forCollection(rec.Kind).traits(rec)})
	}
}
