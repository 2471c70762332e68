package main

import (
	"net/http"
	"strings"
	"testing"
)

// TestTheRootIsWhereEverythingLinksIt checks that pages and responses link the REST root of their language, that it
// exists, and that the API responds at every path below it.
func TestTheRootIsWhereEverythingLinksIt(t *testing.T) {
	t.Parallel()
	address, _ := server(t, "-namespace", "tribe/events/v1")
	for path, prefix := range map[string]string{
		"/": "", "/nl/": "/nl", "/fr/": "/fr", "/no/such/page/": "", "/wp-json/tribe/events/v1/tags": "", "/fr/wp-json/": "/fr",
		"/nl/wp-json/wp/v2/posts": "/nl",
	} {
		root := address + prefix + "/wp-json/"
		for _, method := range []string{http.MethodGet, http.MethodHead} {
			resp, _ := sent(t, method, address+path, "", func(*http.Request) {})
			if link := resp.Header.Get("Link"); !strings.HasPrefix(link, "<"+root+`>; rel="https://api.w.org/"`) {
				t.Errorf("%s %s: Link %q, want the root %s", method, path, link, root)
			}
		}
		resp, body := get(t, root)
		if resp.StatusCode != http.StatusOK ||
			!strings.Contains(body, `"namespaces":["tribe\/events\/v1"],"authentication":{"application-passwords":`) ||
			!strings.Contains(body, `"home":"`+strings.ReplaceAll(address+prefix, "/", `\/`)+`"`) {
			t.Errorf("%s: %d %.500s", root, resp.StatusCode, body)
		}
	}
	for _, path := range []string{"/wp-json/wp/v2/posts", "/fr/wp-json/tribe", "/wp-json/tribe/events/v2/events", "/wp-json/x.html"} {
		resp, body := get(t, address+path)
		if resp.StatusCode != http.StatusNotFound || !strings.HasPrefix(body, `{"code":"rest_no_route"`) {
			t.Errorf("%s: %d %.200s", path, resp.StatusCode, body)
		}
	}
}

// TestPlainBaseURL checks that with a base URL of plain permalinks the pages, the root and responses link the API in
// that form (D73), and that it responds there.
func TestPlainBaseURL(t *testing.T) {
	t.Parallel()
	host := freeAddress(t)
	address, _ := server(t, "-namespace", "tribe/events/v1", "-addr", host, "-base-url", "http://"+host+"/index.php?rest_route=/")
	for path, home := range map[string]string{
		"/": "", "/fr/": "/fr", "/?rest_route=/": "", "/nl/index.php?rest_route=/tribe/events/v1": "/nl",
		"/wp-json/tribe/events/v1/events": "", "/fr/?rest_route=%2Ftribe%2Fevents%2Fv1%2Fevents%2F&per_page=2": "/fr",
	} {
		resp, body := get(t, address+path)
		root := address + home + "/index.php?rest_route=/"
		if link := resp.Header.Get("Link"); resp.StatusCode != http.StatusOK ||
			!strings.HasPrefix(link, "<"+root+`>; rel="https://api.w.org/"`) {
			t.Errorf("%s: %d, Link %q, want the root %s\n%.300s", path, resp.StatusCode, link, root, body)
		}
		if strings.Contains(body, strings.ReplaceAll(address, "/", `\/`)+`\/wp-json`) || strings.Contains(body, address+"/wp-json") {
			t.Errorf("%s: links below /wp-json", path)
		}
	}
}
