package pages

import (
	"errors"
	"fmt"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agendahq/agenda/calendar"
)

// ownFields contains the host's own fields of events that have a label and that everybody may read, and the filters by
// these fields.
type ownFields struct {
	fields  []calendar.Field
	filters []ownFilter
}

// ownFilter is a parameter of the calendar's list and of the pages.
type ownFilter struct {
	calendar.Filter
	field calendar.Field
	param string
	bound string // for a range: key in the dictionary of the phrase for its lower or upper bound
}

// readOwn returns the declarations that pages use.
func readOwn(fields []calendar.Field, filters []calendar.Filter) (own ownFields) {
	for _, f := range fields {
		if f.Kind == "events" && f.Label != "" && f.Read == "" && f.Type != calendar.FieldPost && f.Type != calendar.FieldImage {
			own.fields = append(own.fields, f)
		}
	}
	for _, f := range filters {
		at := slices.IndexFunc(own.fields, func(of calendar.Field) bool { return of.Kind == f.Kind && of.Name == f.Field })
		switch {
		case at < 0:
		case f.Op == calendar.FilterRange:
			own.filters = append(own.filters, ownFilter{f, own.fields[at], f.Name + "_min", "own.from"},
				ownFilter{f, own.fields[at], f.Name + "_max", "own.to"})
		default:
			own.filters = append(own.filters, ownFilter{f, own.fields[at], f.Name, ""})
		}
	}
	return own
}

// ourParams are the parameters of pages and their feeds.
var ourParams = func() []string {
	names := []string{paramView, paramMonth, paramWeek, paramDay, paramPage, paramWhen, paramQuery, paramFree, paramNear, paramLimit,
		paramWay, paramLang, paramICal, paramPostType, paramDisplay}
	for _, p := range filterParams {
		names = append(names, p.name)
	}
	return names
}()

// check returns an error if a filter has the name of one of the parameters of pages or of The Events Calendar.
func (o ownFields) check() (err error) {
	taken := append(slices.Clone(ourParams), "tribe_events", "tribe_venue", "tribe_organizer", "tribe_events_cat", "eventDate")
	for _, f := range o.filters {
		if slices.Contains(taken, f.param) {
			err = errors.Join(err, fmt.Errorf("pages: the filter %q has the name of a parameter of the pages", f.param))
		}
	}
	return err
}

// known removes from a query the parameters on which no page depends, and returns it.
func (o ownFields) known(q url.Values) url.Values {
	maps.DeleteFunc(q, func(name string, _ []string) bool {
		return !slices.Contains(ourParams, name) && !slices.ContainsFunc(o.filters, func(f ownFilter) bool { return f.param == name })
	})
	return q
}

// given returns the host's own filters in a query, encoded, or "" if there are none. known is false if a filter has
// several values, or one that is too long.
func (o ownFields) given(q url.Values) (own string, known bool) {
	chosen := url.Values{}
	for _, f := range o.filters {
		values := given(q[f.param])
		if len(values) > 1 || len(values) == 1 && len(values[0]) > 4*longestQuery {
			return "", false
		}
		if len(values) == 1 {
			chosen.Set(f.param, values[0])
		}
	}
	return chosen.Encode(), true
}

// chosen returns the active filters of a state.
func (o ownFields) chosen(v *version, st state) (list []filter) {
	q := st.ownValues()
	for _, f := range o.filters {
		value := q.Get(f.param)
		if value == "" {
			continue
		}
		asked := f.param
		if f.Op == calendar.FilterOneOf && f.field.Type == calendar.FieldChoice { // a choice may contain a comma
			asked += "[]"
		}
		words := v.ownWords(f.field, value)
		if f.bound != "" {
			words = v.fill(f.bound, words)
		}
		list = append(list, filter{param: f.param, asked: asked, value: value, name: v.label(f.field) + ": " + words, index: -1})
	}
	return list
}

// ownWords returns a value of a field in a query as text for people.
func (v *version) ownWords(f calendar.Field, value string) string {
	switch f.Type {
	case calendar.FieldYesNo:
		return v.yesNo(value == "1" || value == "true")
	case calendar.FieldDate:
		if day, err := time.Parse(time.DateOnly, value); err == nil {
			return v.texts.date(day)
		}
	}
	return value
}

func (v *version) yesNo(yes bool) string {
	if yes {
		return v.texts.word("yes")
	}
	return v.texts.word("no")
}

// label returns the label of a field in the page's language, or its default label.
func (v *version) label(f calendar.Field) string {
	for _, tag := range []string{v.lang.Tag, primary(v.lang.Tag)} {
		if label := f.Labels[tag]; label != "" {
			return label
		}
	}
	return f.Label
}

// input is an input element for a filter of the host's own.
type input struct{ Label, Name, Type, Value string } // Type is number, date or text

// controls returns the form elements for the host's own filters.
func (o ownFields) controls(v *version, st state) (selects []selection, inputs []input) {
	q := st.ownValues()
	for _, f := range o.filters {
		label, value, of := v.label(f.field), q.Get(f.param), map[string]string{calendar.FieldNumber: "number", calendar.FieldDate: "date"}
		if f.bound != "" {
			label += " (" + v.texts.word(f.bound+".label") + ")"
		}
		var options []option
		switch f.field.Type {
		case calendar.FieldYesNo:
			options = []option{{Slug: "1", Name: v.yesNo(true)}, {Slug: "0", Name: v.yesNo(false)}}
		case calendar.FieldChoice:
			for _, choice := range f.field.Choices {
				options = append(options, option{Slug: choice, Name: choice})
			}
		default:
			kind := of[f.field.Type]
			if kind == "" || f.Op == calendar.FilterOneOf { // a FilterOneOf accepts several values, separated by commas
				kind = "text"
			}
			inputs = append(inputs, input{label, f.param, kind, value})
			continue
		}
		for i := range options {
			options[i].Selected = options[i].Slug == value
		}
		selects = append(selects, selection{f.param, label, v.texts.word("any"), options})
	}
	return selects, inputs
}

// ownValue is the value of a host's own field on the page of an event.
type ownValue struct{ Label, Text, Lang string }

// values returns the host's own fields of an event that have a value.
func (o ownFields) values(v *version, e calendar.Event) (list []ownValue) {
	for _, f := range o.fields {
		text, lang := "", ""
		switch value := e.Own[f.Name].(type) {
		case string:
			text = v.ownWords(f, value)
			if f.Type == calendar.FieldText {
				lang = v.foreign(e.Localized, text)
			}
		case float64:
			text = v.texts.decimal(value)
		case bool:
			text = v.yesNo(value)
		case []string:
			text = strings.Join(value, ", ")
			lang = v.foreign(e.Localized, text)
		}
		if text != "" {
			list = append(list, ownValue{v.label(f), text, lang})
		}
	}
	return list
}

// decimal formats a number: with its digits grouped, and with a decimal comma unless the digits are grouped by commas.
func (d dictionary) decimal(n float64) string {
	whole, rest, _ := strings.Cut(strconv.FormatFloat(n, 'f', -1, 64), ".")
	digits, err := strconv.Atoi(strings.TrimPrefix(whole, "-"))
	if err != nil {
		return whole
	}
	text := d.number(digits)
	if rest != "" {
		point := ","
		if d.Thousands == "," {
			point = "."
		}
		text += point + rest
	}
	if n < 0 {
		text = "-" + text
	}
	return text
}
