package replay

import (
	"encoding/json"
	"net/http"
	"slices"
	"testing"
	"time"
)

// testComparer returns a comparer with a stopped clock.
func testComparer(t *testing.T) *comparer {
	t.Helper()
	day, zone, err := heading{RecordedUTC: "2026-11-21 05:57:10", SiteTimezone: "Europe/Brussels"}.recordedAt()
	if err != nil {
		t.Fatal(err)
	}
	now := time.Date(2027, 6, 5, 22, 30, 0, 0, time.UTC)
	return &comparer{
		root: "http://site.test/wp-json/v/1", site: site, zone: zone, moving: movingDays(day), now: func() time.Time { return now },
		labels: map[string]any{"e1": json.Number("12"), "text": "12"}, added: []string{"new"},
	}
}

func mustDecode(t *testing.T, s string) any {
	t.Helper()
	v, err := decode([]byte(s))
	if err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	return v
}

func places(diffs []Difference) []string {
	list := []string{}
	for _, d := range diffs {
		list = append(list, d.Place)
	}
	return list
}

func TestCompareFinds(t *testing.T) {
	for name, c := range map[string]struct {
		want, got string
		at        []string // empty if both values match
	}{
		"same":                  {`{"a":1,"b":["x",null,true,1.5]}`, `{"a":1,"b":["x",null,true,1.5]}`, nil},
		"value":                 {`{"a":1,"b":"x"}`, `{"a":1,"b":"y"}`, []string{"json.b"}},
		"number":                {`{"a":1}`, `{"a":2}`, []string{"json.a"}},
		"text for number":       {`{"a":1}`, `{"a":"1"}`, []string{"json.a"}},
		"number for text":       {`{"a":"1"}`, `{"a":1}`, []string{"json.a"}},
		"fraction for integer":  {`{"a":1}`, `{"a":1.0}`, []string{"json.a"}},
		"fraction written long": {`{"a":51.05}`, `{"a":51.050}`, nil},
		"other fraction":        {`{"a":51.05}`, `{"a":51.06}`, []string{"json.a"}},
		"bool for number":       {`{"a":1}`, `{"a":true}`, []string{"json.a"}},
		"false for empty":       {`{"a":false}`, `{"a":""}`, []string{"json.a"}},
		"false for null":        {`{"a":null}`, `{"a":false}`, []string{"json.a"}},
		"list for null":         {`{"a":null}`, `{"a":[]}`, []string{"json.a"}},
		"list for object":       {`{"a":{}}`, `{"a":[]}`, []string{"json.a"}},
		"object for list":       {`{"a":[]}`, `{"a":{}}`, []string{"json.a"}},
		"missing key":           {`{"a":1,"b":2}`, `{"b":2}`, []string{"json.a"}},
		"extra key":             {`{"a":1}`, `{"a":1,"b":2}`, []string{"json.b"}},
		"extra null":            {`{"a":1}`, `{"a":1,"b":null}`, []string{"json.b"}},
		"order":                 {`{"a":1,"b":2}`, `{"b":2,"a":1}`, []string{"json (order of keys)"}},
		"order below":           {`{"l":[{"a":1,"b":2}]}`, `{"l":[{"b":2,"a":1}]}`, []string{"json.l[0] (order of keys)"}},
		"order beside missing":  {`{"a":1,"b":2,"c":3}`, `{"c":3,"a":1}`, []string{"json.b", "json (order of keys)"}},
		"missing keeps order":   {`{"a":1,"b":2,"c":3}`, `{"a":1,"c":3}`, []string{"json.b"}},
		"key twice":             {`{"a":1,"b":2}`, `{"a":1,"b":2,"a":1}`, []string{"json (order of keys)"}},
		"fewer items":           {`{"l":[{"id":1},{"id":2}]}`, `{"l":[{"id":1}]}`, []string{"json.l"}},
		"more items":            {`{"l":[]}`, `{"l":[{"id":1}]}`, []string{"json.l"}},
		"order of items":        {`{"l":["a","b"]}`, `{"l":["b","a"]}`, []string{"json.l[0]", "json.l[1]"}},
		"several":               {`{"a":1,"b":{"c":2,"d":3}}`, `{"a":2,"b":{"c":2,"d":4}}`, []string{"json.a", "json.b.d"}},
		"nothing for object":    {`{"a":1}`, `null`, []string{"json"}},
		"object for nothing":    {`null`, `{"a":1}`, []string{"json"}},
		"links are left out":    {`{"_links":1,"a":1}`, `{"a":1,"_links":{"x":2}}`, nil},
		"added":                 {`{"a":1,"b":2}`, `{"new":1,"a":1,"b":2}`, nil},
		"added and another":     {`{"a":1}`, `{"new":1,"newer":2,"a":1}`, []string{"json.newer"}},
		"added and recorded":    {`{"new":1,"a":1}`, `{"a":1,"new":2}`, []string{"json.new", "json (order of keys)"}},
		"links may be missing":  {`{"a":1,"_links":1}`, `{"a":1}`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			got := places(testComparer(t).compare(mustDecode(t, c.want), mustDecode(t, c.got), "json"))
			if !slices.Equal(got, c.at) {
				t.Errorf("differences at %q, expected at %q", got, c.at)
			}
		})
	}
}

