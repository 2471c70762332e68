package calendar_test

import (
	"net/http"
	"testing"

	"github.com/gin-gonic/gin"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/atonce"
	testdb "github.com/agendahq/agenda/internal/test/db"
)

// TestManyAtOnce checks that concurrent requests get the same answers as single ones, and that all are counted.
func TestManyAtOnce(t *testing.T) {
	engine := gin.New()
	c := mounted(t, engine, calendar.Options{DB: testdb.SiteA(t), Namespace: namespace, Now: frozen})
	engine.NoRoute(c.NoRoute)
	alone := map[string]string{}
	paths := []string{"/nothing", "/EVENTS/25", "/events?page=0", "/events?_envelope&_pretty&" + everything, "/events/25?_fields=id,venue"}
	for _, r := range routes {
		paths = append(paths, r.path)
	}
	for _, path := range paths {
		alone[path] = get(engine, path).Body.String()
	}
	atonce.Run(6, func(int) {
		for _, path := range paths {
			if got := get(engine, path).Body.String(); got != alone[path] {
				t.Errorf("%s: %.200s, alone %.200s", path, got, alone[path])
			}
			send(engine, http.MethodOptions, path, "")
		}
	})
	if s, n := c.Stats(), int64(len(paths)); s.Requests != n+6*n*2 || s.InFlight != 0 || s.Failures != 0 {
		t.Errorf("counted %+v, want %d requests", s, n+6*n*2)
	}
}
