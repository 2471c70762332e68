// Package zonedata determines which release of the IANA time zone database the program uses. Governments change the
// rules of zones several times a year, so with another release a local time in the future may be another instant.
package zonedata

import (
	"bufio"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
)

// Unknown is the Release of data whose release cannot be determined.
const Unknown = "unknown"

// BuiltIn is the Place of the data that is compiled into the program.
const BuiltIn = "the program"

// Data describes the time zone database in use.
type Data struct {
	Release string // such as "2025c", or Unknown
	Place   string // directory or file that contains the data, or BuiltIn
}

// systems are the directories in which package time looks for the database, after the place that the environment
// variable ZONEINFO names and before the data in the program.
var systems = []string{"/usr/share/zoneinfo/", "/usr/share/lib/zoneinfo/", "/usr/lib/locale/TZ/", "/etc/zoneinfo"}

// aZone is a zone that every copy of the database contains.
const aZone = "Europe/London"

// Used returns the data that the program uses.
func Used() Data {
	return used(os.Getenv("ZONEINFO"), systems)
}

func used(named string, systems []string) Data {
	if info, err := os.Stat(named); err == nil && named != "" && !info.IsDir() {
		return Data{Unknown, named} // an archive does not contain the number of its release
	}
	for _, place := range append([]string{named}, systems...) {
		if place == "" {
			continue
		}
		if info, err := os.Stat(filepath.Join(place, aZone)); err == nil && info.Mode().IsRegular() {
			return Data{releaseIn(place), filepath.Clean(place)}
		}
	}
	return Data{Built(), BuiltIn}
}

var firstLine = regexp.MustCompile(`^# version ([0-9]{4}[a-z]+)\s*$`)

// releaseIn returns the release of the database in a directory.
func releaseIn(place string) string {
	f, err := os.Open(filepath.Join(place, "tzdata.zi"))
	if err != nil {
		return Unknown
	}
	defer f.Close()
	line, _, err := bufio.NewReaderSize(f, 256).ReadLine()
	if said := firstLine.FindSubmatch(line); err == nil && said != nil {
		return string(said[1])
	}
	return Unknown
}

// releases maps releases of Go to the release of the database in package time/tzdata. It is the value of DATA in
// lib/time/update.bash of Go's source.
var releases = map[string]string{"go1.25": "2025b", "go1.26": "2025c"}

// Built returns the release of the database that was compiled into the program.
func Built() string { return builtBy(runtime.Version()) }

func builtBy(version string) string {
	parts := strings.SplitN(strings.Fields(version)[0], ".", 3)
	if release, known := releases[strings.Join(parts[:min(len(parts), 2)], ".")]; known {
		return release
	}
	return Unknown
}

// Older reports whether a release is known to be older than another one. Their names sort in order of release.
func Older(release, than string) bool {
	return release != Unknown && than != Unknown && release < than
}
