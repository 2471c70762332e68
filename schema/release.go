package schema

import (
	"slices"

	"github.com/agendahq/agenda/internal/wp"
	"github.com/agendahq/agenda/internal/wp/release"
)

// ReleaseOptions are the names of the options that ReleaseOf needs. NetworkPlugins is none of the site's options.
func ReleaseOptions() []string {
	return []string{release.BlockFiles, release.UpdateCheck, release.Database, OptionPlugins, NetworkPlugins, OptionOwn}
}

// ReleaseOf returns the release of WordPress that a site's options say (D82), by name and with the values of
// release.StoredVersion. A site of our own, on which WordPress never was, is of the newest.
func ReleaseOf(options map[string]string) release.Found {
	if wp.Truthy(options[OptionOwn]) && options[release.Database] == "" {
		return release.Found{Release: release.Newest, From: OptionOwn, Version: options[OptionOwn]}
	}
	files, _ := plugins(options)
	return release.Detect(options, slices.ContainsFunc(files, release.IsObjectCache))
}
