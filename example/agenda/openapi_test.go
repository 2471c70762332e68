package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/contract"
	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
)

// apiDocument is the OpenAPI document in the forms that the tests use.
type apiDocument struct {
	spec       *openapi3.T
	tree       map[string]any
	strict     *jsonschema.Compiler
	loose      *jsonschema.Compiler // for responses with selected members only
	schemas    map[string]*jsonschema.Schema
	operations []*apiOperation
}

// apiOperation is an operation of the document.
type apiOperation struct {
	id, path, method string
	tree             map[string]any
}

// readDocument loads the document that a handler serves, as an OpenAPI 3.1 document and as a JSON schema of 2020-12.
func readDocument(t testing.TB, h http.Handler) *apiDocument {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, contract.Root+"/doc", nil))
	if w.Code != http.StatusOK {
		t.Fatalf("%d %.300s", w.Code, w.Body)
	}
	spec := must.Get(openapi3.NewLoader().LoadFromData(w.Body.Bytes()))(t)
	if !spec.IsOpenAPI31OrLater() {
		t.Fatalf("version %s", spec.OpenAPI)
	}
	d := &apiDocument{spec: spec, schemas: map[string]*jsonschema.Schema{}}
	must.Succeed(t, json.Unmarshal(w.Body.Bytes(), &d.tree))
	d.strict, d.loose = compiler(t, w.Body.Bytes(), nil), compiler(t, w.Body.Bytes(), loosened)
	for path, item := range d.tree["paths"].(map[string]any) {
		for method, o := range item.(map[string]any) {
			tree := o.(map[string]any)
			d.operations = append(d.operations, &apiOperation{tree["operationId"].(string), path, strings.ToUpper(method), tree})
		}
	}
	slices.SortFunc(d.operations, func(a, b *apiOperation) int { return strings.Compare(a.id, b.id) })
	return d
}

