package rest

import (
	"context"
	"strings"

	"github.com/agendahq/agenda/internal/apierror"
	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/change"
	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/phpjson"
)

const (
	paramNamespace param.Key[string] = "namespace"
	paramView      param.Key[any]    = "context"
)

// recordedIndex is the description of the index's own parameters in the index.
var recordedIndex = param.NewIndex("namespace context: default")

// IndexOperation returns the operation that answers the root of the namespace with all routes and the arguments of
// their operations.
func IndexOperation(namespace string, language *param.Param) *Operation {
	named := jsonschema.Text().Example(namespace).Doc("doc_param_namespace") // another namespace is answered with 404
	own := []*param.Param{paramNamespace.Param(named, param.Checked(param.Plain), param.Default(namespace), param.Untyped()), viewParam()}
	return &Operation{
		ID: "getIndex", Summary: "summary_index", Tag: "index", About: "doc_tag_index", keep: []string{"_links"},
		Params: append(recordedIndex.Arrange(own), language),
		Handle: index, Answer: indexShape(), Errors: []*apierror.Error{errNamespace},
	}
}

// viewParam returns a parameter that is accepted and has no effect, because clients send it to every index.
func viewParam() *param.Param {
	views := jsonschema.Any().Default("view").Doc("doc_param_view")
	views.Known = jsonschema.Words("view", "edit", "embed", "help").Only
	return paramView.Param(views, nil, param.Default("view"), param.Untyped())
}

func index(ctx context.Context, r *Request) (*Response, error) {
	e := r.engine
	if paramNamespace.Value(r.Values) != e.Namespace {
		return nil, errNamespace
	}
	w := r.Out
	w.Object()
	w.KeyString("namespace", e.Namespace)
	e.writeRoutes(ctx, r, false)
	w.KeyObject("_links")
	writeLink(w, "up", r.Root.BaseURL+"/")
	w.End()
	w.End()
	return nil, nil
}

// indexKey is what the routes in an index depend on, besides the engine and the defaults computed for each request.
type indexKey struct {
	root     call.Root
	language string
	above    bool // includes the route of the REST root
}

// writeRoutes writes the member with all routes.
func (e *Engine) writeRoutes(ctx context.Context, r *Request, above bool) {
	key := indexKey{*r.Root, r.Language, above}
	t, ok := e.indexes.Load(key)
	if !ok {
		routes := e.Routes
		if above {
			routes = append([]*Route{e.RootRoute}, routes...)
		}
		t, _ = e.indexes.LoadOrStore(key, e.routesTemplate(ctx, r, routes))
	}
	r.Out.Key("routes")
	t.(*template).writeTo(ctx, r.Out)
}

// template is a document that is written once, without the computed defaults of parameters, which are inserted between
// its pieces.
type template struct {
	pieces [][]byte // one more than params
	params []*param.Param
}

func (t *template) writeTo(ctx context.Context, w *phpjson.Writer) {
	for i, p := range t.params {
		w.Piece(t.pieces[i])
		writeDefault(ctx, w, p)
	}
	w.Piece(t.pieces[len(t.params)])
}

// routesTemplate writes routes without computed defaults.
func (e *Engine) routesTemplate(ctx context.Context, r *Request, routes []*Route) *template {
	w, t, begin := &phpjson.Writer{}, &template{}, 0
	w.Object()
	for _, route := range routes {
		if o := route.Operations[0]; o.Only != nil || o.Sync {
			continue // it is another form of an operation that is listed
		}
		path := route.pattern()
		if route != e.RootRoute {
			path = "/" + e.Namespace + path
		}
		w.Key(path)
		e.writeRoute(w, r, route, func(p *param.Param) {
			if !p.Computed() {
				writeDefault(ctx, w, p)
				return
			}
			t.pieces, t.params = append(t.pieces, w.Bytes()[begin:w.Len():w.Len()]), append(t.params, p)
			w.Null() // in place of the default, so that a comma follows
			begin = w.Len()
		})
	}
	w.End()
	t.pieces = append(t.pieces, w.Bytes()[begin:])
	return t
}

// pattern is the route's path in the form that the index shows, with its variables as regular expressions.
func (r *Route) pattern() string {
	list := strings.Split(r.Path, "/")
	for i, s := range list {
		switch name := Variable(s); {
		case r.Digits[name]:
			list[i] = "(?P<" + name + `>\d+)`
		case name != "":
			list[i] = "(?P<" + name + ">[^/]+)"
		}
	}
	return strings.Join(list, "/")
}

func writeLink(w *phpjson.Writer, name, href string) {
	w.KeyArray(name)
	w.Object()
	w.KeyString("href", href)
	w.End()
	w.End()
}

// writeRoute writes a route with the arguments of its operations; value writes the default of an argument that has one.
func (e *Engine) writeRoute(w *phpjson.Writer, r *Request, route *Route, value func(*param.Param)) {
	namespace, address := e.Namespace, r.Root.URL
	if route == e.RootRoute {
		namespace, address = "", r.Root.BaseURL
	}
	w.Object()
	w.KeyString("namespace", namespace)
	w.KeyArray("methods")
	for _, o := range route.Operations {
		for _, m := range o.Methods {
			w.String(m)
		}
	}
	w.End()
	w.KeyArray("endpoints")
	for _, o := range route.Operations {
		w.Object()
		w.KeyStrings("methods", o.Methods...)
		w.KeyObject("args")
		for _, p := range o.Params {
			if !p.Unlisted {
				w.Key(p.Name)
				writeParam(w, r.Text, p, value)
			}
		}
		w.End()
		w.End()
	}
	w.End()
	if !strings.Contains(route.Path, "{") {
		w.KeyObject("_links")
		writeLink(w, "self", address+route.Path)
		w.End()
	}
	w.End()
}

func writeParam(w *phpjson.Writer, t Translator, p *param.Param, value func(*param.Param)) {
	w.Object()
	for _, member := range p.Shown() {
		switch name, of := member[0], member[1]; name {
		case "default":
			w.Key(name)
			value(p)
		case "description":
			w.KeyString(name, t.Text(of, nil))
		case "items":
			w.KeyObject(name)
			w.KeyString("type", of)
			w.End()
		default:
			w.KeyString(name, of)
		}
	}
	w.KeyBool("required", p.Required)
	w.End()
}

func writeDefault(ctx context.Context, w *phpjson.Writer, p *param.Param) {
	if p.Computed() { // it may depend on the current time
		change.Momentary(ctx)
	}
	v, _ := p.DefaultValue(ctx)
	switch x := v.(type) {
	case string:
		w.String(x)
	case int64:
		w.Int(x)
	case bool:
		w.Bool(x)
	default:
		w.Null()
	}
}
