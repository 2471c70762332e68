package calendar

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agendahq/agenda/internal/param"
)

// RouteFor returns a Route whose Params are the fields of the struct P. handle is called with their values. A field is
// a string, an int64 (a FieldInteger), a float64 (a FieldNumber), a bool (a FieldYesNo), a []string (a FieldList) or a
// time.Time (a FieldDate, at midnight UTC), and has tags:
//
//	type reply struct {
//		Event  int64  `param:"id" doc:"The event."`
//		Email  string `param:"email,required" doc:"Who comes." doc-nl:"Wie komt."`
//		Guests int64  `param:"guests" min:"1" max:"10" default:"1" doc:"How many come."`
//		Table  string `param:"table" choices:"inside,outside" doc:"Where they sit."`
//	}
//
// The tag param is the name of the parameter. The tags min, max, default, choices (which makes it a FieldChoice) and
// example set the fields of Param, doc and doc-LANGUAGE its Description and Texts. A field that is no parameter has the
// tag param:"-" and any other tags. An invalid field, and a missing, unknown or invalid tag, is an error of New and
// Register, which names the field. If r has Params, they come first.
func RouteFor[P any](r Route, handle func(ctx context.Context, r *RouteRequest, p P) (any, error)) Route {
	of := reflect.TypeFor[P]()
	if of.Kind() != reflect.Struct {
		r.wrong = fmt.Errorf("the parameters of RouteFor are a %s: use a struct", of)
		return r
	}
	var names []string // names of the parameters, by field index; "" for fields that are none
	var errs []error
	for i := range of.NumField() {
		f := of.Field(i)
		tag := f.Tag.Get("param")
		if tag == "-" {
			names = append(names, "")
			continue
		}
		p, err := paramOf(f, tag)
		if err != nil {
			errs = append(errs, fmt.Errorf("the field %s of %s: %w", f.Name, of, err))
		}
		names, r.Params = append(names, p.Name), append(slices.Clip(r.Params), p)
	}
	r.wrong = errors.Join(errs...)
	if handle != nil {
		r.Handle = func(ctx context.Context, q *RouteRequest) (any, error) {
			var p P
			fields := reflect.ValueOf(&p).Elem()
			for i, name := range names {
				if name != "" {
					q.setField(fields.Field(i), name)
				}
			}
			return handle(ctx, q, p)
		}
	}
	return r
}

// fieldTypes maps the Go types of fields to types of parameters.
var fieldTypes = map[reflect.Type]string{
	reflect.TypeFor[string](): FieldText, reflect.TypeFor[int64](): FieldInteger, reflect.TypeFor[float64](): FieldNumber,
	reflect.TypeFor[bool](): FieldYesNo, reflect.TypeFor[[]string](): FieldList, reflect.TypeFor[time.Time](): FieldDate,
}

// paramTags are the tags of a field besides "param" and "doc-LANGUAGE".
var paramTags = []string{"min", "max", "default", "choices", "example", "doc"}

// paramOf returns the parameter that a field declares.
func paramOf(f reflect.StructField, tag string) (p Param, err error) {
	texts, err := checkTags(f.Tag)
	if err != nil {
		return p, err
	}
	name, option, more := strings.Cut(tag, ",")
	p = Param{Name: name, Type: fieldTypes[f.Type], Required: option == "required", Description: f.Tag.Get("doc"), Texts: texts}
	switch {
	case p.Type == "":
		return p, fmt.Errorf("a parameter cannot be a %s: use a string, int64, float64, bool, []string or time.Time", f.Type)
	case !f.IsExported():
		return p, errors.New("it is not exported, so it cannot be set")
	case more && !p.Required:
		return p, fmt.Errorf("the tag param has %q after the name: use required, or nothing", option)
	}
	for _, key := range paramTags {
		text, given := f.Tag.Lookup(key)
		if given && err == nil {
			if err = p.setTag(key, text); err != nil {
				err = fmt.Errorf("the tag %s: %w", key, err)
			}
		}
	}
	return p, err
}

// checkTags returns the texts of the tags "doc-LANGUAGE", or an error for a tag that RouteFor does not know. A mistyped
// tag would have no effect otherwise.
func checkTags(tag reflect.StructTag) (texts map[string]string, err error) {
	for rest := strings.TrimSpace(string(tag)); rest != ""; {
		key, value, _ := strings.Cut(rest, ":")
		quoted, err := strconv.QuotedPrefix(value)
		if err != nil {
			return nil, fmt.Errorf("the tags have a syntax error at %q", rest)
		}
		language, text := strings.CutPrefix(key, "doc-")
		switch {
		case text:
			if texts == nil {
				texts = map[string]string{}
			}
			texts[language] = tag.Get(key)
		case key != "param" && !slices.Contains(paramTags, key):
			return nil, fmt.Errorf("the tag %s is unknown: use param, %s or doc-LANGUAGE", key, strings.Join(paramTags, ", "))
		}
		rest = strings.TrimSpace(value[len(quoted):])
	}
	if _, tagged := tag.Lookup("param"); !tagged {
		return nil, errors.New(`it has no tag param: use param:"-" if it is no parameter`)
	}
	return texts, nil
}

// setTag sets what a tag says.
func (p *Param) setTag(key, text string) error {
	switch key {
	case "min", "max":
		n, err := strconv.ParseFloat(text, 64)
		if err != nil {
			return fmt.Errorf("%q is not a number", text)
		}
		if key == "min" {
			p.Min = &n
		} else {
			p.Max = &n
		}
	case "choices":
		if p.Type != FieldText {
			return errors.New("only a string can have choices")
		}
		p.Type, p.Choices = FieldChoice, strings.Split(text, ",")
	case "default", "example":
		v, err := p.valueOf(text)
		if err != nil {
			return err
		}
		if key == "default" {
			p.Default = v
		} else {
			p.Example = v
		}
	}
	return nil
}

// valueOf parses the value in a tag.
func (p *Param) valueOf(text string) (v any, err error) {
	switch p.Type {
	case FieldInteger:
		v, err = strconv.Atoi(text)
	case FieldNumber:
		v, err = strconv.ParseFloat(text, 64)
	case FieldYesNo:
		v, err = strconv.ParseBool(text)
	case FieldList:
		var list []any
		for _, one := range strings.Split(text, ",") {
			list = append(list, one)
		}
		v = list
	default:
		v = text
	}
	if err != nil {
		return nil, fmt.Errorf("%q is not a value of the type %s", text, p.Type)
	}
	return v, nil
}

// setField sets a field to the value of a parameter.
func (r *RouteRequest) setField(field reflect.Value, name string) {
	switch v := field.Addr().Interface().(type) {
	case *string:
		*v = param.Key[string](name).Value(r.values)
	case *int64:
		*v = param.Key[int64](name).Value(r.values)
	case *float64:
		*v = param.Key[float64](name).Value(r.values)
	case *bool:
		*v = param.Key[bool](name).Value(r.values)
	case *[]string:
		*v = param.Key[[]string](name).Value(r.values)
	case *time.Time:
		*v, _ = time.Parse(time.DateOnly, param.Key[string](name).Value(r.values)) // the parameter was validated
	}
}
