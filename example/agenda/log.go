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

// The paths of the probes, which come all the time and are not logged.
const (
	healthPath = "/healthz"
	readyPath  = "/readyz"
)

// routeKey finds the route of a request, a *string, in its context.
type routeKey struct{}

// accessLog writes a line per request, with the id that is in the answer too.
// Queries are left out, since they may hold passwords, and so are secrets in paths.
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

// noteRoute tells the access log which route answers: of those inside each other, the outermost.
func noteRoute(c *gin.Context) {
	c.Next()
	if route, ok := c.Request.Context().Value(routeKey{}).(*string); ok {
		*route = c.FullPath()
		if *route == "" {
			*route = "pages"
		}
	}
}

// sentAnswer notes the status of an answer, and counts the bytes of its body as they are sent.
type sentAnswer struct {
	http.ResponseWriter
	status int
	bytes  int64
}

// Unwrap is for http.ResponseController.
func (w *sentAnswer) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// WriteHeader notes the status.
func (w *sentAnswer) WriteHeader(status int) {
	if status >= http.StatusOK {
		w.status = status
	}
	w.ResponseWriter.WriteHeader(status)
}

// Write counts what is sent.
func (w *sentAnswer) Write(p []byte) (int, error) {
	n, err := w.ResponseWriter.Write(p)
	w.bytes += int64(n)
	return n, err
}
