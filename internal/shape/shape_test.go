package shape_test

import (
	"fmt"
	"reflect"
	"testing"

	"github.com/agendahq/agenda/internal/shape"
)

func names(s *shape.Shape) (list []string) {
	for _, m := range s.Members {
		name := m.Name
		if m.Optional {
			name += "?"
		}
		list = append(list, name)
	}
	return list
}

// A shape is made of others without changing them.
func TestCopies(t *testing.T) {
	base := shape.Object("Base", shape.Has("a", shape.Text()), shape.Optional("b", shape.Int()))
	before := fmt.Sprintf("%+v %v", *base, names(base))
	for want, s := range map[string]*shape.Shape{
		"[a x b?]": base.With("a", shape.Has("x", shape.Text())),
		"[a b? x]": base.With("", shape.Has("x", shape.Text())),
		"[a b? y]": base.With("b", shape.Has("y", shape.Text())),
		"[a b?]": base.Set(map[string]*shape.Shape{"a": shape.Null(),
			"other": shape.Null()}).As("Other").Doc("id").Opened().Undescribed(),
	} {
		if got := fmt.Sprint(names(s)); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
	if after := fmt.Sprintf("%+v %v", *base, names(base)); after != before {
		t.Errorf("changed: %s, before %s", after, before)
	}
	s := base.Set(map[string]*shape.Shape{"a": shape.Null()})
	if s.Members[0].Shape.Type != shape.TypeNull || s.Members[1].Shape.Type != shape.TypeInt {
		t.Errorf("set: %+v", s.Members)
	}
	text := shape.Text()
	bounded := text.Chars(1, 5).Example("x").Default("y")
	if !reflect.DeepEqual(text, shape.Text()) || bounded.MinChars != 1 || bounded.MaxChars != 5 || bounded.Sample != "x" ||
		bounded.DefaultValue != "y" {
		t.Errorf("%+v, %+v", text, bounded)
	}
	list := shape.List(text)
	if upTo := list.UpTo(3); upTo.MaxItems != 3 || list.MaxItems != 0 {
		t.Errorf("%+v, %+v", list, upTo)
	}
	number := shape.Number().From(-1).To(1)
	if *number.Min != -1 || *number.Max != 1 {
		t.Errorf("%+v", number)
	}
}

func TestOnly(t *testing.T) {
	for want, s := range map[string]*shape.Shape{
		shape.TypeText: shape.Only("a", "b"), shape.TypeInt: shape.Only(0), shape.TypeBoolean: shape.Only(false),
	} {
		if s.Type != want {
			t.Errorf("%v is of type %q", s.Only, s.Type)
		}
	}
	if s := shape.Words("a", "b"); s.Type != shape.TypeText || len(s.Only) != 2 {
		t.Errorf("%+v", s)
	}
}
