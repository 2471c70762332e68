package contract

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strconv"
	"strings"
	"testing"
)

// counterexample is a testing.TB that records a failure without failing the test.
type counterexample struct {
	testing.TB
	failed bool
}

// Errorf, Error, Fatalf, Fatal, FailNow, Fail, Failed, Log and Logf override those of the test.
func (c *counterexample) Errorf(string, ...any) { c.failed = true }

func (c *counterexample) Error(...any) { c.failed = true }

func (c *counterexample) Fatalf(string, ...any) { c.FailNow() }

func (c *counterexample) Fatal(...any) { c.FailNow() }

func (c *counterexample) FailNow() { c.failed = true; runtime.Goexit() }

func (c *counterexample) Fail() { c.failed = true }

func (c *counterexample) Failed() bool { return c.failed }

func (c *counterexample) Log(...any) {}

func (c *counterexample) Logf(string, ...any) {}

// mistake is a bug: a handler that is wrong in one way.
type mistake struct {
	name string
	make func(http.Handler) http.Handler
}

// mistakes contains the bugs that the model must find.
var mistakes = []mistake{
	{"an update loses the title", losing("title")}, {"an update loses the end", losing("end_date")},
	{"an update loses organizers", losing("organizer")}, {"an update loses tags", losing("tags")},
	{"an update loses a status", losing("status")}, {"an update loses a field of venues", losing("city")},
	{"an update loses a parent", losing("parent")},
	{"DELETE deletes nothing", before(func(r *http.Request) {
		if r.Method == http.MethodDelete {
			r.Method = http.MethodGet
		}
	})},
	{"force is ignored", before(func(r *http.Request) { r.URL.RawQuery = strings.ReplaceAll(r.URL.RawQuery, "force=true", "") })},
	{"what is trashed comes back", undeleting}, {"a post is made twice", twice}, {"lists forget the last item", forgetting},
}

func before(change func(*http.Request)) func(http.Handler) http.Handler {
	return func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			change(r)
			h.ServeHTTP(w, r)
		})
	}
}

// losing drops a field of updates.
func losing(name string) func(http.Handler) http.Handler {
	return before(func(r *http.Request) {
		if address := strings.TrimPrefix(Site+r.URL.Path, Root); strings.Count(address, "/") < 2 || r.Method == http.MethodGet {
			return
		}
		body, _ := io.ReadAll(r.Body)
		var o object
		if json.Unmarshal(body, &o) == nil {
			delete(o, name)
			body = []byte(jsonText(o))
		}
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
	})
}

// undeleting answers DELETE correctly, and then restores the item.
func undeleting(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		h.ServeHTTP(w, r)
		if r.Method == http.MethodDelete && !strings.Contains(r.URL.Path, "by-slug") {
			back := httptest.NewRequestWithContext(r.Context(), http.MethodPatch, r.URL.Path, strings.NewReader(`{"status":"draft"}`))
			back.Host, back.Header = r.Host, r.Header.Clone()
			back.Header.Set("Content-Type", "application/json")
			h.ServeHTTP(httptest.NewRecorder(), back)
		}
	})
}

// twice sends each request that creates an item twice.
func twice(h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		if r.Method == http.MethodPost && strings.HasSuffix(r.URL.Path, "s") {
			again := r.Clone(r.Context())
			again.Body = io.NopCloser(bytes.NewReader(body))
			h.ServeHTTP(httptest.NewRecorder(), again)
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		h.ServeHTTP(w, r)
	})
}

// forgetting shortens lists.
func forgetting(h http.Handler) http.Handler {
	return before(func(r *http.Request) {
		if r.Method == http.MethodGet && strings.Contains(r.URL.RawQuery, "per_page=50") {
			r.URL.RawQuery = strings.Replace(r.URL.RawQuery, "per_page=50", "per_page="+strconv.Itoa(4), 1)
		}
	})(h)
}
