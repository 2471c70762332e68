package param_test

import (
	"testing"

	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/shape"
)

// What a parameter takes follows from its type, unless it is declared.
func TestTakes(t *testing.T) {
	takes := param.Takes{"a": shape.Bool()}.Join(param.Takes{"b": shape.Null(), "a": shape.Int()})
	for _, c := range []struct {
		p    *param.Param
		want string
	}{
		{param.New("a", param.Type(param.String)), "integer"}, {param.New("b"), "null"}, {param.New("c"), "string"},
		{param.New("c", param.Type(param.Boolean)), "boolean"}, {param.New("c", param.Items(param.Integer)), "array"},
		{param.New("c", param.Format("double")), "number"}, {param.New("c", param.Format(param.String)), "string"},
	} {
		if got := takes.Of(c.p).Type; got != c.want {
			t.Errorf("%+v takes %s, want %s", c.p, got, c.want)
		}
	}
	o := takes.Object("Body", []*param.Param{param.New("a", param.Doc("about"), param.Required()), param.New("d")})
	if len(o.Members) != 2 || o.Members[0].Optional || !o.Members[1].Optional || !o.Open || o.Name != "Body" || o.Members[0].About != "about" || o.Members[0].Shape.Type != shape.TypeInt {
		t.Errorf("%+v", o)
	}
}
