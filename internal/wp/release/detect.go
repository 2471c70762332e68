package release

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Options of a site that say its release.
const (
	// BlockFiles is written at the first request after an update, with the exact version.
	BlockFiles = "_transient_wp_core_block_css_files"
	// UpdateCheck has the exact version at the last check for updates, up to 12 hours ago. A network of sites has it
	// in its own settings.
	UpdateCheck = "_site_transient_update_core"
	// Database is the number of the tables' form. It can be written later than the files are updated.
	Database = "db_version"
)

// Found is the release of a site, and how it was found.
type Found struct {
	Release Release
	From    string // the name of the option, "" if the site stores none
	Version string // what the option says
	Newer   bool   // the site runs a later release than is known, and counts as one of the newest
}

// versions find the exact version in options.
var versions = map[string]*regexp.Regexp{
	BlockFiles:  regexp.MustCompile(`"version";s:\d+:"([^"]*)"`),
	UpdateCheck: regexp.MustCompile(`"version_checked";s:\d+:"([^"]*)"`),
}

// StoredVersion returns what an option of Detect says of the release. Of the others it returns value: what else is in
// these changes from hour to hour.
func StoredVersion(option, value string) string {
	find := versions[option]
	if find == nil || value == "" {
		return value
	}
	if m := find.FindStringSubmatch(value); m != nil {
		return m[1]
	}
	return ""
}

// OfSite returns the release of a site by its options, with the values of StoredVersion, and the files of its active plugins. own
// is the option that marks a site on which WordPress never was, "" on others: such a site is of the newest release.
func OfSite(options map[string]string, own string, plugins []string) Found {
	if own != "" && options[Database] == "" {
		return Found{Release: Newest, From: own, Version: options[own]}
	}
	return Detect(options, slices.ContainsFunc(plugins, IsObjectCache))
}

// Detect returns the release of a site by its options, with the values of StoredVersion. What BlockFiles and UpdateCheck
// say counts where it agrees with Database, and not where an object cache is active: they may be of before it was.
func Detect(options map[string]string, objectCache bool) Found {
	database, _ := strconv.Atoi(strings.TrimSpace(options[Database]))
	newer := Found{}
	if !objectCache {
		for _, option := range []string{BlockFiles, UpdateCheck} {
			version := options[option]
			r, known := OfVersion(version)
			switch {
			case known && releases[r].database == database:
				return Found{Release: r, From: option, Version: version}
			case !known && newer.From == "" && database >= releases[Newest].database && isLater(version):
				newer = Found{Release: Newest, From: option, Version: version, Newer: true}
			}
		}
	}
	if newer.From != "" {
		return newer
	}
	found := Found{From: Database, Version: options[Database], Newer: database > releases[Newest].database}
	if found.Version == "" {
		found.From = ""
	}
	for _, r := range All() {
		if database >= releases[r].database {
			found.Release = r
		}
	}
	return found
}

// isLater reports whether a version is of a later release than the newest that is known.
func isLater(version string) bool {
	major, rest, _ := strings.Cut(version, ".")
	minor, _, _ := strings.Cut(strings.SplitN(rest, "-", 2)[0], ".")
	newestMajor, newestMinor, _ := strings.Cut(Newest.String(), ".")
	a, b := number(major), number(newestMajor)
	return a > b || a == b && number(minor) > number(newestMinor)
}

func number(digits string) int {
	n, _ := strconv.Atoi(digits)
	return n
}

// objectCaches are the directories of plugins that keep transients elsewhere than in options.
var objectCaches = []string{
	"atec-cache-apcu", "docket-cache", "litespeed-cache", "memcached", "memcached-redux", "object-cache-pro", "powered-cache",
	"redis-cache", "sqlite-object-cache", "w3-total-cache", "wp-redis",
}

// IsObjectCache reports whether a plugin, by the name of its file, is known to keep transients elsewhere.
func IsObjectCache(file string) bool {
	directory, _, _ := strings.Cut(file, "/")
	return slices.Contains(objectCaches, directory)
}
