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

// A batch is a request with others in it, in the form that the batch route of the site's own software has. Each is carried out as if
// it came alone: with the rights, parameters, bounds and texts of its own route, and in a transaction of its own, unless the batch
// asks for one transaction of all.

// Bounds of a batch.
const (
	maxBatch     = 500     // requests
	maxAtomic    = 64      // of them in one transaction, for whose end all other writers wait
	maxBatchBody = 4 << 20 // bytes
)

const (
	paramRequests   param.Key[[]any]  = "requests"
	paramValidation param.Key[string] = "validation"
	paramAtomic     param.Key[bool]   = "atomic"
)

// The values of validation: each request is checked when its turn comes, or all before the first one is carried out.
const (
	validateEach = "normal"
	validateAll  = "require-all-validate"
)

// errBatch is the answer to a batch in one transaction, of which a request was refused.
var errBatch = apierror.New(http.StatusConflict, "rest_batch_refused", "error_batch_refused").
	Documented("BatchRefused", "doc_error_batch", []jsonschema.Member{
		jsonschema.Has("request", jsonschema.Int().Example(2)).Doc("doc_field_batch_request"),
		jsonschema.Has("response", batchResponse()).Doc("doc_field_batch_response"),
	})

// batchMethods are those that a request of a batch may have.
var batchMethods = []string{http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete}

// batchIndex is what the index says of the parameters of a batch.
var batchIndex = param.NewIndex(`requests: description
validation atomic: description default`)

// BatchOperation answers a batch of requests to the routes. Who may use none of their operations that change something is refused
// before the body is read.
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

// batchList accepts a list that is not empty, of as many values as a batch may have.
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

// batch is a batch that is carried out.
type batch struct {
	*Request
	parts []*part
}

func handleBatch(ctx context.Context, r *Request) (*Response, error) {
	b := &batch{Request: r}
	if err := b.read(paramRequests.Value(r.Values)); err != nil {
		return nil, err
	}
	atomic := paramAtomic.Value(r.Values)
	if atomic && len(b.parts) > maxAtomic {
		return nil, param.Refuse(string(paramRequests), param.Invalid("fault_batch_atomic", "Max", maxAtomic))
	}
	ctx = budget.Counted(ctx) // a request of it must not wait for others, which may wait for it
	if paramValidation.Value(r.Values) == validateAll && !b.valid(ctx) {
		return &Response{Status: http.StatusMultiStatus}, nil
	}
	r.Out.Reset()
	if !atomic {
		return &Response{Status: http.StatusMultiStatus}, b.each(ctx)
	}
	err := r.engine.Atomically(ctx, b.prepare, b.all)
	return &Response{Status: http.StatusMultiStatus}, err
}

// RefuseBatch returns the answer to a batch whose requests cannot be stored together.
func RefuseBatch(f *param.Fault) error { return param.Refuse(string(paramRequests), f) }

// read reads the requests. What is wrong with them is refused by its place in the list.
func (b *batch) read(list []any) error {
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

// part reads a request. A fault comes with the member that it is about.
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

// address reads the path of a request, below the namespace or, with the namespace, below the REST root.
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

// outerHeaders are those that only the batch itself can have.
var outerHeaders = []string{"Authorization", "Cookie", keyHeader, "X-Http-Method-Override", "X-Wp-Nonce"}

// headers reads the headers of a request, each a text or a list of texts.
func (p *part) headers(m *param.Map) *param.Fault {
	p.header.Set("Content-Type", jsonType)
	v, given := m.Get("headers")
	if list, empty := v.([]any); !given || v == nil || empty && len(list) == 0 { // as PHP writes an empty object
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

// valid checks the parameters of all requests, and the caller's rights to them. Unless all are right it writes the answer.
func (b *batch) valid(ctx context.Context) bool {
	valid := true
	b.begin(true)
	for _, p := range b.parts {
		c := b.request(ctx, p)
		c.checks = true
		if a, refused := c.carryOut(); refused {
			valid = false
			b.Out.Raw(a.body)
		} else {
			b.Out.Null()
		}
		b.engine.keep(c, c.Out)
	}
	b.end()
	return valid
}

// begin begins the answer.
func (b *batch) begin(failed bool) {
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

// each carries out the requests, each in a transaction of its own. Those that the time or the memory for the answer is not enough
// for are refused and not begun.
func (b *batch) each(ctx context.Context) error {
	b.begin(false)
	for _, p := range b.parts {
		if err := ctx.Err(); err != nil && b.HTTP.Context().Err() != nil {
			return err // nobody waits for the answer
		}
		c := b.request(ctx, p)
		switch max := b.engine.MaxAnswer; {
		case ctx.Err() != nil:
			c.begun = ErrTimeout
		case max >= 0 && int64(b.Out.Len()) > max:
			c.begun = errAnswerTooLarge
		}
		a, _ := c.carryOut()
		b.Out.Raw(a.body)
		b.engine.keep(c, c.Out)
	}
	b.end()
	return nil
}

// prepare does for all requests what must not happen within their transaction. What is wrong with one is found there.
func (b *batch) prepare(ctx context.Context) {
	for _, p := range b.parts {
		c := b.request(ctx, p)
		_, err := b.engine.guarded(c, p.vars)
		b.engine.Logger.DebugContext(ctx, "request of a batch is prepared", "path", p.at.Path, "outcome", err)
		b.engine.keep(c, c.Out)
	}
}

// all carries out the requests within one transaction, until one is refused.
func (b *batch) all(ctx context.Context) error {
	b.Out.Reset() // of what an earlier attempt wrote
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

// request returns a request of the batch for the engine. Its caller and the client are those of the batch.
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
	c.bodyRead, c.taken = true, true
	if int64(len(p.body)) > e.MaxBody {
		c.bodyErr = errTooLarge
		return c
	}
	if c.src.JSON, _, c.bodyErr = param.ParseJSON(p.body); errors.Is(c.bodyErr, param.ErrTooMany) { // a write may have a bare scalar
		c.bodyErr = errTooMany
	}
	return c
}

// carryOut returns the answer to a request of a batch, in an envelope, and whether it was refused.
func (c *request) carryOut() (a *answer, refused bool) {
	err := c.begun
	if err == nil {
		a, err = c.engine.guarded(c, c.part.vars)
	}
	if err == nil {
		return a, false
	}
	return c.failure(err), true
}

// failure returns the answer to a request of a batch that was refused, in an envelope.
func (c *request) failure(err error) *answer {
	resp, _ := c.fail(err)
	c.envelope = true
	return c.complete(resp, true)
}
