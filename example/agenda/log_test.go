package main

import (
	"encoding/json"
	"net/http"
	"slices"
	"strings"
	"testing"
)

// lines parses a log in JSON.
func lines(t *testing.T, log string) (all []map[string]any) {
	t.Helper()
	for line := range strings.Lines(log) {
		var m map[string]any
		if err := json.Unmarshal([]byte(line), &m); err != nil {
			t.Fatalf("%v: %s", err, line)
		}
		all = append(all, m)
	}
	return all
}

func TestLogHasALinePerRequest(t *testing.T) {
	t.Parallel()
	dir, _ := earlier(t)
	address, end := server(t, "--data", dir, "--demo=false", "--log-format", "json")
	body := map[any]float64{} // the sizes of responses whose length is known
	for _, path := range []string{"/wp-json/vendor/events/v1/events?search=geheim", "/", "/healthz", "/readyz", "/nothing/there"} {
		resp, _ := sent(t, http.MethodGet, address+path, "", func(r *http.Request) { r.Header.Set("Accept-Encoding", "identity") })
		if resp.ContentLength >= 0 && resp.Request.URL.RawQuery == "" {
			body[resp.Request.URL.Path] = float64(resp.ContentLength)
		}
	}
	for given, kept := range map[string]bool{"abc-123": true, "a b": false, strings.Repeat("x", 65): false} {
		resp, _ := sent(t, http.MethodGet, address+"/?password=geheim", "", func(r *http.Request) {
			r.Header.Set("Accept-Encoding", "identity")
			r.Header.Set(requestIDHeader, given)
		})
		if got := resp.Header.Get(requestIDHeader); (got == given) != kept || got == "" {
			t.Errorf("request id %q came back as %q", given, got)
		}
	}
	as(t, "admin", "not the passw0rd", address+drafts)
	as(t, "geheim", "not the passw0rd", address+drafts)
	code, log := end()
	if code != 0 || strings.Contains(log, "geheim") || strings.Contains(log, "passw0rd") || !strings.Contains(log, `"id":"abc-123"`) {
		t.Errorf("%d %s", code, log)
	}
	var got []string
	for _, line := range lines(t, log) {
		switch line["msg"] {
		case "request":
			took, isNumber := line["duration_ms"].(float64)
			if !isNumber || took <= 0 || line["status"].(float64) < 200 || line["client"] == "" || line["id"] == "" ||
				line["method"] != "GET" {
				t.Errorf("a line has %v", line)
			}
			if n, known := body[line["path"]]; known && line["bytes"] != n {
				t.Errorf("%v bytes were sent: %v", n, line)
			}
			got = append(got, line["path"].(string)+" "+line["route"].(string))
		case "wrong password or user":
			if line["level"] != "WARN" || !strings.HasPrefix(line["client"].(string), "127.0.0.1") {
				t.Errorf("a wrong password: %v", line)
			}
			got = append(got, "refused "+line["user"].(string))
		}
	}
	want := []string{
		"/wp-json/vendor/events/v1/events /wp-json/vendor/events/v1/events", "/ pages", "/ pages", "/ pages", "/ pages",
		"/nothing/there pages",
		"refused admin", "/wp-json/vendor/events/v1/events /wp-json/vendor/events/v1/events",
		"refused unknown", "/wp-json/vendor/events/v1/events /wp-json/vendor/events/v1/events",
	}
	slices.Sort(got) // a line may be written after its response, so their order is not fixed
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("logged %q, want %q", got, want)
	}
}
