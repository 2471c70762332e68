package pages

import (
	"context"
	"net/http"
	"strings"

	"github.com/agendahq/agenda/calendar"
)

// noStore prevents caching of an answer. Such an answer has no cache tags either.
const noStore = "no-store"

// names reports whether the calendar sets cache tags (calendar.Cache.Tags).
func (c *client) names() bool {
	ctx := context.Background()
	return c.noted != nil && c.noted(ctx) != ctx
}

// tagged returns a request that collects the cache tags of what is read for its answer, and a writer that adds them to
// the header.
func (s *Site) tagged(w http.ResponseWriter, r *http.Request) (http.ResponseWriter, *http.Request) {
	if !s.client.names() {
		return w, r
	}
	ctx := s.client.noted(r.Context())
	t := &tagger{ResponseWriter: w}
	t.tag = func() {
		if strings.Contains(w.Header().Get("Cache-Control"), noStore) {
			w.Header().Del(calendar.SurrogateKey) // a feed has the tags that the calendar set
			w.Header().Del(calendar.CacheTag)
			return
		}
		own := http.Header{}
		s.client.tag(ctx, own)
		for name, values := range own {
			if w.Header().Get(name) == "" { // a feed has the tags that the calendar set
				w.Header()[name] = values
			}
		}
	}
	return t, r.WithContext(ctx)
}

// tagger calls tag before the header is written.
type tagger struct {
	http.ResponseWriter
	tag   func()
	wrote bool
}

func (t *tagger) WriteHeader(status int) {
	if !t.wrote {
		t.wrote = true
		t.tag()
	}
	t.ResponseWriter.WriteHeader(status)
}

func (t *tagger) Write(p []byte) (int, error) {
	if !t.wrote {
		t.WriteHeader(http.StatusOK)
	}
	return t.ResponseWriter.Write(p)
}

// Unwrap is for http.ResponseController.
func (t *tagger) Unwrap() http.ResponseWriter { return t.ResponseWriter }
