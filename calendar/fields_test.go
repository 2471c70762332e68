package calendar_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
)

// TestFields: _fields narrows the answer; the order of the members stays.
func TestFields(t *testing.T) {
	h := siteHandler(t)
	events := "/events?" + everything + "&per_page=2&"
	for address, want := range map[string]string{
		"/events/25?_fields=slug,id":                             `{"id":25,"slug":"blues-rock-roll-zomer-1"}`,
		"/events/25?_fields=slug%20id":                           `{"id":25,"slug":"blues-rock-roll-zomer-1"}`,
		"/events/25?_fields=slug,%20id%09,,":                     `{"id":25,"slug":"blues-rock-roll-zomer-1"}`,
		"/events/25?_fields[]=slug&_fields[]=id":                 `{"id":25,"slug":"blues-rock-roll-zomer-1"}`,
		"/events/25?_fields[a]=slug&_fields[b]=id":               `{"id":25,"slug":"blues-rock-roll-zomer-1"}`,
		"/events/25?_fields[]=slug,id":                           `[]`,
		"/events/25?_fields=nothing":                             `[]`,
		"/events/25?_fields=id,nothing,id.x":                     `{"id":25}`,
		"/events/25?_fields=id.x":                                `{"id":25}`,
		"/events/25?_fields=ID":                                  `[]`,
		"/events/25?_fields=start_date_details.year":             `{"start_date_details":{"year":"2031"}}`,
		"/events/25?_fields=start_date_details.nothing":          `{"start_date_details":[]}`,
		"/events/25?_fields=start_date_details.year.x,id":        `{"id":25,"start_date_details":{"year":"2031"}}`,
		"/events/25?_fields=start_date_details.hour,all_day":     `{"all_day":false,"start_date_details":{"hour":"10"}}`,
		"/events/25?_fields=id&_fields=slug":                     `{"slug":"blues-rock-roll-zomer-1"}`,
		events + "_fields=total,total_pages":                     `{"total":116,"total_pages":58}`,
		events + "_fields=events.id":                             `{"events":[]}`,
		events + "_fields=events.0.id,events.1.id":               `{"events":[{"id":165},{"id":31}]}`,
		events + "_fields=events.1.id":                           `{"events":{"1":{"id":31}}}`,
		events + "_fields=events.7.id":                           `{"events":[]}`,
		events + "_fields=total,events.0.start_date_details.day": `{"events":[{"start_date_details":{"day":"22"}}],"total":116}`,
		"/tags/17?_fields=id,slug":                               `{"id":17,"slug":"gratis"}`,
		"/categories/6?_fields=_links.collection.0.href": `{"_links":{"collection":` +
			`[{"href":"http:\/\/site.test\/wp-json\/tribe\/events\/v1\/categories"}]}}`,
		"/venues/8?_fields=json_ld.address.@type":            `{"json_ld":{"address":{"@type":"PostalAddress"}}}`,
		"/events/25?_fields=json_ld.location.@type,venue.id": `{"venue":{"id":15},"json_ld":{"location":{"@type":"Place"}}}`,
		"/?_fields=namespace": `{"namespace":"tribe\/events\/v1",` +
			`"_links":{"up":[{"href":"http:\/\/site.test\/wp-json\/"}]}}`,
	} {
		if w := get(h, address); w.Code != http.StatusOK || w.Body.String() != want {
			t.Errorf("%s: %d %.300s, want %s", address, w.Code, w.Body, want)
		}
	}
	whole := get(h, "/events/25").Body.String()
	for _, query := range []string{"", "_fields=", "_fields=,", "_fields=%20", "_fields[]="} {
		if got := get(h, "/events/25?"+query).Body.String(); got != whole {
			t.Errorf("%q narrows the answer: %.300s", query, got)
		}
	}
	parent := get(h, "/events/25?_fields=start_date_details.year,start_date_details").Body.String()
	if list := keys(t, parent); !slices.Equal(list, []string{"start_date_details"}) || !strings.Contains(parent, `"seconds"`) {
		t.Errorf("a whole member with a part of it: %s", parent)
	}
	w := send(h, http.MethodGet, "/events/25", `{"_fields":"id"}`, header{"Content-Type", "application/json"})
	if w.Body.String() != `{"id":25}` {
		t.Errorf("in a JSON body: %.300s", w.Body)
	}
	w = send(h, http.MethodGet, "/events/25", `{"_fields":["slug","id"]}`, header{"Content-Type", "application/json"})
	if w.Body.String() != `{"id":25,"slug":"blues-rock-roll-zomer-1"}` {
		t.Errorf("in a JSON body, as a list: %.300s", w.Body)
	}
}

