package arch

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"
)

// file is a Go file that imports the given packages; a leading / stands for
// this module.
func file(imports ...string) string {
	var b strings.Builder
	b.WriteString("package x\n")
	for _, i := range imports {
		if strings.HasPrefix(i, "/") {
			i = module + i
		}
		fmt.Fprintf(&b, "import _ %q\n", i)
	}
	return b.String()
}

func parsed(t *testing.T, files map[string]string) *tree {
	t.Helper()
	root := fstest.MapFS{}
	for name, text := range files {
		root[name] = &fstest.MapFile{Data: []byte(text)}
	}
	code, err := readTree(root)
	if err != nil {
		t.Fatal(err)
	}
	return code
}

// Each rule is shown code that keeps it and code that breaks it.
func TestRulesFind(t *testing.T) {
	long := func(n int) string { return "package x\nfunc f() {" + strings.Repeat("\n", n-1) + "}\n" }
	type files = map[string]string
	for name, cases := range map[string]struct{ kept, broken []files }{
		"imports run one way": {
			kept: []files{
				{"example/a.go": file("/calendar", "/schema")},
				{"calendar/a.go": file("/internal/event", "/internal/rest", "/locales")},
				{"internal/event/a.go": file("/internal/place", "/internal/term", "/internal/store")},
				{"internal/store/a.go": file("/schema")},
				{"internal/venue/a_test.go": file("/internal/event")},
			},
			broken: []files{
				{"calendar/a.go": file("/example/internal/demo")},
				{"internal/event/a.go": file("/calendar")},
				{"internal/venue/a.go": file("/internal/event")},
				{"internal/venue/a.go": file("/internal/term")},
				{"internal/rest/a.go": file("/internal/event")},
				{"internal/rest/a.go": file("/internal/post")},
				{"internal/post/a.go": file("/internal/place")},
				{"internal/param/sub/a.go": file("/internal/place")},
				{"schema/a.go": file("/internal/store")},
				{"schema/a.go": file("/internal/wp/strtotime")},
				{"locales/a.go": file("/schema")},
				{"internal/novel/a.go": file()},
				{"internal/store/a_linux.go": "//go:build linux\n\n" + file("/calendar")},
			},
		},
		"test support only in tests": {
			kept:   []files{{"calendar/a_test.go": file("/internal/test/db", "/internal/test/replay")}},
			broken: []files{{"calendar/a.go": file("/internal/test/db")}, {"example/a.go": file("/internal/test/replay")}},
		},
		"pure parts, no SQL or HTTP": {
			kept: []files{
				{"internal/wp/a.go": file("strings"), "internal/rest/a.go": file(gin, netHTTP), "internal/store/a.go": file(bun, sqlPkg)},
				{"internal/wp/a_test.go": file("os", netHTTP)},
			},
			broken: []files{
				{"internal/wp/a.go": file("os")},
				{"internal/wp/strtotime/a.go": file("os/exec")},
				{"internal/param/a.go": file(netHTTP)},
				{"internal/phpjson/a.go": file(gin + "/render")},
				{"internal/rest/a.go": file(bun)},
				{"internal/rest/a.go": file(sqlPkg + "/driver")},
				{"internal/store/a.go": file(gin)},
				{"internal/store/a.go": file("net/http/httptest")},
				{"internal/rest/a.go": file("/internal/site"), "internal/site/a.go": file("/internal/store"), "internal/store/a.go": file(bun)},
				{"internal/param/a.go": file("/internal/openapi"), "internal/openapi/a.go": file("/internal/rest"), "internal/rest/a.go": file(gin)},
			},
		},
		"gin at the edge": {
			kept:   []files{{"calendar/a.go": file(gin), "internal/rest/a.go": file(gin), "example/a.go": file(gin), "internal/event/a_test.go": file(gin), "internal/test/db/a.go": file(gin)}},
			broken: []files{{"internal/event/a.go": file(gin)}, {"schema/a.go": file(gin + "/binding")}},
		},
		"schema stands alone": {
			kept:   []files{{"schema/a.go": file("context", bun, bun+"/dialect"), "schema/a_test.go": file("/internal/test/db")}},
			broken: []files{{"schema/a.go": file("modernc.org/sqlite")}, {"schema/a.go": file("/internal/wp/strtotime")}},
		},
		"files stay small": {
			kept:   []files{{"calendar/a.go": long(440), "calendar/a_test.go": long(500)}},
			broken: []files{{"calendar/a.go": long(500)}, {"example/internal/demo/a.go": long(500)}},
		},
		"functions stay small": {
			kept:   []files{{"calendar/a.go": long(60)}, {"calendar/a_test.go": long(61)}},
			broken: []files{{"calendar/a.go": long(61)}, {"calendar/a.go": "package x\nvar f = func() {" + strings.Repeat("\n", 60) + "}\n"}},
		},
		"SQL is written in the store": {
			kept: []files{
				{"internal/store/a.go": "package x\nvar q = \"SELECT 1\""},
				{"internal/event/a.go": "package x\n// SELECT nothing\nvar q, m = \"Select events by venue\", \"DELETE\""},
				{"internal/event/a_test.go": "package x\nvar q = \"SELECT 1\""},
			},
			broken: []files{
				{"internal/event/a.go": "package x\nvar q = \"SELECT 1\""},
				{"internal/event/a.go": "package x\nvar q = `(\n\tSELECT\n1)`"},
				{"internal/event/a.go": "package x\nvar q = \"select id from wp_posts\""},
				{"calendar/a.go": "package x\nvar q = \"INSERT INTO x\""},
				{"calendar/a.go": "package x\nvar q = \"update x set y=1\""},
				{"example/a.go": "package x\nvar q = \"DELETE FROM x\""},
			},
		},
		"no test skips itself": {
			kept:   []files{{"calendar/a_test.go": "package x\nfunc f() { scanner.Skip(2) }"}, {"calendar/a.go": "package x\nfunc f() { t.Skip() }"}},
			broken: []files{{"calendar/a_test.go": "package x\nfunc f() { t.Skip() }"}, {"calendar/a_test.go": "package x\nfunc f() { s.T().Skipf(`x`) }"}, {"internal/test/db/a.go": "package x\nfunc f() { tb.SkipNow() }"}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			for _, f := range cases.kept {
				if b := rules[name](parsed(t, f)); len(b) > 0 {
					t.Errorf("%v keeps the rule, but: %v", f, b)
				}
			}
			for _, f := range cases.broken {
				if b := rules[name](parsed(t, f)); len(b) == 0 {
					t.Errorf("not found: %v", f)
				}
			}
		})
	}
}

func TestEveryRuleIsShown(t *testing.T) {
	if len(rules) != 9 {
		t.Errorf("%d rules; show the new one in TestRulesFind and count it here", len(rules))
	}
}

func TestOtherRulesFind(t *testing.T) {
	ignoring := func(text string) fstest.MapFS { return fstest.MapFS{".gitignore": {Data: []byte(text)}} }
	if len(dataIgnored(ignoring("/x\nagenda-data/\n"))) != 0 || len(dataIgnored(ignoring("/x\n#agenda-data\n"))) == 0 || len(dataIgnored(fstest.MapFS{})) == 0 {
		t.Error("the rule on .gitignore is wrong")
	}
	modules := func(n int) string { return strings.Repeat("m v1\n", n) }
	if len(fewModules(modules(89))) != 0 || len(fewModules(modules(90))) == 0 {
		t.Error("the rule on modules is wrong")
	}
}
