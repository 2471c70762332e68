package api_test

import (
	"fmt"
	"testing"

	"github.com/agendahq/agenda/internal/test/apitest"
)

// What is in the trash already is refused as that, also where If-Match names another
// revision of it; of a refused write the rows stay.
func TestDeleteInTrash(t *testing.T) {
	s := apitest.Open(t)
	for path, body := range map[string]string{
		"/events": `{"title":"A","start_date":"2031-01-01","end_date":"2031-01-02"}`,
		"/venues": `{"venue":"A"}`, "/organizers": `{"organizer":"A"}`,
	} {
		item := fmt.Sprint(path, "/", s.Must(201, "admin", "POST", path, body).ID())
		s.Must(412, "admin", "DELETE", item, "", "If-Match", `"other.x"`)
		s.Must(200, "admin", "DELETE", item, "")
		before := s.Dump()
		s.Must(410, "admin", "DELETE", item, "", "If-Match", `"other.x"`)
		s.Must(412, "admin", "DELETE", item+"?force=true", "", "If-Match", `"other.x"`)
		if s.Dump() != before {
			t.Errorf("%s: a refused write changed rows", path)
		}
		s.Must(200, "admin", "DELETE", item+"?force=true", "")
	}
}
