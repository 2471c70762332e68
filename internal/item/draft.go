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
)

// Draft is a write of a post that was checked and is about to be stored: see calendar.Draft.
type Draft struct {
	Kind *Kind
	ID   int64          // 0 of a new post
	Was  map[string]any // what is stored, nil of a new post
	Is   map[string]any // what will be

	edit *content.Edit
}

// Put puts the input into an edit, and asks the host.
func (p *Posts) Put(ctx context.Context, in *Input, e *content.Edit) error {
	if err := p.Rules.Put(ctx, in, e); err != nil || p.Service.BeforeWrite == nil {
		return err
	}
	d := &Draft{Kind: p.Kind, ID: e.Row.ID, edit: e}
	var err error
	if !e.New() {
		if d.Was, err = p.drafted(ctx, e.StoredRow(), e.StoredMeta()); err != nil {
			return err
		}
	}
	if d.Is, err = p.drafted(ctx, e.NewRow(), e.NewMeta()); err != nil {
		return err
	}
	return p.Service.BeforeWrite(ctx, d)
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
		if f.Name != name || !f.Own {
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
		if err := f.Apply(ctx, &Input{Values: values}, d.edit); err != nil {
			return err
		}
		delete(d.Is, name)
		is, err := f.writeValue(&Item{View: &View{Ctx: ctx}, Meta: d.edit.NewMeta()})
		if err == nil && is != nil {
			d.Is[name] = is
		}
		return err
	}
	return fmt.Errorf("a hook set %q, which is no field of its own of %s", name, d.Kind.Collection)
}

// writeValue returns the value of a write that stores a field as it is stored, its numbers as json.Number.
func (f *Field) writeValue(it *Item) (v any, err error) {
	switch {
	case f.Stored != nil:
		return f.Stored(it), nil
	case f.Text != nil:
		return f.Text(it), nil
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
