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

// Item is a post or a term in an answer, with all that its members need.
type Item struct {
	*View
	Post    *store.Post
	Date    *store.Date                   // of an event: the one of its dates that the item is; nil for the event
	Meta    store.Meta                    // with the dates of Date; of a term those of the host's own fields
	Dates   *store.Several                // of an event: all its dates, if it has several
	Terms   []*store.TaxonomyTerm         // of an event, as assigned
	Linked  [][]*Item                     // of an event: what it links and the caller may read, by kind
	Tickets []*store.Ticket               // of an event, on a site with Event Tickets
	Term    *store.TaxonomyTerm           // of an item that is a term, in place of the post
	Tree    map[int64]*store.TaxonomyTerm // of a term with parents: all terms of its kind, by id
	Masked  bool                          // its password hides its content
	// Selected are the members that the answer has of it, nil for all.
	Selected phpjson.Selection
	Raw      bool // with stored texts, for its editor
}

// Field is a member of a kind's items: how answers show it and how requests give it.
// The meta keys to load, the masked form, the documented shapes and the parameters of
// writes follow from a kind's table of fields.
type Field struct {
	Name string

	Text   func(*Item) string           // the value of a text
	Value  func(*phpjson.Writer, *Item) // writes any other value
	Sparse bool                         // a text that is "" or "0" is left out
	Absent func(*Item) bool             // reports whether an item lacks the member; nil for none
	In     Views                        // the smallest view that has the member
	Masked string                       // JSON in the value's place where a password hides it, "" to show it, or Omitted
	Keys   []string                     // meta keys of the value
	Texts  store.Texts                  // columns of the value

	Shape *jsonschema.Schema // of the value
	Maybe bool               // documented as optional
	Doc   string             // message id of the description, "" for that of all members of this name
	Own   bool               // the host declares it
	Local bool               // the value means nothing on another site: no form of files has a place for it
	Right string             // the capability that a caller needs to read it, "" for none
	// WriteRight is the capability that a caller needs to give it, "" for none.
	WriteRight string
	// Distinct reports whether two items of one name are two if their values differ, such as
	// venues in different towns.
	Distinct bool

	// Param declares the parameter that gives the field, alone or nested in an event;
	// nil for a field that is only shown.
	Param func(nested bool) *param.Param
	// Stored returns the value with which a write stores what is stored, nil for none;
	// without it that is the value of the answer. See Fields.WriteValues.
	Stored   func(*Item) any
	Required bool // of a new item
	// Apply puts the given value into an edit; nil where the shared fields, or
	// another member, do that.
	Apply func(context.Context, *Input, *content.Edit) error
	// ApplyTerm puts the given value into a term.
	ApplyTerm func(context.Context, *param.Values, *store.TaxonomyTerm) error
	// ApplyMeta puts the given value of a field of the host's own into the meta rows of a post or a term.
	ApplyMeta func(context.Context, *param.Values, Rows) error
}

// Rows are the meta rows of what is written: Meta returns the values of a key, Set replaces them.
type Rows interface {
	Meta(key string) []string
	Set(key string, values ...string)
}

// Input is what a request gives of a post.
type Input struct {
	Values *param.Values
	Shared *content.Fields
	Images []*content.Fields // of everything that is written, which may have images to fetch
}

// Views are the forms of an item. Each shows more than those before it.
type Views int

// Views of an item.
const (
	InLists   Views = iota // in lists, and after writes
	InSingle               // read alone
	InEditing              // read alone by its editor
)

// Omitted is the masked form of a member that is left out.
const Omitted = "-"

// Fields is the table of a kind's fields, in the order of an answer.
type Fields []*Field

// Write writes an item.
func (list Fields) Write(w *phpjson.Writer, it *Item) {
	list.WriteMembers(w, it, func(string, Member) {})
}

// Member is a member of an item as it was written.
type Member struct {
	JSON   []byte // may not be kept
	Text   string // the value where that is a text
	IsText bool
}

// WriteMembers writes an item, and calls tell with each of its members.
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
			f.write(w, it, tell)
		}
	}
	w.End()
}

func (f *Field) shownIn(in Views, masked bool) bool {
	return (f.Text != nil || f.Value != nil) && f.In <= in && !(masked && f.Masked == Omitted)
}

// Readable reports whether the caller may read the field of an item that is shown.
func (f *Field) Readable(ctx context.Context) bool {
	return f.Right == "" || caller.From(ctx).Can(f.Right)
}

func (f *Field) write(w *phpjson.Writer, it *Item, tell func(string, Member)) {
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

// WriteValues returns the parameters of a write that stores an item as it is stored, but for what the caller may not
// read. Its numbers are json.Number.
func (list Fields) WriteValues(it *Item) (map[string]any, error) { return list.writeValues(it, false) }

// writeValues is WriteValues, with all for whoever the caller is.
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

// Keys are the meta keys that items are made of.
type Keys struct {
	all        []string
	restricted Fields // those of the fields that not everybody may read
}

// Keys returns the meta keys that items are made of.
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

// Names returns the keys, also of what not everybody may read.
func (k Keys) Names() []string {
	all := slices.Clone(k.all)
	for _, f := range k.restricted {
		all = append(all, f.Keys...)
	}
	return all
}

// Of returns the keys of what the caller may read. What is not read for a caller is in no answer, and
// in nothing that is made of what was read, such as validators by which a value could be guessed.
func (k Keys) Of(ctx context.Context) []string {
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

// Unread returns the texts that lists need not read, since they show none of the members that are made of them.
func (list Fields) Unread(selected phpjson.Selection) store.Texts {
	read := store.Texts(0)
	for _, f := range list {
		if f.In == InLists && selected.Has(f.Name) {
			read |= f.Texts
		}
	}
	return store.AllTexts &^ read
}

// Shape returns the form of items, one for all views, hidden by a password or not: what some lack is optional, and what
// a password hides may be null. So clients have one type for a resource.
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

// Apply puts what a request gives into an edit.
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

// ApplyTerm puts what a request gives into a term.
func (list Fields) ApplyTerm(ctx context.Context, v *param.Values, t *store.TaxonomyTerm) error {
	for _, f := range list {
		if f.ApplyTerm != nil {
			if err := f.ApplyTerm(ctx, v, t); err != nil {
				return err
			}
		}
	}
	return nil
}

// ApplyMeta puts what a request gives of the host's own fields into meta rows.
func (list Fields) ApplyMeta(ctx context.Context, v *param.Values, e Rows) error {
	for _, f := range list {
		if f.ApplyMeta != nil {
			if err := f.ApplyMeta(ctx, v, e); err != nil {
				return err
			}
		}
	}
	return nil
}
