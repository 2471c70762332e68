package replay

import (
	"maps"
	"net/http"
	"slices"
	"strings"
)

// compareHeaders compares the recorded headers with those of an answer. The
// recorded location leads to another API; the order of allowed methods is free.
func (c *comparer) compareHeaders(want map[string]string, got http.Header) []difference {
	var out []difference
	for _, name := range slices.Sorted(maps.Keys(want)) {
		if name == "location" {
			continue
		}
		var g any // nil where the header is missing
		if got.Values(name) != nil {
			g = got.Get(name)
		}
		text, _ := g.(string)
		w := want[name]
		ok := false
		switch name {
		case "allow":
			ok = slices.Equal(methods(w), methods(text))
		case "content-type":
			ok = squeeze(w) == squeeze(text)
		default:
			ok = c.matchText(w, g)
		}
		if ok {
			continue
		}
		if g == nil {
			g = absent
		}
		out = append(out, difference{"header " + name, w, g})
	}
	return out
}

func squeeze(s string) string { return strings.ReplaceAll(strings.ToLower(s), " ", "") }

// methods is the set of methods that a header names, sorted.
func methods(s string) []string {
	list := strings.Split(s, ",")
	for i := range list {
		list[i] = strings.TrimSpace(list[i])
	}
	slices.Sort(list)
	return slices.Compact(list)
}
