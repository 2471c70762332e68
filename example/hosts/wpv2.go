package hosts

import (
	"cmp"
	"errors"
	"net/http"
	"strconv"

	"github.com/gin-gonic/gin"

	"github.com/agendahq/agenda/calendar"
)

// wpTerm is a term in the form of WordPress's REST API, with the members that clients of calendars read.
type wpTerm struct {
	ID          int64  `json:"id"`
	Count       int64  `json:"count"`
	Description string `json:"description"`
	Name        string `json:"name"`
	Slug        string `json:"slug"`
	Taxonomy    string `json:"taxonomy"`
	Parent      int64  `json:"parent"`
}

// WordPressTerms answers like wp/v2/tribe_events_cat or wp/v2/tags, for clients that read the calendar's terms there:
//
//	router.GET("/wp-json/wp/v2/tribe_events_cat", hosts.WordPressTerms(c.Kinds().Categories, "tribe_events_cat"))
//	router.GET("/wp-json/wp/v2/tags", hosts.WordPressTerms(c.Kinds().Tags, "post_tag"))
//
// Query parameters that the calendar's list does not have are ignored, as WordPress ignores unknown ones.
func WordPressTerms(kind calendar.Kind[calendar.Term], taxonomy string) gin.HandlerFunc {
	return func(g *gin.Context) {
		query := kind.Known(g.Request.URL.Query())
		query.Set("per_page", cmp.Or(query.Get("per_page"), "10")) // WordPress's default
		query.Del("_fields")                                       // every answer is built from the fields below
		ctx := calendar.WithPrincipal(calendar.WithClient(g.Request.Context(), g.Request), calendar.Principal{})
		page, err := kind.List(ctx, query)
		var refused *calendar.Error
		switch {
		case errors.As(err, &refused):
			g.JSON(refused.Status, gin.H{"code": refused.Code, "message": refused.Message, "data": gin.H{"status": refused.Status}})
			return
		case err != nil:
			g.JSON(http.StatusInternalServerError, gin.H{"code": "internal_server_error", "message": http.StatusText(500)})
			return
		}
		list := []wpTerm{}
		for _, t := range page.Items {
			list = append(list, wpTerm{t.ID, t.Count, t.Description, t.Name, t.Slug, taxonomy, t.ParentID})
		}
		g.Header("X-WP-Total", strconv.FormatInt(page.Total, 10))
		g.Header("X-WP-TotalPages", strconv.FormatInt(page.TotalPages, 10))
		g.Header("Access-Control-Allow-Origin", "*")
		g.JSON(http.StatusOK, list)
	}
}
