package rest_test

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/rest"
)

// plain is a Translator that returns the message ids.
type plain string

func (p plain) Text(id string, data map[string]any) string {
	if len(data) == 0 {
		return string(p) + ":" + id
	}
	return fmt.Sprint(string(p), ":", id, data)
}

var root = &call.Root{Tag: "en", BaseURL: "http://site.test/api", URL: "http://site.test/api/ns"}

// server is an engine with one resource, and everything that its handlers got and logged.
type server struct {
	*rest.Engine
	log    bytes.Buffer
	handle rest.Handler
}

// params returns the parameters of every operation of items.
func params() []*param.Param {
	return []*param.Param{
		param.Key[int64]("id").Param(jsonschema.Int(), nil),
		param.Key[string]("slug").Param(jsonschema.Text(), nil),
		param.Key[string]("title").Param(jsonschema.Text(), nil),
		param.Key[int64]("count").Param(jsonschema.Int(), nil, param.Default(int64(7))),
		param.Key[any]("any").Param(jsonschema.Any(), nil),
	}
}

func newServer(handle rest.Handler) *server {
	s := &server{handle: handle}
	c := rest.Config{
		Namespace: "ns", LanguageParam: "lang", Timeout: time.Minute, MaxBody: 1 << 20,
		Texts:  map[string]rest.Translator{"en": plain("en"), "nl": plain("nl")},
		Logger: slog.New(slog.NewJSONHandler(&s.log, nil)),
		Prepare: func(ctx context.Context, _ *call.Root, _ time.Duration) (context.Context, bool, error) {
			return ctx, true, nil
		},
	}
	op := func(methods ...string) *rest.Operation {
		o := &rest.Operation{ID: strings.Join(methods, ""), Methods: methods, Params: params(),
			Handle: func(ctx context.Context, r *rest.Request) (*rest.Response, error) {
				return s.handle(ctx, r)
			}}
		if methods[0] != "GET" {
			o.Permits = func(p caller.Principal) bool { return !p.Anonymous() }
			o.Authorize = func(_ context.Context, r *rest.Request) (bool, error) { return r.Principal.Can("edit"), nil }
		}
		return o
	}
	c.Routes = []*rest.Route{
		{Path: "/items", Operations: []*rest.Operation{op("GET"), op("POST")}},
		{Path: "/items/{id}", Operations: []*rest.Operation{op("GET"), op("DELETE"), op("POST", "PUT", "PATCH")}},
		{Path: "/items/by-slug/{slug}", Operations: []*rest.Operation{op("GET")}},
	}
	s.Engine = rest.New(c)
	return s
}

// echo answers with the values of the parameters.
func echo(_ context.Context, r *rest.Request) (*rest.Response, error) {
	r.Out.Object()
	for _, p := range params() {
		if v, given := param.Key[any](p.Name).Get(r.Values); given {
			r.Out.KeyString(p.Name, fmt.Sprint(flat(v)))
		}
	}
	r.Out.End()
	return nil, nil
}

func flat(v any) any {
	m, ok := v.(*param.Map)
	if !ok {
		return v
	}
	var list []string
	for _, k := range m.Keys() {
		x, _ := m.Get(k)
		list = append(list, fmt.Sprint(k, "=", flat(x)))
	}
	return list
}

// editor authenticates every request by the role that it names.
func editor(_ context.Context, r *http.Request, _ func(string) (string, bool)) (caller.Principal, []rest.Header, error) {
	switch r.Header.Get("X-Role") {
	case "":
		return caller.Principal{}, nil, nil
	case "editor":
		return caller.Principal{UserID: 1, Capabilities: map[string]bool{"edit": true}}, nil, nil
	}
	return caller.Principal{UserID: 2}, nil, nil
}

func (s *server) do(method, path, body string, headers ...string) *httptest.ResponseRecorder {
	var reader io.Reader
	if body != "" {
		reader = strings.NewReader(body)
	}
	r := httptest.NewRequest(method, "http://site.test/api/ns"+path, reader)
	for i := 0; i+1 < len(headers); i += 2 {
		r.Header.Set(headers[i], headers[i+1])
	}
	w := httptest.NewRecorder()
	s.Serve(w, r, rest.Target{Root: root, Path: strings.TrimPrefix(r.URL.EscapedPath(), "/api/ns")})
	return w
}

func code(t *testing.T, w *httptest.ResponseRecorder) string {
	t.Helper()
	var a struct {
		Code string
		Data struct{ Status int }
	}
	if err := json.Unmarshal(w.Body.Bytes(), &a); err != nil {
		t.Fatalf("%v: %q", err, w.Body)
	}
	if a.Data.Status != w.Code {
		t.Errorf("status %d in the body of a %d", a.Data.Status, w.Code)
	}
	return a.Code
}
