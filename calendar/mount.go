package calendar

import (
	"errors"
	"fmt"
	"net/url"
	"strings"

	"github.com/gin-gonic/gin"

	"github.com/agendahq/agenda/internal/rest"
)

// mount is where a language version stands on the router.
type mount struct {
	root   *rest.Root
	prefix string // path above the namespace, with the group's own
}

// Register mounts every language version, each path with and without a slash
// at the end and for every method. It fails if one of the paths is taken. Paths
// that no route has are answered by NoRoute.
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
	taken := map[string]string{}
	for _, m := range c.mounts {
		taken[m.prefix] = m.root.Tag
	}
	var mounts []mount
	for _, l := range c.options.Languages {
		path := mountPath(l, group)
		if other, ok := taken[group+path]; ok {
			return fmt.Errorf("calendar: languages %q and %q are both mounted at %q", other, l.Tag, group+path)
		}
		taken[group+path] = l.Tag
		mounts = append(mounts, mount{c.root(l), group + path})
	}
	for _, m := range mounts {
		c.mount(router, strings.TrimPrefix(m.prefix, group)+"/"+c.options.Namespace, m)
	}
	c.mounts = append(c.mounts, mounts...)
	return nil
}

// mountPath is the path of a language version below the group, without a slash
// at the end.
func mountPath(l Language, group string) string {
	path := l.Mount
	if path == "" {
		if u, err := url.Parse(l.BaseURL); err == nil {
			path = u.EscapedPath()
		}
		if rest, ok := under(path, group); ok {
			path = rest
		}
		if plain, err := url.PathUnescape(path); err == nil {
			path = plain // as the router compares it
		}
	}
	if path = strings.Trim(path, "/"); path != "" {
		path = "/" + path
	}
	return path
}

// under cuts the segments of a prefix off an escaped path. A segment of the
// prefix that is a variable of the router stands for any one.
func under(path, prefix string) (rest string, ok bool) {
	for prefix != "" {
		var want, got string
		want, prefix = segment(prefix)
		got, path = segment(path)
		if plain, err := url.PathUnescape(got); err == nil {
			got = plain
		}
		if got == "" || got != want && !strings.HasPrefix(want, ":") {
			return "", false
		}
	}
	return path, true
}

// segment splits a path behind its first segment.
func segment(path string) (first, rest string) {
	path = strings.TrimPrefix(path, "/")
	if i := strings.IndexByte(path, '/'); i >= 0 {
		return path[:i], path[i:]
	}
	return path, ""
}

var ginVariables = strings.NewReplacer("{id}", ":id", "{slug}", "*slug")

func (c *Calendar) mount(router gin.IRouter, path string, m mount) {
	handler := func(g *gin.Context) {
		path, ok := under(g.Request.URL.EscapedPath(), m.prefix+"/"+c.options.Namespace)
		if !ok { // an encoded slash within the prefix, which the router took for one
			path = noPath
		}
		c.serve(g, m.root, path)
	}
	for _, r := range c.engine.Routes {
		router.Any(path+ginVariables.Replace(r.Path), handler)
		if !strings.HasSuffix(r.Path, "{slug}") {
			router.Any(path+ginVariables.Replace(r.Path)+"/", handler)
		}
	}
}

// serve answers through the engine. The header is sent at once: gin would
// replace that of an answer without body in NoRoute.
func (c *Calendar) serve(g *gin.Context, root *rest.Root, path string) {
	c.engine.Serve(g.Writer, g.Request, root, path)
	g.Writer.WriteHeaderNow()
}

// noPath leads to no route.
const noPath = "-"

// NoRoute answers what no route of the engine matched, if it lies below the
// calendar's namespace: unknown paths with an error in the API's form, unknown
// verbs, and paths in other letter case as the routes they mean. Everything
// else it leaves alone. Hosts mount it with engine.NoRoute(c.NoRoute).
func (c *Calendar) NoRoute(g *gin.Context) {
	path := "/" + strings.TrimLeft(g.Request.URL.EscapedPath(), "/")
	for _, m := range c.mounts {
		rest, ok := under(path, m.prefix)
		rest = strings.TrimPrefix(rest, "/")
		n := len(c.options.Namespace)
		if !ok || len(rest) < n || !strings.EqualFold(rest[:n], c.options.Namespace) || len(rest) > n && rest[n] != '/' {
			continue
		}
		c.serve(g, m.root, rest[n:])
		g.Abort()
		return
	}
}
