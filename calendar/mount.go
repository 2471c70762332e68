package calendar

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/hostroute"
	"github.com/agendahq/agenda/internal/rest"
)

// paths are the paths at which the language versions of a calendar are served.
type paths struct {
	mounts    []mount
	namespace string
	roots     bool // the roots are served too
}

// mount is the path at which a language version is served.
type mount struct {
	root   *call.Root
	prefix string // path above the namespace, including the path of the router group
}

// Handler returns the calendar as an http.Handler, for hosts without gin. It answers everything below the namespace of
// each language version in the API's form, including unknown paths and methods. With Options.ServeRoot it also answers
// at the roots. Everything else is answered with http.NotFound. The paths are those of Language.Mount or BaseURL: a
// host passes requests unchanged, or uses http.StripPrefix and sets Mount to the rest of the path. Requests of plain
// permalinks, ?rest_route=/… at the site's address, are answered even if Options.PlainPermalinks is false.
func (c *Calendar) Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked := c.own.pretty(r); asked != nil {
			r = asked
		}
		if to, ok := c.own.target(r); ok {
			_ = c.server.Serve(w, r, to) // the error is already logged
		} else {
			http.NotFound(w, r)
		}
	})
}

// Register mounts every language version on an engine or group: each path with its methods, HEAD and OPTIONS, with and
// without a slash at the end, and with Options.ServeRoot the roots. It returns an error if one of the paths is already
// mounted. Everything else below the namespace is left to NoRoute. With Options.PlainPermalinks it adds a middleware
// that answers ?rest_route=/… at the site's address, even for a route that is mounted at that address later.
func (c *Calendar) Register(router gin.IRouter) (err error) {
	if router == nil {
		return errors.New("calendar: no router")
	}
	defer func() {
		if p := recover(); p != nil { // gin panics if routes conflict
			err = fmt.Errorf("calendar: mounting: %v", p)
		}
	}()
	group := ""
	if g, ok := router.(interface{ BasePath() string }); ok {
		group = strings.TrimRight(g.BasePath(), "/")
	}
	below, err := c.options.pathsBelow(group)
	if err != nil {
		return fmt.Errorf("calendar: %w", err)
	}
	if c.options.plain() {
		router.Use(func(g *gin.Context) { c.mounted.answerPlain(g, c.server) })
	}
	for _, m := range below.mounts {
		path := strings.TrimPrefix(m.prefix, group)
		if below.roots {
			m.handleRoot(router, path, c.engine.RootRoute, c.server)
		}
		below.handleRoutes(router, path+"/"+below.namespace, m, c.engine.Routes, c.server)
	}
	below.mounts = slices.Concat(c.mounted.mounts, below.mounts)
	c.mounted = below
	return nil
}

// NoRoute answers requests below the calendar's namespace that match no route of the engine: unknown paths, methods
// that a path does not have, and paths in other letter case, which it handles like their routes. All answers are in the
// API's form. With Options.ServeRoot it also answers other paths below a root. It leaves everything else alone. Hosts
// mount it with engine.NoRoute(c.NoRoute), and with engine.NoMethod(c.NoRoute) if HandleMethodNotAllowed is set.
func (c *Calendar) NoRoute(g *gin.Context) {
	if c.options.plain() {
		if c.mounted.answerPlain(g, c.server); g.IsAborted() {
			return
		}
	}
	if to, ok := c.mounted.target(g.Request); ok {
		g.Writer.Header().Del("Allow") // gin set it without knowing the caller's rights
		answered(g, c.server.Serve(g.Writer, g.Request, to))
		g.Abort()
	}
}

// ginPath returns the path of a route in gin's syntax. All variables have the same name, since gin rejects two names at
// one place. Their values are read from the path instead.
func ginPath(r *rest.Route) string {
	list := strings.Split(r.Path, "/")
	for i, s := range list {
		switch {
		case s == "{slug}" && !r.OfHost():
			list[i] = "*slug"
		case hostroute.Variable(s) != "":
			list[i] = ":id"
		}
	}
	return strings.Join(list, "/")
}

// handleRoutes mounts the routes of the API for a language version, at the path of its namespace in the router group.
func (p paths) handleRoutes(router gin.IRouter, path string, m mount, routes []*rest.Route, s server) {
	own := paths{mounts: []mount{m}, namespace: p.namespace}
	handler := func(g *gin.Context) {
		to, ok := own.target(g.Request)
		if !ok { // The prefix contains an encoded slash, which the router treated as a slash.
			to = rest.Target{Root: m.root, Path: noPath}
		}
		answered(g, s.Serve(g.Writer, g.Request, to))
	}
	for _, r := range routes {
		at := path + ginPath(r)
		router.Match(r.Methods(), at, handler)
		if !strings.HasSuffix(at, "*slug") {
			router.Match(r.Methods(), at+"/", handler)
		}
	}
}

// handleRoot mounts the REST root of a language version.
func (m mount) handleRoot(router gin.IRouter, path string, root *rest.Route, s server) {
	handler := func(g *gin.Context) {
		answered(g, s.Serve(g.Writer, g.Request, rest.Target{Root: m.root, Above: true}))
	}
	if m.prefix != "" {
		router.Match(root.Methods(), path, handler)
	}
	router.Match(root.Methods(), path+"/", handler)
}

