package hostroute

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/param"
)

// fieldTypes maps the Go types of fields to types of parameters.
var fieldTypes = map[reflect.Type]string{
	reflect.TypeFor[string](): item.OwnText, reflect.TypeFor[int64](): Integer, reflect.TypeFor[float64](): item.OwnNumber,
	reflect.TypeFor[bool](): item.OwnYesNo, reflect.TypeFor[[]string](): item.OwnList, reflect.TypeFor[time.Time](): item.OwnDate,
}

// paramTags are the tags of a field besides "param" and "doc-LANGUAGE".
var paramTags = []string{"min", "max", "default", "choices", "example", "doc"}

// ParamOf returns the parameter that a field declares.
func ParamOf(f reflect.StructField, tag string) (p Param, err error) {
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
		if p.Type != item.OwnText {
			return errors.New("only a string can have choices")
		}
		p.Type, p.Choices = item.OwnChoice, strings.Split(text, ",")
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
	case Integer:
		v, err = strconv.Atoi(text)
	case item.OwnNumber:
		v, err = strconv.ParseFloat(text, 64)
	case item.OwnYesNo:
		v, err = strconv.ParseBool(text)
	case item.OwnList:
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

// SetField sets a field of a struct to the value of a parameter.
func SetField(field reflect.Value, name string, values *param.Values) {
	switch v := field.Addr().Interface().(type) {
	case *string:
		*v = param.Key[string](name).Value(values)
	case *int64:
		*v = param.Key[int64](name).Value(values)
	case *float64:
		*v = param.Key[float64](name).Value(values)
	case *bool:
		*v = param.Key[bool](name).Value(values)
	case *[]string:
		*v = param.Key[[]string](name).Value(values)
	case *time.Time:
		*v, _ = time.Parse(time.DateOnly, param.Key[string](name).Value(values)) // the parameter was validated
	}
}