// TestFieldsLeave: errors are not narrowed, headers neither; _links of terms
// stay only if they are asked for.
func TestFieldsLeave(t *testing.T) {
	h := siteHandler(t)
	wantError(t, get(h, "/events/999999?_fields=id"), http.StatusNotFound, "rest-event-not-found")
	wantError(t, get(h, "/events?page=0&_fields=total"), http.StatusBadRequest, "rest_invalid_param")
	wantError(t, get(h, "/nothing?_fields=code"), http.StatusNotFound, "rest_no_route")
	w := get(h, "/events?_fields=total&"+everything)
	if w.Header().Get("X-TEC-Total") != "116" || w.Header().Get("X-TEC-TotalPages") != "12" {
		t.Errorf("headers of a narrowed list: %v", w.Header())
	}
	if list := keys(t, get(h, "/categories/6").Body.String()); !slices.Contains(list, "_links") {
		t.Errorf("a term has no _links: %v", list)
	}
	if list := keys(t, get(h, "/categories/6?_fields=_links,id").Body.String()); !slices.Equal(list, []string{"id", "_links"}) {
		t.Errorf("_links were asked for: %v", list)
	}
	head := send(h, http.MethodHead, "/events/25?_fields=id", "")
	if head.Header().Get("Content-Length") != "9" || head.Body.Len() != 0 {
		t.Errorf("HEAD of a narrowed answer: %v", head.Header())
	}
}

func TestPretty(t *testing.T) {
	h := siteHandler(t)
	for query, headers := range map[string][]header{
		"_pretty": nil, "_pretty=1": nil, "_pretty=0": nil, "_pretty=": nil, "_pretty=false": nil, "_pretty[]=": nil,
	} {
		want := "{\n    \"id\": 25,\n    \"venue\": [],\n    \"cost_details\": {\n        \"values\": []\n    }\n}"
		got := get(h, "/events/25?_fields=id,cost_details.values,venue.x&"+query, headers...).Body.String()
		if !strings.HasPrefix(got, "{\n    \"id\": 25,\n") || strings.Contains(got, "\t") || !strings.HasSuffix(got, "\n}") {
			t.Errorf("%q: %q, want something like %q", query, got, want)
		}
	}
	w := get(h, "/venues/by-slug/none?_pretty&_fields=x")
	lines := strings.Split(w.Body.String(), "\n")
	if len(lines) < 9 || lines[1] != `    "code": "rest_invalid_param",` || !strings.Contains(w.Body.String(),
		"        \"details\": []\n") {
		t.Errorf("an error: %s", w.Body)
	}
	w = get(h, "/events?_pretty&_envelope&_fields=events&search=zzzzz")
	if want := "{\n    \"body\": {\n        \"events\": []\n    },\n    \"status\": 200,\n"; !strings.HasPrefix(w.Body.String(), want) {
		t.Errorf("an envelope: %s", w.Body)
	}
	w = send(h, http.MethodGet, "/events/25?_fields=id", `{"_pretty":false}`, header{"Content-Type", "application/json"})
	if w.Body.String() != "{\n    \"id\": 25\n}" {
		t.Errorf("in a JSON body: %q", w.Body)
	}
	options := send(h, http.MethodOptions, "/doc?_pretty", "")
	if !strings.HasPrefix(options.Body.String(), "{\n    \"namespace\": \"tribe") {
		t.Errorf("OPTIONS: %.100s", options.Body)
	}
}
