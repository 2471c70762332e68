package rest

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/agendahq/agenda/internal/apierror"
	"github.com/agendahq/agenda/internal/budget"
	"github.com/agendahq/agenda/internal/caller"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/param"
)

// A batch is a request that contains other requests, in the form of WordPress's batch route. Each is carried out as if
// it were sent alone: with the rights, parameters, limits and texts of its own route, and stored or rejected on its own,
// unless the batch asks for one transaction for all.

// Limits of a batch.
const (
	maxBatch     = 500     // requests
	maxAtomic    = 64      // requests in one transaction, for whose end all other writers wait
	maxBatchBody = 4 << 20 // bytes
)

const (
	paramRequests   param.Key[[]any]  = "requests"
	paramValidation param.Key[string] = "validation"
	paramAtomic     param.Key[bool]   = "atomic"
)

// The values of validation: each request is validated before it is carried out, or all are before the first one is
// carried out.
const (
	validateEach = "normal"
	validateAll  = "require-all-validate"
)

// errBatch is the answer to a batch in one transaction if one of its requests was rejected.
var errBatch = apierror.New(http.StatusConflict, "rest_batch_refused", "error_batch_refused").
	Documented("BatchRefused", "doc_error_batch", []jsonschema.Member{
		jsonschema.Has("request", jsonschema.Int().Example(2)).Doc("doc_field_batch_request"),
		jsonschema.Has("response", batchResponse()).Doc("doc_field_batch_response"),
	})

// batchMethods are the methods that a request of a batch may have.
var batchMethods = []string{http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete}

// batchIndex is the description of the parameters of a batch in the index.
var batchIndex = param.NewIndex(`requests: description
validation atomic: description default`)

// BatchOperation returns the operation that answers a batch of requests to the routes. Callers who may use none of the
// operations that write are rejected before the body is read.
func BatchOperation(routes []*Route, language *param.Param) *Operation {
	request := jsonschema.Object("BatchRequestData",
		jsonschema.Optional("method", jsonschema.Words(batchMethods...).Default(http.MethodPost)),
		jsonschema.Has("path", jsonschema.Text().Example("/events?_fields=id")),
		jsonschema.Optional("body",
			jsonschema.Object("", jsonschema.Optional("title", jsonschema.Text().Example("Open house")),
				jsonschema.Optional("start_date", jsonschema.Text().Example("2031-05-01 10:00:00")),
				jsonschema.Optional("end_date", jsonschema.Text().Example("2031-05-01 17:00:00"))).Opened().Undescribed()),
		jsonschema.Optional("headers", jsonschema.Map(jsonschema.Text().Example(`"Yk8-2Q.x1"`))),
	).Opened().Undescribed()
	validations := []string{validateEach, validateAll}
	return &Operation{
		ID: "sendBatch", Summary: "summary_batch", Tag: "batch", About: "doc_tag_batch", Batch: true,
		Params: append(batchIndex.Arrange([]*param.Param{
			paramRequests.Param(jsonschema.List(request).AtLeast(1).UpTo(maxBatch), param.Checked(batchList), param.Doc("param_requests"),
				param.Required()),
			paramValidation.Param(jsonschema.Words(validations...).Default(validateEach), param.Checked(param.OneOf(validations...)),
				param.Doc("param_validation"), param.Default(validateEach), param.Untyped()),
			paramAtomic.Param(jsonschema.Bool().Default(false), param.Checked(param.Truthy), param.Doc("param_atomic"),
				param.Default(false), param.Untyped()),
		}), language),
		Permits: func(p caller.Principal) bool {
			return slices.ContainsFunc(routes, func(r *Route) bool {
				return slices.ContainsFunc(r.Operations, func(o *Operation) bool { return !o.Reads() && o.permits(p) })
			})
		},
		Handle: handleBatch, Errors: []*apierror.Error{errBatch, errAnswerTooLarge},
		Answer: jsonschema.Object("Batch",
			jsonschema.Optional("failed", jsonschema.Only("validation")),
			jsonschema.Has("responses", jsonschema.List(jsonschema.OneOf(batchResponse(), jsonschema.Null()))),
		).Undescribed(),
	}
}

// batchResponse is the shape of the answer to a request of a batch.
func batchResponse() *jsonschema.Schema {
	return jsonschema.Object("BatchResponse",
		jsonschema.Has("body", jsonschema.Any()),
		jsonschema.Has("status", jsonschema.Int().Example(http.StatusCreated)),
		jsonschema.Has("headers", jsonschema.Map(jsonschema.OneOf(jsonschema.Text(), jsonschema.Int()))), // Retry-After is a number
	).Undescribed()
}

// batchList accepts a list that is not empty and not longer than a batch may be.
func batchList(_ context.Context, v any) ([]any, error) {
	list, ok := v.([]any)
	if !ok || len(list) == 0 || len(list) > maxBatch {
		return nil, param.Invalid("fault_batch_requests", "Max", maxBatch)
	}
	return list, nil
}

