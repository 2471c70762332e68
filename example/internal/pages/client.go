package pages

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
)

// client calls the JSON interface in the same process.
type client struct {
	api       http.Handler
	namespace string
}

// refusal is an answer other than 200.
type refusal struct {
	status int
	Code   string `json:"code"`
}

func (r *refusal) Error() string {
	return fmt.Sprintf("the interface answered %d %s", r.status, r.Code)
}

// get reads the route, such as /events, of a language version into the value.
func (c client) get(ctx context.Context, l Language, route string, query url.Values, into any) error {
	target := c.address(l, route)
	if len(query) > 0 {
		target += "?" + query.Encode()
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, target, nil)
	if err != nil {
		return err
	}
	req.Header.Set("Accept", "application/json")
	req.RequestURI = target
	answer := recorder{header: http.Header{}, status: http.StatusOK}
	c.api.ServeHTTP(&answer, req)
	if answer.status != http.StatusOK {
		refused := &refusal{status: answer.status}
		// For an answer that is no JSON the status is enough to choose a page.
		_ = json.Unmarshal(answer.body.Bytes(), refused)
		return refused
	}
	if err := json.Unmarshal(answer.body.Bytes(), into); err != nil {
		return fmt.Errorf("reading the answer to %s: %w", target, err)
	}
	return nil
}

// address returns the path of a route, which a visitor may open too.
func (c client) address(l Language, route string) string {
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
