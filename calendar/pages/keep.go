package pages

import (
	"context"
	"fmt"
	"maps"
	"net/http"
	"time"

	"github.com/agendahq/agenda/calendar"
)

// keptPage is a page in the calendar's cache.
type keptPage = calendar.Kept[*recorder]

// remember is the type of calendar.Keep for pages.
type remember func(ctx context.Context, key string, make func(context.Context) (keptPage, error)) (*recorder, error)

func rememberIn(c *calendar.Calendar) remember {
	return func(ctx context.Context, key string, make func(context.Context) (keptPage, error)) (*recorder, error) {
		return calendar.Keep(ctx, c, key, make)
	}
}

// keptHeader is the approximate size in memory of the header of a page, in bytes.
const keptHeader = 2 << 10

// showKept shows a page from the calendar's cache, in which it stays as long as its content has not changed. The key
// contains everything else on which the page depends: its address, the current day, and what the host adds. The page
// does not depend on headers of the request.
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
	_, _ = w.Write(answer.body.Bytes()) // the visitor may have closed the connection
	return nil
}

// goodUntil sets a time at which an answer expires, if it is to be cached. The earliest such time counts.
func goodUntil(w http.ResponseWriter, t time.Time) {
	if kept, ok := w.(*recorder); ok && (kept.until.IsZero() || t.Before(kept.until)) {
		kept.until = t
	}
}
