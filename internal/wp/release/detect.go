package release

import (
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Options from which the release of a site is determined.
const (
	// BlockFiles contains the exact version. WordPress writes it at the first request after an update.
	BlockFiles = "_transient_wp_core_block_css_files"
	// UpdateCheck contains the exact version at the last check for updates, up to 12 hours ago. In a multisite network
	// it is a setting of the network.
	UpdateCheck = "_site_transient_update_core"
	// Database contains the version of the tables. It may be written later than the files are updated.
	Database = "db_version"
)

// Found is the release of a site, and how it was determined.
type Found struct {
	Release Release
	From    string // name of the option; "" if the site has none of them
	Version string // value of the option
	Newer   bool   // the site runs a newer release than the known ones, and is treated like Newest
}

// versions matches the exact version in each option.
var versions = map[string]*regexp.Regexp{
	BlockFiles:  regexp.MustCompile(`"version";s:\d+:"([^"]*)"`),
	UpdateCheck: regexp.MustCompile(`"version_checked";s:\d+:"([^"]*)"`),
}

// StoredVersion returns the part of an option's value that Detect uses. The rest of these values changes from hour to
// hour. For other options it returns the value.
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

// OfSite returns the release of a site, given its options with values from StoredVersion, and the files of its active
// plugins. own is the name of the option that marks a site created by Agenda, "" on others. If WordPress has never run
// on such a site, it has the newest release.
func OfSite(options map[string]string, own string, plugins []string) Found {
	if own != "" && options[Database] == "" {
		return Found{Release: Newest, From: own, Version: options[own]}
	}
	return Detect(options, slices.ContainsFunc(plugins, IsObjectCache))
}

// Detect returns the release of a site, given its options with values from StoredVersion. BlockFiles and UpdateCheck
// count if they agree with Database. They are ignored if an object cache is active, since they may have been written
// before it was installed.
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

// isLater reports whether a version is newer than all known releases.
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

// objectCaches are the directories of plugins that store transients elsewhere than in options.
var objectCaches = []string{
	"atec-cache-apcu", "docket-cache", "litespeed-cache", "memcached", "memcached-redux", "object-cache-pro", "powered-cache",
	"redis-cache", "sqlite-object-cache", "w3-total-cache", "wp-redis",
}

// IsObjectCache reports whether a plugin, given by its file, is known to store transients elsewhere than in options.
func IsObjectCache(file string) bool {
	directory, _, _ := strings.Cut(file, "/")
	return slices.Contains(objectCaches, directory)
}
