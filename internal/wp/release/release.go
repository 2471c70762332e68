// Package release contains the releases of WordPress: how to determine the one that a site runs, and which behaviours
// each has. Code that renders or filters text calls Release.Has. So a new release needs a line in releases, lines in
// changes, and code for the new behaviours.
package release

import (
	"fmt"
	"slices"
	"strings"
)

// Release is a release of WordPress. Newer releases are greater. The zero value is the oldest one supported.
type Release int

// The releases that are supported. A patch release such as 7.0.4 counts as the latest form of its release.
const (
	WP69 Release = iota
	WP70
	WP71
)

// Newest is the newest supported release. Sites created by Agenda have this release.
const Newest = WP71

// releases contains the name of each release, and the value of the option db_version on its sites.
var releases = [...]struct {
	name     string
	database int
}{
	WP69: {"6.9", 60717},
	WP70: {"7.0", 61833},
	WP71: {"7.1", 61833},
}

// String returns the name of the release, such as "7.1".
func (r Release) String() string { return releases[r].name }

// Names returns the names of all releases, oldest first.
func Names() []string {
	names := make([]string, len(releases))
	for r := range releases {
		names[r] = releases[r].name
	}
	return names
}

// All returns all releases, oldest first.
func All() []Release {
	all := make([]Release, len(releases))
	for r := range releases {
		all[r] = Release(r)
	}
	return all
}

// Parse returns the release with a name, as Names returns it.
func Parse(name string) (Release, error) {
	if r := slices.Index(Names(), name); r >= 0 {
		return Release(r), nil
	}
	return 0, fmt.Errorf("%q is not a known release of WordPress: %s", name, strings.Join(Names(), ", "))
}

// OfVersion returns the release of an exact version such as "7.0.4". The second result is false if it is not supported.
func OfVersion(version string) (Release, bool) {
	for r, known := range releases {
		if rest, ok := strings.CutPrefix(version, known.name); ok && (rest == "" || rest[0] == '.' || rest[0] == '-') {
			return Release(r), true
		}
	}
	return 0, false
}
