package kses

import (
	"encoding/json"
	"os"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/internal/wp/release"
)

func checkRecordedLists(t *testing.T) {
	t.Helper()
	raw := must.Get(os.ReadFile("testdata/kses-allowed.json"))(t)
	var d struct {
		Post        map[string]json.RawMessage
		Title       map[string]json.RawMessage `json:"title_save_pre"`
		Name        map[string]json.RawMessage `json:"pre_term_name"`
		Description map[string]json.RawMessage `json:"pre_term_description"`
		Protocols   []string
		Addresses   []string `json:"uri_attributes"`
		Entities    []string `json:"entity_names"`
		CSS         []string `json:"css_properties"`
	}
	must.Succeed(t, json.Unmarshal(raw, &d))
	for _, c := range []struct {
		name  string
		list  *Allowed
		want  map[string]json.RawMessage
		count int
	}{
		{"post", Post(release.WP69), d.Post, 124}, {"title", Title(release.WP69), d.Title, 14},
		{"term name", Title(release.WP69), d.Name, 14}, {"term description", TermDescription(release.WP69), d.Description, 14},
	} {
		if len(c.list.tags) != c.count || len(c.want) != c.count {
			t.Errorf("%s: %d elements, recorded %d", c.name, len(c.list.tags), len(c.want))
		}
		for tag, attributes := range c.want {
			if e, ok := c.list.tags[tag]; !ok || !sameRules(t, e, attributes) {
				t.Errorf("%s %s: %v", c.name, tag, e)
			}
		}
	}
	sameWords(t, "protocols", data.protocols, d.Protocols, 22)
	sameWords(t, "addresses", data.addresses, d.Addresses, 17)
	sameWords(t, "css", data.lists[release.WP69]().styles.properties, d.CSS, 131)
	sameWords(t, "entities", data.entities, d.Entities, 253)
	for name := range data.entities {
		if len(name) > longestName || strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789") != "" {
			t.Errorf("entity %q", name)
		}
	}
}

func sameWords(t *testing.T, name string, got map[string]bool, want []string, count int) {
	t.Helper()
	if len(got) != count || len(want) != count {
		t.Errorf("%s: %d, recorded %d", name, len(got), len(want))
	}
	for _, w := range want {
		if !got[w] {
			t.Errorf("%s: %q is missing", name, w)
		}
	}
}

// sameRules compares with the recorded form: "[]", or an object in which true means any value.
func sameRules(t *testing.T, e element, raw json.RawMessage) bool {
	t.Helper()
	if string(raw) == "[]" {
		return len(e.rules) == 0
	}
	var want map[string]json.RawMessage
	must.Succeed(t, json.Unmarshal(raw, &want))
	required := 0
	for name, asked := range want {
		r, ok := e.rules[name]
		if !ok {
			return false
		}
		if r.required {
			required++
		}
		if string(asked) == "true" {
			if r != (rule{}) {
				return false
			}
			continue
		}
		var c struct {
			Valueless, Callback string
			Required            bool
			Values              []string
			ValueCallback       string `json:"value_callback"`
		}
		must.Succeed(t, json.Unmarshal(asked, &c))
		if r.valueless != (c.Valueless == "y") || r.required != c.Required || r.value != strings.Join(c.Values, " ") ||
			r.pdf != (c.ValueCallback != "") {
			return false
		}
	}
	return len(want) == len(e.rules) && required == e.required
}
