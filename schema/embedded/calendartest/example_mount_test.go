package calendartest_test

import (
	"context"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"

	"github.com/gin-gonic/gin"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/schema/embedded/calendartest"
)

// newRouter returns a host's router with its own routes and the calendar. Unknown paths below the calendar's roots are
// answered in the API's format, other ones by the host.
func newRouter(events *calendar.Calendar) (http.Handler, error) {
	gin.SetMode(gin.ReleaseMode)
	router := gin.New()
	router.Use(gin.Recovery())
	router.GET("/", func(g *gin.Context) { g.String(http.StatusOK, "Welcome") })
	if err := events.Register(router); err != nil {
		return nil, err // a path is in use
	}
	router.NoRoute(events.NoRoute, func(g *gin.Context) {
		if !g.Writer.Written() {
			g.String(http.StatusNotFound, "There is no such page")
		}
	})
	return router, nil
}

// This example mounts a calendar on a gin engine, with an index at its roots (ServeRoot) and the host's own responses
// for unknown paths.
func Example_mount() {
	site, err := calendartest.Open(context.Background(), func(o *calendar.Options) { o.ServeRoot = true })
	if err != nil {
		log.Fatal(err)
	}
	defer site.Close()
	router, err := newRouter(site.Calendar)
	if err != nil {
		log.Fatal(err)
	}
	for _, path := range []string{
		"/", "/wp-json/?_fields=name", "/wp-json/vendor/events/v1/venues/1?_fields=venue,city",
		"/wp-json/vendor/events/v1/concerts", "/concerts",
	} {
		w := httptest.NewRecorder()
		router.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		fmt.Println(w.Code, w.Body)
	}
	// Output:
	// 200 Welcome
	// 200 {"name":"Events","_links":{"help":[{"href":"https:\/\/events.example.org\/wp-json\/vendor\/events\/v1\/doc"}]}}
	// 200 {"venue":"Town Hall","city":"Ghent"}
	// 404 {"code":"rest_no_route","message":"No route of this API matches this address and method.","data":{"status":404}}
	// 404 There is no such page
}
