package rest

import (
	"mime"
	"slices"
	"strconv"
	"strings"
)

// jsonType is the type and subtype of answers.
const jsonType = "application/json"

// Prefers reports whether an Accept header names a media type and prefers it to JSON: by a higher quality or, at the
// same quality, because JSON is matched only by a wildcard.
func Prefers(accept []string, media string) bool {
	named, quality := accepted(accept, media)
	jsonNamed, jsonQuality := accepted(accept, jsonType)
	return named && quality > 0 && (quality > jsonQuality || quality == jsonQuality && !jsonNamed)
}

// accepted reports whether an Accept header names a media type, and the quality that applies to it, by its name or by
// the most specific wildcard.
func accepted(accept []string, media string) (named bool, quality float64) {
	kind, _, _ := strings.Cut(media, "/")
	ranges, found := []string{"*/*", kind + "/*", media}, -1
	for item := range strings.SplitSeq(strings.Join(accept, ","), ",") {
		name, params, err := mime.ParseMediaType(item)
		if at := slices.Index(ranges, name); err == nil && at > found {
			found, quality = at, 1
			if q, given := params["q"]; given {
				quality, _ = strconv.ParseFloat(q, 64)
			}
		}
	}
	return found == len(ranges)-1, quality
}
