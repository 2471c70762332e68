package pages_test

import (
	"context"
	"database/sql"
	"log"
	"net/http"

	"github.com/gin-gonic/gin"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/mysqldialect"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/calendar/pages"
)

// A host with the API, the pages of the calendar and a page of its own. A host can also leave all other paths to the
// calendar, with router.NoRoute(c.NoRoute, gin.WrapH(shown)).
func ExampleNew() {
	pool, err := sql.Open("mysql", "user:password@tcp(127.0.0.1:3306)/site?readTimeout=30s")
	if err != nil {
		log.Fatal(err)
	}
	c, err := calendar.New(context.Background(), calendar.Options{DB: bun.NewDB(pool, mysqldialect.New())})
	if err != nil {
		log.Fatal(err)
	}
	router := gin.New()
	router.GET("/contact", func(g *gin.Context) { g.String(http.StatusOK, "Write to us.") })
	if err := c.Register(router); err != nil {
		log.Fatal(err)
	}
	shown := pages.New(c, pages.Options{Title: "What is on in Ghent", Colour: "#1d5c87"})
	if err := shown.Register(router); err != nil {
		log.Fatal(err)
	}
	log.Fatal(http.ListenAndServe("127.0.0.1:8080", router))
}
