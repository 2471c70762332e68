package item

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"

	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/phpjson"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/schema"
)

// Draft is a write that was checked and is about to be stored: see calendar.Draft.
type Draft struct {
	Kind *Kind
	Op   string         // one of package content
	ID   int64          // 0 of a new item
	Was  map[string]any // what is stored, nil of a new item
	Is   map[string]any // what will be, nil of one that is deleted

	edit    *content.Edit     // nil of a term
	rows    Rows              // of the meta rows, as they will be
	meta    func() store.Meta // all of them
	service *Service
}

// Put puts the input into an edit, and asks the host.
func (p *Posts) Put(ctx context.Context, in *Input, e *content.Edit) error {
	if err := p.Rules.Put(ctx, in, e); err != nil {
		return err
	}
	return p.Ask(ctx, e.Op(), e)
}

// Ask asks the host about what an edit is about to do, within its transaction.
func (p *Posts) Ask(ctx context.Context, op string, e *content.Edit) (err error) {
	if p.Service.BeforeWrite == nil {
		return nil
	}
	d := &Draft{Kind: p.Kind, Op: op, ID: e.Row.ID, edit: e, rows: e, meta: e.NewMeta, service: p.Service}
	if !e.New() {
		if d.Was, err = p.drafted(ctx, e.StoredRow(), e.StoredMeta()); err != nil {
			return err
		}
	}
	if op == content.OpDelete {
		return p.Service.BeforeWrite(ctx, d)
	}
	if d.Is, err = p.drafted(ctx, e.NewRow(), e.NewMeta()); err != nil {
		return err
	}
	if op == content.OpTrash {
		d.Is[content.FieldStatus] = schema.StatusTrash
	}
	return p.Service.BeforeWrite(ctx, d)
}

// AskTerm asks the host about a write of a term within its transaction. was is nil of a new term, is of one that is deleted.
func (s *Service) AskTerm(ctx context.Context, k *Kind, op string, was, is *store.TaxonomyTerm, meta *MetaEdit) (err error) {
	if s.BeforeWrite == nil {
		return nil
	}
	d := &Draft{Kind: k, Op: op, rows: meta, meta: meta.all, service: s}
	of := func(t *store.TaxonomyTerm, rows store.Meta) (map[string]any, error) {
		if t == nil || err != nil {
			return nil, err
		}
		d.ID = t.ID
		return k.Fields.writeValues(&Item{View: &View{Ctx: ctx, Settings: site.From(ctx), env: s}, Term: t, Meta: rows}, true)
	}
	d.Was, err = of(was, meta.stored)
	if d.Is, err = of(is, meta.all()); err != nil {
		return err
	}
	return s.BeforeWrite(ctx, d)
}

// Dates returns the dates that an event has and will have, none of other kinds.
func (d *Draft) Dates(ctx context.Context) (was, is content.AllDates, err error) {
	if d.edit == nil || d.Kind.Type != d.service.Content.Types.Events() {
		return was, is, nil
	}
	if was, is, err = d.service.Content.PlannedDates(ctx, d.edit); d.Op == content.OpDelete {
		is = content.AllDates{}
	}
	return was, is, err
}

// drafted returns the values of a post: those that a write would give, and the ids of what it links.
func (p *Posts) drafted(ctx context.Context, row *store.Post, meta store.Meta) (map[string]any, error) {
	it := &Item{View: &View{Ctx: ctx, Settings: site.From(ctx), env: p.Service}, Post: row, Meta: meta}
	values, err := p.Fields.writeValues(it, true)
	for _, k := range p.Links {
		if err == nil && k.Type != nil {
			values[k.Name] = store.LinkedIDs(meta[k.Type.LinkKey])
		}
	}
	return values, err
}

// Set changes a field of the host's own, as a write would whose caller may.
func (d *Draft) Set(ctx context.Context, name string, value any) error {
	for _, f := range d.Kind.Fields {
		if f.Name != name || !f.Own || d.Is == nil {
			continue
		}
		given, err := param.MapOf(map[string]any{name: value})
		if err != nil {
			return err
		}
		values, err := param.Read(ctx, []*param.Param{f.Param(false)}, param.Sources{JSON: given})
		if err != nil {
			return err
		}
		as := caller.From(ctx)
		as.Capabilities = maps.Clone(as.Capabilities)
		if as.Capabilities == nil {
			as.Capabilities = map[string]bool{}
		}
		as.Capabilities[f.Right], as.Capabilities[f.WriteRight] = true, true
		ctx = caller.With(ctx, &caller.Request{Principal: as, Language: caller.LanguageFrom(ctx)})
		if err := f.ApplyMeta(ctx, values, d.rows); err != nil {
			return err
		}
		delete(d.Is, name)
		is, err := f.writeValue(&Item{View: &View{Ctx: ctx}, Meta: d.meta()})
		if err == nil && is != nil {
			d.Is[name] = is
		}
		return err
	}
	return fmt.Errorf("a hook set %q, which is no field of its own of %s", name, d.Kind.Collection)
}

// HeldValue returns what an item has of the field, nil for nothing: the value of a write that stores it, or of a Local field that
// of an answer. Its numbers are json.Number.
func (f *Field) HeldValue(it *Item) (any, error) {
	switch {
	case !f.Local:
		return f.writeValue(it)
	case f.Absent != nil && f.Absent(it):
		return nil, nil
	}
	return f.shownValue(it)
}

// writeValue returns the value of a write that stores a field as it is stored, its numbers as json.Number.
func (f *Field) writeValue(it *Item) (any, error) {
	if f.Stored != nil {
		return f.Stored(it), nil
	}
	return f.shownValue(it)
}

// shownValue returns the value of a field as answers show it, nil for one that they do not show.
func (f *Field) shownValue(it *Item) (v any, err error) {
	switch {
	case f.Text != nil:
		return f.Text(it), nil
	case f.Value == nil:
		return nil, nil
	}
	w := &phpjson.Writer{}
	f.Value(w, it)
	d := json.NewDecoder(bytes.NewReader(w.Bytes()))
	d.UseNumber()
	if err := d.Decode(&v); err != nil {
		return nil, fmt.Errorf("the field %s: %w", f.Name, err)
	}
	return v, nil
}
