package hosts_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema/embedded/calendartest"
)

// operation is an operation of the OpenAPI document, with the parameters in its path and query and the members of its
// body.
type operation struct {
	id, path, method, collection string
	own, hasBody, creates        bool
	params                       []*parameter
	item                         map[string]any   // id and slug of the item that requests refer to
	linked                       map[string]int64 // an item of each resource that events link, by the name of the parameter that links it
}

// parameter is a parameter of an operation, with values to send.
type parameter struct {
	name, in string
	list     bool // the schema allows lists
	schema   *jsonschema.Schema
	values   []any
}

// readOperations reads the OpenAPI document that a handler serves.
func readOperations(t *testing.T, h http.Handler) (all []*operation) {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, calendartest.Home+"/wp-json/vendor/events/v1/doc", nil))
	tree := must.Get(jsonschema.UnmarshalJSON(bytes.NewReader(w.Body.Bytes())))(t)
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	must.Succeed(t, c.AddResource("doc.json", tree))
	d := described{tree.(map[string]any)}
	read := func(name, in, pointer string) *parameter {
		schema := must.Get(c.Compile("doc.json#" + pointer))(t)
		values := append(d.values(d.at(pointer)), nil, true, false, 7, -7, 1.5, "text", "", []any{}, []any{"text"}, []any{7},
			[]any{[]any{}}, map[string]any{}, map[string]any{"text": 7})
		p := &parameter{name: name, in: in, schema: schema}
		p.list = slices.ContainsFunc(values, func(v any) bool { _, isList := v.([]any); return isList && p.valid(v) })
		p.values = slices.DeleteFunc(distinct(values), p.unsendable)
		return p
	}
	for path, item := range d.tree["paths"].(map[string]any) {
		for method, o := range item.(map[string]any) {
			op := &operation{id: o.(map[string]any)["operationId"].(string), path: path, method: strings.ToUpper(method),
				collection: strings.Split(path, "/")[1], own: strings.HasPrefix(path, "/echo")}
			at := "/paths/" + strings.ReplaceAll(path, "/", "~1") + "/" + method
			for i, p := range o.(map[string]any)["parameters"].([]any) {
				if m := p.(map[string]any); m["in"] != "header" {
					op.params = append(op.params, read(m["name"].(string), m["in"].(string), fmt.Sprint(at, "/parameters/", i, "/schema")))
				}
			}
			if body := d.at(at + "/requestBody/content/application~1json/schema"); body != nil {
				op.hasBody, op.creates = true, !op.own && !strings.Contains(path, "{") && path != "/batch"
				for _, name := range sortedNames(body["properties"]) {
					body := d.pointer(at + "/requestBody/content/application~1json/schema")
					op.params = append(op.params, read(name, "body", body+"/properties/"+name))
				}
			}
			all = append(all, op)
		}
	}
	slices.SortFunc(all, func(a, b *operation) int { return strings.Compare(a.id, b.id) })
	return all
}

