package openapi_test

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/openapi"
	"github.com/agendahq/agenda/internal/suite"
	"github.com/agendahq/agenda/internal/testdb"
)

// document is an OpenAPI document, as far as these tests look at it.
type document struct {
	OpenAPI string `json:"openapi"`
	Info    struct{ Version, Title, Description string }
	Servers []struct{ URL string }
	Paths   map[string]map[string]operation

	Components struct{ Schemas map[string]json.RawMessage }
}

type operation struct {
	OperationID string `json:"operationId"`
	Summary     string
	Tags        []string
	Parameters  []struct {
		In, Name, Description, Style string
		Required                     bool
		Explode                      *bool
		Schema                       struct {
			Type  string
			Items struct{ Type string }
		}
	}
	RequestBody struct {
		Content map[string]struct {
			Schema struct {
				Properties map[string]json.RawMessage
				Required   []string
			}
		}
	}
	Responses map[string]struct {
		Description string
		Content     map[string]struct{ Schema json.RawMessage }
	}
}

func served(t *testing.T) http.Handler {
	t.Helper()
	return suite.Handler(t, calendar.Options{DB: testdb.SiteA(t)})
}

func fetch(t *testing.T, h http.Handler, address string, into any) []byte {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, httptest.NewRequest(http.MethodGet, address, nil))
	if w.Code != http.StatusOK {
		t.Fatalf("%s: %d %.200s", address, w.Code, w.Body)
	}
	if err := json.Unmarshal(w.Body.Bytes(), into); err != nil {
		t.Fatalf("%s: %v", address, err)
	}
	return w.Body.Bytes()
}

func TestDocument(t *testing.T) {
	var d document
	raw := fetch(t, served(t), suite.Root+"/doc", &d)
	if d.OpenAPI != openapi.Version || !strings.HasPrefix(d.OpenAPI, "3.") || d.Info.Version == "" || d.Info.Title == "" || d.Info.Description == "" {
		t.Errorf("heading: %s %+v", d.OpenAPI, d.Info)
	}
	if len(d.Servers) != 1 || d.Servers[0].URL != suite.Root {
		t.Errorf("servers: %+v", d.Servers)
	}
	for _, ref := range regexp.MustCompile(`"\$ref":"([^"]*)"`).FindAllSubmatch(raw, -1) {
		name, ok := strings.CutPrefix(strings.ReplaceAll(string(ref[1]), `\/`, "/"), "#/components/schemas/")
		if _, known := d.Components.Schemas[name]; !ok || !known {
			t.Errorf("%s leads nowhere", ref[1])
		}
	}
	ids := map[string]string{}
	for path, operations := range d.Paths {
		for method, o := range operations {
			at := method + " " + path
			if other, taken := ids[o.OperationID]; taken || o.OperationID == "" {
				t.Errorf("%s and %s are both %q", at, other, o.OperationID)
			}
			ids[o.OperationID] = at
			checkOperation(t, at, path, o)
		}
	}
}

func checkOperation(t *testing.T, at, path string, o operation) {
	t.Helper()
	if o.Summary == "" || strings.HasPrefix(o.Summary, "summary_") || len(o.Tags) != 1 {
		t.Errorf("%s: summary %q, tags %q", at, o.Summary, o.Tags)
	}
	success := "200"
	if strings.HasPrefix(at, "post ") && !strings.Contains(path, "{") {
		success = "201"
	}
	for _, status := range []string{success, "default"} {
		r := o.Responses[status]
		if r.Description == "" || len(r.Content["application/json"].Schema) == 0 {
			t.Errorf("%s: answer %s: %+v", at, status, r)
		}
	}
	var variables, seen []string
	for _, m := range regexp.MustCompile(`\{(\w+)\}`).FindAllStringSubmatch(path, -1) {
		variables = append(variables, m[1])
	}
	for _, p := range o.Parameters {
		if slices.Contains(seen, p.Name) {
			t.Errorf("%s: %s stands twice", at, p.Name)
		}
		seen = append(seen, p.Name)
		inPath := slices.Contains(variables, p.Name)
		if (p.In == "path") != inPath || inPath && !p.Required || !inPath && p.In != "query" {
			t.Errorf("%s: %s is in %s, required %v", at, p.Name, p.In, p.Required)
		}
		if strings.HasPrefix(p.Description, "param_") || !slices.Contains([]string{"string", "integer", "boolean", "array"}, p.Schema.Type) {
			t.Errorf("%s: %s: %q, type %q", at, p.Name, p.Description, p.Schema.Type)
		}
		if list := p.Schema.Type == "array"; list != (p.Schema.Items.Type != "") || list && (p.Style != "form" || p.Explode == nil || *p.Explode) {
			t.Errorf("%s: %s is a list without separators: %+v", at, p.Name, p)
		}
	}
	for _, v := range variables {
		if !slices.Contains(seen, v) {
			t.Errorf("%s: {%s} is not described", at, v)
		}
	}
}

