package rest

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/agendahq/agenda/internal/call"
)

// Mounts are the paths at which the language versions of an API are served.
type Mounts struct {
	List      []Mount
	Namespace string
	Roots     bool // the roots are served too
}

// Mount is the path at which a language version is served.
type Mount struct {
	Root   *call.Root
	Prefix string // path above the namespace, including the path of the router group
}

// InLanguage returns the mount of the language with a tag, or the first one if there is none.
func (m Mounts) InLanguage(tag string) Mount {
	for _, one := range m.List {
		if one.Root.Tag == tag {
			return one
		}
	}
	return m.List[0]
}

// Target returns what a request addresses: a path below the namespace of a language version, or below its root. ok is
// false if it is below none.
func (m Mounts) Target(r *http.Request) (to Target, ok bool) {
	whole, longest := r.URL.EscapedPath(), -1
	if strings.HasPrefix(whole, "//") || !strings.HasPrefix(whole, "/") {
		whole = "/" + strings.TrimLeft(whole, "/")
	}
	for _, one := range m.List {
		above, ok := under(whole, one.Prefix, sameSegment)
		if !ok {
			continue
		}
		if below, ok := under(above, m.Namespace, strings.EqualFold); ok {
			return Target{Root: one.Root, Path: below}, true
		}
		if m.Roots && len(one.Prefix) > longest {
			to, longest = Target{Root: one.Root, Path: above, Above: true}, len(one.Prefix)
		}
	}
	return to, longest >= 0
}

// NoPath is a path that matches no route.
const NoPath = "-"

// prettyRoot is the additional path of the REST root of a site with plain permalinks.
const prettyRoot = "/wp-json"

// MountPath returns the path of a language version below the router group, without a slash at the end. mount is the path
// that the host has chosen, and base the address of the root, whose path is the default.
func MountPath(mount, base, group string) string {
	path := mount
	if path == "" {
		u, _ := url.Parse(base) // the options were checked
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
	if end := strings.IndexByte(path, '/'); end >= 0 {
		return path[:end], path[end:]
	}
	return path, ""
}
