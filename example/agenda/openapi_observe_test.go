package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/param"
)

// observer checks responses against the OpenAPI document and records which kinds it saw.
type observer struct {
	d        *apiDocument
	mu       sync.Mutex
	unseen   *kinds
	checked  map[[sha256.Size]byte]bool
	bodies   map[string]int // number of bodies per schema
	failures []string
}

func newObserver(d *apiDocument) *observer {
	return &observer{d: d, unseen: kindsOf(d), checked: map[[sha256.Size]byte]bool{}, bodies: map[string]int{}}
}

// observed is a request with its response.
type observed struct {
	request   *http.Request
	namespace string
	body      []byte // the body of the request, as far as it was read
	status    int
	header    http.Header
	answer    []byte
}

// wrap returns a handler that passes the responses of h to the observer.
func (o *observer) wrap(namespace string, h http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var sent bytes.Buffer
		if r.Body != nil {
			r.Body = struct {
				io.Reader
				io.Closer
			}{io.TeeReader(r.Body, &sent), r.Body}
		}
		tee := &answerTee{ResponseWriter: w, status: http.StatusOK}
		h.ServeHTTP(tee, r)
		e := observed{r, namespace, sent.Bytes(), tee.status, w.Header().Clone(), tee.body.Bytes()}
		if err := o.check(e); err != nil {
			o.fail("%s %s: %d %.300s\n    %v", r.Method, clip(r.URL.RequestURI()), e.status, e.answer, err)
		}
	})
}

func clip(s string) string {
	if len(s) > 300 {
		return s[:300] + "…"
	}
	return s
}

func (o *observer) fail(format string, args ...any) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.failures = append(o.failures, fmt.Sprintf(format, args...))
}

type answerTee struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer
}

func (w *answerTee) WriteHeader(status int) {
	w.status = status
	w.ResponseWriter.WriteHeader(status)
}

func (w *answerTee) Write(b []byte) (int, error) {
	w.body.Write(b)
	return w.ResponseWriter.Write(b)
}

// Unwrap returns the wrapped writer, for http.ResponseController.
func (w *answerTee) Unwrap() http.ResponseWriter { return w.ResponseWriter }

// clientGone is the status for a client that has closed its connection.
const clientGone = 499

// check returns how a response differs from the document, or nil.
func (o *observer) check(e observed) error {
	if e.status == clientGone || e.below() == elsewhere {
		return nil
	}
	query, err := param.ParseForm(e.request.URL.RawQuery)
	if err != nil {
		query = param.NewMap()
	}
	method := overridden(e.request, query)
	op, known := o.d.find(method, e.below())
	if method == http.MethodHead {
		op, known = o.d.find(http.MethodGet, e.below())
	}
	answer, status, inside := e.answer, e.status, false
	if _, asked := query.Get("_envelope"); asked {
		answer, status, inside = opened(answer, status)
	}
	head := method == http.MethodHead || e.request.Method == http.MethodHead
	switch {
	case head && len(answer) > 0:
		return errors.New("HEAD with a body")
	case head:
		return nil
	case method == http.MethodOptions && status == http.StatusOK:
		return o.description(answer, known)
	case op == nil:
		return o.body("#/components/schemas/Error", answer, false)
	}
	if asksSync(query, e.body) {
		op = o.d.syncing(op)
	}
	media, _, _ := strings.Cut(e.header.Get("Content-Type"), ";")
	if other, ok := o.d.inFormat(op, media); ok {
		op = other
	}
	response, pointer := o.d.response(op, status)
	if response == nil {
		return fmt.Errorf("%s is not documented to answer %d", op.id, status)
	}
	if !inside {
		if err := o.headers(response, e.header); err != nil {
			return err
		}
	}
	content, _ := response["content"].(map[string]any)
	if content == nil {
		if len(answer) > 0 {
			return fmt.Errorf("%d has a body", status)
		}
		_, err := o.countAnswer(op, status, nil)
		return err
	}
	if content[media] == nil {
		return fmt.Errorf("%s is not documented to answer %d as %s", op.id, status, media)
	}
	if media != "application/json" { // it is plain text
		_, err := o.countAnswer(op, status, nil)
		return err
	}
	narrow := status < http.StatusMultipleChoices && narrowed(e, op)
	if err := o.body(pointer+"/content/application~1json/schema", answer, narrow); err != nil {
		return err
	}
	if err := o.code(op, status, answer); err != nil {
		return err
	}
	if narrow {
		return nil
	}
	seen, err := o.countAnswer(op, status, answer)
	if err == nil && seen == 1 && !inside {
		err = o.secondOpinion(op, e)
	}
	return err
}

