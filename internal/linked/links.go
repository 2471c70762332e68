package linked

import (
	"context"
	"errors"
	"slices"

	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/site"
	"github.com/agendahq/agenda/schema"
)

// Linker reads the links of an event to items of a resource from a request, and writes them together with the event.
type Linker struct{ kind *UseCases }

// Linker returns the Linker of the resource.
func (k *UseCases) Linker() Linker { return Linker{k} }

// Links are the venues or organizers of an event, as a request names them. The zero value removes all links.
type Links struct{ items []*linked }

// linked is an existing item, a new one (id 0), or an existing one with changes.
type linked struct {
	id     int64
	in     *item.Input // nil if the item is only linked
	object site.Object // of an existing item, from when it was checked
}

// Fields returns the shared fields of the items that will be written. Their images have to be fetched before the
// transaction.
func (l Links) Fields() []*content.Fields {
	var list []*content.Fields
	for _, it := range l.items {
		if it.in != nil {
			list = append(list, it.in.Shared)
		}
	}
	return list
}

// Rule returns the rule of an event's parameter that names items. It accepts an id, a string with ids, an object with
// an item's fields, a list of these, or an empty value, which removes all links.
func (r Linker) Rule() param.Rule[Links] {
	return param.LookedUp(func(_ context.Context, v any) ([]element, error) {
		elements, err := readLinks(v, r.objectOf)
		if errors.Is(err, errNoLinks) {
			err = param.Invalid(r.kind.Texts.Unknown)
		}
		return elements, err
	}, r.lookUp)
}

// lookUp reads the fields of items, some of which need the database themselves, and rejects ids of other resources.
func (r Linker) lookUp(ctx context.Context, elements []element) (l Links, err error) {
	// The request of a caller without any right to write is rejected later anyway. Its data is not looked up, so that
	// it does not burden the database.
	writer := caller.From(ctx).CanAny("edit_")
	for _, e := range elements {
		it := &linked{id: e.id}
		switch {
		case e.data == nil:
		case !writer, e.id == 0 && e.alone && r.unnamed(e.data):
			it.in = &item.Input{Shared: &content.Fields{}}
		default:
			if it.in, err = r.nested(ctx, e); err != nil {
				return l, err
			}
		}
		l.items = append(l.items, it)
	}
	return l, r.find(ctx, l)
}

// unnamed reports whether an item's data contains an empty name. If it is the only item, the error is the same as that
// of the resource's own route for a blank name; in a list it is a validation error.
func (r Linker) unnamed(m *param.Map) bool {
	name, _ := m.Get(r.kind.Name)
	return name == ""
}

// objectOf reports whether a map contains an item's data, that is, an id or one of its fields.
func (r Linker) objectOf(m *param.Map) bool {
	return slices.ContainsFunc(m.Keys(), func(name string) bool {
		return name == string(pathID) || slices.ContainsFunc(r.kind.Fields,
			func(f *item.Field) bool { return f.Name == name && f.Param != nil })
	})
}

// nested reads an item's data. If it contains nothing but an id, there is nothing to change.
func (r Linker) nested(ctx context.Context, e element) (*item.Input, error) {
	params := r.kind.WriteParams(e.id == 0, true)
	// The data may come from a form, in which lists are sent as objects.
	v, err := param.Read(ctx, params, param.Sources{Form: e.data, UTF8MB3: r.kind.Service.Content.Store.Config.UTF8MB3})
	if err != nil {
		return nil, r.within(err)
	}
	in := r.kind.input(v)
	if s := in.Shared.Status; s != nil && *s == schema.StatusTrash {
		f := param.Invalid("fault_status_trash")
		if e.id != 0 {
			f = param.Invalid("fault_linked_trash")
		}
		return nil, r.within(param.Refuse(content.FieldStatus, f))
	}
	if !slices.ContainsFunc(params, func(p *param.Param) bool { return v.Given(p.Name) }) {
		return nil, nil
	}
	return in, nil
}

// within turns a validation error of an item's fields into one of the event's field. Its message names the first
// invalid field, such as "venue.zip", and the reason, which is a message itself.
func (r Linker) within(err error) error {
	var f *param.Failure
	if !errors.As(err, &f) {
		return err
	}
	name, reason := "", param.Message{ID: "fault_required"}
	if len(f.Missing) > 0 {
		name = f.Missing[0]
	} else {
		name, reason = f.Faults[0].Param, f.Faults[0].Message
	}
	return param.Invalid("fault_linked", "Name", r.kind.Name+"."+name, "Reason", reason)
}

// find rejects ids that are not items of the resource.
func (r Linker) find(ctx context.Context, l Links) error {
	var ids []int64
	for _, it := range l.items {
		if it.id != 0 {
			ids = append(ids, it.id)
		}
	}
	if len(ids) == 0 {
		return nil
	}
	found, err := r.kind.Service.Content.Store.Posts.Access(ctx, ids)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if a, ok := found[id]; !ok || a.Type != r.kind.PostType {
			return param.Invalid(r.kind.Texts.Unknown)
		}
	}
	for _, it := range l.items {
		a := found[it.id]
		it.object = site.Object{Author: a.Author, Status: a.Status, Family: content.Family(r.kind.PostType)}
	}
	return nil
}
