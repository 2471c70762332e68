package param

import (
	"context"
	"encoding/json"
	"errors"
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
		if err := d.Decode(&values); err != nil {
			t.Fatal(err)
		}
		sorted, err := json.Marshal(values)
		if err != nil {
			t.Fatal(err)
		}
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
	for name, c := range map[string]struct {
		schema       *jsonschema.Schema
		json         string // of the value; "" for a case in the query
		query, fault string
	}{
		"least": {number, "-2", "", ""},
		"below": {number, "-3", "", "fault_number_least"}, "above": {number, "4", "", "fault_number_most"},
		"digits":       {number, `" 3"`, "", ""},
		"digits above": {number, `"1e1"`, "", "fault_number_most"},
		"no digits":    {number, "", "p=x", "fault_integer"}, "a part": {number, "", "p=1.5", "fault_integer"},
		"whole": {number, "", "p=2.0", ""}, "yes": {number, "true", "", "fault_integer"},
		"any number": {jsonschema.Number(), `"1.5"`, "", ""}, "endless": {jsonschema.Number(), "", "p=1e999", "fault_number"},
		"text": {text, `"éé"`, "", ""}, "no text": {text, `""`, "", "fault_text_empty"}, "long": {text, `"ééé"`, "", "fault_too_long"},
		"number for text": {text, "1", "", "fault_string"}, "list for text": {text, "", "p[]=a", "fault_string"},
		"word": {words, "", "p=b", ""}, "other word": {words, "", "p=B", "fault_one_of"},
		"other text": {words.OrText(0, 3), "", "p=xyz", ""}, "long other text": {words.OrText(0, 3), "", "p=wxyz", "fault_too_long"},
		"switch": {jsonschema.Bool(), "", "p=TRUE", ""}, "one": {jsonschema.Bool(), "1", "", ""},
		"perhaps": {jsonschema.Bool(), "", "p=perhaps", "fault_strict"},
		"list":    {list, "[1,2]", "", ""}, "long list": {list, "[1,2,3]", "", "fault_too_many"},
		"empty list":    {list, "[]", "", "fault_required"},
		"wrong element": {list, "[1,9]", "", "fault_number_most"}, "commas": {list, "", "p=1,%202,,", ""},
		"escaped commas": {list, "", "p=1%252C2", ""},
		"many commas":    {list, "", "p=1,2,3", "fault_too_many"}, "nothing between commas": {list, "", "p=,", "fault_required"},
		"keys in a form": {list, "", "p[a]=1&p[b]=2", ""}, "keys in JSON": {list, `{"a":1}`, "", "fault_nested"},
		"one for a list": {list, "2", "", ""}, "one that is too large": {list, "9", "", "fault_number_most"},
		"object": {jsonschema.Object(""), `{"a":1}`, "", ""}, "no object": {jsonschema.Object(""), "[]", "", "fault_nested"},
		"one of": {union, "3", "", ""}, "another of": {union, `["a"]`, "", ""}, "false": {union, "false", "", ""},
		"true":    {union, "true", "", "fault_nested"},
		"none of": {union, "9", "", "fault_number_most"}, "none of, within": {union, `["abc"]`, "", "fault_too_long"},
		"nothing in a form": {jsonschema.OneOf(number, jsonschema.Null()), "", "p=", ""},
		"anything":          {jsonschema.Any(), `{"a":[null]}`, "", ""},
	} {
		s := Sources{Query: form(t, c.query)}
		if c.json != "" {
			s = Sources{JSON: object(t, `{"p":`+c.json+`}`)}
		}
		_, err := Read(t.Context(), []*Param{Key[any]("p").Param(c.schema, nil, Untyped())}, s)
		if want := strings.TrimSpace("p " + c.fault); c.fault == "" && err != nil || c.fault != "" && (err == nil || show(err) != want) {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
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
