package contract

import (
	"cmp"
	"encoding/json"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/apitest"
	"github.com/agendahq/agenda/internal/test/must"
)

// operation is a read with the parameters that it declares.
type operation struct {
	path     string // of an existing item if the route has a variable
	family   string // equal for operations that share their implementation
	params   []parameter
	declared int // index of the first declared parameter; those before it apply to all operations
}

// parameter is a parameter of an operation. Venues and organizers share their implementation, at both paths of an item,
// and so do categories and tags. Operations that document a parameter in the same way each test a part of the values.
type parameter struct {
	name, document string
	nth, of        int
}

// takes reports whether this operation tests the value.
func (p parameter) takes(value int) bool { return value%p.of == p.nth }

// familyOf returns the same string for operations that share their implementation.
func familyOf(path string) string {
	collection, item, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	kind, known := kindOf[collection]
	if !known || collection == "events" {
		return path
	}
	return fmt.Sprint(kind.singular != "", item != "")
}

// operations reads all GET operations with all declared parameters from the documentation, whether the index lists them
// or not. {id} and {slug} are replaced by those of the item.
func operations(t *testing.T, c *client, items map[string]string) []operation {
	t.Helper()
	var doc struct {
		Paths map[string]map[string]struct{ Parameters []map[string]any }
	}
	must.Succeed(t, json.Unmarshal([]byte(c.Get("", "/doc").Text), &doc))
	list := []operation{{path: "/", params: []parameter{{name: "namespace"}, {name: "context"}}}, {path: "/doc"}}
	for path, methods := range doc.Paths {
		get, ok := methods["get"]
		if !ok || strings.TrimSuffix(path, "/") == "" || path == "/doc" {
			continue
		}
		o := operation{path: path, family: familyOf(path)}
		for _, p := range get.Parameters {
			if name := p["name"].(string); p["in"] != "path" || name != "id" && name != "slug" {
				delete(p, "description") // it contains the name of the resource
				o.params = append(o.params, parameter{name: name, document: jsonText(p)})
			}
		}
		for variable, item := range items {
			o.path = strings.ReplaceAll(o.path, variable, item)
		}
		if strings.Contains(o.path, "{") {
			t.Fatalf("no item for %s", path)
		}
		list = append(list, o)
	}
	slices.SortFunc(list, func(a, b operation) int { return strings.Compare(a.path, b.path) })
	total, alike := 0, map[string]int{}
	for i, o := range list {
		for j, p := range o.params {
			o.params[j].nth = alike[o.family+p.name+p.document]
			alike[o.family+p.name+p.document]++
		}
		list[i].declared = len(o.params)
	}
	for i, o := range list {
		for j, p := range o.params {
			o.params[j].of = alike[o.family+p.name+p.document]
		}
		for name := range strings.FieldsSeq("i18n_language _fields _pretty _envelope _format _locale undeclared") {
			o.params = append(o.params, parameter{name: name, of: 1})
		}
		list[i].params = o.params
		total += len(o.params)
	}
	if len(list) != 22+4*len(newKinds()) || total < 150 {
		t.Fatalf("%d operations with %d parameters", len(list), total)
	}
	return list
}

// oneOfEach returns a site with one item of every resource, and the values of the variables of routes.
func oneOfEach(t *testing.T, e Engine) (*site, map[string]string) {
	s, items := built(t, e, "exhibits"), map[string]string{}
	for _, k := range newKinds() {
		s.post(k.PostType, thing{slug: k.Name})
	}
	for collection, kind := range kindOf {
		slug := cmp.Or(kind.singular, map[string]string{"categories": "cat", "tags": "tag"}[collection])
		items["/"+collection+"/{id}"] = "/" + collection + "/" + s.idText(slug)
		items["/"+collection+"/by-slug/{slug}"] = "/" + collection + "/by-slug/" + slug
	}
	return s, items
}

// quoted returns a JSON string with the bytes of s unchanged, valid or not.
func quoted(s string) string {
	var b strings.Builder
	b.WriteByte('"')
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b.WriteString(`\` + string(c))
		case c < 0x20:
			b.WriteString(`\u00` + string("0123456789abcdef"[c>>4]) + string("0123456789abcdef"[c&15]))
		default:
			b.WriteByte(c)
		}
	}
	return b.String() + `"`
}

// form is a query string or a body.
type form struct{ query, body string }

// forms contains the ways in which a request can contain a value, with $n for the name and $v for the value.
var forms = []form{
	{"$n=$v", ""}, {"$n[]=1&$n[]=$v", ""}, {"$n[$v]=1", ""}, {"$n[a][$v][]=$v", ""},
	{"", `{"$n":$v}`}, {"", `{"$n":[1,$v]}`}, {"", `{"$n":{$v:[$v,{"x":$v}]}}`},
}

// withValue returns the form with the name for $n and the value for $v.
func (f form) withValue(name, value string) form {
	if f.body != "" {
		return form{"", strings.NewReplacer("$n", name, "$v", quoted(value)).Replace(f.body)}
	}
	return form{strings.NewReplacer("$n", url.QueryEscape(name), "$v", url.QueryEscape(value)).Replace(f.query), ""}
}

// oddEverywhere sends odd values in every declared parameter of reads. None may cause a server error.
func oddEverywhere(t *testing.T, e Engine) {
	s, items := oneOfEach(t, e)
	c, values := s.client(calendar.Options{}), words("odd values")
	for k, o := range operations(t, c, items) {
		for _, p := range o.params[:o.declared] {
			for i, v := range values {
				if !p.takes(i) || e.skips(i/p.of+k) {
					continue
				}
				queries := []string{p.name + "=" + v}
				if i%16 == 0 {
					queries = append(queries, p.name+"[]="+v, p.name+"[x][y]="+v)
				}
				for _, query := range queries {
					r := s.fill(o.path) + "?" + strings.ReplaceAll(strings.ReplaceAll(query, "½", "%C2%BD"), "\\", "%5C")
					if a := c.Get("", r); a.Status >= 500 && !hasNoJournal(a) {
						t.Errorf("%s: %d %s", a.Request, a.Status, apitest.Clip(a.Text))
					}
				}
			}
		}
	}
}
