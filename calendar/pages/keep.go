package pages

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"time"

	"github.com/agendahq/agenda/calendar"
)

// keptPage is a page as the calendar keeps it.
type keptPage = calendar.Kept[*recorder]

// remember is calendar.Keep for pages.
type remember func(ctx context.Context, key string, make func(context.Context) (keptPage, error)) (*recorder, error)

func rememberIn(c *calendar.Calendar) remember {
	return func(ctx context.Context, key string, make func(context.Context) (keptPage, error)) (*recorder, error) {
		return calendar.Keep(ctx, c, key, make)
	}
}

// keptHeader is about how many bytes the header of a page takes in memory.
const keptHeader = 2 << 10

// showKept shows a page that the calendar keeps for as long as what it was made of stays as it is. Beside that a page follows from its
// address, the day, and what the host adds to it; of the header of a request it shows nothing.
func (s *Site) showKept(w http.ResponseWriter, r *http.Request, v *version, to route) error {
	show := func(ctx context.Context) (keptPage, error) {
		asked, answer := r.WithContext(ctx), &recorder{header: http.Header{}, status: http.StatusOK}
		asked.Method, asked.Header = http.MethodGet, http.Header{}
		if err := s.show(answer, asked, v, to); err != nil {
			return keptPage{}, err
		}
		kept := keptPage{Value: answer, Until: answer.until}
		if answer.status == http.StatusOK {
			kept.Bytes = answer.body.Len() + keptHeader
		}
		return kept, nil
	}
	var answer *recorder
	var err error
	if s.client.once == nil {
		var one keptPage
		one, err = show(r.Context())
		answer = one.Value
	} else {
		own := ownIn(r)
		key := fmt.Sprintf("page %q %q %q %q %q %q %s", s.at.base(r), r.URL.EscapedPath(), r.URL.RawQuery,
			own.Head, own.Header, own.Footer, s.today().Format(time.DateOnly))
		answer, err = s.client.once(s.client.of(r.Context(), v), key, show)
	}
	if err != nil {
		return err
	}
	maps.Copy(w.Header(), answer.header)
	if answer.status == http.StatusOK {
		deliver(w, r, answer.body.Bytes())
		return nil
	}
	w.WriteHeader(answer.status)
	_, _ = w.Write(answer.body.Bytes()) // the visitor may have gone
	return nil
}

// goodUntil notes that an answer becomes another one at a moment, if it is one that is kept.
func goodUntil(w http.ResponseWriter, t time.Time) {
	if kept, ok := w.(*recorder); ok && (kept.until.IsZero() || t.Before(kept.until)) {
		kept.until = t
	}
}
