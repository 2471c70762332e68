package calendar_test

import (
	_ "embed"
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/contract"
	"github.com/agendahq/agenda/internal/test/must"
)

// recordedIndex is the index of The Events Calendar, with empty texts.
//
//go:embed testdata/index-shape.json
var recordedIndex string

type indexRoute struct {
	Namespace string
	Methods   []string
	Endpoints []struct {
		Methods []string
		Args    json.RawMessage
	}
	Links json.RawMessage `json:"_links"`
}

// TestIndexAsRecorded checks that the routes, their methods and the arguments of every operation are the recorded
// ones, in names, order, keys, types and defaults.
func TestIndexAsRecorded(t *testing.T) {
	h := siteHandler(t)
	body := get(h, "").Body.String()
	if got, want := keys(t, body), keys(t, recordedIndex); !slices.Equal(got, want) {
		t.Errorf("members %v, want %v", got, want)
	}
	var got, want struct {
		Namespace string
		Routes    map[string]indexRoute
		Links     json.RawMessage `json:"_links"`
	}
	parse(t, body, &got)
	parse(t, recordedIndex, &want)
	var order struct{ Routes json.RawMessage }
	var recordedOrder struct{ Routes json.RawMessage }
	parse(t, body, &order)
	parse(t, recordedIndex, &recordedOrder)
	names := keys(t, string(recordedOrder.Routes))
	added := func(path string) bool { return contract.NewRoute(strings.TrimPrefix(path, "/"+namespace)) }
	if list := slices.DeleteFunc(keys(t, string(order.Routes)), added); !slices.Equal(list, names) {
		t.Errorf("routes %v, want %v", list, names)
	}
	if got.Namespace != want.Namespace || !strings.Contains(string(got.Links), `"up":[{"href":"http:\/\/site.test\/wp-json\/"}]`) {
		t.Errorf("namespace %q, links %s", got.Namespace, got.Links)
	}
	for _, name := range names {
		t.Run(name, func(t *testing.T) {
			g, w := got.Routes[name], want.Routes[name]
			if g.Namespace != w.Namespace || !slices.Equal(g.Methods, w.Methods) || len(g.Endpoints) != len(w.Endpoints) {
				t.Fatalf("%s %v, %d endpoints, want %v, %d", g.Namespace, g.Methods, len(g.Endpoints), w.Methods, len(w.Endpoints))
			}
			self := strings.ReplaceAll(string(w.Links), "127.0.0.1:8083", "site.test")
			if compact(t, string(g.Links)) != compact(t, self) {
				t.Errorf("links %s, want %s", g.Links, self)
			}
			for i, e := range w.Endpoints {
				if !slices.Equal(g.Endpoints[i].Methods, e.Methods) {
					t.Errorf("endpoint %d is for %v, want %v", i, g.Endpoints[i].Methods, e.Methods)
				}
				sameArguments(t, string(g.Endpoints[i].Args), string(e.Args))
			}
		})
	}
}

// sameArguments compares arguments with the recorded ones. Ours also include i18n_language, at the end.
func sameArguments(t *testing.T, got, want string) {
	t.Helper()
	var g, w map[string]json.RawMessage
	var names []string
	if want != "[]" { // PHP encodes an empty map as a list
		parse(t, want, &w)
		names = keys(t, want)
	}
	parse(t, got, &g)
	if list := keys(t, got); !slices.Equal(list, append(names, "i18n_language")) {
		t.Errorf("arguments %v, want %v and the language", list, names)
	}
	for _, name := range names {
		mine, theirs := string(g[name]), string(w[name])
		if !slices.Equal(keys(t, mine), keys(t, theirs)) {
			t.Errorf("%s has %v, want %v", name, keys(t, mine), keys(t, theirs))
		}
		if text := description(t, mine); (text == "") != !strings.Contains(theirs, `"description"`) {
			t.Errorf("%s is described as %q", name, text)
		}
		if a, b := undescribed(t, mine), undescribed(t, theirs); a != b {
			t.Errorf("%s: %s, want %s", name, a, b)
		}
	}
	if !strings.Contains(string(g["i18n_language"]), `"type":"string","required":false`) {
		t.Errorf("the language: %s", g["i18n_language"])
	}
}

func description(t *testing.T, argument string) string {
	t.Helper()
	var a struct{ Description string }
	parse(t, argument, &a)
	return a.Description
}

func undescribed(t *testing.T, argument string) string {
	t.Helper()
	var a map[string]any
	parse(t, argument, &a)
	delete(a, "description")
	text := must.Get(json.Marshal(a))(t)
	return string(text)
}

// compact returns the same string for equal JSON values, and "" for "".
func compact(t *testing.T, text string) string {
	t.Helper()
	if text == "" {
		return ""
	}
	var v any
	parse(t, text, &v)
	out := must.Get(json.Marshal(v))(t)
	return string(out)
}

// TestNamespaceOfTheIndex checks that the index names the namespace of the host.
func TestNamespaceOfTheIndex(t *testing.T) {
	named := siteHandler(t, func(o *calendar.Options) { o.Namespace = "/agenda/v1/" })
	begin := `{"namespace":"agenda\/v1","routes":{"\/agenda\/v1":{"namespace":"agenda\/v1","methods":["GET"],` +
		`"endpoints":[{"methods":["GET"],"args":{"namespace":{"default":"agenda\/v1",`
	if body := get(named, "http://site.test/wp-json/agenda/v1").Body.String(); !strings.HasPrefix(body, begin) {
		t.Errorf("another namespace: %.300s", body)
	}
}
