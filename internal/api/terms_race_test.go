package api_test

import (
	"fmt"
	"sync"
	"testing"

	"github.com/agendahq/agenda/internal/test/apitest"
)

const writers = 32

// together makes all writers create a term at once, each with its own body, and
// returns the number of answers by status.
func (s *server) together(path string, body func(i int) string) map[int]int {
	answers := make([]apitest.Answer, writers)
	start := make(chan struct{})
	var wg sync.WaitGroup
	for i := range writers {
		wg.Go(func() {
			<-start
			answers[i] = s.Do("editor", "POST", path, body(i))
		})
	}
	close(start)
	wg.Wait()
	count := map[int]int{}
	for _, a := range answers {
		count[a.Status]++
		if a.Status != 201 && a.Body["code"] != "term_exists" {
			s.T.Errorf("%v", a)
		}
	}
	return count
}

// Writers of one name or one slug at the same time get different slugs, or the answer
// that the term exists.
func TestWritersAtOnce(t *testing.T) {
	s := newServer(t)
	parents := []int{0, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16}
	for _, c := range []struct {
		about, path string
		body        func(i int) string
		created     int
	}{
		{"one name", "/tags", func(int) string { return `{"name":"At once"}` }, 1},
		{"one slug", "/tags", func(i int) string { return fmt.Sprintf(`{"name":"Tag %d","slug":"same"}`, i) }, writers},
		{"one name below many", "/categories", func(i int) string {
			return fmt.Sprintf(`{"name":"Below","parent":%d}`, parents[i%len(parents)])
		}, len(parents)},
		{"one slug below many", "/categories", func(i int) string {
			return fmt.Sprintf(`{"name":"Category %d","slug":"same","parent":%d}`, i, parents[i%len(parents)])
		}, writers},
	} {
		if got := s.together(c.path, c.body); got[201] != c.created || got[400] != writers-c.created {
			t.Errorf("%s: %v", c.about, got)
		}
	}
	var twice []string
	err := s.DB.NewRaw("SELECT CONCAT(tt.taxonomy, ' ', t.slug) FROM wp_terms t JOIN wp_term_taxonomy tt ON tt.term_id = t.term_id "+
		"GROUP BY tt.taxonomy, t.slug HAVING COUNT(*) > 1").Scan(t.Context(), &twice)
	if err != nil || len(twice) > 0 {
		t.Errorf("slugs of several terms: %q, %v", twice, err)
	}
	if got := len(s.takeChanges()); got != 1+writers+len(parents)+writers {
		t.Errorf("hooks called with %d changes", got)
	}
}
