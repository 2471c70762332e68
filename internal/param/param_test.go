package param

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
)

// TestShown checks that the index shows what the schema says, except where NewIndex sets another value.
func TestShown(t *testing.T) {
	list, about := jsonschema.List(jsonschema.Text()), Doc("about")
	index := NewIndex("list: items=integer default\ntext any: type=string description\nnumber: format=double")
	for _, c := range []struct {
		param            *Param
		arranged, listed string // the shown members: with the index, and without it
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
	golden.Equal(t, "in the order", names, "list number x y ")
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

// TestMapOf checks that Go values make the same Map as their JSON, with the same limits.
func TestMapOf(t *testing.T) {
	for _, text := range []string{
		`{}`, `{"b":1,"a":"x","c":[1,2.5,"é",null,true,{"d":{}}]}`, `{"n":9223372036854775807,"m":1e3,"o":-7}`,
		`{"a":` + strings.Repeat("[", 510) + strings.Repeat("]", 510) + `}`,
		`{"a":` + strings.Repeat("[", 511) + strings.Repeat("]", 511) + `}`,
		`{"a":` + strings.Repeat(`{"a":`, 511) + "1" + strings.Repeat("}", 511) + `}`,
		`{"a":[` + strings.Repeat("1,", maxMembers-2) + `1]}`, `{"a":[` + strings.Repeat("1,", maxMembers-1) + `1]}`,
	} {
		var values map[string]any
		d := json.NewDecoder(strings.NewReader(text))
		d.UseNumber()
		must.Succeed(t, d.Decode(&values))
		sorted := must.Get(json.Marshal(values))(t)
		want, _, wantErr := ParseJSON(sorted)
		got, gotErr := MapOf(values)
		var a, b *JSONError
		if errors.Is(gotErr, ErrTooMany) != errors.Is(wantErr, ErrTooMany) || errors.As(gotErr, &a) != errors.As(wantErr, &b) ||
			a != nil && a.Code != b.Code {
			t.Errorf("%.40s: %v, want %v", text, gotErr, wantErr)
		}
		if gotErr == nil && plain(got) != plain(want) {
			t.Errorf("%.40s: %s, want %s", text, plain(got), plain(want))
		}
		if gotErr == nil && !strings.Contains(text, "e3") && got.Size() != int64(len(sorted)) {
			t.Errorf("%.40s: %d bytes, want %d", text, got.Size(), len(sorted))
		}
	}
	m, err := MapOf(map[string]any{"ids": []int64{1, 2}, "names": []string{"a"}, "n": 3})
	if err != nil || plain(m) != `{ids:[1 2] n:3 names:["a"]}` {
		t.Errorf("%s %v", plain(m), err)
	}
	if _, err := MapOf(map[string]any{"x": struct{}{}}); err == nil {
		t.Error("a struct is a value")
	}
}

// TestSchemasRefuse checks that a schema rejects what it forbids, in a body and in a query. Strings are accepted for
// values that a query can only express as strings.
func TestSchemasRefuse(t *testing.T) {
	number, text := jsonschema.Int().From(-2).To(3), jsonschema.Text().Chars(1, 2)
	words := jsonschema.Words("a", "b")
	list := jsonschema.List(number).AtLeast(1).UpTo(2)
	union := jsonschema.OneOf(number, jsonschema.List(text), jsonschema.Only(false), jsonschema.Null())
	schemas := map[string]*jsonschema.Schema{
		"number": number, "text": text, "words": words, "list": list, "union": union, "any number": jsonschema.Number(),
		"words or text": words.OrText(0, 3), "switch": jsonschema.Bool(), "object": jsonschema.Object(""),
		"number or null": jsonschema.OneOf(number, jsonschema.Null()), "anything": jsonschema.Any(),
	}
	golden.Each(t, "schemas.txt", func(schema, about, json, query, fault string) {
		s := Sources{Query: form(t, query)}
		if json != "" {
			s = Sources{JSON: object(t, `{"p":`+json+`}`)}
		}
		_, err := Read(t.Context(), []*Param{Key[any]("p").Param(schemas[schema], nil, Untyped())}, s)
		if want := "p " + fault; fault == "" && err != nil || fault != "" && (err == nil || show(err) != want) {
			t.Errorf("%s: %v, want %s", about, err, want)
		}
	})
}

// TestSchemasOfPaths checks that a value of the path is unescaped before it is checked against the schema.
func TestSchemasOfPaths(t *testing.T) {
	for path, want := range map[string]string{"%C3%A9%20x": "", "four": "word fault_too_long"} {
		m := NewMap()
		m.Set("word", path)
		word := Key[string]("word").Param(jsonschema.Text().Chars(0, 3), Checked(String))
		_, err := Read(t.Context(), []*Param{word}, Sources{Path: m})
		if err == nil && want != "" || err != nil && show(err) != want {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
}
