package item

import (
	"context"
	"slices"
	"strconv"

	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/wp"
)

// Comparisons of an OwnFilter.
const (
	FilterEquals   = "equals"
	FilterOneOf    = "one-of"
	FilterRange    = "range"
	FilterContains = "contains"
)

// OwnFilter declares a filter of a list by a field that the host added to its resource; see calendar.Filter.
type OwnFilter struct {
	Kind, Name, Field, Op string
	Description           string
	Texts                 map[string]string
	Example               any
}

// TextID returns the message id of the filter's description.
func (f OwnFilter) TextID() string { return "own_filter_" + f.Kind + "_" + f.Name }

// Params returns the names of the filter's parameters.
func (f OwnFilter) Params() []string {
	if f.Op == FilterRange {
		return []string{f.Name + "_min", f.Name + "_max"}
	}
	return []string{f.Name}
}

// ValueIndex is the name in schema.OwnIndexes of the index on the values of meta rows.
const ValueIndex = "postmeta.agenda_value"

// Index returns the name of the index that the filter can use, or "" if no index helps.
func (f OwnFilter) Index() string {
	if terms := f.Kind == "categories" || f.Kind == "tags"; terms || f.Op == FilterRange || f.Op == FilterContains {
		return ""
	}
	return ValueIndex
}

// Compares returns the comparisons that filters by values of a type support.
func Compares(of string) []string {
	switch of {
	case OwnNumber, OwnDate:
		return []string{FilterEquals, FilterOneOf, FilterRange}
	case OwnYesNo:
		return []string{FilterEquals}
	case OwnList:
		return []string{FilterOneOf, FilterContains}
	case OwnText:
		return []string{FilterEquals, FilterOneOf, FilterContains}
	}
	return []string{FilterEquals, FilterOneOf}
}

// chosen is the value of a filter in a request.
type chosen struct {
	filter store.MetaFilter
	texts  []string // for the URLs of other pages
}

// OwnFilters returns the filters that the host declared for a resource's list by fields in own. selection returns the
// Selection of a query, and where adds a condition to a query.
func OwnFilters[Q any](declared []OwnFilter, own []Own, selection func(Q) *Selection, where func(Q, store.MetaFilter)) (list Filters[Q]) {
	for _, d := range declared {
		i := slices.IndexFunc(own, func(o Own) bool { return o.Kind == d.Kind && o.Name == d.Field })
		for at, name := range d.Params() {
			key, bounds := param.Key[chosen](name), d.Params()
			list = append(list, &Filter[Q]{Param: d.param(key, own[i], at), Hides: true, Apply: func(q Q) error {
				s := selection(q)
				c := key.Given(s.Values())
				if c == nil {
					return nil
				}
				if len(bounds) > at+1 { // this is the lower bound
					if most := param.Key[chosen](bounds[at+1]).Given(s.Values()); most != nil && above(*c, *most) {
						return param.Refuse(bounds[at+1], param.Invalid("fault_filter_range", "Name", bounds[at]))
					}
				}
				if d.Op == FilterOneOf {
					s.Links.AddList(name, c.texts)
				} else {
					s.Links.Add(name, c.texts[0])
				}
				where(q, c.filter)
				return nil
			}})
		}
	}
	return list
}

// above reports whether the lower bound of a range is above the upper one.
func above(least, most chosen) bool {
	if least.filter.Op == store.MetaDay {
		return least.filter.Values[0] > most.filter.Values[1]
	}
	return *least.filter.Least > *most.filter.Most
}

// param returns the declaration of one of the filter's parameters; at is its index.
func (f OwnFilter) param(key param.Key[chosen], o Own, at int) *param.Param {
	takes := o.compared()
	if f.Example != nil {
		takes = takes.Example(f.Example)
	}
	if f.Op == FilterOneOf {
		takes = jsonschema.List(takes).AtLeast(1).UpTo(param.MaxList)
	}
	rule := param.LookedUp(func(ctx context.Context, v any) (chosen, error) { return f.choose(ctx, o, v, at) },
		func(ctx context.Context, c chosen) (chosen, error) { // callers without this right must not search by the values
			if o.Read != "" && !caller.From(ctx).Can(o.Read) {
				return c, param.Invalid("fault_filter_right")
			}
			return c, nil
		})
	return key.Param(takes, rule, param.AnyType(), param.Doc(f.TextID()), param.OfHost())
}

// compared returns the schema of a value that is compared with those of the field.
func (o Own) compared() *jsonschema.Schema {
	switch o.Type {
	case OwnNumber:
		return jsonschema.Number()
	case OwnYesNo:
		return jsonschema.Bool()
	case OwnChoice:
		return jsonschema.Words(o.Choices...)
	case OwnPost, OwnImage:
		return jsonschema.Int().From(1)
	case OwnDate:
		return jsonschema.Text().Chars(1, 0).Example("2031-05-01")
	}
	return jsonschema.Text().Chars(1, param.MaxSearch)
}

// choose reads the value of the parameter with index at: for a range, one of the bounds.
func (f OwnFilter) choose(ctx context.Context, o Own, v any, at int) (c chosen, err error) {
	c.filter.Key = o.Key
	if f.Op == FilterOneOf {
		if c.texts, err = param.List(v); err == nil && len(c.texts) == 0 {
			err = param.Invalid("fault_text_empty")
		}
	} else {
		var text string
		text, err = param.AnyScalar(ctx, v)
		c.texts = []string{text}
	}
	if err != nil {
		return c, err
	}
	for i := range c.texts {
		if c.texts[i], err = o.comparable(ctx, c.texts[i]); err != nil {
			return c, err
		}
	}
	c.filter.Values = c.texts
	switch {
	case o.Type == OwnYesNo:
		c.filter.Op = map[string]store.MetaOp{"1": store.MetaOn, "0": store.MetaOff}[c.texts[0]]
	case o.Type == OwnList:
		c.filter.Op = store.MetaHas
	case f.Op == FilterContains:
		c.filter.Op = store.MetaContains
	case f.Op == FilterRange && o.Type == OwnDate:
		c.filter.Op, c.filter.Values = store.MetaDay, []string{"", ""}
		c.filter.Values[at] = c.texts[0]
	case f.Op == FilterRange:
		n, _, _ := wp.Numeric(c.texts[0])
		bounds := [...]float64{-maxNumber, maxNumber}
		bounds[at] = n
		c.filter.Op, c.filter.Least, c.filter.Most = store.MetaNumber, &bounds[0], &bounds[1]
	case o.Type == OwnNumber && f.Op == FilterEquals:
		n, _, _ := wp.Numeric(c.texts[0])
		c.filter.Op, c.filter.Least, c.filter.Most = store.MetaNumber, &n, &n
	}
	return c, nil
}

// comparable converts a given value to the form in which values of the field are stored.
func (o Own) comparable(ctx context.Context, given string) (string, error) {
	switch o.Type {
	case OwnNumber:
		if text := numeral(given); text != "" {
			return text, nil
		}
		return "", param.Invalid("fault_number")
	case OwnYesNo:
		return map[bool]string{true: "1", false: "0"}[wp.Truthy(given)], nil
	case OwnDate:
		if day := storedDay(given); day != "" {
			return day, nil
		}
		return "", param.Invalid("fault_day")
	case OwnChoice:
		return param.OneOf(o.Choices...)(ctx, given)
	case OwnPost, OwnImage:
		id, err := param.Positive(ctx, given)
		return strconv.FormatInt(id, 10), err
	}
	return param.Text(ctx, given)
}
