package calendar

import (
	"context"
	"strings"
	"time"

	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/param"
)

// FieldInteger is the type of a Param, but not of a Field: an integer.
const FieldInteger = "integer"

// Param declares a parameter of a Route, or a member of its answer.
type Param struct {
	// Name is the name of the parameter: lower-case letters, digits and underscores.
	Name string

	// Type is FieldText (which may contain line breaks here), FieldInteger, FieldNumber, FieldYesNo, FieldDate,
	// FieldChoice or FieldList.
	Type string

	// Required rejects requests without the parameter, or in which it is an empty string or list. Variables of the path
	// are always required.
	Required bool

	// Default is the value if a request does not contain the parameter: a string, an int, a float64 or a bool. Default:
	// none.
	Default any

	// Choices are the values of a FieldChoice.
	Choices []string

	// Min and Max are the limits of the values of a FieldInteger or a FieldNumber. Max also limits the characters of a
	// FieldText and the elements of a FieldList. nil is no limit.
	Min, Max *float64

	// Description describes the parameter in one or two sentences. Texts are its translations, by language tag ("nl").
	// Languages without one use Description.
	Description string
	Texts       map[string]string

	// Example is a value, for the OpenAPI document. Default: none.
	Example any
}

// accepted returns the schema of the values that a request may contain.
func (p Param) accepted() *jsonschema.Schema {
	s := p.shape()
	switch p.Type {
	case FieldText, FieldDate:
		if p.Required {
			s = s.Chars(1, s.MaxChars)
		}
	case FieldList:
		if s = s.UpTo(param.ListBound(s.MaxItems)); p.Required {
			s = s.AtLeast(1)
		}
	}
	return s
}

// shape returns the schema of the values in general.
func (p Param) shape() *jsonschema.Schema {
	s := jsonschema.Text()
	switch p.Type {
	case FieldInteger:
		s = jsonschema.Int()
	case FieldNumber:
		s = jsonschema.Number()
	case FieldYesNo:
		s = jsonschema.Bool()
	case FieldDate:
		s = s.Example("2031-05-01")
	case FieldChoice:
		s = jsonschema.Words(p.Choices...)
	case FieldList:
		if s = jsonschema.List(s); p.Max != nil {
			s = s.UpTo(int(*p.Max))
		}
	case FieldText:
		if p.Max != nil {
			s = s.Chars(0, int(*p.Max))
		}
	}
	if p.Type == FieldInteger || p.Type == FieldNumber {
		s.Min, s.Max = p.Min, p.Max
	}
	if p.Example != nil {
		s = s.Example(p.Example)
	}
	return s
}

// declare returns the parameter's declaration for the API's engine.
func (p Param) declare(r *Route) *param.Param {
	takes := p.accepted()
	options := []param.Option{param.Doc(r.textID() + "_" + p.Name)}
	if p.Required {
		options = append(options, param.Required())
	}
	if p.Default != nil {
		takes = takes.Default(p.Default)
		v := p.Default
		if n, ok := v.(int); ok {
			v = int64(n)
		}
		options = append(options, param.Default(v))
	}
	switch name := p.Name; p.Type {
	case FieldInteger:
		return param.Key[int64](name).Param(takes, param.Checked(p.integer), options...)
	case FieldNumber:
		return param.Key[float64](name).Param(takes, param.Checked(p.number), append(options, param.AnyType())...)
	case FieldYesNo:
		return param.Key[bool](name).Param(takes, param.Checked(param.Truthy), options...)
	case FieldDate:
		return param.Key[string](name).Param(takes, param.Checked(p.day), options...)
	case FieldChoice:
		return param.Key[string](name).Param(takes, param.Checked(param.OneOf(p.Choices...)), options...)
	case FieldList:
		return param.Key[[]string](name).Param(takes, param.Checked(p.list), options...)
	}
	if r.inPath(p.Name) {
		return param.Key[string](p.Name).Param(takes, param.Checked(p.segment), options...)
	}
	return param.Key[string](p.Name).Param(takes, param.Checked(p.queryText), options...)
}

func (p Param) integer(_ context.Context, v any) (int64, error) {
	n, ok := param.Integer(v)
	if !ok {
		return 0, param.Invalid("fault_integer")
	}
	return n, nil
}

func (p Param) number(_ context.Context, v any) (float64, error) {
	n, ok := param.Number(v)
	if !ok {
		return 0, param.Invalid("fault_number")
	}
	return n, nil
}

func (p Param) day(ctx context.Context, v any) (string, error) {
	text, err := param.String(ctx, v)
	if err != nil || text == "" && !p.Required {
		return "", err
	}
	if _, err := time.Parse(time.DateOnly, text); err != nil {
		return "", param.Invalid("fault_day")
	}
	return text, nil
}

func (p Param) list(_ context.Context, v any) ([]string, error) {
	list, err := param.List(v)
	if err == nil && p.Required && len(list) == 0 {
		err = param.Invalid("fault_required")
	}
	return list, err
}

func (p Param) queryText(ctx context.Context, v any) (string, error) {
	text, err := param.String(ctx, v)
	if err == nil && p.Required && strings.TrimSpace(text) == "" {
		err = param.Invalid("fault_required")
	}
	return text, err
}

// segment reads a variable of the path, which is still escaped.
func (p Param) segment(ctx context.Context, v any) (string, error) {
	text, _ := v.(string)
	plain, ok := unescaped(text)
	if !ok || !param.CleanText(plain) {
		return "", param.Invalid("fault_text")
	}
	return p.queryText(ctx, plain)
}
