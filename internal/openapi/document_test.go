package openapi_test

import (
	"encoding/json"
	"io/fs"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/openapi"
	"github.com/agendahq/agenda/internal/test/contract"
	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
)

// document is an OpenAPI document, as far as these tests need it.
type document struct {
	OpenAPI string `json:"openapi"`
	Info    struct {
		Version, Title, Description string
		Contact                     struct{ Name, URL string }
		License                     struct{ Name, Identifier string }
	}
	Servers []struct{ URL string }
	Tags    []struct{ Name, Description string }
	Paths   map[string]map[string]operation

	Components map[string]map[string]any
}

type operation struct {
	OperationID string `json:"operationId"`
	Summary     string
	Description string
	Tags        []string
	Security    []map[string][]string
	Parameters  []parameter
	RequestBody struct {
		Required bool
		Content  map[string]struct{ Schema map[string]any }
	}
	Responses map[string]map[string]any
	Errors    map[string][]string `json:"x-errors"` // codes by status
}

type parameter struct {
	In, Name, Description, Style string
	Required                     bool
	Explode                      *bool
	Schema                       map[string]any
}

func served(t *testing.T) http.Handler {
	t.Helper()
	return contract.Handler(t, calendar.Options{DB: testdb.SiteA(t)})
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
	raw := fetch(t, served(t), contract.Root+"/doc", &d)
	if d.OpenAPI != openapi.Version || !strings.HasPrefix(d.OpenAPI, "3.1") || d.Info.Version == "" || d.Info.Title == "" ||
		d.Info.Description == "" {
		t.Errorf("heading: %s %+v", d.OpenAPI, d.Info)
	}
	if d.Info.Contact.Name == "" || d.Info.Contact.URL != contract.Site || d.Info.License.Identifier != "MIT" {
		t.Errorf("contact %+v, license %+v", d.Info.Contact, d.Info.License)
	}
	if len(d.Servers) != 1 || d.Servers[0].URL != contract.Root {
		t.Errorf("servers: %+v", d.Servers)
	}
	used := map[string]bool{}
	for _, ref := range regexp.MustCompile(`"\$ref":"([^"]*)"`).FindAllSubmatch(raw, -1) {
		path := strings.Split(strings.ReplaceAll(string(ref[1]), `\/`, "/"), "/")
		if len(path) != 4 || path[1] != "components" || d.Components[path[2]][path[3]] == nil {
			t.Errorf("%s leads nowhere", ref[1])
			continue
		}
		used[path[2]+" "+path[3]] = true
	}
	for kind, all := range d.Components {
		for name := range all {
			if kind != "securitySchemes" && !used[kind+" "+name] {
				t.Errorf("nothing refers to %s %s", kind, name)
			}
		}
	}
	id := regexp.MustCompile(`"(?:description|summary|message)":"((?:doc|param|summary|error|fault)_\w+)"`).FindSubmatch(raw)
	if id != nil {
		t.Errorf("no text for %s", id[1])
	}
	ids := map[string]string{}
	for path, operations := range d.Paths {
		for method, o := range operations {
			at := method + " " + path
			if other, taken := ids[o.OperationID]; taken || o.OperationID == "" {
				t.Errorf("%s and %s are both %q", at, other, o.OperationID)
			}
			ids[o.OperationID] = at
			checkOperation(t, &d, at, path, o)
		}
	}
	if want := contract.Operations(); len(ids) != want {
		t.Errorf("%d operations, want %d", len(ids), want)
	}
}

func checkOperation(t *testing.T, d *document, at, path string, o operation) {
	t.Helper()
	if o.Summary == "" || o.Description == "" || len(o.Tags) != 1 {
		t.Errorf("%s: summary %q, description %q, tags %q", at, o.Summary, o.Description, o.Tags)
	}
	for _, tag := range o.Tags {
		if !slices.ContainsFunc(d.Tags, func(x struct{ Name, Description string }) bool { return x.Name == tag && x.Description != "" }) {
			t.Errorf("%s: tag %s is not described", at, tag)
		}
	}
	method, _, _ := strings.Cut(at, " ")
	want, failures := []string{"default"}, []string{"400", "401", "403", "404", "413", "429", "500", "503"}
	batch, sync := path == "/batch", strings.HasSuffix(path, "/sync")
	switch method {
	case "get":
		if want = append(want, "200"); sync {
			failures = append(failures, "410", "501")
		} else {
			want = append(want, "304")
		}
	case "post":
		if batch {
			want, failures = append(want, "207"), append(failures, "409")
			break
		}
		if !strings.Contains(path, "{") {
			want = append(want, "201")
			break
		}
		fallthrough
	default:
		want, failures = append(want, "200"), append(failures, "412")
	}
	for _, status := range want {
		if o.Responses[status] == nil {
			t.Errorf("%s: no answer %s", at, status)
		}
	}
	about, _ := o.Responses["default"]["description"].(string)
	for _, status := range failures {
		if o.Errors[status] == nil {
			t.Errorf("%s: no errors %s", at, status)
		}
	}
	for status, codes := range o.Errors {
		for _, code := range codes {
			if !strings.Contains(about, "`"+code+"`") {
				t.Errorf("%s: people do not read of %s %s: %s", at, status, code, about)
			}
		}
	}
	if open := o.Security == nil; open != (method == "get") {
		t.Errorf("%s: security %v", at, o.Security)
	}
	checkParameters(t, d, at, path, o)
	if forms := len(o.RequestBody.Content); forms != map[string]int{"post": 3, "put": 2, "patch": 2}[method] && !(batch && forms == 1) {
		t.Errorf("%s: a body in %d forms", at, forms)
	}
}

