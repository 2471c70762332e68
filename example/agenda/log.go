package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"log/slog"
	"net/http"
	"regexp"
	"time"

	"github.com/gin-gonic/gin"

	"github.com/agendahq/agenda/calendar/pages/editing"
)

const requestIDHeader = "X-Request-Id"

var requestID = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)

// These are the paths of the probes, which are requested continually and therefore not logged.
const (
	healthPath = "/healthz"
	readyPath  = "/readyz"
)

// routeKey is the context key of a *string that receives the route of a request.
type routeKey struct{}

// accessLog writes a line per request, with the request id that the answer also contains. It omits the query, which may
// contain passwords, and secrets in the path.
func accessLog(log *slog.Logger, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		start := time.Now()
		id := r.Header.Get(requestIDHeader)
		if !requestID.MatchString(id) {
			var b [8]byte
			_, _ = rand.Read(b[:])
			id = hex.EncodeToString(b[:])
		}
		w.Header().Set(requestIDHeader, id)
		if r.URL.Path == healthPath || r.URL.Path == readyPath || !log.Enabled(r.Context(), slog.LevelInfo) {
			next.ServeHTTP(w, r)
			return
		}
		route := ""
		sent := &sentAnswer{ResponseWriter: w, status: http.StatusOK}
		next.ServeHTTP(sent, r.WithContext(context.WithValue(r.Context(), routeKey{}, &route)))
		log.Info("request", "id", id, "method", r.Method, "path", editing.Logged(r.URL.Path), "route", route, "status", sent.status,
			"bytes", sent.bytes, "duration_ms", float64(time.Since(start).Microseconds())/1000, "client", r.RemoteAddr)
	})
}

// noteRoute passes the route that answers a request to the access log. If handlers are nested, the outermost route
// counts.
func noteRoute(c *gin.Context) {
	c.Next()
	if route, ok := c.Request.Context().Value(routeKey{}).(*string); ok {
		*route = c.FullPath()
		if *route == "" {
			*route = "pages"
		}
	}
}

// sentAnswer records the status of an answer, and counts the bytes of its body as they are sent.
type sentAnswer struct {
	http.ResponseWriter
	status int
	bytes  int64
}

// Unwrap serves http.ResponseController.
func (w *sentAnswer) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteHeader records the status.
func (w *sentAnswer) WriteHeader(status int) {
	if status >= http.StatusOK {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write counts the bytes that are sent.
func (w *sentAnswer) Write(p []byte) (int, error) {
	n, err := w.ResponseWriter.Write(p)
	w.bytes += int64(n)
	return n, err
}
