package calendar_test

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/agendahq/agenda/calendar"
)

// unwrapping is the ResponseWriter of a host's middleware: it cannot flush, and
// gin's own writer, which wraps it, panics where it is to.
type unwrapping struct{ http.ResponseWriter }

func (u unwrapping) Unwrap() http.ResponseWriter { return u.ResponseWriter }

// TestRequestTimeoutOfBodies: RequestTimeout holds for the body too, through
// gin's writer and one of the host around it, in the language of the request.
func TestRequestTimeoutOfBodies(t *testing.T) {
	t.Parallel()
	h := siteHandler(t, func(o *calendar.Options) { o.Limits.RequestTimeout = 2 * time.Second })
	for name, handler := range map[string]http.Handler{
		"gin":             h,
		"gin in a writer": http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { h.ServeHTTP(unwrapping{w}, r) }),
	} {
		server := httptest.NewServer(handler)
		t.Cleanup(server.Close)
		resp, err := server.Client().Get(server.URL + "/wp-json/" + namespace + "/events/25?_fields=id")
		if err != nil {
			t.Fatal(err)
		}
		body, err := io.ReadAll(resp.Body)
		_ = resp.Body.Close()
		if string(body) != `{"id":25}` || err != nil {
			t.Errorf("%s: %s, %v", name, body, err)
		}
		conn, err := net.Dial("tcp", server.Listener.Addr().String())
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = conn.Close() })
		_ = conn.SetDeadline(time.Now().Add(time.Minute))
		_, _ = fmt.Fprintf(conn, "GET /fr/wp-json/%s/events/25 HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"+
			"Content-Length: 9\r\n\r\n{", namespace)
		if resp, err = http.ReadResponse(bufio.NewReader(conn), nil); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		body, _ = io.ReadAll(resp.Body)
		want := `{"code":"rest_body_timeout","message":"Le corps de la requ\u00eate n\u2019est pas arriv\u00e9 \u00e0 temps. ` +
			`Renvoyez la requ\u00eate.","data":{"status":408}}`
		if resp.StatusCode != http.StatusRequestTimeout || string(body) != want || !resp.Close {
			t.Errorf("%s: %d %s %v", name, resp.StatusCode, body, resp.Header)
		}
	}
}
