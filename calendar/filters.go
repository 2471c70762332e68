package calendar

import (
	"cmp"
	"context"
	"fmt"
	"slices"

	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/schema"
)

// Comparisons of a Filter, and the types of fields to which they apply.
const (
	FilterEquals   = item.FilterEquals   // equality; all types except lists
	FilterOneOf    = item.FilterOneOf    // one of several values, separated by commas; all types except yes/no; of a list, any string
	FilterRange    = item.FilterRange    // from NAME_min to NAME_max, of which one may be missing; numbers and dates
	FilterContains = item.FilterContains // a substring, ignoring case; texts, and any string of a list
)

// Filter declares a filter of lists by a field of the host's own. The addresses of other pages repeat it, totals count
// what it selects, and feeds and exports of a list accept it. A caller who may not read the field is rejected.
// Password-protected items are found only by callers who may edit all of them.
type Filter struct {
	// Kind is the collection whose list has the filter: see Field.Kind.
	Kind string

	// Name is the name of the parameter. A FilterRange has two parameters, Name with "_min" and "_max" appended.
	// Default: the name of the field.
	Name string

	// Field is the name of a field in Options.Fields with the same Kind.
	Field string

	// Op is one of the constants FilterEquals to FilterContains.
	Op string

	// Description describes the filter in one or two sentences. Texts are its translations, by language tag ("nl").
	// Languages without one use Description.
	Description string
	Texts       map[string]string

	// Example is a value of the field, for the OpenAPI document. Default: none.
	Example any
}

// Filters returns Options.Filters, with defaults for missing names.
func (c *Calendar) Filters() []Filter { return c.options.named() }

// named returns Options.Filters, with defaults for missing names.
func (o *Options) named() []Filter {
	list := slices.Clone(o.Filters)
	for i := range list {
		list[i].Name = cmp.Or(list[i].Name, list[i].Field)
	}
	return list
}

// Index returns the name, as in schema.OwnIndexes, of the index that the filter can use. It returns "" if no index
// helps, so that all rows with the field's meta key are read.
func (f Filter) Index() string { return item.OwnFilter(f).Index() }

// tellUnindexed logs which filters read all rows of their meta keys.
func (o *Options) tellUnindexed(ctx context.Context) error {
	if len(o.Filters) == 0 {
		return nil
	}
	indexes, err := schema.OwnIndexes(ctx, o.DB, o.Site.Prefix)
	if err != nil {
		return fmt.Errorf("database: %w", err)
	}
	o.declared().LogUnindexed(ctx, indexes, o.Logger)
	return nil
}