// part is a request of a batch.
type part struct {
	method string
	at     *url.URL // its path below the namespace, and its query
	route  *Route
	vars   *param.Map
	header http.Header
	body   param.Raw
	key    string // under which its answer is kept, "" for none
}

// batch is a batch that is being carried out.
type batch struct {
	*Request
	parts []*part
}

func handleBatch(ctx context.Context, r *Request) (*Response, error) {
	b := &batch{Request: r}
	if err := b.parseRequests(paramRequests.Value(r.Values)); err != nil {
		return nil, err
	}
	atomic := paramAtomic.Value(r.Values)
	if atomic && len(b.parts) > maxAtomic {
		return nil, param.Refuse(string(paramRequests), param.Invalid("fault_batch_atomic", "Max", maxAtomic))
	}
	ctx = budget.Counted(ctx) // a request of the batch must not wait for other requests, which may wait for the batch
	resp := &Response{Status: http.StatusMultiStatus}
	switch {
	case paramValidation.Value(r.Values) == validateAll && !b.valid(ctx):
		return resp, nil
	case atomic:
		return resp, r.engine.Atomically(ctx, b.prepare, b.all)
	}
	return resp, b.each(ctx)
}

// RefuseBatch returns the answer to a batch whose requests cannot be stored together.
func RefuseBatch(f *param.Fault) error { return param.Refuse(string(paramRequests), f) }

// parseRequests parses the requests. Errors name the index of the request in the list.
func (b *batch) parseRequests(list []any) error {
	var faults []*param.Fault
	for i, v := range list {
		p, member, fault := b.part(v)
		if fault != nil {
			fault.Param = fmt.Sprintf("%s[%d]%s", paramRequests, i, member)
			faults = append(faults, fault)
			continue
		}
		if b.key != "" {
			sum := sha256.Sum256(fmt.Appendf(nil, "%s %d", b.key, i))
			p.key = hex.EncodeToString(sum[:])
		}
		b.parts = append(b.parts, p)
	}
	if faults != nil {
		return &param.Failure{Faults: faults}
	}
	return nil
}

// part parses a request. An error is returned with the name of the member that it is about.
func (b *batch) part(v any) (p *part, member string, fault *param.Fault) {
	m, ok := v.(*param.Map)
	if !ok {
		return nil, "", param.Invalid("fault_batch_request")
	}
	p = &part{method: http.MethodPost, header: http.Header{}}
	if method, given := m.Get("method"); given {
		name, _ := method.(string)
		if p.method = strings.ToUpper(name); !slices.Contains(batchMethods, p.method) {
			return nil, "[method]", param.Invalid("fault_batch_method", "Methods", strings.Join(batchMethods, ", "))
		}
	}
	if member, fault = "[path]", b.address(p, m); fault != nil {
		return nil, member, fault
	}
	switch o := p.route.operation(p.method); {
	case o == nil:
		return nil, "[method]", param.Invalid("fault_batch_no_method")
	case o.Batch:
		return nil, "[path]", param.Invalid("fault_batch_nested")
	}
	if fault = p.headers(m); fault != nil {
		return nil, "[headers]", fault
	}
	if body, given := m.Get("body"); given {
		p.body = body.(param.Raw)
	}
	return p, "", nil
}

// address parses the path of a request: below the namespace, or with the namespace below the REST root.
func (b *batch) address(p *part, m *param.Map) *param.Fault {
	v, _ := m.Get("path")
	path, _ := v.(string)
	at, err := url.Parse(path)
	if err != nil || at.IsAbs() || at.Host != "" || !strings.HasPrefix(path, "/") {
		return param.Invalid("fault_batch_path")
	}
	query, err := param.ParseForm(at.RawQuery)
	if err != nil {
		return param.Invalid("fault_batch_path")
	}
	if _, given := query.Get("_method"); given {
		return param.Invalid("fault_batch_override")
	}
	below, namespace := at.EscapedPath(), "/"+b.engine.Namespace
	if len(below) > len(namespace) && below[len(namespace)] == '/' && strings.EqualFold(below[:len(namespace)], namespace) {
		below = below[len(namespace):]
	}
	p.at = at
	if p.route, p.vars = b.engine.find(Target{Root: b.Root, Path: below}); p.route == nil {
		return param.Invalid("fault_batch_no_route")
	}
	if p.route.OfHost() {
		return param.Invalid("fault_batch_own")
	}
	return nil
}

// outerHeaders are headers that only the batch itself may have.
var outerHeaders = []string{"Authorization", "Cookie", keyHeader, "X-Http-Method-Override", "X-Wp-Nonce"}

