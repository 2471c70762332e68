package media

import (
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/agendahq/agenda/internal/wp"
)

// maxStem leaves room for a number and an extension within 100 bytes.
const maxStem = 88

var (
	octets = regexp.MustCompile(`%[0-9a-f]{2}`)

	// derived matches the ends of version names; the site's own software makes such
	// names too, at any later time.
	derived = regexp.MustCompile(`-(\d+x\d+|scaled|rotated)$`)
)

// stemOf returns a file name without extension for a name from outside: small ASCII letters,
// digits, "-" and "_".
func stemOf(name string) string {
	name = strings.TrimSuffix(name, path.Ext(name))
	// A percent sign would have to be escaped wherever the address is written.
	stem := octets.ReplaceAllString(wp.Slug(name), "")
	stem = strings.ReplaceAll(stem, "%", "")
	stem = strings.Trim(stem[:min(len(stem), maxStem)], "-_")
	if stem == "" {
		return "image"
	}
	return stem
}

// numbered returns the n-th name to try: 0 is the stem itself, unless a version of
// another image could have it.
func numbered(stem string, n int) string {
	if derived.MatchString(stem) {
		n++
	}
	if n == 0 {
		return stem
	}
	return stem + "-" + strconv.Itoa(n)
}

// stemsInUse returns the stems of the files of a directory with any extension, also
// of images of which only a version is left.
func stemsInUse(files []string) map[string]bool {
	used := make(map[string]bool, len(files))
	for _, f := range files {
		stem := strings.ToLower(strings.TrimSuffix(f, path.Ext(f)))
		used[stem] = true
		used[derived.ReplaceAllString(stem, "")] = true
	}
	return used
}
