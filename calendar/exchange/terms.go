package exchange

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"
	"slices"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/call"
	writes "github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/store/langstore"
	"github.com/agendahq/agenda/internal/term"
	"github.com/agendahq/agenda/internal/wp"
)

// storedTerm is a stored category or tag.
type storedTerm struct {
	*store.TaxonomyTerm
	name, language string
}

// termList contains stored categories or tags.
type termList struct {
	all    []*storedTerm
	loaded bool
}

func (l *termList) mergeTerms(more *termList) {
	if more.loaded {
		l.all, l.loaded = nil, true
	}
	l.all = append(l.all, more.all...)
}

// loadTerms reads the stored terms of a resource, once.
func (a *attempt) loadTerms(ctx context.Context, kind *kind) error {
	for k := a.state; k != nil; k = k.below {
		if l := k.terms[kind.Collection]; l != nil && l.loaded {
			return nil
		}
	}
	all, err := a.parts.Events.Service.Content.Store.Terms.Tree(ctx, kind.terms.Taxonomy)
	if err != nil {
		return err
	}
	list := &termList{loaded: true}
	list.all, err = a.stored(ctx, kind, all)
	a.state.terms[kind.Collection] = list
	return err
}

func (a *attempt) stored(ctx context.Context, k *kind, all []*store.TaxonomyTerm) (list []*storedTerm, err error) {
	known := &langstore.Groups{}
	if a.parts.Events.Service.Content.Languages != nil {
		if known, err = a.parts.Events.Service.Content.Translations.Groups(ctx, nil, all); err != nil {
			return nil, err
		}
	}
	for _, t := range all {
		one := &storedTerm{TaxonomyTerm: t, name: foldName(t.Name)}
		one.language = languageOf(ctx, a.parts, k, known.Terms[t.TaxonomyID])
		list = append(list, one)
	}
	return list, nil
}

// term finds or creates a category or tag, and its parents.
func (m *recordImport) term(ctx context.Context, k *kind, rec *Record, code string) (id int64, action Action, err error) {
	key := m.key(rec, code)
	if id, known := m.state.item(key); known {
		return id, Unchanged, nil
	}
	if err := m.loadTerms(ctx, k); err != nil {
		return 0, "", err
	}
	parent := int64(0)
	if rec.Parent != nil {
		var above Action
		if parent, above, err = m.term(ctx, k, rec.Parent, code); err != nil {
			return 0, "", err
		}
		m.link(rec.Parent, parent, above)
	}
	found := m.findTerm(rec, code, parent)
	action = Unchanged
	switch {
	case found == nil && m.hidden:
		m.notes = append(m.notes, "is left out, since no public event has it: "+rec.name())
		return 0, Unchanged, nil
	case found == nil:
		if found, err = m.addTerm(ctx, k, rec, code, parent); err != nil {
			return 0, "", err
		}
		action = Created
	case found.Slug == site.From(m.run.ctx).Slug(rec.stringValue("slug")) &&
		(rec.stringValue("description") != "" || rec.Parent != nil || k.metaIn(rec)):
		if !m.importer.Trust { // the source that created a term is not stored
			differs, err := m.differs(ctx, k, rec, found, parent)
			if err != nil {
				return 0, "", err
			}
			if differs {
				action = Skipped
			}
			break
		}
		if action, err = m.updateTerm(ctx, k, rec, found, code, parent); err != nil {
			return 0, "", err
		}
	}
	m.state.items[key] = found.ID
	if action != Created && !m.importer.Trust {
		return found.ID, action, nil
	}
	return found.ID, action, m.joinTerm(ctx, rec, found)
}

func (m *recordImport) findTerm(rec *Record, code string, parent int64) (found *storedTerm) {
	slug, name := site.From(m.run.ctx).Slug(rec.stringValue("slug")), foldName(rec.stringValue("name"))
	for _, good := range []func(*storedTerm) bool{
		func(t *storedTerm) bool { return slug != "" && t.Slug == slug && t.language == code },
		func(t *storedTerm) bool {
			return t.name == name && t.language == code && (rec.Parent == nil || t.Parent == parent)
		},
	} {
		for k := m.state; k != nil; k = k.below {
			if l := k.terms[rec.Kind]; l != nil {
				for _, t := range l.all {
					if good(t) && (found == nil || t.ID < found.ID) {
						found = t
					}
				}
			}
		}
		if found != nil {
			return found
		}
	}
	return nil
}

// termBody returns the body of a request that writes a term.
func termBody(k *kind, rec *Record, parent int64) map[string]any {
	body := map[string]any{}
	for _, f := range k.declared {
		switch text := rec.stringValue(f.Name); {
		case f.Own && rec.Values[f.Name] != nil:
			body[f.Name] = rec.Values[f.Name]
		case text != "" && !f.Own:
			body[f.Name] = text
		}
	}
	if parent != 0 && k.terms.Tree {
		body[fieldParent] = parent
	}
	return body
}