func checkParameters(t *testing.T, d *document, at, path string, o operation) {
	t.Helper()
	var variables, seen []string
	for _, m := range regexp.MustCompile(`\{(\w+)\}`).FindAllStringSubmatch(path, -1) {
		variables = append(variables, m[1])
	}
	for _, p := range o.Parameters {
		if slices.Contains(seen, p.Name) {
			t.Errorf("%s: %s is there twice", at, p.Name)
		}
		seen = append(seen, p.Name)
		inPath := slices.Contains(variables, p.Name)
		if (p.In == "path") != inPath || p.Required != inPath || !slices.Contains([]string{"path", "query", "header"}, p.In) {
			t.Errorf("%s: %s is in %s, required %v", at, p.Name, p.In, p.Required)
		}
		schema := p.Schema
		if ref, ok := schema["$ref"].(string); ok {
			schema, _ = d.Components["schemas"][strings.TrimPrefix(ref, "#/components/schemas/")].(map[string]any)
		}
		kind, _ := schema["type"].(string)
		if p.Description == "" || kind == "" && schema["anyOf"] == nil && schema["x-extensible-enum"] == nil {
			t.Errorf("%s: %s: %q, type %q", at, p.Name, p.Description, kind)
		}
		if list := kind == "array"; list != (schema["items"] != nil) || list && (p.Style != "form" || p.Explode == nil || *p.Explode) {
			t.Errorf("%s: %s is a list without separators: %+v", at, p.Name, p)
		}
	}
	names := append(variables, "i18n_language")
	if !strings.HasSuffix(path, "/ics") {
		names = append(names, "_fields")
	}
	for _, name := range names {
		if !slices.Contains(seen, name) {
			t.Errorf("%s: %s is not described", at, name)
		}
	}
}

// TestAnswersAreClosed checks that objects in responses have no undocumented members, except for images, for which
// sites may store anything. Bodies of requests may have members that are ignored.
func TestAnswersAreClosed(t *testing.T) {
	var d document
	fetch(t, served(t), contract.Root+"/doc", &d)
	open := []string{"Image", "ImageSize"}
	for name, schema := range d.Components["schemas"] {
		body := strings.HasSuffix(name, "Body") || strings.HasSuffix(name, "Form") || strings.HasSuffix(name, "Data") ||
			strings.HasSuffix(name, "Input")
		walk(schema, func(object map[string]any) {
			_, closed := object["additionalProperties"]
			if closed == (body || slices.Contains(open, name)) && object["properties"] != nil {
				t.Errorf("an object in %s: closed %v", name, closed)
			}
		})
	}
}

// walk calls visit for every schema of an object within a value.
func walk(v any, visit func(map[string]any)) {
	switch x := v.(type) {
	case []any:
		for _, e := range x {
			walk(e, visit)
		}
	case map[string]any:
		if x["type"] == "object" {
			visit(x)
		}
		for _, e := range x {
			walk(e, visit)
		}
	}
}

// accountErrors are files with errors that only pages show, never the API.
var accountErrors = []string{"../auth/newuser.go", "../auth/accounts.go", "../../calendar/accounts.go"}

// TestErrorsAreDocumented checks that every error which the code declares is documented.
func TestErrorsAreDocumented(t *testing.T) {
	var d document
	raw := string(fetch(t, served(t), contract.Root+"/doc", &d))
	made := regexp.MustCompile(`apierror\.New\((?:http|apierror)\.\w+, ("|k\.Name ?\+ ?"|"[\w-]+" ?\+ ?k\.Name)([\w-]*)`)
	found := 0
	for _, root := range []string{"..", "../../calendar"} {
		err := filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
			if err != nil || e.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") ||
				slices.Contains(accountErrors, path) {
				return err
			}
			source, err := os.ReadFile(path)
			for _, m := range made.FindAllSubmatch(source, -1) {
				found++
				// If a code is composed with the name of a resource, only the other part is searched.
				code := strings.Trim(string(m[1]), `" +`) + string(m[2])
				code = strings.Trim(strings.ReplaceAll(strings.ReplaceAll(code, "k.Name", ""), `"`, ""), " +")
				if !strings.Contains(raw, code+`"`) && !strings.Contains(raw, `"`+code) {
					t.Errorf("%s: %s is not documented", path, code)
				}
			}
			return err
		})
		must.Succeed(t, err)
	}
	if found < 30 {
		t.Errorf("%d errors found", found)
	}
}

