package calendar_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/contract"
)

var asJSON = header{"Content-Type", "application/json"}

// TestBodyTooLarge: a body over one mebibyte is not read to its end.
func TestBodyTooLarge(t *testing.T) {
	h := siteHandler(t)
	const limit = 1 << 20
	endless := &counting{r: endlessBlanks{}}
	r := httptest.NewRequest(http.MethodGet, contract.Root+"/events/25", endless)
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	wantError(t, w, http.StatusRequestEntityTooLarge, "rest_body_too_large")
	if endless.n > limit+64<<10 {
		t.Errorf("%d bytes of an endless body were read", endless.n)
	}
}

type endlessBlanks struct{}

func (endlessBlanks) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = ' '
	}
	return len(p), nil
}

type counting struct {
	r io.Reader
	n int
}

func (c *counting) Read(p []byte) (int, error) {
	n, err := c.r.Read(p)
	c.n += n
	return n, err
}

// TestUnreadableBody: a body that a limit of the host cuts off, or that breaks
// off, is the caller's mistake.
func TestUnreadableBody(t *testing.T) {
	h := siteHandler(t)
	limited := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Body = http.MaxBytesReader(w, r.Body, 10)
		h.ServeHTTP(w, r)
	})
	wantError(t, send(limited, http.MethodGet, "/events/25", `{"per_page":1}`, asJSON), http.StatusRequestEntityTooLarge,
		"rest_body_too_large")
	r := httptest.NewRequest(http.MethodGet, contract.Root+"/events/25", io.MultiReader(strings.NewReader(`{"a":`), broken{}))
	r.Header.Set("Content-Type", "application/json")
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	wantError(t, w, http.StatusBadRequest, "rest_invalid_body")
}

type broken struct{}

func (broken) Read([]byte) (int, error) { return 0, io.ErrUnexpectedEOF }
