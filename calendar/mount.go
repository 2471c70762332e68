package calendar

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/rest"
)

// mount is where a language version is served.
type mount struct {
	root   *call.Root
	prefix string // path above the namespace, with that of the router group
}

// Handler returns the calendar for hosts without gin. It answers everything
// below the namespace of each language version in the API's form, unknown paths
// and methods too, the roots themselves if Options.ServeRoot says so, and all else
// with http.NotFound. The paths are those of
// Language.Mount, or of BaseURL: a host hands it requests as they come, or with a Mount
// that is what http.StripPrefix leaves of them. Those of plain permalinks, ?rest_route=/… at the site's
// address, it answers whatever Options.PlainPermalinks says.
func (c *Calendar) Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked := pretty(c.own, r); asked != nil {
			r = asked
		}
		if root, path := (mounting{c}).find(c.own, r); root != nil {
			_ = c.server.Serve(w, r, rest.Target{Root: root, Path: path}) // it is logged
		} else if root, path := (mounting{c}).findRoot(c.own, r); root != nil {
			_ = c.engine.Serve(w, r, rest.Target{Root: root, Path: path, Above: true})
		} else {
			http.NotFound(w, r)
		}
	})
}

// Register mounts every language version on an engine or group: each path with
// the methods that it has, HEAD and OPTIONS, and with and without a slash at the
// end, and the roots if Options.ServeRoot says so. It fails if one of the paths is
// taken. What else lies below the namespace is left to NoRoute. With
// Options.PlainPermalinks it adds a middleware that answers ?rest_route=/… at the site's
// address, also where a route is mounted at that address later.
func (c *Calendar) Register(router gin.IRouter) (err error) {
	if router == nil {
		return errors.New("calendar: no router")
	}
	defer func() {
		if p := recover(); p != nil { // gin panics where routes collide
			err = fmt.Errorf("calendar: mounting: %v", p)
		}
	}()
	group := ""
	if g, ok := router.(interface{ BasePath() string }); ok {
		group = strings.TrimRight(g.BasePath(), "/")
	}
	mounts, err := c.options.mountsBelow(group)
	if err != nil {
		return fmt.Errorf("calendar: %w", err)
	}
	if c.options.plain() {
		router.Use(mounting{c}.plainPermalinks)
	}
	for _, m := range mounts {
		path := strings.TrimPrefix(m.prefix, group)
		if c.options.ServeRoot {
			mounting{c}.mountRoot(router, path, m)
		}
		mounting{c}.mount(router, path+"/"+c.options.Namespace, m)
	}
	c.mounts = append(c.mounts, mounts...)
	return nil
}

// NoRoute answers what no route of the engine matched, if it lies below the
// calendar's namespace: unknown paths, methods that a path does not have, and
// paths in other letter case as the routes they mean, all in the API's form; with
// Options.ServeRoot also what lies below a root beside the namespace. Everything
// else it leaves alone. Hosts mount it with engine.NoRoute(c.NoRoute), and with
// engine.NoMethod(c.NoRoute) where HandleMethodNotAllowed is set.
func (c *Calendar) NoRoute(g *gin.Context) {
	if c.options.plain() {
		if (mounting{c}).plainPermalinks(g); g.IsAborted() {
			return
		}
	}
	if root, path := (mounting{c}).find(c.mounts, g.Request); root != nil {
		g.Writer.Header().Del("Allow") // gin's, which is not for this caller
		answered(g, c.server.Serve(g.Writer, g.Request, rest.Target{Root: root, Path: path}))
		g.Abort()
	} else if root, path := (mounting{c}).findRoot(c.mounts, g.Request); root != nil {
		g.Writer.Header().Del("Allow")
		answered(g, c.server.Serve(g.Writer, g.Request, rest.Target{Root: root, Path: path, Above: true}))
		g.Abort()
	}
}

// ginPath returns the path of a route as gin has it. Variables have one name, since gin takes no two at one place; their values are read
// from the path.
func ginPath(r *rest.Route) string {
	list := strings.Split(r.Path, "/")
	for i, s := range list {
		switch {
		case s == "{slug}" && !r.OfHost():
			list[i] = "*slug"
		case variable(s) != "":
			list[i] = ":id"
		}
	}
	return strings.Join(list, "/")
}

// mounting finds the root and the path of requests, at the addresses at which a calendar is mounted.
type mounting struct{ calendar *Calendar }

func (mt mounting) mount(router gin.IRouter, path string, m mount) {
	mounts := []mount{m}
	handler := func(g *gin.Context) {
		root, path := mt.find(mounts, g.Request)
		if root == nil { // an encoded slash within the prefix, which the router took for one
			root, path = m.root, noPath
		}
		answered(g, mt.calendar.server.Serve(g.Writer, g.Request, rest.Target{Root: root, Path: path}))
	}
	for _, r := range mt.calendar.engine.Routes {
		at := path + ginPath(r)
		router.Match(r.Methods(), at, handler)
		if !strings.HasSuffix(at, "*slug") {
			router.Match(r.Methods(), at+"/", handler)
		}
	}
}