// TestDocumentCoversTheIndex checks that everything in the index is documented, as a parameter or as a field of the
// body. The document also describes what the index does not list.
func TestDocumentCoversTheIndex(t *testing.T) {
	h := served(t)
	var d document
	fetch(t, h, contract.Root+"/doc", &d)
	var index struct {
		Namespace string
		Routes    map[string]struct {
			Endpoints []struct {
				Methods []string
				Args    json.RawMessage
			}
		}
	}
	fetch(t, h, contract.Root+"/", &index)
	plain := strings.NewReplacer(`(?P<id>\d+)`, "{id}", `(?P<slug>[^/]+)`, "{slug}")
	// Each resource of posts has 3 routes and each taxonomy 2; further routes are the index, the document and batches.
	// The document also describes events as iCalendar, and sync of lists.
	kinds := 1 + len(contract.Declared().Linked)
	if want := 3*kinds + 2*2 + 3; len(index.Routes) != want || len(d.Paths) != want+2+kinds+2 {
		t.Errorf("%d routes, %d described, want %d", len(index.Routes), len(d.Paths), want)
	}
	for pattern, route := range index.Routes {
		path := plain.Replace(strings.TrimPrefix(pattern, "/"+index.Namespace))
		if path == "" {
			path = "/"
		}
		for _, e := range route.Endpoints {
			args := map[string]struct{ Required bool }{}
			if string(e.Args) != "[]" {
				must.Succeed(t, json.Unmarshal(e.Args, &args))
			}
			for _, m := range e.Methods {
				for _, name := range d.lacks(path, strings.ToLower(m), args) {
					t.Errorf("%s %s: %s is not described", m, path, name)
				}
			}
		}
	}
	for at, name := range map[string]string{"get /events": "orderby", "delete /events/{id}": "force", "get /venues/{id}": "context",
		"get /organizers": "password"} {
		method, path, _ := strings.Cut(at, " ")
		if !slices.ContainsFunc(d.Paths[path][method].Parameters, func(p parameter) bool { return p.Name == name }) {
			t.Errorf("%s: %s, which the index does not list, is not described", at, name)
		}
	}
}

// TestDocumentBoundsCosts checks that the limits of a cost (D59) are declared for writes.
func TestDocumentBoundsCosts(t *testing.T) {
	var d document
	fetch(t, served(t), contract.Root+"/doc", &d)
	ref, _ := d.Paths["/events"]["post"].RequestBody.Content["application/json"].Schema["$ref"].(string)
	body, _ := d.Components["schemas"][strings.TrimPrefix(ref, "#/components/schemas/")].(map[string]any)
	fields, _ := body["properties"].(map[string]any)
	ref, _ = fields["cost"].(map[string]any)["$ref"].(string)
	cost, err := json.Marshal(d.Components["schemas"][strings.TrimPrefix(ref, "#/components/schemas/")])
	if err != nil || strings.Count(string(cost), `"maxLength":200`) != 3 || !strings.Contains(string(cost), `"maxItems":50`) {
		t.Errorf("%s, %v", cost, err)
	}
}

// lacks returns the arguments that an operation does not describe, or describes as optional although they are required.
func (d *document) lacks(path, method string, args map[string]struct{ Required bool }) (missing []string) {
	o := d.Paths[path][method]
	if o.OperationID == "" {
		return []string{"the method"}
	}
	required := map[string]bool{}
	for _, p := range o.Parameters {
		required[p.Name] = p.Required
	}
	for _, content := range o.RequestBody.Content {
		name := strings.TrimPrefix(content.Schema["$ref"].(string), "#/components/schemas/")
		schema := d.Components["schemas"][name].(map[string]any)
		list, _ := schema["required"].([]any)
		for field := range schema["properties"].(map[string]any) {
			required[field] = required[field] || slices.Contains(list, any(field))
		}
	}
	for name, arg := range args {
		if is, described := required[name]; !described || arg.Required && !is {
			missing = append(missing, name)
		}
	}
	return missing
}

// TestDocumentInEveryLanguage checks that the documents in all languages differ in their texts only.
func TestDocumentInEveryLanguage(t *testing.T) {
	h := served(t)
	words := regexp.MustCompile(`"(description|summary|title|message)":"(?:[^"\\]|\\.)*"|"url":"[^"]*"`)
	shapes, texts := map[string]string{}, map[string]string{}
	for tag, root := range map[string]string{"en": contract.Root, "nl": contract.Site + "/nl/wp-json/tribe/events/v1", "fr": contract.Site +
		"/fr/wp-json/tribe/events/v1"} {
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
	fetch(t, h, contract.Root+"/doc?i18n_language=fr", &d)
	if d.Info.Description != texts["fr"] || d.Servers[0].URL != contract.Root {
		t.Errorf("asked for French: %+v", d.Info)
	}
}
