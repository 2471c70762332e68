package pages

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"
)

// client calls the JSON interface in the same process.
type client struct {
	api       http.Handler
	namespace string

	mu    sync.Mutex
	kept  map[string]kept // by address
	bytes int             // of all that is kept, as it was sent
}

// kept is an answer as it was read, with the ETag by which the interface recognizes it. So an answer that has not changed is neither
// copied nor read again. It is shared and must not be changed.
type kept struct {
	tag   string
	value any
	bytes int
}

// keptBytes bounds what is kept: a list of 50 events has some 300 KiB.
const keptBytes = 16 << 20

// refusal is an answer other than 200.
type refusal struct {
	status int
	Code   string        `json:"code"`
	wait   time.Duration // until the interface answers again, 0 if it says nothing of that
}

func (r *refusal) Error() string {
	return fmt.Sprintf("the interface answered %d %s", r.status, r.Code)
}

// notFound is the error of an address that shows nothing.
func notFound() error { return &refusal{status: http.StatusNotFound} }

// get returns the answer of a route, such as /events, of a language version. Callers must not change what its lists and maps hold.
func get[T any](ctx context.Context, c *client, l Language, route string, query url.Values) (value T, err error) {
	target := c.address(l, route)
	if len(query) > 0 {
		target += "?" + query.Encode()
	}
	header := http.Header{"Accept": {"application/json"}}
	before := c.find(target)
	same, known := before.value.(T) // an answer may have been read as another type
	if known {
		header.Set("If-None-Match", before.tag)
	}
	answer, err := c.send(ctx, target, header)
	if err != nil {
		return value, err
	}
	switch {
	case answer.status == http.StatusNotModified && known:
		return same, nil
	case answer.status != http.StatusOK:
		refused := &refusal{status: answer.status}
		// For an answer that is no JSON the status is enough to choose a page.
		_ = json.Unmarshal(answer.body.Bytes(), refused)
		if seconds, err := strconv.Atoi(answer.header.Get("Retry-After")); err == nil {
			refused.wait = time.Duration(seconds) * time.Second
		}
		return value, refused
	}
	if err := json.Unmarshal(answer.body.Bytes(), &value); err != nil {
		return value, fmt.Errorf("reading the answer to %s: %w", target, err)
	}
	// What a password opened is for one visitor.
	if tag := answer.header.Get("ETag"); tag != "" && !query.Has("password") {
		c.keep(target, kept{tag, value, answer.body.Len()})
	}
	return value, nil
}

// readAll reads the pages of a list, at most as many as given. items returns what a page has, and how many pages there are.
func readAll[T, L any](ctx context.Context, s *site, v *version, route string, q url.Values, most int, items func(L) ([]T, int)) (
	[]T, error) {
	var all []T
	q = maps.Clone(q)
	q.Set("per_page", strconv.Itoa(askedAtOnce))
	for page := 1; ; page++ {
		q.Set("page", strconv.Itoa(page))
		list, err := get[L](ctx, s.client, v.lang, route, q)
		if err != nil {
			return nil, err
		}
		part, pages := items(list)
		all = append(all, part...)
		if page >= min(pages, most) {
			return all, nil
		}
	}
}

func (c *client) find(target string) kept {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.kept[target]
}

// keep keeps an answer, in place of others where there is too much.
func (c *client) keep(target string, k kept) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.drop(target)
	for other := range c.kept {
		if c.bytes+k.bytes <= keptBytes {
			break
		}
		c.drop(other)
	}
	if c.kept == nil {
		c.kept = map[string]kept{}
	}
	if c.bytes+k.bytes <= keptBytes {
		c.kept[target] = k
		c.bytes += k.bytes
	}
}

// drop forgets an answer.
func (c *client) drop(target string) {
	c.bytes -= c.kept[target].bytes
	delete(c.kept, target)
}

// send requests an address of the interface.
func (c *client) send(ctx context.Context, target string, header http.Header) (*recorder, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, target, nil)
	if err != nil {
		return nil, err
	}
	req.Header, req.RequestURI = header, target
	answer := &recorder{header: http.Header{}, status: http.StatusOK}
	c.api.ServeHTTP(answer, req)
	return answer, nil
}

// address returns the path of a route, which a visitor may open too.
func (c *client) address(l Language, route string) string {
	return l.Mount + "/" + c.namespace + route
}

// recorder keeps an answer in memory.
type recorder struct {
	header http.Header
	status int
	wrote  bool
	body   bytes.Buffer
}

func (r *recorder) Header() http.Header { return r.header }

func (r *recorder) WriteHeader(status int) {
	if !r.wrote {
		r.status, r.wrote = status, true
	}
}

func (r *recorder) Write(p []byte) (int, error) {
	r.wrote = true
	return r.body.Write(p)
}

// Flush does nothing. It exists because middleware may require it.
func (r *recorder) Flush() {}
