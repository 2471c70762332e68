package item

import (
	"context"
	"slices"

	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/content"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/phpjson"
	"github.com/agendahq/agenda/internal/store"
)

// Item is a post or a term in a response, with everything that its members are computed from.
type Item struct {
	*View
	Post    *store.Post
	Date    *store.Date                   // the occurrence that the item stands for; nil for the event itself
	Meta    store.Meta                    // with the dates of Date
	Dates   *store.Several                // all occurrences of a recurring event
	Terms   []*store.TaxonomyTerm         // the terms that are assigned to an event
	Linked  [][]*Item                     // the posts that an event links and the caller may read, by resource
	Tickets []*store.Ticket               // the tickets of an event on a site with Event Tickets
	Term    *store.TaxonomyTerm           // set instead of Post for an item that is a term
	Tree    map[int64]*store.TaxonomyTerm // all terms of a hierarchical taxonomy, by id
	Masked  bool                          // a password protects its content from the caller
	// Selected contains the members to show, nil for all.
	Selected phpjson.Selection
	Raw      bool // shows the stored texts too, for editing
}

// Field is a member of the items of a resource: how responses show it and how requests set it. The meta keys to load,
// the masked form, the documented schemas and the parameters of writes are derived from a resource's table of fields.
type Field struct {
	Name string

	Text   func(*Item) string           // returns the value of a string member
	Value  func(*phpjson.Writer, *Item) // writes the value of any other member
	Sparse bool                         // the string is omitted if it is "" or "0"
	Absent func(*Item) bool             // reports whether an item lacks the member; nil if none does
	In     Views                        // the smallest view that includes the member
	Masked string                       // JSON that replaces the value if a password protects the item; "" to show the value, or Omitted
	Keys   []string                     // meta keys that the value is computed from
	Texts  store.Texts                  // columns that the value is computed from

	Shape *jsonschema.Schema // schema of the value
	Maybe bool               // documented as optional
	Doc   string             // message id of the description; "" for the message shared by all members of this name
	Own   bool               // the host added it
	Local bool               // the value has no meaning on another site, so export formats omit it
	Right string             // capability required to read it, "" for none
	// WriteRight is the capability required to set it, "" for none.
	WriteRight string
	// Distinct means that two items of the same name are different items if their values of this field differ, such as
	// venues in different towns.
	Distinct bool

	// Param declares the parameter that sets the field, either in a request for the item itself or nested in an event.
	// It is nil for a field that is read-only.
	Param func(nested bool) *param.Param
	// Stored returns the value that a write would have to contain to store what is stored now, nil for no value. If
	// Stored is nil, that is the value in responses. See Fields.WriteValues.
	Stored   func(*Item) any
	Required bool // for a new item
	// Apply applies the given value to an edit. It is nil if the shared fields or another field do that.
	Apply func(context.Context, *Input, *content.Edit) error
	// ApplyTerm applies the given value to a term.
	ApplyTerm func(context.Context, *param.Values, *store.TaxonomyTerm) error
	// ApplyMeta applies the given value to the meta rows of a term, or of a post if the host added the field.
	ApplyMeta func(context.Context, *param.Values, Rows) error
}

// Rows is access to the meta rows during a write: Meta returns the values of a key, Set replaces them.
type Rows interface {
	Meta(key string) []string
	Set(key string, values ...string)
}

// Input is the content of a request that writes a post.
type Input struct {
	Values *param.Values
	Shared *content.Fields
	Images []*content.Fields // the fields of every post written by the request that may have images to download
}

// Views are the levels of detail of an item. Each shows more than the ones before it.
type Views int

// Views of an item.
const (
	InLists   Views = iota // in lists, and in responses to writes
	InSingle               // in a read of the single item
	InEditing              // in a read of the single item for editing
)

// Omitted is the value of Field.Masked for a member that is omitted.
const Omitted = "-"

// Fields is the table of a resource's fields, in the order of a response.
type Fields []*Field

// Write writes an item.
func (list Fields) Write(w *phpjson.Writer, it *Item) {
	list.WriteMembers(w, it, func(string, Member) {})
}

// Member is a member of an item as it was written.
type Member struct {
	JSON   []byte // valid only until the next write
	Text   string // the value if it is a string
	IsText bool
}

// WriteMembers writes an item and calls tell with each of its members.
func (list Fields) WriteMembers(w *phpjson.Writer, it *Item, tell func(name string, m Member)) {
	in := InLists
	if it.Raw {
		in = InEditing
	} else if it.Single {
		in = InSingle
	}
	w.Object()
	for _, f := range list {
		if w.Full() {
			break
		}
		if it.Selected.Has(f.Name) && f.shownIn(in, it.Masked) && (f.Right == "" || f.Readable(it.Ctx)) &&
			(f.Absent == nil || !f.Absent(it)) {
			f.writeMember(w, it, tell)
		}
	}
	w.End()
}

func (f *Field) shownIn(in Views, masked bool) bool {
	return (f.Text != nil || f.Value != nil) && f.In <= in && !(masked && f.Masked == Omitted)
}

