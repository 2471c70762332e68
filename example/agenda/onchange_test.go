package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestOnChange checks that a command gets what changes through the API, at once and once more, that one which fails harms nothing,
// and that an address needs a secret.
func TestOnChange(t *testing.T) {
	file := filepath.Join(t.TempDir(), "lines")
	for _, command := range []string{"exit 1", "cat >> " + file} {
		address, printed, end := printing(t, "-plain-http", "-on-change", command)
		r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, address+"/wp-json/vendor/events/v1/tags",
			strings.NewReader(`{"name":"Told"}`))
		if err != nil {
			t.Fatal(err)
		}
		r.Header.Set("Content-Type", "application/json")
		r.SetBasicAuth("editor", credentials(printed)["editor"])
		resp, err := http.DefaultClient.Do(r)
		if err != nil {
			t.Fatal(err)
		}
		resp.Body.Close()
		if code, log := end(); code != 0 || resp.StatusCode != http.StatusCreated {
			t.Errorf("%s: %d, %d: %s", command, code, resp.StatusCode, log)
		}
	}
	text, err := os.ReadFile(file)
	if lines := strings.SplitAfter(string(text), "\n"); err != nil || len(lines) != 3 || lines[0] != lines[1] ||
		!strings.HasPrefix(lines[0], `{"kind":"tags","id":`) {
		t.Errorf("%s %v", text, err)
	}
	if code, _, log := ran(t, "serve", "-data", ":memory:", "-on-change", "https://cache.example"); code != 2 ||
		!strings.Contains(log, "--on-change-secret-file") {
		t.Errorf("an address without a secret: %d %s", code, log)
	}
}