func sortedNames(v any) (names []string) {
	for name := range v.(map[string]any) {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// described is the document as decoded JSON.
type described struct{ tree map[string]any }

// value returns the value at a JSON pointer, or nil.
func (d described) value(pointer string) (v any) {
	v = d.tree
	for step := range strings.SplitSeq(strings.TrimPrefix(pointer, "/"), "/") {
		switch x := v.(type) {
		case map[string]any:
			v = x[strings.ReplaceAll(step, "~1", "/")]
		case []any:
			i, _ := strconv.Atoi(step)
			v = x[i]
		}
	}
	return v
}

// pointer returns the JSON pointer to which the references at a pointer lead.
func (d described) pointer(pointer string) string {
	if m, _ := d.value(pointer).(map[string]any); m != nil && m["$ref"] != nil {
		return d.pointer(strings.TrimPrefix(m["$ref"].(string), "#"))
	}
	return pointer
}

// at returns the schema at a JSON pointer, or nil.
func (d described) at(pointer string) map[string]any {
	m, _ := d.value(d.pointer(pointer)).(map[string]any)
	return m
}

// values returns values at and around the limits that a schema sets, both allowed and forbidden ones.
func (d described) values(s map[string]any) (values []any) {
	if ref, ok := s["$ref"].(string); ok {
		return append(d.values(d.at(strings.TrimPrefix(ref, "#"))), s["default"])
	}
	number := func(key string) (n float64, ok bool) {
		x, ok := s[key].(json.Number)
		n, _ = x.Float64()
		return n, ok
	}
	for _, key := range []string{"enum", "examples", "oneOf", "anyOf"} {
		list, _ := s[key].([]any)
		for _, v := range list {
			if m, isSchema := v.(map[string]any); isSchema && (key == "oneOf" || key == "anyOf") {
				values = append(values, d.values(m)...)
			} else {
				values = append(values, v)
			}
		}
	}
	for _, key := range []string{"const", "default"} {
		if v, ok := s[key]; ok {
			values = append(values, v)
		}
	}
	for _, key := range []string{"minimum", "maximum"} {
		if n, ok := number(key); ok {
			values = append(values, n, n-1, n+1)
		}
	}
	for _, key := range []string{"minLength", "maxLength"} {
		if n, ok := number(key); ok {
			for _, n := range []int{int(n), int(n) - 1, int(n) + 1} {
				values = append(values, strings.Repeat("é", max(n, 0)))
			}
		}
	}
	items, _ := s["items"].(map[string]any)
	if len(items) == 0 {
		return values
	}
	inside := d.values(items)
	for _, v := range inside {
		values = append(values, []any{v})
	}
	if n, ok := number("maxItems"); ok && n > 0 {
		for _, n := range []int{int(n), int(n) + 1} {
			list := make([]any, n)
			for i := range list {
				if list[i] = any(i + 1); len(inside) > 0 {
					list[i] = inside[0]
				} else if items["type"] == "string" {
					list[i] = fmt.Sprint("text", i)
				}
			}
			values = append(values, list)
		}
	}
	return values
}

func distinct(values []any) (list []any) {
	seen := map[string]bool{}
	for _, v := range values {
		b, _ := json.Marshal(v)
		if !seen[string(b)] {
			seen[string(b)] = true
			list = append(list, v)
		}
	}
	return list
}

// valid reports whether the schema itself allows a JSON value.
func (p *parameter) valid(v any) bool {
	b, err := json.Marshal(v)
	if err != nil {
		return false
	}
	x, err := jsonschema.UnmarshalJSON(bytes.NewReader(b))
	return err == nil && p.schema.Validate(x) == nil
}

// unsendable reports whether a value cannot be sent where the parameter belongs. A query can only contain lists of
// strings.
func (p *parameter) unsendable(v any) bool {
	switch x := v.(type) {
	case nil, map[string]any:
		return p.in != "body"
	case []any:
		nested := slices.ContainsFunc(x, func(one any) bool { _, isText := one.(string); return !isText && !p.list || inQuery(one) == "" })
		return p.in == "path" || p.in == "query" && (len(x) == 0 || nested)
	}
	return p.in == "path" && inQuery(v) == ""
}

// allows reports whether the schema allows a value. In a query or a path, the value that the string represents counts.
func (p *parameter) allows(v any) bool {
	if _, isList := v.([]any); p.in == "body" || isList && !p.list {
		return p.valid(v)
	}
	return p.valid(inQuery(v)) || p.converts(inQuery(v))
}

// converts reports whether a string represents a value that the schema allows, as in a query: digits a number, words a
// boolean, an empty string null, and strings separated by commas a list.
func (p *parameter) converts(v any) bool {
	s, isText := v.(string)
	if !isText {
		return false
	}
	if s == "" && p.valid(nil) {
		return true
	}
	read := func(s string) []any {
		list := []any{s}
		if n, err := strconv.ParseFloat(s, 64); err == nil && !math.IsInf(n, 0) {
			list = append(list, n)
		}
		if s == "true" || s == "false" {
			list = append(list, s == "true")
		}
		return list
	}
	if slices.ContainsFunc(read(s)[1:], p.valid) {
		return true
	}
	texts, numbers := []any{}, []any{}
	for one := range strings.SplitSeq(s, ",") {
		if one = strings.TrimSpace(one); one != "" {
			texts, numbers = append(texts, one), append(numbers, read(one)[len(read(one))-1])
		}
	}
	return p.valid(texts) || p.valid(numbers)
}

// inQuery returns a value in the form that a query contains.
func inQuery(v any) string {
	switch x := v.(type) {
	case float64:
		return strconv.FormatFloat(x, 'f', -1, 64)
	case []any:
		var texts []string
		for _, one := range x {
			texts = append(texts, inQuery(one))
		}
		return strings.Join(texts, ",")
	case nil:
		return ""
	}
	return fmt.Sprint(v)
}

func clipValue(v any) string {
	b, _ := json.Marshal(v)
	return fmt.Sprintf("%.60s", b)
}

// valuesThatExist returns the valid values of a parameter that depend on the site's data, or whose string format no
// schema describes. It returns nil for a parameter that its schema describes completely.
func (o *operation) valuesThatExist(p *parameter) []any {
	hall, event := calendartest.VenueHall, calendartest.EventJazz
	day, moment := []any{"2031-05-01"}, []any{"2031-05-01 10:00:00", "tomorrow"}
	named := map[string][]any{
		"event": {event}, "post": {event}, "post_parent": {event}, "author": {calendartest.AuthorID},
		"image": {0, "", nil, false}, "image_alt": {""}, "translation_of": {0}, "poster": {nil},
		"report": {event, nil}, "report_equals": {event}, "report_one_of": {[]any{event, event}},
		"categories": {"music", []any{"music", "family"}}, "tags": {"free", []any{"free"}},
		"near": {"51.05,3.72"}, "within": {"10km"}, "sync_token": {}, "requests": {[]any{map[string]any{"path": "/tags/1"}}},
		"include": {[]any{1, 2}}, "parent": {calendartest.CategoryMusic, 0}, "website": {"https://example.org/", ""},
		"timezone": {"Europe/Brussels", "UTC+2", ""}, "day": day, "doors": {"2031-05-01", ""}, "doors_equals": day,
		"doors_one_of": {[]any{"2031-05-01"}}, "doors_range_min": day, "doors_range_max": day,
		"recurrence": {map[string]any{"rrule": "FREQ=DAILY;COUNT=2"}, nil, "", []any{}},
		"dates":      {[]any{map[string]any{"start_date": freshStart, "end_date": freshEnd}}},
		"start_date": {"2030-05-01 10:00:00", "tomorrow"}, "end_date": {"2031-08-01 10:00:00"},
		"starts_before": moment, "starts_after": moment,
		"ends_before": moment, "ends_after": moment, "date": moment, "date_utc": moment,
		"venue": {hall, fmt.Sprint(hall), []any{hall}, 0, "", nil, false, []any{}, []any{0, nil, ""},
			map[string]any{"venue": "New hall"}},
	}
	for name, id := range o.linked {
		if name != "venue" {
			named[name] = []any{id, []any{id}, 0, "", nil, false, []any{}, map[string]any{name: "New one"}}
		}
	}
	term := o.collection == "categories" || o.collection == "tags"
	switch {
	case p.in == "path" && o.own, o.linked[p.name] != 0 && o.collection == p.name+"s", o.collection == "tags" && p.name == "parent",
		p.in == "query" && p.name == "dates":
		return nil
	case p.in == "path":
		return []any{o.item[p.name]}
	case term && p.in == "body" && p.name == "slug":
		return []any{"slug-" + strings.ToLower(o.id)} // no other term has it
	case p.in == "query" && o.linked[p.name] != 0:
		return []any{[]any{o.linked[p.name]}}
	case p.in == "query" && p.name == "start_date" || p.in == "query" && p.name == "end_date":
		return moment
	case term && (p.name == "include" || p.name == "exclude"):
		return map[string][]any{"categories": {[]any{"music"}}, "tags": {[]any{"free", "outdoors"}}}[o.collection]
	case p.in == "query" && (p.name == "categories" || p.name == "tags"):
		return named[p.name][1:]
	case p.name == "status" && o.creates:
		return []any{"draft", "publish", "private"} // a new item cannot be in the trash
	}
	return named[p.name]
}
