//go:build cluster

package cluster

import (
	"encoding/json"
	"io"
	"math/rand/v2"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// api is the path at which the program serves the API.
const api = "/wp-json/vendor/events/v1"

// How long clients wait for a response before they change to the next process.
const (
	writePatience = 3 * time.Second
	readPatience  = time.Second
)

// answer is the response to a client's request.
type answer struct {
	client     int
	began, end time.Time
	kind       string // kind of the request
	token      string // what a write wrote
	status     int    // 0 if there was no response
	code       string // code of an error
	retry      string // its Retry-After
}

// good reports whether the request succeeded.
func (a answer) good() bool { return a.status == http.StatusOK || a.status == http.StatusCreated }

// client sends requests to one of several processes. It changes to the next one after each failed request, unless it
// stays.
type client struct {
	number int
	roots  []string
	at     int
	stay   bool
	http   http.Client
	got    []answer
}

func newClient(number int, roots []string, patience time.Duration) *client {
	return &client{number: number, roots: roots, at: number % len(roots),
		http: http.Client{Timeout: patience, Transport: &http.Transport{MaxIdleConnsPerHost: 1}}}
}

// send sends a request and records the response.
func (c *client) send(kind, token, method, path, body string) (a answer, text []byte) {
	return c.sendKey("", kind, token, method, path, body)
}

// sendKey is send with an Idempotency-Key, or without one if key is "".
func (c *client) sendKey(key, kind, token, method, path, body string) (a answer, text []byte) {
	a = answer{client: c.number, kind: kind, token: token, began: time.Now()}
	req, err := http.NewRequest(method, c.roots[c.at]+api+path, strings.NewReader(body))
	if err != nil {
		panic(err)
	}
	if method != http.MethodGet {
		req.Header.Set("Content-Type", "application/json")
		req.SetBasicAuth(login, secret)
	}
	if key != "" {
		req.Header.Set("Idempotency-Key", key)
	}
	resp, err := c.http.Do(req)
	if err == nil {
		text, err = io.ReadAll(resp.Body)
		_ = resp.Body.Close()
	}
	if err == nil {
		a.status, a.retry = resp.StatusCode, resp.Header.Get("Retry-After")
		var problem struct{ Code string }
		if a.status >= 400 && json.Unmarshal(text, &problem) == nil {
			a.code = problem.Code
		}
	}
	a.end = time.Now()
	c.got = append(c.got, a)
	if !a.good() {
		if !c.stay {
			c.at = (c.at + 1) % len(c.roots)
		}
		time.Sleep(time.Duration(20+rand.IntN(40)) * time.Millisecond)
	}
	return a, text
}

// once returns an HTTP client that leaves no connection open.
func once(patience time.Duration) *http.Client {
	return &http.Client{Timeout: patience, Transport: &http.Transport{DisableKeepAlives: true}}
}

// get returns the response to a GET request. The status is 0 if there is none.
func get(c *http.Client, url string) (status int, body string) {
	resp, err := c.Get(url)
	if err != nil {
		return 0, err.Error()
	}
	defer resp.Body.Close()
	text, err := io.ReadAll(resp.Body)
	if err != nil {
		return 0, err.Error()
	}
	return resp.StatusCode, string(text)
}

// post sends a POST request that must succeed, and returns the id in the response.
func post(root, path, body string) (id string, err error) {
	c := newClient(0, []string{root}, 10*time.Second)
	defer c.http.CloseIdleConnections()
	a, text := c.send("", "", http.MethodPost, path, body)
	var made struct{ ID int64 }
	if err := json.Unmarshal(text, &made); err != nil || !a.good() {
		return "", &refused{a.status, string(text)}
	}
	return strconv.FormatInt(made.ID, 10), nil
}

type refused struct {
	status int
	text   string
}

func (r *refused) Error() string { return strconv.Itoa(r.status) + " " + r.text }