func TestCompareErrors(t *testing.T) {
	const want = `{"code":"bad","message":true,"data":{"status":400,"params":["a","b"],` +
		`"details":{"a":{"code":"x","message":true},"b":{"code":"y","message":false}}}}`
	const params, details = `"params":{"a":1,"b":1}`, `"details":{"a":{"code":"x","message":"A"},"b":{"code":"y","message":""}}`
	const silent = `"details":{"a":{"code":"x","message":""},"b":{"code":"y","message":""}}`
	for name, c := range map[string]struct {
		got string
		at  []string
	}{
		"messages and sorted names": {
			`{"code":"bad","message":"No.","data":{"status":400,"params":{"b":"B wrong","a":"A wrong"},` + details + `}}`,
			nil},
		"no message": {`{"code":"bad","message":"","data":{"status":400,` + params + `,` + details + `}}`,
			[]string{"json.message"}},
		"message missing": {`{"code":"bad","data":{"status":400,` + params + `,` + details + `}}`, []string{"json.message"}},
		"another code": {`{"code":"worse","message":"No.","data":{"status":400,` + params + `,` + details + `}}`,
			[]string{"json.code"}},
		"another parameter": {`{"code":"bad","message":"No.","data":{"status":400,"params":{"a":1,"c":1},` + details + `}}`,
			[]string{"json.data.params[1]"}},
		"detail without message": {`{"code":"bad","message":"No.","data":{"status":400,` + params + `,` + silent + `}}`,
			[]string{"json.data.details.a.message"}},
		"order of the error": {`{"message":"No.","code":"bad","data":{"status":400,` + params + `,` + details + `}}`,
			[]string{"json (order of keys)"}},
		"list keeps its order": {`{"code":"bad","message":"No.","data":{"status":400,"params":["b","a"],` + details + `}}`,
			[]string{"json.data.params[0]", "json.data.params[1]"}},
	} {
		t.Run(name, func(t *testing.T) {
			got := places(testComparer(t).compare(mustDecode(t, want), mustDecode(t, c.got), "json"))
			if !slices.Equal(got, c.at) {
				t.Errorf("differences at %q, expected at %q", got, c.at)
			}
		})
	}
}

func TestCompareHeaders(t *testing.T) {
	want := map[string]string{
		"allow": "GET, POST", "content-type": "application/json; charset=UTF-8", "x-tec-total": "9", "location": "elsewhere",
	}
	got := func(pairs ...string) http.Header {
		h := http.Header{"Allow": {"POST,GET"}, "Content-Type": {"application/json;charset=utf-8"}, "X-Tec-Total": {"9"}}
		for i := 0; i < len(pairs); i += 2 {
			if h.Del(pairs[i]); pairs[i+1] != "" {
				h.Set(pairs[i], pairs[i+1])
			}
		}
		return h
	}
	for name, c := range map[string]struct {
		got http.Header
		at  []string
	}{
		"same":            {got(), []string{}},
		"fewer methods":   {got("Allow", "GET"), []string{"header allow"}},
		"more methods":    {got("Allow", "GET, POST, PUT"), []string{"header allow"}},
		"no methods":      {got("Allow", ""), []string{"header allow"}},
		"another type":    {got("Content-Type", "text/html; charset=UTF-8"), []string{"header content-type"}},
		"another total":   {got("X-Tec-Total", "10"), []string{"header x-tec-total"}},
		"missing total":   {got("X-Tec-Total", ""), []string{"header x-tec-total"}},
		"everything else": {got("X-Other", "1"), []string{}},
	} {
		t.Run(name, func(t *testing.T) {
			if p := places(testComparer(t).compareHeaders(want, c.got)); !slices.Equal(p, c.at) {
				t.Errorf("differences at %q, expected at %q", p, c.at)
			}
		})
	}
}
