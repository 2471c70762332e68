package term

import (
	"context"
	"net/http"
	"strings"
	"unicode/utf8"

	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/rest"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp"
)

// maxName is the width of the column of names, in characters.
const maxName = 200

// fields are those of a term as a request gave them, in the form in which they
// are stored. nil is not given.
type fields struct {
	name, description, slug *string
	parent                  *int64
}

// writeParams declares the fields of a term. Kinds without parents know theirs
// only to refuse it. name are more options of the name.
func (k *Kind) writeParams(name ...param.Option) []*param.Param {
	declare := func(field, typ, doc string, check param.Check, more ...param.Option) *param.Param {
		options := []param.Option{param.Type(typ), param.Doc("param_" + k.Collection + "_" + doc), param.Checked(check)}
		return param.New(field, append(options, more...)...)
	}
	list := []*param.Param{
		declare("name", param.String, "name", param.Filled, name...),
		declare("description", param.String, "description", checkDescription),
		declare("slug", param.String, "set_slug", param.Filled),
	}
	if k.Tree {
		list = append(list, declare("parent", param.Integer, "set_parent", k.checkNewParent))
	} else {
		list = append(list, param.New("parent", param.Doc("param_"+k.Collection+"_set_parent"), param.Unlisted()))
	}
	return append(list, k.Language)
}

// checkDescription accepts an empty text too, which clears.
func checkDescription(ctx context.Context, v any) (any, error) {
	if v == "" {
		return "", nil
	}
	return param.Filled(ctx, v)
}

// checkNewParent accepts the id of a term, or 0 for the top level.
func (k *Kind) checkNewParent(ctx context.Context, v any) (any, error) {
	n, ok := param.Convert(param.Integer, v)
	if !ok {
		return nil, param.Invalid(k.unknown())
	}
	if id := n.(int64); id != 0 {
		found, err := k.Store.TermsMatching(ctx, k.Taxonomy, []int64{id}, nil, nil)
		if err == nil && len(found) == 0 {
			err = param.Invalid(k.unknown())
		}
		return id, err
	}
	return int64(0), nil
}

var errFlat = rest.NewError(http.StatusBadRequest, "rest_taxonomy_not_hierarchical", "error_term_flat")

// fields takes the fields from the values of a request.
func (k *Kind) fields(v *param.Values) (*fields, error) {
	if !k.Tree && v.Given("parent") {
		return nil, errFlat
	}
	text := func(name string, clean func(string) string) *string {
		s, ok := v.Get(name).(string)
		if !ok || !v.Given(name) {
			return nil
		}
		s = clean(s)
		return &s
	}
	f := &fields{name: text("name", wp.TermName), description: text("description", wp.TermDescription), slug: text("slug", wp.Slug)}
	if id, ok := v.Get("parent").(int64); ok && k.Tree && v.Given("parent") {
		f.parent = &id
	}
	if f.name != nil {
		if wrong := nameFault(*f.name); wrong != nil {
			return nil, param.Refuse("name", wrong)
		}
	}
	return f, nil
}

// nameFault tells what is wrong with a name in its stored form.
func nameFault(name string) *param.Fault {
	switch {
	case strings.TrimSpace(name) == "":
		return param.Invalid("fault_blank")
	case utf8.RuneCountInString(name) > maxName:
		return param.Invalid("fault_too_long", "Max", maxName)
	}
	return nil
}

// apply puts the given fields into a term. A slug of which nothing is left
// changes nothing.
func (f *fields) apply(t *store.TaxonomyTerm) {
	if f.name != nil {
		t.Name = *f.name
	}
	if f.description != nil {
		t.Description = *f.description
	}
	if f.slug != nil && *f.slug != "" {
		t.Slug = *f.slug
	}
	if f.parent != nil {
		t.Parent = *f.parent
	}
}
