package param

import (
	"fmt"
	"testing"

	"github.com/agendahq/agenda/internal/jsonschema"
)

// The index shows the type that the schema has, or another where it always did.
func TestPublished(t *testing.T) {
	list := jsonschema.List(jsonschema.Text())
	for want, p := range map[string]*Param{
		"[description type] integer":   Key[int64]("a").Param(jsonschema.Int(), nil, Doc("about"), Typed()),
		"[items default] of string":    Key[any]("a").Param(list, nil, Typed(), Default(nil)),
		"[type description] string":    Key[string]("a").Param(jsonschema.Int(), nil, LegacyType(jsonschema.TypeText), Doc("about")),
		"[items] of integer":           Key[any]("a").Param(list, nil, LegacyItems(jsonschema.TypeInt)),
		"[format] in double":           Key[float64]("a").Param(jsonschema.Number(), nil, LegacyFormat("double")),
		"[default description] hidden": Key[any]("a").Param(jsonschema.Int(), nil, Default("x"), Doc("about"), Unlisted()),
	} {
		got := fmt.Sprint(p.Published())
		switch {
		case p.Type != "":
			got += " " + p.Type
		case p.Items != "":
			got += " of " + p.Items
		case p.Format != "":
			got += " in " + p.Format
		case p.Unlisted:
			got += " hidden"
		}
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

// Without a rule, values have to become what their key says.
func TestNoRule(t *testing.T) {
	defer func() {
		if fmt.Sprint(recover()) != "param: a needs a rule that makes its values" {
			t.Error("a number without a rule is declared")
		}
	}()
	Key[float64]("a").Param(jsonschema.Number(), nil, Typed())
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
