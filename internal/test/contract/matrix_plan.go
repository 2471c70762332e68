package contract

import (
	"cmp"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
)

// indexedRoute is a route in the index of the running server.
type indexedRoute struct {
	template string // such as "/events/{id}"
	methods  []string
}

// collection returns the first segment, or "" for routes without items.
func (r indexedRoute) collection() string {
	first, _, _ := strings.Cut(strings.TrimPrefix(r.template, "/"), "/")
	if _, known := kindOf[first]; !known {
		return ""
	}
	return first
}

func (r indexedRoute) isItem() bool { return strings.Contains(r.template, "{") }

func (r indexedRoute) isPost() bool { return r.isItem() && kindOf[r.collection()].singular != "" }

// indexed returns the routes in the server's index.
func (c *client) indexed() (routes []indexedRoute) {
	c.T.Helper()
	a := c.Do("", http.MethodGet, "", "")
	var index struct {
		Namespace string
		Routes    map[string]struct{ Methods []string }
	}
	if err := json.Unmarshal([]byte(a.Text), &index); err != nil {
		c.T.Fatal(err)
	}
	plain := strings.NewReplacer(`(?P<id>\d+)`, "{id}", `(?P<slug>[^/]+)`, "{slug}")
	for pattern, route := range index.Routes {
		path := plain.Replace(strings.TrimPrefix(pattern, "/"+index.Namespace))
		if path == "" {
			path = "/"
		}
		routes = append(routes, indexedRoute{path, route.Methods})
	}
	slices.SortFunc(routes, func(a, b indexedRoute) int { return strings.Compare(a.template, b.template) })
	return routes
}

// forced is the name in the table for the method that deletes permanently.
const forced = "DELETE?force=true"

// everyMethod contains the methods that are tested on every route, whether the index lists them or not.
var everyMethod = []string{"GET", "HEAD", "OPTIONS", "PUT", "POST", "PATCH", "DELETE", forced}

var everyCaller = []string{"anon", "sub", "con", "aut", "edi", "adm"}

var everyOwner = []string{"anon", "sub", "sub-own", "con", "con-own", "aut", "aut-own", "edi", "adm"}

// inquiry is a question of the matrix, with its request and the answer that the table expects.
type inquiry struct {
	question
	cell    *cell
	allow   string // the Allow header, "?" if the table does not determine it
	path    string
	body    string
	title   string // the name that a write sets
	subject *subject
}

// changes reports whether the request should change something.
func (in *inquiry) changes() bool {
	return in.cell.mark.status/100 == 2 && !slices.Contains(everyMethod[:3], in.method)
}

// plan contains all requests of the matrix, each with the answer that the table expects.
type plan struct {
	*matrixSite
	engine    Engine
	table     *table
	inquiries []*inquiry
}

// addRoute adds the questions about a route.
func (p *plan) addRoute(r indexedRoute) {
	p.T.Helper()
	methods := slices.Clone(everyMethod)
	for _, m := range r.methods {
		if !slices.Contains(methods, m) {
			methods = append(methods, m)
		}
	}
	for _, target := range targetsOf(r) {
		callers, inStates := everyCaller, []string{""}
		if r.isPost() && target != "missing" {
			callers, inStates = everyOwner, postStates
			if target != "item" {
				inStates = postStates[:2] // rights only depend on whether the post is published
			}
		}
		for i, state := range inStates {
			for j, caller := range callers {
				q := question{route: r.template, target: target, state: state, caller: caller}
				p.addQuestion(r, methods, q, p.engine.skips(i+j+len(r.template)))
			}
		}
	}
}

func targetsOf(r indexedRoute) []string {
	if r.isItem() {
		return []string{"item", "missing", "another type", "invalid"}
	}
	return []string{"item", "invalid"}
}

// addQuestion adds the questions about one target by one caller. Those that are left to another engine are only looked up in
// the table.
func (p *plan) addQuestion(r indexedRoute, methods []string, q question, left bool) {
	p.T.Helper()
	for _, q.method = range methods {
		found, err := p.table.find(q)
		if err != nil {
			p.T.Error(err)
			continue
		}
		if left {
			continue
		}
		in := &inquiry{question: q, cell: found, title: "Changed " + itoa(int64(len(p.inquiries)))}
		in.allow = p.allow(r, q, found.mark)
		p.address(r, in)
		p.inquiries = append(p.inquiries, in)
	}
}

// allow returns the Allow header that results from the cells of all methods.
func (p *plan) allow(r indexedRoute, q question, answer *mark) string {
	switch {
	case answer.code == "rest_no_route":
		return ""
	case answer.status == 200 && q.method == forced, answer.status == 200 && q.method == "DELETE" && q.state == "":
		return "?"
	case answer.status == 200 && q.method == "DELETE":
		q.state = stateAfter(q.state)
	}
	var list []string
	for _, q.method = range r.methods {
		if c, err := p.table.find(q); q.method == "GET" || err == nil && c.mark.listed {
			list = append(list, q.method)
		}
	}
	return strings.Join(list, ", ")
}

// otherKinds maps a collection to another one, whose ids are sent to it by mistake.
var otherKinds = map[string]string{"events": "venues", "venues": "events", "categories": "tags", "tags": "categories"}

// address completes the request: its item, path and body.
func (p *plan) address(r indexedRoute, in *inquiry) {
	collection := r.collection()
	s := &subject{id: 987654, slug: "nothing-has-this"}
	if r.isItem() && in.target != "missing" {
		if in.target == "another type" {
			collection = cmp.Or(otherKinds[collection], "venues")
		}
		if get := slices.Contains(everyMethod[:3], in.method); get {
			s = p.sharedSubject(collection, in.state, ownerOf(in.caller))
		} else {
			s = p.fresh(collection, in.state, ownerOf(in.caller))
		}
		in.subject = s
	}
	in.path = strings.NewReplacer("{id}", itoa(s.id), "{slug}", s.slug).Replace(in.route)
	switch in.method {
	case "PUT", "PATCH", "POST":
		body := map[string]string{kindOf[r.collection()].name: in.title}
		if in.route == "/events" {
			body["start_date"], body["end_date"] = "2030-08-01 20:00:00", "2030-08-01 21:00:00"
		}
		text, _ := json.Marshal(body)
		if in.body = string(text); in.route == batchRoute {
			in.body = batchOf("", hall(in.title)) // a batch that every authenticated caller may send
		}
	case forced:
		in.path += "?force=true"
	}
	if in.target == "invalid" {
		path, query, _ := strings.Cut(in.path, "?")
		in.path = path + "?i18n_language=none&" + query
	}
}
