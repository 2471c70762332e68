package api_test

import (
	"strings"
	"testing"
)

// D21, D22: whatever is wrong with a field is a 400 that names it.
func TestD21Faults(t *testing.T) {
	s := newServer(t)
	s.must(200, "GET", "/categories/6", "")
	before := s.rows()
	for _, c := range []struct{ method, path, body, code, field string }{
		{"POST", "/categories", `{}`, "rest_missing_callback_param", ""},
		{"POST", "/categories", `{"name":null}`, "rest_missing_callback_param", ""},
		{"POST", "/tags", `{"name":""}`, "rest_invalid_param", "name"},
		{"POST", "/tags", `{"name":"0"}`, "rest_invalid_param", "name"},
		{"POST", "/tags", `{"name":" "}`, "rest_invalid_param", "name"},
		{"POST", "/tags", `{"name":"<b></b>"}`, "rest_invalid_param", "name"},
		{"POST", "/tags", `{"name":7}`, "rest_invalid_param", "name"},
		{"POST", "/tags", `{"name":["x"]}`, "rest_invalid_param", "name"},
		{"POST", "/tags", `{"name":{"a":["x"]}}`, "rest_invalid_param", "name"},
		{"POST", "/tags", `{"name":"` + strings.Repeat("é", 201) + `"}`, "rest_invalid_param", "name"},
		{"POST", "/tags", `{"name":"` + strings.Repeat("&", 41) + `"}`, "rest_invalid_param", "name"}, // five characters each
		{"POST", "/tags", `{"name":"a\u0000b"}`, "rest_invalid_param", "name"},
		{"POST", "/tags", `{"name":"x","slug":""}`, "rest_invalid_param", "slug"},
		{"POST", "/tags", `{"name":"x","slug":5}`, "rest_invalid_param", "slug"},
		{"POST", "/tags", `{"name":"x","description":[]}`, "rest_invalid_param", "description"},
		{"POST", "/tags", `{"name":"x","description":null}`, "rest_invalid_param", "description"},
		{"POST", "/tags", `{"name":"x","parent":6}`, "rest_taxonomy_not_hierarchical", ""},
		{"POST", "/tags", `{"name":"x","parent":""}`, "rest_taxonomy_not_hierarchical", ""},
		{"PATCH", "/tags/17?parent=0", `{}`, "rest_taxonomy_not_hierarchical", ""},
		{"POST", "/categories", `{"name":"x","parent":999999}`, "rest_invalid_param", "parent"},
		{"POST", "/categories", `{"name":"x","parent":17}`, "rest_invalid_param", "parent"},
		{"POST", "/categories", `{"name":"x","parent":-6}`, "rest_invalid_param", "parent"},
		{"POST", "/categories", `{"name":"x","parent":""}`, "rest_invalid_param", "parent"},
		{"POST", "/categories", `{"name":"x","parent":6.5}`, "rest_invalid_param", "parent"},
		{"POST", "/categories", `{"name":"x","parent":[6]}`, "rest_invalid_param", "parent"},
		{"POST", "/categories", `{"name":"x","parent":1e300}`, "rest_invalid_param", "parent"},
		{"PATCH", "/categories/6", `{"parent":6}`, "rest_invalid_param", "parent"},
		{"PATCH", "/categories/6", `{"parent":7}`, "rest_invalid_param", "parent"},
		{"PATCH", "/categories/6", `{"name":" \n"}`, "rest_invalid_param", "name"},
		{"PATCH", "/categories/17", `{}`, "rest_invalid_param", "id"},
		{"DELETE", "/categories/999999", ``, "rest_invalid_param", "id"},
		{"DELETE", "/tags/99999999999999999999", ``, "rest_invalid_param", "id"},
		{"DELETE", "/tags/0", `5`, "rest_invalid_param", "id"},
		{"PATCH", "/tags/1", `{}`, "rest_invalid_param", "id"}, // of another taxonomy
	} {
		a := s.must(400, c.method, c.path, c.body)
		if a.Body["code"] != c.code || c.field != "" && !strings.Contains(a.Text, `"params":{"`+c.field+`":`) {
			t.Errorf("%s %s %.80s: %v", c.method, c.path, c.body, a)
		}
	}
	if s.rows() != before || len(s.takeChanges()) != 0 {
		t.Error("something was written")
	}
	for _, c := range []struct{ path, body string }{
		{"/tags", `{"name":"` + strings.Repeat("日", 200) + `"}`}, {"/tags", `{"name":"&"}`},
		{"/categories", `{"name":"🎉","slug":"???","parent":0}`},
		{"/tags", `{"name":"\\ %41 'q' \"","description":"","slug":"` + strings.Repeat("a", 500) + `"}`},
		{"/categories", `{"name":"x","parent":"10"}`},
	} {
		s.must(201, "POST", c.path, c.body)
	}
}
