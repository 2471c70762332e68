package main

import (
	"crypto/sha256"
	"encoding/base64"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
)

// inTown starts a server whose pages and API are below a path, and returns its address.
func inTown(t *testing.T) string {
	t.Helper()
	host := freeAddress(t)
	address, _ := server(t, "-addr", host, "-base-url", "http://"+host+"/town/wp-json")
	return address
}

// fetch sends a request with pairs of header names and values, except for empty values, and does not follow redirects.
func fetch(t *testing.T, method, address string, headers ...string) *http.Response {
	t.Helper()
	r := must.Get(http.NewRequestWithContext(t.Context(), method, address, nil))(t)
	for i := 0; i < len(headers); i += 2 {
		if headers[i+1] != "" {
			r.Header.Set(headers[i], headers[i+1])
		}
	}
	resp := must.Get(http.DefaultTransport.RoundTrip(r))(t)
	resp.Body.Close()
	return resp
}

// TestBrowsersAreLedFromTheDocument checks that clients that prefer HTML are redirected to the page, and that other
// clients get the OpenAPI document.
func TestBrowsersAreLedFromTheDocument(t *testing.T) {
	t.Parallel()
	const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8"
	address := inTown(t)
	document := "/town/wp-json/vendor/events/v1/doc"
	values := strings.NewReplacer("{doc}", document, "{browser}", browser)
	golden.Each(t, "led.txt", func(method, path, accept, to string) {
		path, accept = values.Replace(path), values.Replace(accept)
		resp := fetch(t, method, address+path, "Accept", accept)
		status := http.StatusOK
		if to != "" {
			status = http.StatusFound
		}
		if resp.StatusCode != status || resp.Header.Get("Location") != to || !strings.Contains(resp.Header.Get("Vary"), "Accept") {
			t.Errorf("%s %s, Accept %q: %d to %q, Vary %q, want %d to %q", method, path, accept, resp.StatusCode,
				resp.Header.Get("Location"), resp.Header.Values("Vary"), status, to)
		}
		if to != "" {
			if page := fetch(t, method, address+to, "Accept", browser); page.StatusCode != http.StatusOK {
				t.Errorf("%s: %d", to, page.StatusCode)
			}
		}
	})
	for method, path := range map[string]string{"GET": "/town/wp-json/vendor/events/v1/venues", "POST": document, "OPTIONS": document} {
		resp := fetch(t, method, address+path, "Accept", browser)
		if resp.Header.Get("Location") != "" || resp.Header.Get("Vary") != "Authorization, Cookie, Origin" {
			t.Errorf("%s %s: %d %v", method, path, resp.StatusCode, resp.Header)
		}
	}
}

// TestDocsLoadNothingFromElsewhere checks that this server serves every file that the page loads, and that the page's
// Content-Security-Policy allows these and nothing else.
func TestDocsLoadNothingFromElsewhere(t *testing.T) {
	t.Parallel()
	address := inTown(t)
	for _, prefix := range []string{"/town", "/town/nl"} {
		resp, page := get(t, address+prefix+"/docs/")
		policy := resp.Header.Get("Content-Security-Policy")
		if resp.StatusCode != http.StatusOK || resp.Header.Get("Content-Type") != "text/html; charset=utf-8" ||
			!strings.HasPrefix(policy, "default-src 'none'; ") || strings.Contains(policy, "unsafe") ||
			!strings.Contains(policy, "connect-src 'self' "+address+";") {
			t.Fatalf("%d %v", resp.StatusCode, resp.Header)
		}
		parts := regexp.MustCompile(`(?s)<(?:script|style)>(.*?)</`).FindAllStringSubmatch(page, -1)
		for _, part := range parts {
			sum := sha256.Sum256([]byte(part[1]))
			if !strings.Contains(policy, "'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'") {
				t.Errorf("not allowed by %s: %.200s", policy, part[1])
			}
		}
		named := regexp.MustCompile(`(?:src|href)="([^"]*)"|"swaggerJsonUrl":"([^"]*)"`).FindAllStringSubmatch(page, -1)
		if len(parts) != 3 || len(named) != 6 {
			t.Fatalf("%d parts in the page, and %d files: %.3000s", len(parts), len(named), page)
		}
		for _, match := range named {
			path := match[1] + match[2]
			for _, method := range []string{http.MethodGet, http.MethodHead} {
				file := fetch(t, method, address+path)
				if !strings.HasPrefix(path, prefix+"/") || file.StatusCode != http.StatusOK ||
					file.Header.Get("X-Content-Type-Options") != "nosniff" {
					t.Errorf("%s %s: %d %v", method, path, file.StatusCode, file.Header)
				}
			}
		}
		if resp := fetch(t, "GET", address+prefix+"/docs"); resp.Header.Get("Location") != prefix+"/docs/" {
			t.Errorf("without a slash: %d %v", resp.StatusCode, resp.Header)
		}
		for _, path := range []string{"embed.go", "swagger-ui.js", "x/", "%2e%2e/"} {
			if resp, body := get(t, address+prefix+"/docs/"+path); resp.StatusCode != http.StatusNotFound ||
				!strings.Contains(body, "<html") {
				t.Errorf("%s: %d %.200s", path, resp.StatusCode, body)
			}
		}
	}
}
