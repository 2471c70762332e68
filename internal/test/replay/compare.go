package replay

import (
	"encoding/json"
	"fmt"
	"html"
	"slices"
	"strings"
	"time"
)

// marker is a remark that stands for a value in a report.
type marker string

const absent marker = "(absent)"

// difference is one place where a got value does not fit the recorded one.
type difference struct {
	at        string
	want, got any
}

// comparer holds what comparing needs to know of the run.
type comparer struct {
	root, site, host string
	zone             *time.Location
	moving           []string // dates that move with the day of the request
	without          []string
	labels           map[string]any // ids that the server gave out
	now              func() time.Time
	anyOrder         bool // the order of keys does not matter: stored rows
}

// compare lists where the got value does not fit the recorded one.
func (c *comparer) compare(want, got any, at string) []difference {
	ok := false
	switch w := want.(type) {
	case string:
		ok = c.compareText(w, got, at)
	case *object:
		if g, same := got.(*object); same {
			return c.compareObjects(w, g, at)
		}
	case []any:
		if g, same := got.([]any); same && len(g) == len(w) {
			return c.compareItems(w, g, at)
		}
		return []difference{{at, ids(want), ids(got)}}
	case json.Number:
		g, same := got.(json.Number)
		ok = same && sameNumber(w, g)
	default: // nil and bool
		ok = isScalar(got) && want == got
	}
	if ok {
		return nil
	}
	return []difference{{at, want, got}}
}

// isScalar tells whether == may be used on v: on a list it would panic.
func isScalar(v any) bool {
	_, list := v.([]any)
	return !list
}

func (c *comparer) compareText(want string, got any, at string) bool {
	text, isText := got.(string)
	if isText && strings.HasSuffix(at, "email") && strings.Contains(at, "json_ld") {
		// Written with random entities, against harvesters.
		return c.matchText(html.UnescapeString(want), html.UnescapeString(text))
	}
	if strings.HasSuffix(at, "rest_url") && !strings.Contains(want, "{{") {
		return isText && c.matchAddress(want, text)
	}
	return c.matchText(want, got)
}

func (c *comparer) compareItems(want, got []any, at string) []difference {
	var out []difference
	for i := range want {
		out = append(out, c.compare(want[i], got[i], fmt.Sprintf("%s[%d]", at, i))...)
	}
	return out
}

func (c *comparer) compareObjects(want, got *object, at string) []difference {
	if message, ok := want.get("message"); ok {
		_, code := want.get("code")
		if _, recorded := message.(bool); code && recorded {
			got = plainError(got)
		}
	}
	drop := func(k string) bool { return k == "_links" || c.dropped(want, k) }
	want, got = want.without(drop), got.without(drop)
	var out []difference
	for _, k := range want.keys {
		if g, ok := got.get(k); ok {
			out = append(out, c.compare(want.vals[k], g, at+"."+k)...)
		} else {
			out = append(out, difference{at + "." + k, want.vals[k], absent})
		}
	}
	for _, k := range got.keys {
		if _, ok := want.get(k); !ok {
			out = append(out, difference{at + "." + k, absent, got.vals[k]})
		}
	}
	if c.anyOrder {
		return out
	}
	return append(out, compareOrder(want, got, at)...)
}

// amended are keys that were added to the recording by a decision, at no
// meaningful place: their order is not compared.
var amended = []string{"geo_lat", "geo_lng"}

// compareOrder compares the order of the keys that both have; the others are
// reported already.
func compareOrder(want, got *object, at string) []difference {
	w := want.without(func(k string) bool { _, ok := got.get(k); return !ok || slices.Contains(amended, k) })
	g := got.without(func(k string) bool { _, ok := want.get(k); return !ok || slices.Contains(amended, k) })
	if slices.Equal(w.keys, g.keys) {
		return nil
	}
	return []difference{{at + " (order of keys)", strings.Join(w.keys, " "), strings.Join(g.keys, " ")}}
}

// dropped tells whether Options.Without leaves the key of a recorded object out.
// The recorded links, left out too, lead to another API.
func (c *comparer) dropped(want *object, key string) bool {
	v, ok := want.get(key)
	if !ok || !slices.Contains(c.without, key) {
		return false
	}
	_, text := v.(string)
	return text || key != "venue" && key != "organizer"
}

// plainError brings an error answer to the recorded form: messages as whether
// there is one, and of the parameters that are wrong the sorted names.
func plainError(got *object) *object {
	got = plainMessage(got)
	raw, _ := got.get("data")
	data, ok := raw.(*object)
	if !ok {
		return got
	}
	if v, _ := data.get("params"); v != nil {
		if params, ok := v.(*object); ok {
			data = data.with("params", sortedNames(params))
		}
	}
	if v, _ := data.get("details"); v != nil {
		if details, ok := v.(*object); ok {
			data = data.with("details", plainDetails(details))
		}
	}
	return got.with("data", data)
}

func plainMessage(o *object) *object {
	if message, ok := o.get("message"); ok {
		return o.with("message", truthy(message))
	}
	return o
}

func plainDetails(details *object) *object {
	for _, k := range details.keys {
		if one, ok := details.vals[k].(*object); ok {
			details = details.with(k, plainMessage(one))
		}
	}
	return details
}

func sortedNames(o *object) []any {
	names := slices.Clone(o.keys)
	slices.Sort(names)
	list := []any{}
	for _, n := range names {
		list = append(list, n)
	}
	return list
}

func truthy(v any) bool {
	switch v := v.(type) {
	case nil:
		return false
	case bool:
		return v
	case string:
		return v != ""
	case json.Number:
		f, err := v.Float64()
		return err != nil || f != 0
	case []any:
		return len(v) > 0
	case *object:
		return len(v.keys) > 0
	}
	return true
}

// ids shortens a list of objects to their ids, for a report of lists that differ in length.
func ids(v any) any {
	list, ok := v.([]any)
	if !ok {
		return v
	}
	short := []any{}
	for _, x := range list {
		if o, ok := x.(*object); ok {
			x, _ = o.get("id")
		}
		short = append(short, x)
	}
	return short
}
