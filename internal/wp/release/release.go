// Package release knows the releases of WordPress: which of them a site runs, and which behaviour came with
// which. What renders or filters texts asks a Release whether it has a Behaviour, so that the next release is a
// line of releases, lines of behaviours, and code for what is new.
package release

import (
	"fmt"
	"slices"
	"strings"
)

// Release is a release of WordPress. Later releases are greater; the zero value is the oldest that is known.
type Release int

// The releases that are known. A patch release ("7.0.4") counts as its release, in its last form.
const (
	WP69 Release = iota
	WP70
	WP71
)

// Newest is the newest release that is known. A site of our own is one of this release.
const Newest = WP71

// releases has the name of each release, and the number in the option db_version of its sites.
var releases = [...]struct {
	name     string
	database int
}{
	WP69: {"6.9", 60717},
	WP70: {"7.0", 61833},
	WP71: {"7.1", 61833},
}

// String returns the name of a release, as in "7.1".
func (r Release) String() string { return releases[r].name }

// Names returns the names of all releases, the oldest first.
func Names() []string {
	names := make([]string, len(releases))
	for r := range releases {
		names[r] = releases[r].name
	}
	return names
}

// All returns all releases, the oldest first.
func All() []Release {
	all := make([]Release, len(releases))
	for r := range releases {
		all[r] = Release(r)
	}
	return all
}

// Parse returns the release of a name as Names returns it.
func Parse(name string) (Release, error) {
	if r := slices.Index(Names(), name); r >= 0 {
		return Release(r), nil
	}
	return 0, fmt.Errorf("%q is no known release of WordPress: %s", name, strings.Join(Names(), ", "))
}

// OfVersion returns the release of an exact version, as in "7.0.4", and whether it is known.
func OfVersion(version string) (Release, bool) {
	for r, known := range releases {
		if rest, ok := strings.CutPrefix(version, known.name); ok && (rest == "" || rest[0] == '.' || rest[0] == '-') {
			return Release(r), true
		}
	}
	return 0, false
}
