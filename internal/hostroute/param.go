package hostroute

import (
	"context"
	"net/url"
	"strings"
	"time"

	"github.com/agendahq/agenda/internal/item"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/param"
)

// Integer is the type of a parameter that is an integer. The other types are those of an item.Own.
const Integer = "integer"

// Param declares a parameter of a route, or a member of its answer; see calendar.Param.
type Param struct {
	Name, Type  string
	Required    bool
	Default     any
	Choices     []string
	Min, Max    *float64
	Description string
	Texts       map[string]string
	Example     any
}

// accepted returns the schema of the values that a request may contain.
func (p Param) accepted() *jsonschema.Schema {
	s := p.shape()
	switch p.Type {
	case item.OwnText, item.OwnDate:
		if p.Required {
			s = s.Chars(1, s.MaxChars)
		}
	case item.OwnList:
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
	case Integer:
		s = jsonschema.Int()
	case item.OwnNumber:
		s = jsonschema.Number()
	case item.OwnYesNo:
		s = jsonschema.Bool()
	case item.OwnDate:
		s = s.Example("2031-05-01")
	case item.OwnChoice:
		s = jsonschema.Words(p.Choices...)
	case item.OwnList:
		if s = jsonschema.List(s); p.Max != nil {
			s = s.UpTo(int(*p.Max))
		}
	case item.OwnText:
		if p.Max != nil {
			s = s.Chars(0, int(*p.Max))
		}
	}
	if p.Type == Integer || p.Type == item.OwnNumber {
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
	case Integer:
		return param.Key[int64](name).Param(takes, param.Checked(p.integer), options...)
	case item.OwnNumber:
		return param.Key[float64](name).Param(takes, param.Checked(p.number), append(options, param.AnyType())...)
	case item.OwnYesNo:
		return param.Key[bool](name).Param(takes, param.Checked(param.Truthy), options...)
	case item.OwnDate:
		return param.Key[string](name).Param(takes, param.Checked(p.day), options...)
	case item.OwnChoice:
		return param.Key[string](name).Param(takes, param.Checked(param.OneOf(p.Choices...)), options...)
	case item.OwnList:
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
	plain, err := url.PathUnescape(text)
	if err != nil || !param.CleanText(plain) {
		return "", param.Invalid("fault_text")
	}
	return p.queryText(ctx, plain)
}
