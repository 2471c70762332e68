// Package zonedata finds out which release of the time zone database the program computes with: governments change the rules of zones
// several times a year, and a date in the future is another moment then.
package zonedata

import (
	"bufio"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
)

// Unknown is a release that cannot be found out.
const Unknown = "unknown"

// BuiltIn is the place of the data in the program.
const BuiltIn = "the program"

// Data is the zone data of a machine.
type Data struct {
	Release string // "2025c", or Unknown
	Place   string // a directory or a file, or BuiltIn
}

// systems are where package time looks before it uses the data in the program, after the place that the environment variable ZONEINFO
// names.
var systems = []string{"/usr/share/zoneinfo/", "/usr/share/lib/zoneinfo/", "/usr/lib/locale/TZ/", "/etc/zoneinfo"}

// aZone is one that all copies of the database have.
const aZone = "Europe/London"

// Used returns the data that the program computes with.
func Used() Data {
	return used(os.Getenv("ZONEINFO"), systems)
}

func used(named string, systems []string) Data {
	if info, err := os.Stat(named); err == nil && named != "" && !info.IsDir() {
		return Data{Unknown, named} // an archive, which does not say its release
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

// releaseIn returns the release of the data in a directory.
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

// releases are those of the data in package time/tzdata, by the releases of Go: the value of DATA in lib/time/update.bash.
var releases = map[string]string{"go1.25": "2025b", "go1.26": "2025c"}

// Built returns the release of the data that the program was built with.
func Built() string { return builtBy(runtime.Version()) }

func builtBy(version string) string {
	parts := strings.SplitN(strings.Fields(version)[0], ".", 3)
	if release, known := releases[strings.Join(parts[:min(len(parts), 2)], ".")]; known {
		return release
	}
	return Unknown
}

// Older reports whether a release is known to come before another one. Releases sort by their names.
func Older(release, than string) bool {
	return release != Unknown && than != Unknown && release < than
}