// asksSync reports whether the request of a list contains parameters of sync, valid or not.
func asksSync(query *param.Map, body []byte) bool {
	_, token := query.Get("sync_token")
	asked, sync := query.Get("sync")
	return token || sync && asked != "false" && asked != "0" && asked != "" || bytes.Contains(body, []byte("sync"))
}

// code checks that the code of an error is documented for the operation.
func (o *observer) code(op *apiOperation, status int, answer []byte) error {
	codes := op.codes(status)
	if codes == nil {
		return nil
	}
	var failure struct{ Code string }
	if err := json.Unmarshal(answer, &failure); err != nil {
		return err
	}
	if !slices.Contains(codes, any(failure.Code)) {
		return fmt.Errorf("%s is not documented to answer %d %s", op.id, status, failure.Code)
	}
	return nil
}

// elsewhere is returned in place of a path that is not below the namespace.
const elsewhere = "?"

// below returns the path below the namespace. It accepts both pretty and plain permalinks.
func (e observed) below() string {
	if below, ok := e.cut(e.request.URL.EscapedPath()); ok {
		return below
	}
	var named string // the last one counts if there are several
	for pair := range strings.SplitSeq(e.request.URL.RawQuery, "&") {
		if name, value, _ := strings.Cut(pair, "="); name == call.RouteParam {
			named = param.Unescape(value)
		}
	}
	named, _, _ = strings.Cut(named, "?")
	below, ok := e.cut((&url.URL{Path: named}).EscapedPath())
	if hosts := e.status == http.StatusNotFound && !json.Valid(e.answer); !ok || hosts { // the host does not serve plain permalinks
		return elsewhere
	}
	return below
}

// cut returns the part of a path after the namespace.
func (e observed) cut(path string) (below string, found bool) {
	i := strings.Index(strings.ToLower(path), "/"+strings.ToLower(e.namespace))
	if i < 0 {
		return "", false
	}
	return path[i+1+len(e.namespace):], true
}

// overridden returns the effective method of a request: an override is used in a POST, and in a GET or HEAD if it names
// a method that reads.
func overridden(r *http.Request, query *param.Map) string {
	named := r.Header.Get("X-HTTP-Method-Override")
	if v, ok := query.Get("_method"); ok {
		if s, isText := v.(string); isText && s != "" {
			named = s
		}
	}
	named = strings.ToUpper(named)
	reads := r.Method == http.MethodGet || r.Method == http.MethodHead
	writing := []string{http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete}
	if named != "" && (r.Method == http.MethodPost || reads && !slices.Contains(writing, named)) {
		return named
	}
	return r.Method
}

// opened returns the response inside an envelope, and its status.
func opened(answer []byte, status int) ([]byte, int, bool) {
	var envelope struct {
		Body    json.RawMessage
		Status  int
		Headers json.RawMessage
	}
	if json.Unmarshal(answer, &envelope) != nil || envelope.Status == 0 || envelope.Headers == nil {
		return answer, status, false
	}
	return envelope.Body, envelope.Status, true
}

