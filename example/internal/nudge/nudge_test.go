package nudge

import (
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/must"
)

// D94: a nudge is a request without content; several changes cause one nudge, and changes by other programs none.
func TestD94Nudge(t *testing.T) {
	type request struct {
		method string
		body   int
	}
	hold, got := make(chan bool), make(chan request, 10)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		got <- request{r.Method, len(body)}
		<-hold
	}))
	defer server.Close()
	n := must.Get(New(server.URL, slog.New(slog.DiscardHandler)))(t)
	n.Changed(t.Context(), calendar.Change{Kind: "events", ID: 1, Foreign: true})
	if len(n.woken) != 0 {
		t.Error("a change of another program is a nudge")
	}
	n.Changed(t.Context(), calendar.Change{Kind: "events", ID: 1})
	if r := <-got; r != (request{http.MethodPost, 0}) {
		t.Errorf("%+v", r)
	}
	for id := range int64(100) { // while the first nudge is in progress
		n.Changed(t.Context(), calendar.Change{Kind: "events", ID: id})
	}
	if len(n.woken) != 1 {
		t.Errorf("%d nudges wait", len(n.woken))
	}
	close(hold)
	n.Close()
	if len(got) > 1 {
		t.Errorf("%d more nudges", len(got))
	}
}

func TestAddressOfANudge(t *testing.T) {
	for _, address := range []string{"", "example.org", "ftp://example.org/", "/wp-admin/"} {
		if n, err := New(address, nil); err == nil {
			n.Close()
			t.Errorf("%q is accepted", address)
		}
	}
}
