package main

import (
	"net"
	"net/http"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/must"
)

// called requests a path of a server under a host name.
func called(t *testing.T, address, host, path string) string {
	t.Helper()
	resp, text := sent(t, http.MethodGet, address+path, "", func(r *http.Request) { r.Host = host })
	if resp.StatusCode != http.StatusOK {
		t.Errorf("%s at %s: %d", path, host, resp.StatusCode)
	}
	return strings.ReplaceAll(text, `\/`, "/")
}

// TestLinksNameTheHostThatWasCalled checks that links begin with the address in the request if it is one of the
// server's names, and with the first name otherwise.
func TestLinksNameTheHostThatWasCalled(t *testing.T) {
	t.Parallel()
	listening := freeAddress(t)
	_, port, err := net.SplitHostPort(listening)
	must.Succeed(t, err)
	var out output
	program(t, &out, "--addr", "0.0.0.0:"+port, "--data", demoDirectory(t), "--hosts", "town.example,Mirror.example:99", "--hosts", "[::1]")
	if address := until(t, &out, `API (http://[^/ ]+/wp-json)/vendor`); address != "http://town.example:"+port+"/wp-json" {
		t.Errorf("it prints %s", address)
	}
	for host, want := range map[string]string{
		"town.example:" + port: "town.example:" + port, "TOWN.example:" + port: "town.example:" + port, "town.example": "town.example",
		"mirror.example:99": "mirror.example:99", "[::1]:" + port: "[::1]:" + port,
		"mirror.example": "town.example:" + port, "evil.example": "town.example:" + port, "town.example:1": "town.example:" + port,
	} {
		for path, link := range map[string]string{
			"/wp-json/vendor/events/v1/events":    `"rest_url":"http://` + want + `/wp-json/vendor/events/v1/events/`,
			"/fr/wp-json/vendor/events/v1/venues": `"rest_url":"http://` + want + `/fr/wp-json/`,
			"/":                                   `rel="canonical" href="http://` + want + `/"`,
		} {
			if text := called(t, "http://"+listening, host, path); !strings.Contains(text, link) ||
				!strings.Contains(want, "evil") && strings.Contains(text, "evil") {
				t.Errorf("%s called as %s: no %s in %.1500s", path, host, link, text)
			}
		}
	}
}

func TestStartSaysWhereLinksLead(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		args []string
		told bool
	}{{nil, true}, {[]string{"--hosts", "town.example"}, false}, {[]string{"--base-url", "http://town.example/wp-json"}, false}} {
		var out output
		program(t, &out, append([]string{"--addr", "0.0.0.0:0", "--data", ":memory:", "--demo=false"}, c.args...)...)
		until(t, &out, "Agenda is ready")
		if told := strings.Contains(out.String(), "set --base-url to the public address"); told != c.told {
			t.Errorf("%v: %s", c.args, &out)
		}
	}
	for want, args := range map[string][]string{
		`--hosts "a b"`:         {"--hosts", "a b"},
		"not both":              {"--hosts", "a.example", "--base-url", "http://a.example/wp-json"},
		`"http://town.example"`: {"--hosts", "http://town.example"},
		"21 names, but at most": {"--hosts", strings.Repeat("a.example,", 20) + "b.example"},
	} {
		mistake(t, strings.NewReplacer(), want, append([]string{"--data", ":memory:", "--addr", "127.0.0.1:0"}, args...)...)
	}
}