func compiler(t testing.TB, document []byte, change func(any) any) *jsonschema.Compiler {
	t.Helper()
	tree := must.Get(jsonschema.UnmarshalJSON(bytes.NewReader(document)))(t)
	if change != nil {
		tree = change(tree)
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	must.Succeed(t, c.AddResource("doc.json", tree))
	return c
}

// loosened returns the schemas for responses with _fields: members may be missing, an object without members is an
// empty list, a list with gaps is an object by index, and several alternatives of a union may match.
func loosened(v any) any {
	switch x := v.(type) {
	case []any:
		for i := range x {
			x[i] = loosened(x[i])
		}
	case map[string]any:
		for k := range x {
			x[k] = loosened(x[k])
		}
		if _, list := x["required"].([]any); list {
			delete(x, "required")
		}
		if union, ok := x["oneOf"]; ok {
			delete(x, "oneOf")
			x["anyOf"] = union
		}
		switch x["type"] {
		case "object":
			return map[string]any{"anyOf": []any{x, map[string]any{"type": "array", "maxItems": 0}}}
		case "array":
			return map[string]any{"anyOf": []any{x, map[string]any{"type": "object", "additionalProperties": x["items"]}}}
		}
	}
	return v
}

// find returns the operation of a method and a path below the namespace, and whether the path exists.
func (d *apiDocument) find(method, path string) (found *apiOperation, known bool) {
	path = "/" + strings.Trim(path, "/")
	for _, o := range d.operations {
		if !fits(o.path, path) {
			continue
		}
		known = true
		if o.method == method {
			return o, true
		}
	}
	return nil, known
}

// inFormat returns the operation that documents the responses of another one in a format other than JSON.
func (d *apiDocument) inFormat(o *apiOperation, media string) (*apiOperation, bool) {
	if media != "text/calendar" || o.method != http.MethodGet {
		return nil, false
	}
	path := strings.Replace(strings.TrimSuffix(o.path, "/ics"), "/by-slug/{slug}", "/{id}", 1) + "/ics"
	i := slices.IndexFunc(d.operations, func(other *apiOperation) bool { return other.path == path })
	if i < 0 {
		return nil, false
	}
	return d.operations[i], true
}

// syncing returns the operation that documents the responses of a list to clients that maintain a copy of it.
func (d *apiDocument) syncing(o *apiOperation) *apiOperation {
	i := slices.IndexFunc(d.operations, func(other *apiOperation) bool { return other.path == o.path+"/sync" })
	if i < 0 || o.method != http.MethodGet {
		return o
	}
	return d.operations[i]
}

func fits(template, path string) bool {
	want, got := strings.Split(template, "/"), strings.Split(path, "/")
	if len(want) != len(got) {
		return false
	}
	for i, w := range want {
		switch w {
		case "{id}":
			if got[i] == "" || strings.Trim(got[i], "0123456789") != "" {
				return false
			}
		case "{slug}":
			if got[i] == "" {
				return false
			}
		default:
			if !strings.EqualFold(w, got[i]) {
				return false
			}
		}
	}
	return true
}

// at returns the value at a JSON pointer, following references, and the pointer to it.
func (d *apiDocument) at(pointer string) (any, string) {
	var v any = d.tree
	for step := range strings.SplitSeq(strings.TrimPrefix(pointer, "#/"), "/") {
		m, _ := v.(map[string]any)
		v = m[unescaped(step)]
	}
	if m, _ := v.(map[string]any); m != nil {
		if ref, ok := m["$ref"].(string); ok {
			return d.at(ref)
		}
	}
	return v, pointer
}

func escaped(step string) string { return strings.NewReplacer("~", "~0", "/", "~1").Replace(step) }

func unescaped(step string) string { return strings.NewReplacer("~1", "/", "~0", "~").Replace(step) }

// statuses returns the documented statuses of an operation.
func (o *apiOperation) statuses() (list []int) {
	for _, statuses := range []any{o.tree["responses"], o.tree["x-errors"]} {
		for status := range statuses.(map[string]any) {
			if n, err := strconv.Atoi(status); err == nil {
				list = append(list, n)
			}
		}
	}
	slices.Sort(list)
	return list
}

// response returns the documented response with a status, and the pointer to it.
func (d *apiDocument) response(o *apiOperation, status int) (map[string]any, string) {
	name := strconv.Itoa(status)
	if o.codes(status) != nil {
		name = "default"
	}
	v, pointer := d.at(fmt.Sprintf("#/paths/%s/%s/responses/%s", escaped(o.path), strings.ToLower(o.method), name))
	m, _ := v.(map[string]any)
	return m, pointer
}

// codes returns the documented error codes with a status, or nil.
func (o *apiOperation) codes(status int) []any {
	codes, _ := o.tree["x-errors"].(map[string]any)[strconv.Itoa(status)].([]any)
	return codes
}

// schema compiles the schema at a pointer. It compiles each one only once.
func (d *apiDocument) schema(pointer string, loose bool) (*jsonschema.Schema, error) {
	key := fmt.Sprint(loose, pointer)
	if s := d.schemas[key]; s != nil {
		return s, nil
	}
	c := d.strict
	if loose {
		c = d.loose
	}
	s, err := c.Compile("doc.json" + pointer)
	d.schemas[key] = s
	return s, err
}

// TestDocumentIsValid checks that the document and its examples are valid, and that the documents in other languages
// differ only in their texts.
func TestDocumentIsValid(t *testing.T) {
	t.Parallel()
	h := contract.Handler(t, calendar.Options{DB: recordedSite(t)})
	d := readDocument(t, h)
	if want := contract.Operations(); len(d.operations) != want {
		t.Errorf("%d operations, want %d", len(d.operations), want)
	}
	// Schemas of OpenAPI 3.1 are JSON schemas of 2020-12. Checking the examples against them takes seconds.
	must.Succeed(t, d.spec.Validate(t.Context(), openapi3.EnableExamplesValidation(), openapi3.IsOpenAPI31OrLater()))
	examples, _ := d.at("#/components/examples")
	for name, e := range examples.(map[string]any) {
		s := must.Get(d.schema("#/components/schemas/"+name, false))(t)
		if err := s.Validate(e.(map[string]any)["value"]); err != nil {
			t.Errorf("example of %s: %v", name, err)
		}
	}
}

// TestUntrueAnswersAreFound checks that the observer finds responses that differ from the document.
func TestUntrueAnswersAreFound(t *testing.T) {
	t.Parallel()
	d := readDocument(t, contract.Handler(t, calendar.Options{DB: recordedSite(t)}))
	o := newObserver(d)
	golden.Each(t, "untrue.txt", func(name, method, address string, status int, media, body string) {
		r := httptest.NewRequest(method, contract.Site+address, nil)
		e := observed{
			request: r, namespace: "tribe/events/v1", status: status, header: http.Header{"Content-Type": {media}}, answer: []byte(body),
		}
		if err := o.check(e); err == nil {
			t.Errorf("%s: nothing was found", name)
		}
	})
}
