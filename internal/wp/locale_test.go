package wp

import (
	"reflect"
	"testing"
)

// A text that an entry leaves out would be shown as an empty one.
func TestLocalesAreComplete(t *testing.T) {
	for name, l := range locales {
		v := reflect.ValueOf(*l)
		for i := range v.NumField() {
			if f := v.Field(i); f.Kind() == reflect.String && f.IsZero() {
				t.Errorf("%s: no %s", name, v.Type().Field(i).Name)
			}
		}
	}
}

func TestLocaleOf(t *testing.T) {
	for name, want := range map[string]*Locale{
		"": &english, "en_GB": &english, "xx_XX": &english, "nlx": &english, "_nl": &english,
		"nl_NL": locales["nl_NL"], "nl_NL_formal": locales["nl"], "nl": locales["nl"], "fr_BE": locales["fr"], "fr_CA": locales["fr_CA"],
	} {
		if got := LocaleOf(name); got != want {
			t.Errorf("%q: %+v, want %+v", name, *got, *want)
		}
	}
}

func TestUnitedStates(t *testing.T) {
	for in, want := range map[[2]string]bool{
		{"United States", ""}: true, {"United States", "nl_NL"}: true, {"Verenigde Staten", "nl_BE"}: true, {"États-Unis", "fr_CA"}: true,
		{"", ""}: false, {"united states", ""}: false, {"US", ""}: false, {"Verenigde Staten", ""}: false, {"États-Unis", "fr_BE"}: false,
		{"Belgium", "nl_NL"}: false,
	} {
		if got := UnitedStates(in[0], in[1]); got != want {
			t.Errorf("%q: %t", in, got)
		}
	}
}