// headers parses the headers of a request. The value of each is a string or a list of strings.
func (p *part) headers(m *param.Map) *param.Fault {
	p.header.Set("Content-Type", jsonType)
	v, given := m.Get("headers")
	if list, empty := v.([]any); !given || v == nil || empty && len(list) == 0 { // PHP encodes an empty object as an empty list
		return nil
	}
	all, ok := v.(*param.Map)
	if !ok {
		return param.Invalid("fault_batch_headers")
	}
	for _, name := range all.Keys() {
		value, _ := all.Get(name)
		values, isList := value.([]any)
		if !isList || len(values) == 0 {
			values = []any{value}
		}
		for _, one := range values {
			text, ok := one.(string)
			if !ok {
				return param.Invalid("fault_batch_headers")
			}
			p.header.Add(name, text)
		}
		canonical := http.CanonicalHeaderKey(name)
		if slices.Contains(outerHeaders, canonical) || canonical == "Content-Type" && !jsonMedia(values[0].(string)) {
			return param.Invalid("fault_batch_header", "Name", name)
		}
	}
	return nil
}

// valid validates the parameters of all requests and the caller's rights to them. If any is invalid, it writes the
// answer.
func (b *batch) valid(ctx context.Context) bool {
	valid := true
	b.begin(true)
	for _, p := range b.parts {
		c := b.request(ctx, p)
		c.checks = true
		if _, err := b.engine.guarded(c, p.vars); err != nil {
			valid = false
			b.Out.Raw(c.failure(err).body)
		} else {
			b.Out.Null()
		}
		b.engine.keep(c, c.Out)
	}
	b.end()
	return valid
}

// begin begins the answer. It discards what a validation or an earlier attempt has written.
func (b *batch) begin(failed bool) {
	b.Out.Reset()
	b.Out.Object()
	if failed {
		b.Out.KeyString("failed", "validation")
	}
	b.Out.KeyArray("responses")
}

// end ends the answer.
func (b *batch) end() {
	b.Out.End()
	b.Out.End()
}

// prepare does for all requests what must not happen within their transaction. It logs errors only, since they occur
// again when the requests are carried out.
func (b *batch) prepare(ctx context.Context) {
	for _, p := range b.parts {
		c := b.request(ctx, p)
		_, err := b.engine.guarded(c, p.vars)
		b.engine.Logger.DebugContext(ctx, "request of a batch is prepared", "path", p.at.Path, "outcome", err)
		b.engine.keep(c, c.Out)
	}
}

// all carries out the requests within one transaction, until one is rejected.
func (b *batch) all(ctx context.Context) error {
	b.begin(false)
	for i, p := range b.parts {
		if max := b.engine.MaxAnswer; max >= 0 && int64(b.Out.Len()) > max {
			return errAnswerTooLarge
		}
		c := b.request(ctx, p)
		a, err := b.engine.guarded(c, p.vars)
		switch {
		case err == nil:
			b.Out.Raw(a.body)
		case !c.failed(err):
			err = errBatch.With("Number", i+1).WithData("request", int64(i)).
				WithData("response", json.RawMessage(slices.Clone(c.failure(err).body)))
		}
		b.engine.keep(c, c.Out)
		if err != nil {
			return err
		}
	}
	b.end()
	return nil
}

// request returns a request of the batch for the engine. Its caller and client are those of the batch.
func (b *batch) request(ctx context.Context, p *part) *request {
	e := b.engine
	outer := b.HTTP
	r := (&http.Request{
		Method: p.method, URL: p.at, Header: p.header, Body: http.NoBody, Host: outer.Host, RemoteAddr: outer.RemoteAddr,
		RequestURI: p.at.RequestURI(), Proto: outer.Proto, ProtoMajor: outer.ProtoMajor, ProtoMinor: outer.ProtoMinor,
	}).WithContext(outer.Context())
	target := Target{Root: b.Root, Caller: func(context.Context) (caller.Principal, error) { return b.Principal, nil }}
	c := &request{asked: p.route, target: target, Request: e.newRequest(r, b.Root), part: p}
	c.TryPassword = b.TryPassword
	c.ctx, c.method, c.Language, c.Out, c.Text, c.engine = ctx, r.Method, b.Root.Tag, e.writer(), e.Texts[b.Root.Tag], e
	c.Request.unchanged = c.unwritten
	c.body.read, c.body.taken = true, true
	if int64(len(p.body)) > e.MaxBody {
		c.body.err = errTooLarge
		return c
	}
	if c.src.JSON, _, c.body.err = param.ParseJSON(p.body); errors.Is(c.body.err, param.ErrTooMany) { // a write may be a bare scalar
		c.body.err = errTooMany
	}
	return c
}

// failure returns the answer to a rejected request of a batch, in an envelope.
func (c *request) failure(err error) *answer {
	resp, _ := c.fail(c.HTTP.URL.Path, err)
	c.envelope = true
	return c.complete(resp, true)
}
