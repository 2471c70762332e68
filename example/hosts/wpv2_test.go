package hosts_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/gin-gonic/gin"

	"github.com/agendahq/agenda/example/hosts"
	"github.com/agendahq/agenda/schema/embedded/calendartest"
)

// Clients of WordPress's own API find the calendar's terms at the addresses and with the headers that they expect;
// parameters that the calendar's list does not have are ignored.
func TestWordPressTerms(t *testing.T) {
	s := calendartest.New(t)
	router := gin.New()
	kinds := s.Calendar.Kinds()
	router.GET("/wp-json/wp/v2/tribe_events_cat", hosts.WordPressTerms(kinds.Categories, "tribe_events_cat"))
	router.GET("/wp-json/wp/v2/tags", hosts.WordPressTerms(kinds.Tags, "post_tag"))
	for path, taxonomy := range map[string]string{"tribe_events_cat": "tribe_events_cat", "tags": "post_tag"} {
		answer := httptest.NewRecorder()
		router.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/wp-json/wp/v2/"+path+"?per_page=1&_embed=1&context=view", nil))
		var list []struct {
			ID             int64
			Name, Taxonomy string
		}
		if err := json.Unmarshal(answer.Body.Bytes(), &list); err != nil || answer.Code != http.StatusOK {
			t.Fatalf("%s: %d %s", path, answer.Code, answer.Body)
		}
		if len(list) != 1 || list[0].ID == 0 || list[0].Name == "" || list[0].Taxonomy != taxonomy ||
			answer.Header().Get("X-WP-Total") == "" {
			t.Errorf("%s: %s %v", path, answer.Body, answer.Header())
		}
	}
	answer := httptest.NewRecorder()
	router.ServeHTTP(answer, httptest.NewRequest(http.MethodGet, "/wp-json/wp/v2/tags?page=x", nil))
	if answer.Code != http.StatusBadRequest {
		t.Errorf("%d %s", answer.Code, answer.Body)
	}
}
