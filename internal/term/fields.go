package term

import (
	"context"
	"strings"
	"unicode/utf8"

	"github.com/agendahq/agenda/internal/apierror"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp"
)

// maxName is the width of the name column, in characters.
const maxName = 200

// fields are the given fields of a term as they are stored. nil means not given.
type fields struct {
	name, description, slug *string
	parent                  *int64
}

// Fields that writes take.
const (
	fieldName        param.Key[string] = "name"
	fieldDescription param.Key[string] = "description"
	fieldSlug                          = paramSlug
	fieldParent                        = paramParent
)

// WriteParams declares the fields of a term. Kinds without parents declare it to
// refuse it. name are more options of the name.
func (k *Kind) WriteParams(name ...param.Option) []*param.Param {
	text, doc, set := jsonschema.Text(), param.DocOf("param_"+k.Collection+"_"), param.DocOf("param_"+k.Collection+"_set_")
	list := []*param.Param{
		fieldName.Param(text.Chars(1, maxName).Example("Music"), param.Checked(param.Filled), append(name, param.Typed(), doc)...),
		fieldDescription.Param(text, param.Checked(checkDescription), param.Typed(), doc),
		fieldSlug.Param(text.Chars(1, 0).Example("music"), param.Checked(param.Filled), param.Typed(), set),
	}
	if k.Tree {
		rule := param.LookedUp(k.termID, k.parent(k.unknown()))
		list = append(list, fieldParent.Param(jsonschema.Int().From(0).Example(0), rule, param.Typed(), set))
	} else {
		list = append(list, fieldParent.Param(jsonschema.Null(), nil, set, param.Unlisted())) // as if it did not exist
	}
	return append(list, k.Service.Language)
}

// checkDescription also accepts an empty text.
func checkDescription(ctx context.Context, v any) (string, error) {
	if v == "" {
		return "", nil
	}
	return param.Filled(ctx, v)
}

// termID accepts the id of a term, or 0 for the top level.
func (k *Kind) termID(_ context.Context, v any) (int64, error) {
	id, ok := param.Integer(v)
	if !ok {
		return 0, param.Invalid(k.unknown())
	}
	return id, nil
}

// ErrFlat refuses a parent where terms have none.
var ErrFlat = apierror.New(apierror.BadRequest, "rest_taxonomy_not_hierarchical", "error_term_flat")

// fields takes the fields from the values of a request.
func (k *Kind) fields(v *param.Values) (*fields, error) {
	if !k.Tree && fieldParent.In(v) {
		return nil, ErrFlat
	}
	text := func(key param.Key[string], clean func(string) string) *string {
		s := key.Given(v)
		if s != nil {
			*s = clean(*s)
		}
		return s
	}
	f := &fields{
		name: text(fieldName, wp.TermName), description: text(fieldDescription, wp.TermDescription), slug: text(fieldSlug, wp.Slug),
		parent: fieldParent.Given(v),
	}
	if f.name != nil {
		if wrong := nameFault(*f.name); wrong != nil {
			return nil, param.Refuse(string(fieldName), wrong)
		}
	}
	return f, nil
}

// nameFault returns what is wrong with a stored name.
func nameFault(name string) *param.Fault {
	switch {
	case strings.TrimSpace(name) == "":
		return param.Invalid("fault_blank")
	case utf8.RuneCountInString(name) > maxName:
		return param.Invalid("fault_too_long", "Max", maxName)
	}
	return nil
}

// apply puts the given fields into a term. An empty slug changes nothing.
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
