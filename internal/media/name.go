package media

import (
	"cmp"
	"path"
	"regexp"
	"strconv"
	"strings"

	"github.com/agendahq/agenda/internal/wp"
)

// maxStem leaves room for a number and an extension in a name of 100 bytes.
const maxStem = 88

var (
	octets = regexp.MustCompile(`%[0-9a-f]{2}`)

	// derived matches the ends of names of smaller sizes. WordPress creates such files at any later time, so an
	// original must not have such a name.
	derived = regexp.MustCompile(`-(\d+x\d+|scaled|rotated)$`)
)

// stemOf returns a safe file name, without extension, for a name from outside: lower-case ASCII letters, digits, "-"
// and "_".
func stemOf(name string) string {
	name = strings.TrimSuffix(name, path.Ext(name))
	// A percent sign would have to be escaped in every URL.
	stem := octets.ReplaceAllString(wp.Slug(name), "")
	stem = strings.ReplaceAll(stem, "%", "")
	return cmp.Or(strings.Trim(stem[:min(len(stem), maxStem)], "-_"), "image")
}

// numbered returns the nth name to try: the stem itself for 0, unless it looks like the name of a smaller size, and
// then the stem with a number.
func numbered(stem string, n int) string {
	if derived.MatchString(stem) {
		n++
	}
	if n == 0 {
		return stem
	}
	return stem + "-" + strconv.Itoa(n)
}

// stemsInUse returns the file names in a directory without extensions, and also without the suffixes of smaller sizes,
// in case only a smaller size of an image is left.
func stemsInUse(files []string) map[string]bool {
	used := make(map[string]bool, len(files))
	for _, f := range files {
		stem := strings.ToLower(strings.TrimSuffix(f, path.Ext(f)))
		used[stem] = true
		used[derived.ReplaceAllString(stem, "")] = true
	}
	return used
}
