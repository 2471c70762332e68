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
// at the end and for every method. It fails if one of the paths is taken.
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
			path = u.Path
		}
		if below, ok := strings.CutPrefix(path+"/", group+"/"); ok {
			path = below
		}
	}
	if path = strings.Trim(path, "/"); path != "" {
		path = "/" + path
	}
	return path
}

var ginVariables = strings.NewReplacer("{id}", ":id", "{slug}", "*slug")

func (c *Calendar) mount(router gin.IRouter, path string, m mount) {
	segments := strings.Count(m.prefix, "/") + strings.Count("/"+c.options.Namespace, "/")
	handler := func(g *gin.Context) {
		c.serve(g, m.root, below(g.Request.URL.EscapedPath(), segments))
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

// below cuts a number of segments off the front of a path.
func below(path string, segments int) string {
	for ; segments > 0; segments-- {
		i := strings.IndexByte(path[min(1, len(path)):], '/')
		if i < 0 {
			return ""
		}
		path = path[i+1:]
	}
	return path
}

// NoRoute answers what no route of the engine matched, if it lies below the
// calendar's namespace: unknown paths with an error in the API's form, unknown
// verbs, and paths in other letter case as the routes they mean. Everything
// else it leaves alone. Hosts mount it with engine.NoRoute(c.NoRoute).
func (c *Calendar) NoRoute(g *gin.Context) {
	path := "/" + strings.TrimLeft(g.Request.URL.EscapedPath(), "/")
	for _, m := range c.mounts {
		rest, ok := strings.CutPrefix(path, m.prefix+"/")
		n := len(c.options.Namespace)
		if !ok || len(rest) < n || !strings.EqualFold(rest[:n], c.options.Namespace) || len(rest) > n && rest[n] != '/' {
			continue
		}
		c.serve(g, m.root, rest[n:])
		g.Abort()
		return
	}
}
