package param

import (
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/jsonschema"
)

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
