package calendar_test

import (
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/suite"
	"github.com/agendahq/agenda/internal/testdb"
)

// benchmark asks one path over and over, on the recorded site.
func benchmark(b *testing.B, path string) {
	h := suite.Handler(b, calendar.Options{DB: testdb.SiteA(b), Now: frozen})
	ask := func() int {
		w := httptest.NewRecorder()
		h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, suite.Root+path, nil))
		if w.Code != http.StatusOK {
			b.Fatalf("%s: %d %.300s", path, w.Code, w.Body)
		}
		return w.Body.Len()
	}
	b.SetBytes(int64(ask()))
	b.ReportAllocs()
	for b.Loop() {
		ask()
	}
}

func BenchmarkListOf10(b *testing.B)     { benchmark(b, wide) }
func BenchmarkListOf50(b *testing.B)     { benchmark(b, wide+"&per_page=50") }
func BenchmarkListSearched(b *testing.B) { benchmark(b, wide+"&search=blues&categories=jazz-x") }
func BenchmarkSingle(b *testing.B)       { benchmark(b, "/events/25") }
func BenchmarkVenues(b *testing.B)       { benchmark(b, "/venues") }
func BenchmarkCategories(b *testing.B)   { benchmark(b, "/categories") }
func BenchmarkIndex(b *testing.B)        { benchmark(b, "/") }
