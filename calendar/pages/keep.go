package pages

import (
	"bytes"
	"context"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"strings"
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

// showKept shows a page from the calendar's cache, in which it stays as long as its content has not changed.
// given is the parsed query, which is modified.
func (s *Site) showKept(w http.ResponseWriter, r *http.Request, v *version, to route, given url.Values) error {
	query := r.URL.RawQuery
	if to.kind != oldArchive { // which is redirected with all parameters
		query = s.client.own.known(given).Encode()
	}
	return s.keep(w, r, v, query, func(w http.ResponseWriter, r *http.Request) error {
		return s.show(w, r, v, to)
	})
}

// keep answers with what make answers, from the calendar's cache if possible. make is called with a request that
// contains what the answer may depend on: the path, the query and what the host adds, but no headers. The answer may
// also depend on the current day, and on what make reads with the context of that request.
func (s *Site) keep(w http.ResponseWriter, r *http.Request, v *version, query string,
	make func(http.ResponseWriter, *http.Request) error) error {
	record := func(ctx context.Context) (keptPage, error) {
		asked, answer := r.Clone(ctx), &recorder{header: http.Header{}, status: http.StatusOK}
		asked.Method, asked.Header, asked.URL.RawQuery = http.MethodGet, http.Header{}, query
		if err := make(answer, asked); err != nil {
			return keptPage{}, err
		}
		kept := keptPage{Value: answer, Until: answer.until}
		if answer.status == http.StatusOK {
			kept.Bytes = len(answer.body) + keptHeader
		}
		return kept, nil
	}
	var answer *recorder
	var err error
	if s.client.once == nil {
		var one keptPage
		one, err = record(r.Context())
		answer = one.Value
	} else {
		own := s.ownIn(r)
		key := pageKey(s.today(), s.at.base(r), r.URL.EscapedPath(), query, string(own.Head), string(own.Header), string(own.Footer))
		answer, err = s.client.once(s.client.readingContext(r.Context(), v), key, record)
	}
	if err != nil {
		return err
	}
	storing := w.Header().Get("Cache-Control")
	maps.Copy(w.Header(), answer.header)
	if strings.Contains(storing, noStore) { // this request was sent with a password, of which the kept page knows nothing
		w.Header().Set("Cache-Control", storing)
	}
	if answer.status == http.StatusOK {
		deliver(w, r, answer.body)
		return nil
	}
	w.WriteHeader(answer.status)
	_, _ = w.Write(answer.body) // the visitor may have closed the connection
	return nil
}

// pageKey returns the key under which a page is kept. Each text is preceded by its length, so that different texts have
// different keys.
func pageKey(today time.Time, texts ...string) string {
	b := today.AppendFormat(append(make([]byte, 0, 256), "page "...), time.DateOnly)
	for _, text := range texts {
		b = append(append(strconv.AppendInt(append(b, ' '), int64(len(text)), 10), ':'), text...)
	}
	return string(b)
}

// queryOf returns the parameters of the address, nil if there are none.
func queryOf(r *http.Request) url.Values {
	if r.URL.RawQuery == "" {
		return nil
	}
	return r.URL.Query()
}

// buffer collects an answer. It reserves memory of the calendar for what exceeds unreserved bytes.
type buffer struct {
	bytes.Buffer
	reserve  func(n int) error
	reserved int
	full     error // there is not enough memory
}

// unreserved is the size of an answer that reserves no memory, in bytes: see calendar.NewMemory.
const unreserved = 64 << 10

// newBuffer returns a buffer whose memory is reserved until ctx ends.
func (c *client) newBuffer(ctx context.Context) *buffer {
	return &buffer{reserved: unreserved, reserve: func(n int) error {
		if c.reserve == nil {
			return nil
		}
		return c.reserve(ctx, n)
	}}
}

// Write appends p to the buffer. It returns an error if there is not enough memory.
func (b *buffer) Write(p []byte) (int, error) {
	if more := 2*(b.Len()+len(p)) - b.reserved; b.Len()+len(p) > b.reserved && b.full == nil {
		b.reserved += more
		b.full = b.reserve(more)
	}
	if b.full != nil {
		return 0, b.full
	}
	return b.Buffer.Write(p)
}

// goodUntil sets a time at which an answer expires, if it is to be cached. The earliest such time counts.
func goodUntil(w http.ResponseWriter, t time.Time) {
	if kept, ok := w.(*recorder); ok && (kept.until.IsZero() || t.Before(kept.until)) {
		kept.until = t
	}
}
