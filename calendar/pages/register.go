package pages

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/gin-gonic/gin"
)

// Register mounts the pages on an engine, or on a group with whose path all Options.Languages' prefixes begin: the
// addresses of all languages, the style sheet, the icon, the scripts, the sitemap and robots.txt. It returns an error
// if an option is invalid, or if one of the paths is already mounted. Unknown paths are left to the host, which may
// pass them to ServeHTTP. /robots.txt is not mounted on a group, or if the host has already registered one.
func (s *Site) Register(router gin.IRouter) (err error) {
	if router == nil {
		return errors.New("pages: no router")
	}
	if s.err != nil {
		return s.err
	}
	defer func() {
		if p := recover(); p != nil { // gin panics if routes conflict
			err = fmt.Errorf("pages: mounting: %v", p)
		}
	}()
	group := ""
	if g, ok := router.(interface{ BasePath() string }); ok {
		group = strings.TrimRight(g.BasePath(), "/")
	}
	handler := gin.WrapH(s)
	for _, path := range s.paths() {
		if path == robotsPath && (group != "" || registered(router, path)) {
			continue // the host's own
		}
		below, ok := strings.CutPrefix(path, group)
		if !ok {
			return fmt.Errorf("pages: the path %s is not below that of the router, %s", path, group)
		}
		router.Match([]string{http.MethodGet, http.MethodHead, http.MethodPost}, below, handler)
	}
	return nil
}

// registered reports whether an engine has a route for GET with a path.
func registered(router gin.IRouter, path string) bool {
	engine, ok := router.(interface{ Routes() gin.RoutesInfo })
	return ok && slices.ContainsFunc(engine.Routes(), func(r gin.RouteInfo) bool { return r.Method == http.MethodGet && r.Path == path })
}

// paths returns the paths of all pages and files, with gin's variables.
func (s *Site) paths() []string {
	var paths []string
	for _, v := range s.versions {
		prefix, err := url.PathUnescape(v.lang.Prefix) // the router compares unescaped paths
		if err != nil {
			prefix = v.lang.Prefix
		}
		below := func(path string) { paths = append(paths, prefix+path) }
		below("/")
		for _, word := range single() {
			below("/" + word + "/:slug")
			below("/" + word + "/:slug/")
		}
		for word := range known[aboutWord] {
			below("/" + word)
			below("/" + word + "/")
		}
		for path := range ownPaths {
			below("/" + path)
			below("/" + path + "/")
		}
		below("/events")
		below("/events/*path")
	}
	for _, file := range []string{stylePath, iconPath, scriptPath, buttonsPath, sitemapPath, partPrefix + ":part"} {
		paths = append(paths, s.at.assets+file)
	}
	paths = append(paths, robotsPath)
	if s.editing != nil {
		paths = append(paths, s.editing.Paths()...)
	}
	slices.Sort(paths)
	return slices.Compact(paths)
}

// single returns the first segments of the paths of single items.
func single() []string {
	words := []string{"event", "tag"}
	for _, s := range []segment{venueWord, organizerWord} {
		for word := range known[s] {
			words = append(words, word)
		}
	}
	slices.Sort(words)
	return slices.Compact(words)
}
