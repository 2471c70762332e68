package rest

import (
	"net/http"
	"strings"

	"github.com/agendahq/agenda/internal/param"
)

// verb is the method of a request, which the query or a header may override.
type verb struct {
	method   string
	byHeader bool  // a header overrode the method
	refused  error // the error for the method that the request named
}

// override applies a method that the query or a header names: any method in a POST, another reading method in a GET or
// HEAD. A writing method is rejected there, because a link must not be able to delete (D53). Other methods cannot be
// overridden.
func (v *verb) override(r *http.Request, query *param.Map) {
	name := r.Header.Get("X-HTTP-Method-Override")
	v.byHeader = name != ""
	if given, ok := query.Get("_method"); ok {
		if s, isText := given.(string); isText && s != "" {
			name, v.byHeader = s, false
		}
	}
	if name == "" {
		return
	}
	name = strings.ToUpper(name)
	switch r.Method {
	case http.MethodPost:
		v.method = name
	case http.MethodGet, http.MethodHead:
		switch name {
		case http.MethodPost, http.MethodPut, http.MethodPatch, http.MethodDelete:
			v.refused = errOverride
		default:
			v.method = name
		}
	}
}

// writes reports whether the method may have a form body.
func (v *verb) writes() bool {
	return v.method != http.MethodGet && v.method != http.MethodHead && v.method != http.MethodOptions
}