// noPath is a path that matches no route.
const noPath = "-"

// answered ends a request of gin. A failure is passed to the host's middleware, which logs and traces it. The header is
// sent at once, since in NoRoute gin would replace the status of an answer without a body.
func answered(g *gin.Context, failure error) {
	if failure != nil {
		_ = g.Error(failure)
	}
	g.Writer.WriteHeaderNow()
}

// target returns what a request addresses: a path below the namespace of a language version, or below its root. ok is
// false if it is below none.
func (p paths) target(r *http.Request) (to rest.Target, ok bool) {
	whole, longest := "/"+strings.TrimLeft(r.URL.EscapedPath(), "/"), -1
	for _, m := range p.mounts {
		above, ok := under(whole, m.prefix, sameSegment)
		if !ok {
			continue
		}
		if below, ok := under(above, "/"+p.namespace, strings.EqualFold); ok {
			return rest.Target{Root: m.root, Path: below}, true
		}
		if p.roots && len(m.prefix) > longest {
			to, longest = rest.Target{Root: m.root, Path: above, Above: true}, len(m.prefix)
		}
	}
	return to, longest >= 0
}

// mountIn returns the mount of the language of a context.
func (p paths) mountIn(ctx context.Context) mount {
	tag, _ := ctx.Value(languageKey{}).(string)
	for _, m := range p.mounts {
		if m.root.Tag == tag {
			return m
		}
	}
	return p.mounts[0]
}

// pathsBelow returns the paths of the language versions below the path of a router group.
func (o *Options) pathsBelow(group string) (paths, error) {
	p := paths{namespace: o.Namespace, roots: o.ServeRoot}
	taken := map[string]string{}
	for _, l := range o.Languages {
		prefix := group + mountPath(l, group)
		if other, ok := taken[prefix]; ok {
			return paths{}, fmt.Errorf("languages %q and %q are both mounted at %q", other, l.Tag, prefix)
		}
		taken[prefix] = l.Tag
		p.mounts = append(p.mounts, mount{o.root(l), prefix})
	}
	return p, nil
}

// root describes a language version to the engine.
func (o *Options) root(l Language) *call.Root {
	base := strings.TrimRight(l.BaseURL, "/")
	return &call.Root{
		Tag: l.Tag, BaseURL: base, SiteURL: strings.TrimRight(l.SiteURL, "/"), URL: base + "/" + o.Namespace, Named: o.inPath(l),
	}
}

// inPath reports whether the address of a root identifies its language. The address of the first language does so only
// if its path contains the tag or code of the language.
func (o *Options) inPath(l Language) bool {
	return l.Tag != o.Languages[0].Tag || slices.ContainsFunc(strings.Split(mountPath(l, ""), "/"), func(segment string) bool {
		return strings.EqualFold(segment, l.Tag) || strings.EqualFold(segment, l.code())
	})
}

// prettyRoot is the additional path of the REST root of a site with plain permalinks.
const prettyRoot = "/wp-json"

// plain reports whether the host serves addresses of plain permalinks.
func (o *Options) plain() bool {
	return o.PlainPermalinks || slices.ContainsFunc(o.Languages, func(l Language) bool { return strings.Contains(l.BaseURL, "?") })
}

// mountPath returns the path of a language version below the group, without a slash at the end.
func mountPath(l Language, group string) string {
	path := l.Mount
	if path == "" {
		u, _ := url.Parse(l.BaseURL) // validate has checked it
		path = u.EscapedPath()
		if u.RawQuery != "" {
			path = strings.TrimSuffix(strings.TrimRight(path, "/"), indexFile) + prettyRoot
		}
		// A root must not become the value of a variable: below "/:tenant" the path of "/wp-json" is
		// "/:tenant/wp-json".
		last := group[strings.LastIndexByte(group, '/')+1:]
		if rest, ok := under(path, group, sameSegment); ok && !(strings.Trim(rest, "/") == "" && strings.HasPrefix(last, ":")) {
			path = rest
		}
		path, _ = url.PathUnescape(path) // the router compares unescaped paths
	}
	if path = strings.Trim(path, "/"); path != "" {
		path = "/" + path
	}
	return path
}

// under removes the segments of a prefix from an escaped path. same compares two segments.
func under(path, prefix string, same func(got, want string) bool) (rest string, ok bool) {
	for prefix != "" {
		var want, got string
		want, prefix = segment(prefix)
		got, path = segment(path)
		if plain, err := url.PathUnescape(got); err == nil {
			got = plain
		}
		if got == "" || !same(got, want) {
			return "", false
		}
	}
	return path, true
}

// sameSegment compares two segments. A variable of the router equals every segment.
func sameSegment(got, want string) bool { return got == want || strings.HasPrefix(want, ":") }

// segment splits a path after its first segment.
func segment(path string) (first, rest string) {
	path = strings.TrimPrefix(path, "/")
	end := strings.IndexByte(path+"/", '/')
	return path[:end], path[end:]
}
