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

// Draft is a write that was validated and is about to be stored; see calendar.Draft.
type Draft struct {
	Resource *Resource
	Op       string         // one of the constants Op… of package content
	ID       int64          // 0 for a new item
	Was      map[string]any // the stored values, nil for a new item
	Is       map[string]any // the values after the write, nil for an item that is deleted

	edit    *content.Edit     // nil for a term
	rows    Rows              // the meta rows after the write, to be changed by Set
	meta    func() store.Meta // returns all meta rows after the write
	service *Service
}

// Apply applies the input to an edit and calls the host's BeforeWrite hook.
func (p *Posts) Apply(ctx context.Context, in *Input, e *content.Edit) error {
	if err := p.Rules.Apply(ctx, in, e); err != nil {
		return err
	}
	return p.CallBeforeWrite(ctx, e.Op(), e)
}

// CallBeforeWrite calls the host's BeforeWrite hook with what an edit is about to do, within the transaction of the edit.
func (p *Posts) CallBeforeWrite(ctx context.Context, op string, e *content.Edit) (err error) {
	if p.Service.BeforeWrite == nil {
		return nil
	}
	d := &Draft{Resource: p.Resource, Op: op, ID: e.Row.ID, edit: e, rows: e, meta: e.NewMeta, service: p.Service}
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

// AskTerm calls the host's BeforeWrite hook for a write of a term, within its transaction. was is nil for a new term,
// is for one that is deleted.
func (s *Service) AskTerm(ctx context.Context, k *Resource, op string, was, is *store.TaxonomyTerm, meta *MetaEdit) (err error) {
	if s.BeforeWrite == nil {
		return nil
	}
	d := &Draft{Resource: k, Op: op, rows: meta, meta: meta.all, service: s}
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

// Dates returns the occurrences of an event before and after the write. They are empty for other resources.
func (d *Draft) Dates(ctx context.Context) (was, is content.AllDates, err error) {
	if d.edit == nil || d.Resource.PostType != d.service.Content.Types.Events().PostType {
		return was, is, nil
	}
	if was, is, err = d.service.Content.Occurrences.PlannedDates(ctx, d.edit); d.Op == content.OpDelete {
		is = content.AllDates{}
	}
	return was, is, err
}

// drafted returns the values of a post in the form of a write's parameters, and the ids of the linked posts.
func (p *Posts) drafted(ctx context.Context, row *store.Post, meta store.Meta) (map[string]any, error) {
	it := &Item{View: &View{Ctx: ctx, Settings: site.From(ctx), env: p.Service}, Post: row, Meta: meta}
	values, err := p.Fields.writeValues(it, true)
	for _, k := range p.Links {
		if err == nil && k.PostType != "" {
			values[k.Name] = store.LinkedIDs(meta[k.LinkKey])
		}
	}
	return values, err
}

// Set changes a field that the host added, as a write would, without checking the caller's rights.
func (d *Draft) Set(ctx context.Context, name string, value any) error {
	for _, f := range d.Resource.Fields {
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
	return fmt.Errorf("a hook set %q, which is not a field of its own of %s", name, d.Resource.Collection)
}

// HeldValue returns the value of the field in an item, or nil if it has none: the value that a write would have to
// contain to store it or, for a Local field, the value in responses. Numbers are json.Number.
func (f *Field) HeldValue(it *Item) (any, error) {
	switch {
	case !f.Local:
		return f.writeValue(it)
	case f.Absent != nil && f.Absent(it):
		return nil, nil
	}
	return f.shownValue(it)
}

// writeValue returns the value that a write would have to contain to store the field as it is. Numbers are json.Number.
func (f *Field) writeValue(it *Item) (any, error) {
	if f.Stored != nil {
		return f.Stored(it), nil
	}
	return f.shownValue(it)
}

// shownValue returns the value of a field in responses, and nil for a field that responses do not show.
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
