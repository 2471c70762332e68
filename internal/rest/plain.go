package rest

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/param"
	"github.com/agendahq/agenda/internal/wp"
)

// indexFile is the file that serves a site's address. Addresses may contain it.
const indexFile = "/index.php"

// Pretty converts a request in the form of plain permalinks, ?rest_route=/PATH at the site's address, to a request for
// PATH below the REST root, so that nothing else has to handle that form. It returns nil for other requests.
func (m Mounts) Pretty(r *http.Request) *http.Request {
	if !strings.Contains(r.URL.RawQuery, call.RouteParam) {
		return nil
	}
	route, query := routeOf(r.URL.RawQuery)
	switch {
	case route == "":
		return nil
	case route[0] != '/':
		route = "/" + NoPath
	}
	path := "/" + strings.TrimLeft(r.URL.EscapedPath(), "/")
	for _, one := range m.List {
		home, last := one.home()
		below, ok := under(path, home, sameSegment)
		if !ok || strings.TrimSuffix(strings.TrimSuffix(below, "/"), indexFile) != "" {
			continue
		}
		at := *r.URL
		at.RawPath = strings.TrimSuffix(path, below) + last + route
		plain, err := url.PathUnescape(at.RawPath)
		if err != nil {
			return nil
		}
		at.Path, at.RawQuery = plain, query
		asked := *r
		asked.URL = &at
		return &asked
	}
	return nil
}

// routeOf splits a query into the route, as an escaped path, and the other parameters. The last of several routes
// counts, as for all parameters. A question mark within the route begins further parameters, since clients append their
// query to the API's address with a question mark.
func routeOf(raw string) (route, query string) {
	var others []string
	for pair := range strings.SplitSeq(raw, "&") {
		name, value, _ := strings.Cut(pair, "=")
		if param.Unescape(name) != call.RouteParam {
			others = append(others, pair)
			continue
		}
		value, more, asked := strings.Cut(value, "?")
		if route = escaped(param.Unescape(value)); asked {
			others = append(others, more)
		}
	}
	return route, strings.Join(others, "&")
}

// escaped returns a path, which may already contain escapes, as an escaped path.
func escaped(path string) string {
	var b strings.Builder
	for i := range len(path) {
		switch c := path[i]; {
		case c == '/', c == '%' && wp.FormDecode(path[i:min(i+3, len(path))]) != path[i:min(i+3, len(path))]:
			b.WriteByte(c)
		default:
			b.WriteString(url.PathEscape(path[i : i+1]))
		}
	}
	return b.String()
}

// home returns the path of the site's address, and the last segment of the path of the REST root.
func (m Mount) home() (path, last string) {
	cut := max(0, strings.LastIndexByte(m.Prefix, '/'))
	return m.Prefix[:cut], m.Prefix[cut:]
}