// mountRoot mounts the REST root of a language version.
func (mt mounting) mountRoot(router gin.IRouter, path string, m mount) {
	handler := func(g *gin.Context) {
		answered(g, mt.calendar.server.Serve(g.Writer, g.Request, rest.Target{Root: m.root, Above: true}))
	}
	if m.prefix != "" {
		router.Match(mt.calendar.engine.RootRoute.Methods(), path, handler)
	}
	router.Match(mt.calendar.engine.RootRoute.Methods(), path+"/", handler)
}

// noPath leads to no route.
const noPath = "-"

// answered ends a request of gin: what failed goes to the host's middleware, which logs and
// traces it. The header is sent at once: gin would replace that of an answer without body in
// NoRoute.
func answered(g *gin.Context, failure error) {
	if failure != nil {
		_ = g.Error(failure)
	}
	g.Writer.WriteHeaderNow()
}

// find returns the language version that a request is for and its path below
// the namespace; nil if it is for none.
func (mt mounting) find(mounts []mount, r *http.Request) (*call.Root, string) {
	path := "/" + strings.TrimLeft(r.URL.EscapedPath(), "/")
	for _, m := range mounts {
		if below, ok := under(path, m.prefix, sameSegment); ok {
			if below, ok = under(below, "/"+mt.calendar.options.Namespace, strings.EqualFold); ok {
				return m.root, below
			}
		}
	}
	return nil, ""
}

// findRoot returns the language version whose root a request is below, if the calendar
// serves the roots, and the path below it; nil if it is below none.
func (mt mounting) findRoot(mounts []mount, r *http.Request) (root *call.Root, path string) {
	if mt.calendar.engine.RootRoute == nil {
		return nil, ""
	}
	whole, longest := "/"+strings.TrimLeft(r.URL.EscapedPath(), "/"), -1
	for _, m := range mounts {
		if below, ok := under(whole, m.prefix, sameSegment); ok && len(m.prefix) > longest {
			root, path, longest = m.root, below, len(m.prefix)
		}
	}
	return root, path
}

// mountsBelow returns where the language versions are served below the path of
// a router group.
func (o *Options) mountsBelow(group string) (mounts []mount, err error) {
	taken := map[string]string{}
	for _, l := range o.Languages {
		prefix := group + mountPath(l, group)
		if other, ok := taken[prefix]; ok {
			return nil, fmt.Errorf("languages %q and %q are both mounted at %q", other, l.Tag, prefix)
		}
		taken[prefix] = l.Tag
		mounts = append(mounts, mount{o.root(l), prefix})
	}
	return mounts, nil
}

// root describes a language version to the engine.
func (o *Options) root(l Language) *call.Root {
	base := strings.TrimRight(l.BaseURL, "/")
	return &call.Root{
		Tag: l.Tag, BaseURL: base, SiteURL: strings.TrimRight(l.SiteURL, "/"), URL: base + "/" + o.Namespace, Named: o.inPath(l),
	}
}

// inPath reports whether the address of a root names its language: that of the first one does only where its path has the
// language's tag or code.
func (o *Options) inPath(l Language) bool {
	return l.Tag != o.Languages[0].Tag || slices.ContainsFunc(strings.Split(mountPath(l, ""), "/"), func(segment string) bool {
		return strings.EqualFold(segment, l.Tag) || strings.EqualFold(segment, l.code())
	})
}

// prettyRoot is where the REST root of a site with plain permalinks is mounted besides.
const prettyRoot = "/wp-json"

// plain reports whether the host asks for addresses of plain permalinks.
func (o *Options) plain() bool {
	return o.PlainPermalinks || slices.ContainsFunc(o.Languages, func(l Language) bool { return strings.Contains(l.BaseURL, "?") })
}

// mountPath is the path of a language version below the group, without a slash
// at the end.
func mountPath(l Language, group string) string {
	path := l.Mount
	if path == "" {
		u, _ := url.Parse(l.BaseURL) // validate has
		path = u.EscapedPath()
		if u.RawQuery != "" {
			path = strings.TrimSuffix(strings.TrimRight(path, "/"), indexFile) + prettyRoot
		}
		// A root is not the value of a variable: below "/:tenant" that of "/wp-json" is "/:tenant/wp-json".
		last := group[strings.LastIndexByte(group, '/')+1:]
		if rest, ok := under(path, group, sameSegment); ok && !(strings.Trim(rest, "/") == "" && strings.HasPrefix(last, ":")) {
			path = rest
		}
		path, _ = url.PathUnescape(path) // as the router compares it
	}
	if path = strings.Trim(path, "/"); path != "" {
		path = "/" + path
	}
	return path
}

// under cuts the segments of a prefix off an escaped path, which same compares.
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

// sameSegment compares segments; any one is the same as a variable of the router.
func sameSegment(got, want string) bool { return got == want || strings.HasPrefix(want, ":") }

// segment splits a path after its first segment.
func segment(path string) (first, rest string) {
	path = strings.TrimPrefix(path, "/")
	end := strings.IndexByte(path+"/", '/')
	return path[:end], path[end:]
}
