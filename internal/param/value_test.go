package param

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
)

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