// What the index offers, the document describes.
func TestDocumentCoversTheIndex(t *testing.T) {
	h := served(t)
	var d document
	fetch(t, h, suite.Root+"/doc", &d)
	var index struct {
		Namespace string
		Routes    map[string]struct {
			Endpoints []struct {
				Methods []string
				Args    json.RawMessage
			}
		}
	}
	fetch(t, h, suite.Root+"/", &index)
	plain := strings.NewReplacer(`(?P<id>\d+)`, "{id}", `(?P<slug>[^/]+)`, "{slug}")
	if len(index.Routes) != len(d.Paths) || len(index.Routes) != 15 {
		t.Errorf("%d routes, %d described", len(index.Routes), len(d.Paths))
	}
	for pattern, route := range index.Routes {
		path := plain.Replace(strings.TrimPrefix(pattern, "/"+index.Namespace))
		if path == "" {
			path = "/"
		}
		for _, e := range route.Endpoints {
			args := map[string]json.RawMessage{}
			if string(e.Args) != "[]" {
				if err := json.Unmarshal(e.Args, &args); err != nil {
					t.Fatal(err)
				}
			}
			for _, m := range e.Methods {
				o, ok := d.Paths[path][strings.ToLower(m)]
				if !ok {
					t.Errorf("%s %s is not described", m, path)
				}
				var names []string
				for _, p := range o.Parameters {
					names = append(names, p.Name)
				}
				for name := range o.RequestBody.Content["application/json"].Schema.Properties {
					names = append(names, name)
				}
				for name := range args {
					if !slices.Contains(names, name) {
						t.Errorf("%s %s: %s is not described", m, path, name)
					}
				}
			}
		}
	}
}

// Each language version has the same document in its own words.
func TestDocumentInEveryLanguage(t *testing.T) {
	h := served(t)
	words := regexp.MustCompile(`"(description|summary|title)":"(?:[^"\\]|\\.)*"|"url":"[^"]*"`)
	shapes, texts := map[string]string{}, map[string]string{}
	for tag, root := range map[string]string{"en": suite.Root, "nl": suite.Site + "/nl/wp-json/tribe/events/v1", "fr": suite.Site + "/fr/wp-json/tribe/events/v1"} {
		var d document
		raw := string(fetch(t, h, root+"/doc", &d))
		if d.Servers[0].URL != root {
			t.Errorf("%s is served at %s", tag, d.Servers[0].URL)
		}
		shapes[tag], texts[tag] = words.ReplaceAllString(raw, ""), d.Info.Description
	}
	if shapes["en"] != shapes["nl"] || shapes["en"] != shapes["fr"] {
		t.Error("the languages differ in more than words")
	}
	if texts["en"] == texts["nl"] || texts["en"] == texts["fr"] || texts["nl"] == texts["fr"] {
		t.Errorf("the same words in two languages: %q", texts)
	}
	var d document
	fetch(t, h, suite.Root+"/doc?i18n_language=fr", &d)
	if d.Info.Description != texts["fr"] || d.Servers[0].URL != suite.Root {
		t.Errorf("asked for French: %+v", d.Info)
	}
}
