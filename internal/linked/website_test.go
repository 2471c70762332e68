package linked

import (
	"strings"
	"testing"
)

func TestCheckWebsite(t *testing.T) {
	for address, want := range map[string]bool{
		"": true, "0": true, "http://ex.org": true, "https://ex.org/a?b=c&d=%20#e": true, "HTTP://EX.ORG/": true, "ftp://ex.org/x": true,
		"mailto:a@b.c":        true,
		"http://ex.org:8080/": true, "http://ex.org:/": true, "http://user:pw@ex.org/": true, "http://localhost": true,
		"http://1.2.3.4": true, "http://[::1]:80/": true,
		"http://ex.org.": true, "http://a-b.c": true, "http://ex.org/~a_b|c{d}": true, "http://xn--caf-dma.org": true,
		"webcal://ex.org/x.ics": true, "http://" + strings.Repeat("a", 63) + ".org": true,
		"ex.org": false, "www.ex.org": false, "/rel": false, "//ex.org": false, "?a=b": false, "nope": false, "http://": false,
		"http:///x": false, "http:ex.org": false, "http:/ex.org": false, "://ex.org": false,
		"javascript:alert(1)": false, "javascript://ex.org/%0aalert(1)": false, "JavaScript://ex.org": false, "data:text/html,x": false,
		"data://ex.org": false, "vbscript://x": false,
		"urn:x:y": false, "mailto:": false, "tel:+321": false, "http://exämple.org": false, "http://ex.org/é": false,
		"http://ex.org/a b": false, " http://ex.org": false, "http://ex.org\n": false,
		"http://a_b.org": false, "http://-a.org": false, "http://a-.org": false, "http://a..b": false, "http://.org": false,
		"http://ex.org:99999": false, "http://ex.org:0": false, "http://ex.org:x": false,
		"http://[::1": false, "http://[zz]/": false, "http://[]/": false, "http://a@b@c": false, "ht tp://ex.org": false,
		"http://" + strings.Repeat("a", 64) + ".org": false, "http://" + strings.Repeat("a.", 130) + "org": false,
	} {
		if _, err := CheckWebsite(t.Context(), address); (err == nil) != want {
			t.Errorf("%.60q: %v", address, err)
		}
	}
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