// narrowed reports whether a request selects members of the response, or a view that terms do not have.
func narrowed(e observed, op *apiOperation) bool {
	text, err := url.QueryUnescape(e.request.URL.RawQuery)
	if err != nil {
		text = e.request.URL.RawQuery
	}
	if text += string(e.body); strings.Contains(text, "_fields") {
		return true
	}
	if !strings.HasPrefix(op.path, "/categories") && !strings.HasPrefix(op.path, "/tags") {
		return false
	}
	_, view, asked := strings.Cut(text, "context")
	view = strings.TrimLeft(view, `=": `)
	for _, v := range []string{"view", "edit", "embed"} {
		rest, is := strings.CutPrefix(view, v)
		asked = asked && !(is && (rest == "" || strings.ContainsAny(rest[:1], `&"`)))
	}
	return asked
}

// description checks the response to OPTIONS.
func (o *observer) description(answer []byte, known bool) error {
	if !known {
		if string(answer) != "[]" {
			return errors.New("OPTIONS where nothing is")
		}
		return nil
	}
	return o.body("#/components/schemas/IndexRoute", answer, true)
}

// manyBodies is the number of bodies per schema up to which all are checked.
const manyBodies = 60

// body checks a body against the schema at a pointer.
func (o *observer) body(pointer string, answer []byte, loose bool) error {
	sum := sha256.Sum256(append([]byte(fmt.Sprint(pointer, loose)), answer...))
	o.mu.Lock()
	known := o.checked[sum]
	o.checked[sum] = true
	if o.bodies[pointer]++; o.bodies[pointer] > manyBodies && sum[0]%16 > 0 { // check one in sixteen of further bodies
		known = true
	}
	s, err := o.d.schema(pointer, loose)
	o.mu.Unlock()
	if known || err != nil {
		return err
	}
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(answer))
	if err != nil {
		return err
	}
	return s.Validate(v)
}

// headers checks that the documented headers are present.
func (o *observer) headers(response map[string]any, got http.Header) error {
	headers, _ := response["headers"].(map[string]any)
	for name, v := range headers {
		if ref, ok := v.(map[string]any)["$ref"].(string); ok {
			v, _ = o.d.at(ref)
		}
		documented := v.(map[string]any)
		if len(got.Values(name)) == 0 {
			if documented["required"] == true {
				return fmt.Errorf("no header %s", name)
			}
			continue
		}
		if documented["schema"].(map[string]any)["type"] == "integer" {
			if _, err := strconv.Atoi(got.Get(name)); err != nil {
				return fmt.Errorf("header %s: %s", name, got.Get(name))
			}
		}
	}
	return nil
}

// countAnswer counts a response, and returns the number of responses of its kind so far.
func (o *observer) countAnswer(op *apiOperation, status int, answer []byte) (int, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	var err error
	switch {
	case status < http.StatusMultipleChoices:
		err = o.unseen.sawForm(o.d, op, answer)
	case status >= http.StatusBadRequest:
		o.unseen.sawError(answer)
	}
	return o.unseen.saw(op, status), err
}

// secondOpinion validates a response and its headers with another library.
func (o *observer) secondOpinion(op *apiOperation, e observed) error {
	item := o.d.spec.Paths.Value(op.path)
	route := &routers.Route{Spec: o.d.spec, Path: op.path, PathItem: item, Method: op.method, Operation: item.GetOperation(op.method)}
	input := &openapi3filter.ResponseValidationInput{
		RequestValidationInput: &openapi3filter.RequestValidationInput{Request: e.request, Route: route},
		Status:                 e.status, Header: e.header,
		Options: &openapi3filter.Options{IncludeResponseStatus: true,
			SchemaValidationOptions: []openapi3.SchemaValidationOption{openapi3.EnableJSONSchema2020()}},
	}
	input.SetBodyBytes(e.answer)
	return openapi3filter.ValidateResponse(context.Background(), input)
}

// report fails the test for each response that differed from the document.
func (o *observer) report(t *testing.T) {
	o.mu.Lock()
	defer o.mu.Unlock()
	for i, f := range o.failures {
		if i == 20 {
			t.Errorf("and %d more", len(o.failures)-i)
			break
		}
		t.Error(f)
	}
}