func (m *recordImport) addTerm(ctx context.Context, k *kind, rec *Record, code string, parent int64) (*storedTerm, error) {
	id, err := m.saveTerm(ctx, k.terms, 0, code, termBody(k, rec, parent))
	var refused *calendar.Error
	switch {
	case err == nil:
	case errors.As(err, &refused) && refused.Code == "term_exists":
		var data struct {
			TermID int64 `json:"term_id"`
		}
		if json.Unmarshal(refused.Data, &data) != nil {
			return nil, err
		}
		id = data.TermID
	default:
		return nil, err
	}
	found, err := m.parts.Events.Service.Content.Store.Terms.Matching(ctx, k.terms.Taxonomy, []int64{id}, nil, nil)
	if err != nil {
		return nil, err
	}
	list, err := m.stored(ctx, k, found)
	if err != nil || len(list) == 0 {
		return nil, errors.Join(errors.New("exchange: a new term is missing"), err)
	}
	if m.state.terms[rec.Kind] == nil {
		m.state.terms[rec.Kind] = &termList{}
	}
	l := m.state.terms[rec.Kind]
	l.all = append(l.all, list[0])
	return list[0], nil
}

// changedTerm returns a term with the values of a record.
func changedTerm(ctx context.Context, k *term.UseCases, rec *Record, t *storedTerm, parent int64) store.TaxonomyTerm {
	is := *t.TaxonomyTerm
	if name := rec.stringValue("name"); name != "" {
		is.Name = wp.TermName(name)
	}
	if text := rec.stringValue("description"); text != "" {
		is.Description = wp.TermDescription(text, site.From(ctx).WordPress)
	}
	if parent != 0 && k.Tree {
		is.Parent = parent
	}
	return is
}

// metaIn reports whether a record has values of fields that are stored in meta rows.
func (k *kind) metaIn(rec *Record) bool {
	return slices.ContainsFunc(k.fields, func(f field) bool { return rec.Values[f.Name] != nil })
}

// differs reports whether a record differs from the term that it matches.
func (m *recordImport) differs(ctx context.Context, k *kind, rec *Record, t *storedTerm, parent int64) (bool, error) {
	if changedTerm(ctx, k.terms, rec, t, parent) != *t.TaxonomyTerm || !k.metaIn(rec) {
		return changedTerm(ctx, k.terms, rec, t, parent) != *t.TaxonomyTerm, nil
	}
	found, _, err := m.parts.Events.Service.Content.Store.Terms.Meta(ctx, k.terms.Rows(ctx, t.TaxonomyTerm))
	if err != nil {
		return false, err
	}
	stored, err := k.declared.WriteValues(&item.Item{View: &item.View{Ctx: ctx}, Term: t.TaxonomyTerm, Meta: found[t.ID]})
	return slices.ContainsFunc(k.fields, func(f field) bool {
		return rec.Values[f.Name] != nil && !reflect.DeepEqual(rec.Values[f.Name], stored[f.Name])
	}), err
}

// updateTerm updates a term that the source identifies by its slug, if they differ.
func (m *recordImport) updateTerm(ctx context.Context, k *kind, rec *Record, t *storedTerm, code string, parent int64) (Action, error) {
	if differs, err := m.differs(ctx, k, rec, t, parent); err != nil || !differs {
		return Unchanged, err
	}
	_, err := m.saveTerm(ctx, k.terms, t.ID, code, termBody(k, rec, parent))
	return Updated, err
}

// saveTerm creates a term if id is 0, or else updates it, and returns its id.
func (m *recordImport) saveTerm(ctx context.Context, k *term.UseCases, id int64, code string, body map[string]any) (int64, error) {
	write := k.Create
	if id != 0 {
		write = k.Update
	}
	err := m.use(ctx, k.Collection, id, code, body, func(ctx context.Context, c *call.Call) error {
		change, err := write(ctx, c)
		if err != nil {
			return err
		}
		done, err := writes.Run(ctx, k.Service.Content, change.Work())
		if err == nil {
			id = done.ID
		}
		return err
	})
	return id, err
}

// joinTerm adds a term to the group of its translations.
func (m *recordImport) joinTerm(ctx context.Context, rec *Record, t *storedTerm) error {
	if rec.Group == "" || t.language == "" {
		return nil
	}
	key := string(rec.Kind) + "\x00" + rec.Group
	first, known := m.state.group(key)
	if !known {
		m.state.groups[key] = member{t.ID, t.language}
		return nil
	}
	if first.id == t.ID || first.code == t.language {
		return nil
	}
	of, err := m.parts.Events.Service.Content.Store.Terms.Matching(ctx, t.Taxonomy, []int64{first.id}, nil, nil)
	if err != nil || len(of) == 0 {
		return err
	}
	return unlessTaken(m.parts.Events.Service.Content.Translations.JoinTerms(ctx, t.TaxonomyTerm, of[0], t.language, first.code))
}
