package rest

import (
	"context"
	"net/http"
	"strings"

	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/rest/shape"
	"github.com/agendahq/agenda/internal/wire"
)

// IndexOperation answers the root of the namespace with all routes and the
// arguments of their operations.
func (e *Engine) IndexOperation() *Operation {
	namespace := func(ctx context.Context, v any) (any, error) {
		s, ok := v.(string)
		if !ok {
			return nil, param.Invalid("fault_nested")
		}
		return s, nil
	}
	return &Operation{
		ID: "getIndex", Methods: []string{http.MethodGet}, Summary: "summary_index", Tag: "index", Keep: []string{"_links"},
		Params: []*param.Param{
			param.New("namespace", param.Default(e.Namespace), param.Checked(namespace)),
			param.New("context", param.Default("view")),
		},
		Handle: e.index, Answer: indexShape(), Errors: []*Error{errNamespace},
		Takes: shape.Takes{"namespace": shape.Words(e.Namespace).Doc("doc_param_namespace"), "context": shape.Words("view", "edit", "embed", "help").Or("view").Doc("doc_param_view")},
	}
}

func (e *Engine) index(ctx context.Context, r *Request) (*Response, error) {
	if param.Value[string](r.Values, "namespace") != e.Namespace {
		return nil, errNamespace
	}
	w := r.Out
	w.Object()
	w.KeyString("namespace", e.Namespace)
	w.KeyObject("routes")
	for _, route := range e.Routes {
		w.Key("/" + e.Namespace + route.pattern())
		e.writeRoute(ctx, w, r, route)
	}
	w.End()
	w.KeyObject("_links")
	writeLink(w, "up", r.Root.BaseURL+"/")
	w.End()
	w.End()
	return nil, nil
}

// pattern is the route's path as the index prints it, with its variables as
// regular expressions.
func (r *Route) pattern() string {
	return strings.NewReplacer("{id}", `(?P<id>\d+)`, "{slug}", `(?P<slug>[^/]+)`).Replace(r.Path)
}

func writeLink(w *wire.Writer, name, href string) {
	w.KeyArray(name)
	w.Object()
	w.KeyString("href", href)
	w.End()
	w.End()
}

func (e *Engine) writeRoute(ctx context.Context, w *wire.Writer, r *Request, route *Route) {
	w.Object()
	w.KeyString("namespace", e.Namespace)
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
		w.KeyArray("methods")
		for _, m := range o.Methods {
			w.String(m)
		}
		w.End()
		w.KeyObject("args")
		for _, p := range o.Params {
			if !p.Unlisted {
				w.Key(p.Name)
				writeParam(ctx, w, r.Text, p)
			}
		}
		w.End()
		w.End()
	}
	w.End()
	if !strings.Contains(route.Path, "{") {
		w.KeyObject("_links")
		writeLink(w, "self", r.Root.URL+route.Path)
		w.End()
	}
	w.End()
}

func writeParam(ctx context.Context, w *wire.Writer, t Translator, p *param.Param) {
	w.Object()
	for _, key := range p.Published() {
		switch key {
		case "default":
			v, _ := p.DefaultValue(ctx)
			w.Key(key)
			writeDefault(w, v)
		case "description":
			w.KeyString(key, t.Text(p.Doc, nil))
		case "type":
			w.KeyString(key, p.Type)
		case "format":
			w.KeyString(key, p.Format)
		case "items":
			w.KeyObject(key)
			w.KeyString("type", p.Items)
			w.End()
		}
	}
	w.KeyBool("required", p.Required)
	w.End()
}

func writeDefault(w *wire.Writer, v any) {
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
