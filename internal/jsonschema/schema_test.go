package jsonschema_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/agendahq/agenda/internal/jsonschema"
)

func names(s *jsonschema.Schema) (list []string) {
	for _, m := range s.Members {
		name := m.Name
		if m.Optional {
			name += "?"
		}
		list = append(list, name)
	}
	return list
}

// TestCopies checks that deriving a schema does not modify the original.
func TestCopies(t *testing.T) {
	base := jsonschema.Object("Base", jsonschema.Has("a", jsonschema.Text()), jsonschema.Optional("b", jsonschema.Int()))
	before := fmt.Sprintf("%+v %v", *base, names(base))
	for want, s := range map[string]*jsonschema.Schema{
		"[a x b?]": base.With("a", jsonschema.Has("x", jsonschema.Text())),
		"[a b? x]": base.With("", jsonschema.Has("x", jsonschema.Text())),
		"[a b? y]": base.With("b", jsonschema.Has("y", jsonschema.Text())),
		"[a b?]": base.Set(map[string]*jsonschema.Schema{"a": jsonschema.Null(),
			"other": jsonschema.Null()}).As("Other").Doc("id").Opened().Undescribed(),
	} {
		if got := fmt.Sprint(names(s)); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if after := fmt.Sprintf("%+v %v", *base, names(base)); after != before {
		t.Errorf("changed: %s, before %s", after, before)
	}
	s := base.Set(map[string]*jsonschema.Schema{"a": jsonschema.Null()})
	if s.Members[0].Shape.Type != jsonschema.TypeNull || s.Members[1].Shape.Type != jsonschema.TypeInt {
		t.Errorf("set: %+v", s.Members)
	}
	text := jsonschema.Text()
	bounded := text.Chars(1, 5).Example("x").Default("y")
	if !reflect.DeepEqual(text, jsonschema.Text()) || bounded.MinChars != 1 || bounded.MaxChars != 5 || bounded.Sample != "x" ||
		bounded.DefaultValue != "y" {
		t.Errorf("%+v, %+v", text, bounded)
	}
	list := jsonschema.List(text)
	if upTo := list.UpTo(3); upTo.MaxItems != 3 || list.MaxItems != 0 {
		t.Errorf("%+v, %+v", list, upTo)
	}
	number := jsonschema.Number().From(-1).To(1)
	if *number.Min != -1 || *number.Max != 1 {
		t.Errorf("%+v", number)
	}
}

func TestOnly(t *testing.T) {
	for want, s := range map[string]*jsonschema.Schema{
		jsonschema.TypeText: jsonschema.Only("a", "b"), jsonschema.TypeInt: jsonschema.Only(0),
		jsonschema.TypeBoolean: jsonschema.Only(false),
	} {
		if s.Type != want {
			t.Errorf("%v is of type %q", s.Only, s.Type)
		}
	}
	if s := jsonschema.Words("a", "b"); s.Type != jsonschema.TypeText || len(s.Only) != 2 {
		t.Errorf("%+v", s)
	}
}
