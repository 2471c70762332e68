package syncclient

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/must"
)

// TestPrinted checks that the guide prints the client as it is here.
func TestPrinted(t *testing.T) {
	guide := must.Get(os.ReadFile("../../../docs/sync.md"))(t)
	source := must.Get(os.ReadFile("client.go"))(t)
	_, client, _ := strings.Cut(string(source), ")\n\n")
	if !strings.Contains(string(guide), "```go\n"+client+"```\n") {
		t.Error("docs/sync.md prints another client")
	}
}

// TestSync checks that the client follows pages, deletes what was deleted, and starts again when its token has expired.
func TestSync(t *testing.T) {
	var asked []string
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked = append(asked, r.URL.RawQuery)
		answers := map[string]string{
			"categories=a&sync=1": `{"events":[{"id":1},{"id":2}],"next_rest_url":"http://` + r.Host + `/events?sync_token=page"}`,
			"sync_token=page":     `{"events":[{"id":3}],"next_sync_token":"one"}`,
			"sync_token=one":      `{"events":[{"id":1,"deleted":true},{"id":2,"title":"New"}],"next_sync_token":"old"}`,
		}
		text := answers[r.URL.RawQuery]
		if text == "" {
			w.WriteHeader(http.StatusGone)
			text = `{"code":"rest_sync_token_expired"}`
		}
		_, _ = w.Write([]byte(text))
	}))
	defer server.Close()
	list := must.Get(url.Parse(server.URL + "/events?categories=a"))(t)
	items, token := map[int64]map[string]any{}, ""
	for i, want := range []string{`{"1":{"id":1},"2":{"id":2},"3":{"id":3}}`, `{"2":{"id":2,"title":"New"},"3":{"id":3}}`,
		`{"1":{"id":1},"2":{"id":2},"3":{"id":3}}`} {
		token = must.Get(Sync(server.Client(), *list, token, items))(t)
		if has, _ := json.Marshal(items); string(has) != want {
			t.Errorf("sync %d: %s, want %s", i, has, want)
		}
	}
	if want := "categories=a&sync=1 sync_token=page sync_token=one sync_token=old categories=a&sync=1 sync_token=page"; strings.Join(asked,
		" ") != want {
		t.Errorf("asked %q, want %s", asked, want)
	}
}
