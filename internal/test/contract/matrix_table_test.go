package contract

import (
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/must"
)

const smallTable = `
marks
  200  200  -               listed
  403  403  rest_forbidden  unlisted

Reading
  routes:  /things/{id}
  methods: GET, HEAD
  state    anon  con  con-own
  publish  200   200  200
  draft    403   403  200

Missing
  routes: /things/{id}
  target: missing
  method  anon  con
  GET     403   200   # a remark

Anything
  routes: all
  target: item, missing
  method  all
  OPTIONS 200
`

func TestTableAnswers(t *testing.T) {
	table := must.Get(parseTable(smallTable))(t)
	// Nine cells; a route, methods, target and statuses; a route, method and target; a method and targets.
	if n := len(table.unused()); n != 9+6+3+3 {
		t.Errorf("%d unused before any question, want 21: %v", n, table.unused())
	}
	for q, want := range map[question]string{
		{"/things/{id}", "HEAD", "item", "draft", "con-own"}:        "200",
		{"/things/{id}", "GET", "item", "draft", "con"}:             "403",
		{"/things/{id}", "GET", "missing", "", "con-own"}:           "200", // the author makes no difference for a missing post
		{"/other", "OPTIONS", "item", "", "anon"}:                   "200",
		{"/things/{id}", "GET", "item", "pending", "anon"}:          "", // unknown status
		{"/things/{id}", "DELETE", "item", "draft", "anon"}:         "", // unknown method
		{"/other", "GET", "item", "draft", "anon"}:                  "", // unknown route
		{"/things/{id}", "GET", "missing", "", "adm"}:               "", // unknown caller
		{"/things/{id}", "GET", "another type", "draft", "con-own"}: "",
	} {
		cell, err := table.find(q)
		switch {
		case want == "" && err == nil:
			t.Errorf("%s: found %s", q, cell.mark.name)
		case want != "" && (err != nil || cell.mark.name != want):
			t.Errorf("%s: %v, %v, want %s", q, cell, err, want)
		}
	}
	unused := strings.Join(table.unused(), "\n")
	for _, want := range []string{
		"line 10, column anon", "line 6, Reading: nothing asks for publish", "line 19, Anything: nothing asks for missing",
	} {
		if !strings.Contains(unused, want) {
			t.Errorf("unused, without %q: %s", want, unused)
		}
	}
	for _, used := range []string{
		"line 11, column con-own", "nothing asks for draft", "nothing asks for /things/{id}", "nothing asks for OPTIONS",
	} {
		if strings.Contains(unused, used) {
			t.Errorf("unused, with %q: %s", used, unused)
		}
	}
}

func TestTableRefuses(t *testing.T) {
	must.Get(parseTable(smallTable))(t)
	for what, change := range map[string][2]string{
		"unknown mark":      {"draft    403", "draft    404"},
		"cell missing":      {"200  200\n  draft", "200\n  draft"},
		"unknown word":      {"target: missing", "aim: missing"},
		"no methods":        {"  methods: GET, HEAD\n", ""},
		"no routes":         {"  routes: all\n", ""},
		"no head":           {"  method  anon  con\n", ""},
		"mark twice":        {"403  403  rest_forbidden", "200  403  rest_forbidden"},
		"mark without code": {"403  403  rest_forbidden  unlisted", "403  403"},
	} {
		text := strings.Replace(smallTable, change[0], change[1], 1)
		if text == smallTable {
			t.Fatalf("%s: nothing is changed", what)
		}
		if _, err := parseTable(text); err == nil {
			t.Errorf("%s: accepted", what)
		}
	}
	double := must.Get(parseTable(smallTable + "\nAgain\n  routes: /things/{id}\n  methods: GET\n  state  anon\n  draft  200\n"))(t)
	if cell, err := double.find(question{"/things/{id}", "GET", "item", "draft", "anon"}); err == nil {
		t.Errorf("two cells for one question: %v", cell)
	}
}

// TestAuthorizationFile checks that the file itself can be parsed.
func TestAuthorizationFile(t *testing.T) {
	table := must.Get(parseTable(authorizationFile))(t)
	if len(table.blocks) < 15 || len(table.marks) < 10 {
		t.Errorf("only %d blocks and %d marks", len(table.blocks), len(table.marks))
	}
}
