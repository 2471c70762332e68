package main

import (
	"crypto/rand"
	"encoding/hex"
	"log/slog"
	"regexp"
	"time"

	"github.com/gin-gonic/gin"
)

const requestIDHeader = "X-Request-Id"

var requestID = regexp.MustCompile(`^[A-Za-z0-9._-]{1,64}$`)

// accessLog writes a line per request, with the id that is in the answer too.
// Queries are left out, since they may hold passwords.
func accessLog(log *slog.Logger) gin.HandlerFunc {
	return func(c *gin.Context) {
		start := time.Now()
		id := c.GetHeader(requestIDHeader)
		if !requestID.MatchString(id) {
			var b [8]byte
			_, _ = rand.Read(b[:])
			id = hex.EncodeToString(b[:])
		}
		c.Header(requestIDHeader, id)
		c.Next()
		if !log.Enabled(c.Request.Context(), slog.LevelInfo) {
			return
		}
		log.Info("request", "id", id, "method", c.Request.Method, "path", c.Request.URL.Path, "route", c.FullPath(),
			"status", c.Writer.Status(), "bytes", max(c.Writer.Size(), 0), "duration", time.Since(start).Round(time.Microsecond),
			"client", c.Request.RemoteAddr)
	}
}
