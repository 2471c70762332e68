package calendar

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/registry"
	"github.com/agendahq/agenda/schema"
)

// Comparisons of a Filter, and the types of fields that they are for.
const (
	FilterEquals   = item.FilterEquals   // the value: all types but lists
	FilterOneOf    = item.FilterOneOf    // one of several values, separated by commas: all types but yes or no; of a list any of its texts
	FilterRange    = item.FilterRange    // from NAME_min to NAME_max, or one of both: numbers and dates
	FilterContains = item.FilterContains // a part of a text, in capital or small letters; of a list one of its texts
)

// Filter declares a filter of lists by a field of the host's own. Addresses of other pages repeat it, totals count what it
// selects, and feeds and exports of a list take it. Callers who may not read the field are refused, and items that a password
// hides are found by those alone who may edit all.
type Filter struct {
	// Kind is the collection whose list has it, as of a Field.
	Kind string

	// Name is that of the parameter; a range has two, with _min and _max behind it. Default: that of the field.
	Name string

	// Field is the name of one of Options.Fields of the same kind.
	Field string

	// Op is one of the constants FilterEquals to FilterContains.
	Op string

	// Description says what the filter does, in one or two sentences. Texts are the same in other languages, by their tags
	// ("nl"); the others get Description.
	Description string
	Texts       map[string]string

	// Example is a value of the field, for the OpenAPI document. Default: none.
	Example any
}

// Filters returns Options.Filters, with their names.
func (c *Calendar) Filters() []Filter { return c.options.named() }

// nobodys is the capability that nobody has.
const nobodys = "do_not_allow"

// named returns the filters with their names.
func (o *Options) named() []Filter {
	list := slices.Clone(o.Filters)
	for i := range list {
		if list[i].Name == "" {
			list[i].Name = list[i].Field
		}
	}
	return list
}

// wrongFilters returns what is wrong with Options.Filters, each error with the name of its filter.
func (o *Options) wrongFilters() (errs []error) {
	kinds, names := map[string]*item.Kind{}, map[[2]string]bool{}
	for _, k := range registry.Declared().Kinds() {
		kinds[k.Collection] = k
	}
	for i, f := range o.named() {
		wrong := wrongIn("Filters", i, f.Name, &errs)
		kind := kinds[f.Kind]
		at := slices.IndexFunc(o.Fields, func(of Field) bool { return of.Kind == f.Kind && of.Name == f.Field })
		switch {
		case kind == nil:
			wrong(true, "Kind %q: use events, venues, organizers, categories or tags", f.Kind)
			continue
		case at < 0:
			wrong(true, "Field %q: no field of %s has this name", f.Field, f.Kind)
			continue
		}
		field := o.Fields[at]
		wrong(field.Read == nobodys, "Field %q: nobody may read it", f.Field)
		wrong(!slices.Contains(item.Compares(field.Type), f.Op), "Op %q: use one of %s", f.Op,
			strings.Join(item.Compares(field.Type), ", "))
		for _, name := range item.OwnFilter(f).Params() {
			wrong(!fieldName.MatchString(name), "Name %q: use small letters, digits and underscores", name)
			wrong(o.reserved(kind, name), "the name %q is the API's own", name)
			wrong(names[[2]string{f.Kind, name}], "another filter of %s has the parameter %q", f.Kind, name)
			names[[2]string{f.Kind, name}] = true
		}
		field.Example = f.Example
		if _, isText := f.Example.(string); field.Type == FieldList && isText {
			field.Type = FieldText
		}
		wrong(!field.fits(), "Example %v: it is no value of the field", f.Example)
		wrongTexts(wrong, f.Description, f.Texts)
	}
	return errs
}

// reserved reports whether a name has a meaning of its own where items of a kind are listed or written.
func (o *Options) reserved(kind *item.Kind, name string) bool {
	return slices.Contains(reservedNames, name) || name == o.LanguageParam || nameOf(kind, name)
}

// wrongIn returns a function that adds an error about a declaration of an option to a list if something is wrong.
func wrongIn(option string, i int, name string, errs *[]error) func(bad bool, format string, args ...any) {
	return func(bad bool, format string, args ...any) {
		if bad {
			which := fmt.Sprintf("%s[%d]", option, i)
			if name != "" {
				which += fmt.Sprintf(" %q", name)
			}
			*errs = append(*errs, fmt.Errorf("%s: %s", which, fmt.Sprintf(format, args...)))
		}
	}
}

// valueIndex is the index that finds meta rows by their values, as schema.OwnIndexes names it.
const valueIndex = "postmeta.agenda_value"

// Index returns the name of the index that finds what the filter selects, as schema.OwnIndexes has it; "" for those that read every row
// of their meta key in any case.
func (f Filter) Index() string {
	if terms := f.Kind == "categories" || f.Kind == "tags"; terms || f.Op == FilterRange || f.Op == FilterContains {
		return ""
	}
	return valueIndex
}

// tellUnindexed logs which filters read all rows of their keys.
func (o *Options) tellUnindexed(ctx context.Context) error {
	if len(o.Filters) == 0 {
		return nil
	}
	indexes, err := schema.OwnIndexes(ctx, o.DB, o.Site.Prefix)
	if err != nil {
		return fmt.Errorf("database: %w", err)
	}
	var names []string
	for _, f := range o.named() {
		if !indexes[f.Index()] {
			names = append(names, f.Kind+" "+f.Name)
		}
	}
	if len(names) > 0 {
		o.Logger.InfoContext(ctx, "no index has the values that these filters compare: they read every row of their meta key",
			"filters", strings.Join(names, ", "),
			"advice", "'agenda doctor' shows the index "+valueIndex+", which helps those that compare whole values")
	}
	return nil
}
