package linked

import (
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/golden"
)

func TestCheckWebsite(t *testing.T) {
	check := func(address string, want bool) {
		if _, err := CheckWebsite(t.Context(), address); (err == nil) != want {
			t.Errorf("%.60q: %v", address, err)
		}
	}
	golden.Each(t, "websites.txt", check)
	check("http://"+strings.Repeat("a", 63)+".org", true)
	check("http://"+strings.Repeat("a", 64)+".org", false)
	check("http://"+strings.Repeat("a.", 130)+"org", false)
	for _, v := range []any{int64(5), true, []any{"http://ex.org"}} {
		if _, err := CheckWebsite(t.Context(), v); err == nil {
			t.Errorf("%v is no text", v)
		}
	}
}

func FuzzCheckWebsite(f *testing.F) {
	for _, s := range []string{"", "http://ex.org", "http://[::1]:80/", "mailto:a@b.c", "javascript:x", "http://u:p@h:1/?#", "http://:80",
		":"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		if _, err := CheckWebsite(t.Context(), s); err == nil && s != "" && s != "0" {
			if strings.ContainsAny(s, " \n\x00é") || !strings.Contains(s, ":") || strings.HasPrefix(strings.ToLower(s), "javascript:") {
				t.Errorf("%q passes", s)
			}
		}
	})
}
