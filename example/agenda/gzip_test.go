package main

import (
	"net/http"
	"strings"
	"testing"
)

func TestAnswersAreCompressed(t *testing.T) {
	t.Parallel()
	address, end := server(t)
	defer end()
	plain, stop := server(t, "--gzip=false")
	defer stop()
	ask := func(address, tag string) *http.Response {
		t.Helper()
		return fetch(t, http.MethodGet, address, "Accept-Encoding", "gzip", "If-None-Match", tag)
	}
	const events = "/wp-json/vendor/events/v1/events"
	for _, path := range []string{events, events + "?_format=ics", "/", "/docs/", "/sitemap.xml"} {
		first := ask(address+path, "")
		vary := strings.Join(first.Header.Values("Vary"), ",")
		if first.Header.Get("Content-Encoding") != "gzip" || !strings.Contains(vary, "Accept-Encoding") {
			t.Errorf("%s: %v", path, first.Header)
		}
		if off := ask(plain+path, ""); off.Header.Get("Content-Encoding") != "" {
			t.Errorf("%s with --gzip=false: %v", path, off.Header)
		}
		if tag := first.Header.Get("ETag"); tag != "" {
			again := ask(address+path, tag)
			if again.StatusCode != http.StatusNotModified || again.Header.Get("ETag") != tag || !strings.HasSuffix(tag, `-gzip"`) {
				t.Errorf("%s with %s: %d %v", path, tag, again.StatusCode, again.Header)
			}
		} else if strings.HasSuffix(path, "events") {
			t.Errorf("%s has no ETag: %v", path, first.Header)
		}
	}
}
