package replay

import (
	"encoding/json"
	"fmt"
	"html"
	"maps"
	"net/http"
	"slices"
	"strings"
	"time"
)

// marker is a remark that takes the place of a value in a report.
type marker string

const absent marker = "(absent)"

// comparer contains the state of a run that comparisons depend on.
type comparer struct {
	root     string
	site     string
	zone     *time.Location
	moving   []string       // dates that move with the day of the request
	labels   map[string]any // ids that the server assigned
	now      func() time.Time
	added    []string
	without  []string
	anyOrder bool // ignore the order of keys, for stored rows
}

func differ(place string, want, got any) []Difference {
	return []Difference{{Place: place, Want: show(want), Got: show(got)}}
}

// compare returns the places where a value does not match the recorded one.
func (c *comparer) compare(want, got any, at string) []Difference {
	ok := false
	switch w := want.(type) {
	case nil:
		ok = got == nil
	case bool:
		g, same := got.(bool)
		ok = same && g == w
	case string:
		ok = c.compareText(w, got, at)
	case object:
		if g, same := got.(object); same {
			return c.compareObjects(w, g, at)
		}
	case []any:
		g, same := got.([]any)
		if !same || len(g) != len(w) {
			return differ(at, ids(want), ids(got))
		}
		var out []Difference
		for i := range w {
			out = append(out, c.compare(w[i], g[i], fmt.Sprintf("%s[%d]", at, i))...)
		}
		return out
	case json.Number:
		g, same := got.(json.Number)
		ok = same && sameNumber(w, g)
	}
	if ok {
		return nil
	}
	return differ(at, want, got)
}

func (c *comparer) compareText(want string, got any, at string) bool {
	text, isText := got.(string)
	if isText && strings.HasSuffix(at, "email") && strings.Contains(at, "json_ld") {
		// E-mail addresses are obfuscated with random entities.
		return c.matchText(html.UnescapeString(want), html.UnescapeString(text))
	}
	if strings.HasSuffix(at, "rest_url") && !strings.Contains(want, "{{") {
		return isText && c.matchAddress(want, text)
	}
	return c.matchText(want, got)
}

// compareObjects ignores the recorded links, because they lead to another API.
func (c *comparer) compareObjects(want, got object, at string) []Difference {
	if message, _ := want.get("message"); want.has("code") {
		if _, recorded := message.(bool); recorded {
			got = plainError(got)
		}
	}
	drop := func(k string) bool { return k == "_links" || slices.Contains(c.without, k) }
	want, got = want.without(drop), got.without(drop)
	var out []Difference
	for _, m := range want {
		if g, ok := got.get(m.key); ok {
			out = append(out, c.compare(m.val, g, at+"."+m.key)...)
		} else {
			out = append(out, differ(at+"."+m.key, m.val, absent)...)
		}
	}
	for _, m := range got {
		if !want.has(m.key) && !slices.Contains(c.added, m.key) {
			out = append(out, differ(at+"."+m.key, absent, m.val)...)
		}
	}
	if !c.anyOrder {
		out = append(out, compareOrder(want, got, at)...)
	}
	return out
}

// amended contains keys that a decision added to the recording. Their position has no meaning, so it is not compared.
var amended = []string{"geo_lat", "geo_lng"}

// compareOrder compares the order of the keys that both objects have. Other keys were reported already.
func compareOrder(want, got object, at string) []Difference {
	w := want.without(func(k string) bool { return !got.has(k) || slices.Contains(amended, k) }).keys()
	g := got.without(func(k string) bool { return !want.has(k) || slices.Contains(amended, k) }).keys()
	if slices.Equal(w, g) {
		return nil
	}
	return differ(at+" (order of keys)", strings.Join(w, " "), strings.Join(g, " "))
}

// plainError converts an error response to the recorded form: whether there is a message, and the sorted names of the
// invalid parameters.
func plainError(got object) object {
	return plainMessage(got).with("data", inside(func(data object) any {
		data = data.with("params", inside(func(params object) any {
			list := []any{}
			for _, name := range slices.Sorted(slices.Values(params.keys())) {
				list = append(list, name)
			}
			return list
		}))
		return data.with("details", inside(func(details object) any {
			for _, k := range details.keys() {
				details = details.with(k, inside(func(one object) any { return plainMessage(one) }))
			}
			return details
		}))
	}))
}

// inside returns a function that changes objects and returns other values unchanged.
func inside(change func(object) any) func(any) any {
	return func(v any) any {
		if o, ok := v.(object); ok {
			return change(o)
		}
		return v
	}
}

func plainMessage(o object) object {
	return o.with("message", func(v any) any {
		text, ok := v.(string)
		return ok && text != "" || v == true
	})
}

// ids returns the ids of a list of objects, to report lists of different lengths.
func ids(v any) any {
	list, ok := v.([]any)
	if !ok {
		return v
	}
	short := []any{}
	for _, x := range list {
		if o, ok := x.(object); ok {
			x, _ = o.get("id")
		}
		short = append(short, x)
	}
	return short
}

// compareHeaders compares the recorded headers with those of a response. The recorded Location leads to another API,
// and the order of allowed methods does not matter.
func (c *comparer) compareHeaders(want map[string]string, got http.Header) (out []Difference) {
	for _, name := range slices.Sorted(maps.Keys(want)) {
		w, g, ok := want[name], got.Get(name), false
		switch name {
		case "location":
			ok = true
		case "allow":
			ok = slices.Equal(methods(w), methods(g))
		case "content-type":
			ok = squeeze(w) == squeeze(g)
		default:
			ok = got.Values(name) != nil && c.matchText(w, g)
		}
		if !ok {
			out = append(out, differ("header "+name, w, g)...)
		}
	}
	return out
}

func squeeze(s string) string { return strings.ReplaceAll(strings.ToLower(s), " ", "") }

// methods returns the sorted set of methods that a header names.
func methods(s string) []string {
	list := strings.Split(strings.ReplaceAll(s, " ", ""), ",")
	slices.Sort(list)
	return slices.Compact(list)
}
