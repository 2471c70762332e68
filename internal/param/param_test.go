package param

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/jsonschema"
)

// TestShown checks that the index shows what the schema says, except where NewIndex sets another value.
func TestShown(t *testing.T) {
	list, about := jsonschema.List(jsonschema.Text()), Doc("about")
	index := NewIndex("list: items=integer default\ntext any: type=string description\nnumber: format=double")
	for _, c := range []struct {
		param            *Param
		arranged, listed string // the members with the index, and without it
	}{
		{Key[any]("list").Param(list, nil), "[items integer] [default ]", "[items string]"},
		{Key[string]("text").Param(jsonschema.Text(), nil, about), "[type string] [description about]",
			"[description about] [type string]"},
		{Key[any]("any").Param(jsonschema.Any(), nil), "[type string]", ""},
		{Key[float64]("number").Param(jsonschema.Number(),
			Checked(func(_ context.Context, v any) (float64, error) { return v.(float64), nil })),
			"[format double]", "[type number]"},
		{Key[int64]("other").Param(jsonschema.OneOf(jsonschema.Int(), jsonschema.Null()), nil, about, Default(int64(1))),
			"[type integer] [default ] [description about]", "[description about] [type integer] [default ]"},
	} {
		listed := strings.Trim(fmt.Sprint(c.param.Shown()), "[]")
		index.Arrange([]*Param{c.param})
		if arranged := strings.Trim(fmt.Sprint(c.param.Shown()), "[]"); arranged != strings.Trim(c.arranged, "[]") ||
			listed != strings.Trim(c.listed, "[]") {
			t.Errorf("%s: %s, and %s without an index", c.param.Name, arranged, listed)
		}
	}
	given := []*Param{{Name: "x", Schema: list}, {Name: "number", Schema: list}, {Name: "y", Schema: list}, {Name: "list", Schema: list}}
	var names string
	for _, p := range index.Arrange(given) {
		names += p.Name + " "
	}
	if names != "list number x y " {
		t.Errorf("in the order %s", names)
	}
}

// TestNoRule checks that a parameter without a rule is rejected if its schema does not produce the type of its key.
func TestNoRule(t *testing.T) {
	defer func() {
		if fmt.Sprint(recover()) != "param: a needs a rule that makes its values" {
			t.Error("a text that becomes a number without a rule is declared")
		}
	}()
	Key[int64]("a").Param(jsonschema.Text(), nil)
}

func TestObject(t *testing.T) {
	o := Object("Body", []*Param{
		Key[int64]("a").Param(jsonschema.Int(), nil, Doc("about"), Required()), Key[string]("d").Param(jsonschema.Text(), nil),
	})
	if len(o.Members) != 2 || o.Members[0].Optional || !o.Members[1].Optional || !o.Open || o.Name != "Body" ||
		o.Members[0].About != "about" || o.Members[0].Shape.Type != jsonschema.TypeInt {
		t.Errorf("%+v", o)
	}
}
