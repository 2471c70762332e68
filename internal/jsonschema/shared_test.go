package jsonschema_test

import (
	"reflect"
	"runtime"
	"strconv"
	"testing"

	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/test/atonce"
)

// venue returns a schema that has every attribute.
func venue() *jsonschema.Schema {
	size := jsonschema.Object("Size", jsonschema.Optional("width", jsonschema.Int().Example(300)).Doc("doc_width"))
	return jsonschema.Object("Venue",
		jsonschema.Has("title", jsonschema.Text().Chars(1, 5).Example("x").Default("y")),
		jsonschema.Has("status", jsonschema.Words("a", "b").OrText(0, 9)),
		jsonschema.Has("cost", jsonschema.OneOf(jsonschema.Number().From(-1).To(1.5), jsonschema.Only(false)).OrNull()),
		jsonschema.Has("sizes", jsonschema.Map(size)),
		jsonschema.Has("tags", jsonschema.List(jsonschema.Text()).UpTo(3).AtLeast(1)),
		jsonschema.Has("none", jsonschema.EmptyList()),
		jsonschema.Has("dates", jsonschema.Any().Example([]any{map[string]any{"b": 1, "a": []string{"x"}}})),
	).Doc("doc_venue").Opened().Undescribed()
}

// TestShared checks that equal schemas become one, with everything that they contain, and that different ones do not.
func TestShared(t *testing.T) {
	a, b := venue().Shared(), venue().Shared()
	if a != b || a.Shared() != a {
		t.Error("two of the same are two")
	}
	for i, m := range a.Members {
		if m.Shape.Shared() != m.Shape {
			t.Errorf("%s is not shared within", a.Members[i].Name)
		}
	}
	shared, plain := reflect.ValueOf(*a), reflect.ValueOf(*venue())
	for i := range shared.NumField() {
		f := shared.Type().Field(i)
		if f.IsExported() && f.Name != "Members" && !reflect.DeepEqual(shared.Field(i).Interface(), plain.Field(i).Interface()) {
			t.Errorf("%s is %v, and was %v", f.Name, shared.Field(i), plain.Field(i))
		}
	}
	if title := a.Members[0].Shape.Doc("other"); title.Shared() == a.Members[0].Shape || title.Shared().About != "other" {
		t.Error("a changed copy is the original")
	}
	var none *jsonschema.Schema
	if none.Shared() != nil {
		t.Error("no schema became one")
	}
}

// TestSharedByAttributes checks that a schema that differs in any attribute, even an attribute added later, is a
// different one.
func TestSharedByAttributes(t *testing.T) {
	plain := new(jsonschema.Schema).Shared()
	for f := range reflect.TypeFor[jsonschema.Schema]().Fields() {
		if !f.IsExported() {
			continue
		}
		s := new(jsonschema.Schema)
		set(t, reflect.ValueOf(s).Elem().FieldByIndex(f.Index))
		if got := s.Shared(); got == plain {
			t.Errorf("%s makes no difference", f.Name)
		}
	}
	object := func() *jsonschema.Schema { return jsonschema.Object("", jsonschema.Member{}) }
	for f := range reflect.TypeFor[jsonschema.Member]().Fields() {
		s := object()
		set(t, reflect.ValueOf(&s.Members[0]).Elem().FieldByIndex(f.Index))
		if s.Shared() == object().Shared() {
			t.Errorf("%s of a member makes no difference", f.Name)
		}
	}
	for _, pair := range [][2]*jsonschema.Schema{
		{jsonschema.Any().Example("1"), jsonschema.Any().Example(1)},
		{jsonschema.Any().Example(int64(1)), jsonschema.Any().Example(1)},
		{jsonschema.Any().Example(1), jsonschema.Any().Default(1)},
		{jsonschema.Words("a", "b"), jsonschema.Words("a", `b" "c`)},
		{jsonschema.AnyOf(jsonschema.Text()), {AllOf: []*jsonschema.Schema{jsonschema.Text()}}},
		{{Name: "a"}, {About: "a"}},
	} {
		if pair[0].Shared() == pair[1].Shared() {
			t.Errorf("%+v is %+v", *pair[0], *pair[1])
		}
	}
}

// set sets a value to something other than its zero value.
func set(t *testing.T, v reflect.Value) {
	t.Helper()
	switch v.Interface().(type) {
	case string:
		v.SetString("x")
	case bool:
		v.SetBool(true)
	case int:
		v.SetInt(7)
	case *float64:
		v.Set(reflect.ValueOf(new(float64)))
	case *jsonschema.Schema:
		v.Set(reflect.ValueOf(jsonschema.Text()))
	case []*jsonschema.Schema:
		v.Set(reflect.ValueOf([]*jsonschema.Schema{jsonschema.Text()}))
	case []jsonschema.Member:
		v.Set(reflect.ValueOf([]jsonschema.Member{jsonschema.Has("x", jsonschema.Text())}))
	case []any:
		v.Set(reflect.ValueOf([]any{"x"}))
	default:
		if v.Kind() != reflect.Interface {
			t.Fatalf("no value of %s", v.Type())
		}
		v.Set(reflect.ValueOf("x"))
	}
}

// TestSharedEndsWithItsUsers checks that schemas are not kept for longer than they are used, also if several calendars
// begin and end at the same time.
func TestSharedEndsWithItsUsers(t *testing.T) {
	before := jsonschema.InUse()
	atonce.Run(4, func(maker int) {
		for i := range 50 {
			if s := jsonschema.Words("of one", strconv.Itoa(maker%2), strconv.Itoa(i)).As("Own").Shared(); s.Name != "Own" {
				t.Error(s.Name)
			}
		}
	})
	for range 1000 {
		if runtime.GC(); jsonschema.InUse() <= before {
			return
		}
		runtime.Gosched()
	}
	t.Errorf("%d schemas are kept, %d before", jsonschema.InUse(), before)
}
