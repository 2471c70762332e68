package calendar

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/agendahq/agenda/internal/call"
	"github.com/agendahq/agenda/internal/rest"
)

// Handler returns the calendar as an http.Handler, for hosts without gin. It answers everything below the namespace of
// each language version in the API's form, including unknown paths and methods. With Options.ServeRoot it also answers
// at the roots. Everything else is answered with http.NotFound. The paths are those of Language.Mount or BaseURL: a
// host passes requests unchanged, or uses http.StripPrefix and sets Mount to the rest of the path. Requests of plain
// permalinks, ?rest_route=/… at the site's address, are answered even if Options.PlainPermalinks is false.
func (c *Calendar) Handler() http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if asked := c.own.Pretty(r); asked != nil {
			r = asked
		}
		if to, ok := c.own.Target(r); ok {
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
		router.Use(func(g *gin.Context) { answerPlain(g, c.mounted, c.server) })
	}
	for _, m := range below.List {
		path := strings.TrimPrefix(m.Prefix, group)
		if below.Roots {
			handleRoot(router, path, m, c.engine.RootRoute, c.server)
		}
		own := rest.Mounts{List: []rest.Mount{m}, Namespace: below.Namespace}
		handleRoutes(router, path+"/"+below.Namespace, own, c.engine.Routes, c.server)
	}
	below.List = slices.Concat(c.mounted.List, below.List)
	c.mounted = below
	return nil
}

// NoRoute answers requests below the calendar's namespace that match no route of the engine: unknown paths, methods
// that a path does not have, and paths in other letter case, which it handles like their routes. All answers are in the
// API's form. With Options.ServeRoot it also answers other paths below a root. It leaves everything else alone. Hosts
// mount it with engine.NoRoute(c.NoRoute), and with engine.NoMethod(c.NoRoute) if HandleMethodNotAllowed is set.
func (c *Calendar) NoRoute(g *gin.Context) {
	if c.options.plain() {
		if answerPlain(g, c.mounted, c.server); g.IsAborted() {
			return
		}
	}
	if to, ok := c.mounted.Target(g.Request); ok {
		g.Writer.Header().Del("Allow") // gin set it without knowing the caller's rights
		answered(g, c.server.Serve(g.Writer, g.Request, to))
		g.Abort()
	}
}

// answerPlain answers requests in the form of plain permalinks, and leaves others to the handlers after it.
func answerPlain(g *gin.Context, mounts rest.Mounts, s server) {
	asked := mounts.Pretty(g.Request)
	if asked == nil {
		return
	}
	if to, ok := mounts.Target(asked); ok {
		g.Request = asked
		answered(g, s.Serve(g.Writer, g.Request, to))
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
		case rest.Variable(s) != "":
			list[i] = ":id"
		}
	}
	return strings.Join(list, "/")
}

// handleRoutes mounts the routes of the API for a language version, the only one in own, at the path of its namespace in
// the router group.
func handleRoutes(router gin.IRouter, path string, own rest.Mounts, routes []*rest.Route, s server) {
	handler := func(g *gin.Context) {
		to, ok := own.Target(g.Request)
		if !ok { // The prefix contains an encoded slash, which the router treated as a slash.
			to = rest.Target{Root: own.List[0].Root, Path: rest.NoPath}
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
func handleRoot(router gin.IRouter, path string, m rest.Mount, root *rest.Route, s server) {
	handler := func(g *gin.Context) {
		answered(g, s.Serve(g.Writer, g.Request, rest.Target{Root: m.Root, Above: true}))
	}
	if m.Prefix != "" {
		router.Match(root.Methods(), path, handler)
	}
	router.Match(root.Methods(), path+"/", handler)
}

// answered ends a request of gin. A failure is passed to the host's middleware, which logs and traces it. The header is
// sent at once, since in NoRoute gin would replace the status of an answer without a body.
func answered(g *gin.Context, failure error) {
	if failure != nil {
		_ = g.Error(failure)
	}
	g.Writer.WriteHeaderNow()
}

// mountIn returns the mount of the language of a context.
func mountIn(ctx context.Context, m rest.Mounts) rest.Mount {
	tag, _ := ctx.Value(languageKey{}).(string)
	return m.InLanguage(tag)
}

// pathsBelow returns the paths of the language versions below the path of a router group.
func (o *Options) pathsBelow(group string) (rest.Mounts, error) {
	m := rest.Mounts{Namespace: o.Namespace, Roots: o.ServeRoot}
	taken := map[string]string{}
	for _, l := range o.Languages {
		prefix := group + rest.MountPath(l.Mount, l.BaseURL, group)
		if other, ok := taken[prefix]; ok {
			return rest.Mounts{}, fmt.Errorf("languages %q and %q are both mounted at %q", other, l.Tag, prefix)
		}
		taken[prefix] = l.Tag
		m.List = append(m.List, rest.Mount{Root: o.root(l), Prefix: prefix})
	}
	return m, nil
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
	segments := strings.Split(rest.MountPath(l.Mount, l.BaseURL, ""), "/")
	return l.Tag != o.Languages[0].Tag || slices.ContainsFunc(segments, func(segment string) bool {
		return strings.EqualFold(segment, l.Tag) || strings.EqualFold(segment, l.code())
	})
}

// plain reports whether the host serves addresses of plain permalinks.
func (o *Options) plain() bool {
	return o.PlainPermalinks || slices.ContainsFunc(o.Languages, func(l Language) bool { return strings.Contains(l.BaseURL, "?") })
}
