package calendar

import (
	"reflect"
	"testing"
)

// TestClonesShareNothing checks that callers cannot change what is in memory through the values that they read.
func TestClonesShareNothing(t *testing.T) {
	var e Event
	fill(reflect.ValueOf(&e).Elem())
	c := e.clone()
	if !reflect.DeepEqual(e, c) {
		t.Errorf("the clone of %+v is %+v", e, c)
	}
	shares(t, "Event", reflect.ValueOf(e), reflect.ValueOf(c))
}

// fill sets a value and everything in it to something that is not nil. Slices and maps get one element.
func fill(v reflect.Value) {
	switch v.Kind() {
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		fill(v.Elem())
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		fill(v.Index(0))
	case reflect.Map:
		v.Set(reflect.MakeMap(v.Type()))
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		fill(value)
		v.SetMapIndex(key, value)
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() { // callers cannot modify unexported fields, such as those of time.Time
				fill(v.Field(i))
			}
		}
	}
}

// shares reports an error for each pointer, slice and map that is the same in two values.
func shares(t *testing.T, path string, a, b reflect.Value) {
	t.Helper()
	switch a.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		if a.Pointer() == b.Pointer() {
			t.Errorf("the clone shares %s", path)
		}
	}
	switch a.Kind() {
	case reflect.Pointer:
		shares(t, path, a.Elem(), b.Elem())
	case reflect.Slice:
		shares(t, path+"[0]", a.Index(0), b.Index(0))
	case reflect.Map:
		for _, key := range a.MapKeys() {
			shares(t, path+"[]", a.MapIndex(key), b.MapIndex(key))
		}
	case reflect.Struct:
		for i := range a.NumField() {
			if f := a.Type().Field(i); f.IsExported() {
				shares(t, path+"."+f.Name, a.Field(i), b.Field(i))
			}
		}
	}
}