// Readable reports whether the caller has the right to read the field.
func (f *Field) Readable(ctx context.Context) bool {
	return f.Right == "" || caller.From(ctx).Can(f.Right)
}

func (f *Field) writeMember(w *phpjson.Writer, it *Item, tell func(string, Member)) {
	var m Member
	if m.IsText = f.Text != nil; m.IsText {
		if m.Text = f.Text(it); f.Sparse && (m.Text == "" || m.Text == "0") {
			return
		}
	}
	w.Key(f.Name)
	start := w.Len()
	switch {
	case it.Masked && f.Masked != "":
		w.RawString(f.Masked)
		m = Member{}
	case m.IsText:
		w.String(m.Text)
	default:
		f.Value(w, it)
	}
	m.JSON = w.Bytes()[start:]
	tell(f.Name, m)
}

// WriteValues returns the parameters of a write that would store the item as it is stored now, without the fields that
// the caller may not read. Numbers are json.Number.
func (list Fields) WriteValues(it *Item) (map[string]any, error) { return list.writeValues(it, false) }

// writeValues is WriteValues; with all, it includes the fields that the caller may not read.
func (list Fields) writeValues(it *Item, all bool) (map[string]any, error) {
	values := map[string]any{}
	for _, f := range list {
		if f.Param == nil || !all && f.Right != "" && !f.Readable(it.Ctx) {
			continue
		}
		v, err := f.writeValue(it)
		if err != nil {
			return nil, err
		}
		if v != nil && v != "" {
			values[f.Name] = v
		}
	}
	return values, nil
}

// Keys contains the meta keys that items are computed from.
type Keys struct {
	all        []string
	restricted Fields // the fields that require a right to be read
}

// Keys returns the meta keys that items are computed from.
func (list Fields) Keys() (k Keys) {
	for _, f := range list {
		if f.Right != "" {
			k.restricted = append(k.restricted, f)
			continue
		}
		k.all = append(k.all, f.Keys...)
	}
	return k
}

// Names returns all keys, including those of fields that require a right to be read.
func (k Keys) Names() []string {
	all := slices.Clone(k.all)
	for _, f := range k.restricted {
		all = append(all, f.Keys...)
	}
	return all
}

// Readable returns the keys of the fields that the caller may read. Values of other fields must not be loaded at all: this
// keeps them out of responses and of anything computed from loaded rows, such as an ETag from which a value could be
// guessed.
func (k Keys) Readable(ctx context.Context) []string {
	if k.restricted == nil {
		return k.all
	}
	keys := slices.Clone(k.all)
	for _, f := range k.restricted {
		if f.Readable(ctx) {
			keys = append(keys, f.Keys...)
		}
	}
	return keys
}

// Unread returns the columns that lists need not load, because they show no members that depend on them.
func (list Fields) Unread(selected phpjson.Selection) store.Texts {
	read := store.Texts(0)
	for _, f := range list {
		if f.In == InLists && selected.Has(f.Name) {
			read |= f.Texts
		}
	}
	return store.AllTexts &^ read
}

// Shape returns the schema of items. It is the same for all views, with or without password protection, so that clients
// have one type per resource: a member that some views lack is optional, and one that a password may hide is nullable.
func (list Fields) Shape(name string) *jsonschema.Schema {
	o := jsonschema.Object(name)
	for _, f := range list {
		if !f.shownIn(InEditing, false) {
			continue
		}
		m := jsonschema.Member{Name: f.Name, Shape: f.Shape, Optional: f.Maybe || f.In > InLists || f.Masked == Omitted, About: f.Doc}
		switch {
		case f.Masked == "null":
			m.Shape = m.Shape.OrNull()
		case f.Masked == `""` && m.Shape.MinChars > 0:
			m.Shape = m.Shape.Chars(0, m.Shape.MaxChars)
		}
		o.Members = append(o.Members, m)
	}
	return o
}

// ShareShapes shares the schemas of the values with the fields of other calendars.
func (list Fields) ShareShapes() {
	for _, f := range list {
		f.Shape = f.Shape.Shared()
	}
}

// Apply applies the input of a request to an edit.
func (list Fields) Apply(ctx context.Context, in *Input, e *content.Edit) error {
	for _, f := range list {
		if f.Apply != nil {
			if err := f.Apply(ctx, in, e); err != nil {
				return err
			}
		}
	}
	return nil
}

// ApplyTerm applies the values that a request contains to a term and, unless rows is nil, to its meta rows.
func (list Fields) ApplyTerm(ctx context.Context, v *param.Values, t *store.TaxonomyTerm, rows Rows) error {
	for _, f := range list {
		if f.ApplyTerm != nil {
			if err := f.ApplyTerm(ctx, v, t); err != nil {
				return err
			}
		}
		if f.ApplyMeta != nil && rows != nil {
			if err := f.ApplyMeta(ctx, v, rows); err != nil {
				return err
			}
		}
	}
	return nil
}
