package calendartest_test

import (
	"context"
	"errors"
	"fmt"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/calendar/pages"
	"github.com/agendahq/agenda/schema/embedded/calendartest"
)

// This example reads and writes Go values: a page of a list, a whole list, items by id and by slug, and a new event
// with its venue.
func Example_kinds() {
	ctx := context.Background()
	site, err := calendartest.Open(ctx)
	if err != nil {
		log.Fatal(err)
	}
	defer site.Close()
	kinds := site.Calendar.Kinds()

	page, err := kinds.Events.List(ctx, url.Values{"categories": {"music,jazz"}, "per_page": {"1"}})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(page.Total, page.Items[0].Title, page.Items[0].Start.Format("2 January 15:04"))
	for venue, err := range kinds.Venues.All(ctx, url.Values{"orderby": {"title"}}) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(venue.ID, venue.Name, venue.City)
	}
	family, err := kinds.Categories.BySlug(ctx, "family", nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(family.Name, family.Count)

	editor := calendar.WithPrincipal(ctx, calendar.Principal{UserID: calendartest.EditorID})
	fair, err := kinds.Events.Create(editor, calendar.Values{
		"title": "Autumn Fair", "start_date": "2030-10-12 10:00", "end_date": "2030-10-12 17:00", "venue": calendartest.VenuePark,
		"categories": []string{"family"}, "status": "publish",
	})
	if err != nil {
		log.Fatal(err)
	}
	fair, err = kinds.Events.Update(editor, fair.ID, calendar.Values{"cost": "5"})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(fair.Title, fair.Slug, fair.Venues[0].Name, fair.Cost)
	october, err := site.Calendar.Month(ctx, 2030, 10, nil)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(october), october[0].Title)

	_, err = kinds.Events.Delete(ctx, fair.ID, nil) // anonymously
	var refused *calendar.Error
	fmt.Println(errors.As(err, &refused), refused.Status, refused.Code)
	// Output:
	// 2 Jazz Night 21 June 20:00
	// 2 Riverside Park Ghent
	// 1 Town Hall Ghent
	// Family 4
	// Autumn Fair autumn-fair Riverside Park $5
	// 1 Autumn Fair
	// true 401 rest_forbidden
}

// This example mounts pages for people together with the API.
func Example_pages() {
	site, err := calendartest.Open(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	defer site.Close()
	gin.SetMode(gin.ReleaseMode)
	router := gin.New()
	router.GET("/healthz", func(g *gin.Context) { g.String(http.StatusOK, "ok") })
	if err := site.Calendar.Register(router); err != nil {
		log.Fatal(err)
	}
	shown := pages.New(site.Calendar, pages.Options{Title: "Ghent", Now: site.Clock.Now})
	if err := shown.Register(router); err != nil {
		log.Fatal(err)
	}
	for _, path := range []string{"/?view=list", "/event/jazz-night/", "/venue/town-hall/", "/event/nothing/", "/healthz"} {
		w := httptest.NewRecorder()
		router.ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
		title, _, _ := strings.Cut(w.Body.String()[strings.Index(w.Body.String(), "<title>")+1:], "</title>")
		fmt.Println(w.Code, strings.TrimPrefix(title, "title>"))
	}
	// Output:
	// 200 Upcoming events · Ghent
	// 200 Jazz Night · Ghent
	// 200 Town Hall · Ghent
	// 404 This page does not exist · Ghent
	// 200 ok
}
