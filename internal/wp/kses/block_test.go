package kses

import (
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/wp/release"
)

func TestBlockDelimiters(t *testing.T) {
	for in, want := range map[string]string{
		"<!-- wp:a --><!-- /wp:a -->":                               "<!-- wp:a /-->",
		"<!--\n\twp:a\r/-->":                                        "<!-- wp:a /-->",
		"<!-- wp:core/a --><!-- wp:b/c -->x":                        "<!-- wp:a --><!-- wp:b/c -->x<!-- /wp:b/c --><!-- /wp:a -->",
		"<!-- wp:a -->1<!-- wp:b /-->2<!-- /wp:c -->3":              "<!-- wp:a -->1<!-- wp:b /-->2<!-- /wp:a -->3",
		"<!-- wp:a -->0<!-- /wp:a -->":                              "<!-- wp:a -->0<!-- /wp:a -->",
		"x<!-- /wp:a -->y<!--  wp:b  -->":                           "x<!-- /wp:a -->y<!--  wp:b  -->",
		"<!-- wp:b  --><!-- /wp:b --><!-- /wp:a --><!--  wp:b  -->": "<!-- wp:b /--><!-- /wp:a --><!--  wp:b  -->",
		"<!-- /wp:a /-->":                                           "<!-- wp:a /-->",
		// These are comments.
		"<!--wp:a -->":              "<!--wp:a -->",
		"<!--  wp:A -->":            "<!--  wp:A -->",
		"<!--  wp:a-->":             "<!--  wp:a-->",
		"<!--  wp:a/ -->":           "<!--  wp:a/ -->",
		"<!--  wp:a/b/c -->":        "<!--  wp:a/b/c -->",
		"<!--  wp:a{} -->":          "<!--  wp:a{} -->",
		"<!--  wp:a {}-->":          "<!--  wp:a {}-->",
		"<!--  wp:a {\"b\":1 -->":   "<!--  wp:a {\"b\":1 -->",
		"<!--  wp:a [1] -->":        "<!--  wp:a [1] -->",
		"<!--  / wp:a -->":          "<!--  / wp:a -->",
		"<!--  wp:a / -->":          "<!--  wp:a / -->",
		"<!-- wp:a --- -->":         "<!-- wp:a - -->",
		"<!-- wp:a --->x":           "<!-- wp:a -->x<!-- /wp:a -->",
		"<!-- a\n wp:b ---->x":      "<!-- a\n wp:b -->x",
		"<!-- wp:a /--><u onx=1>y":  "<!-- wp:a /--><u>y",
		"<!-- wp:my--name -->x":     "<!-- wp:my-name -->x<!-- /wp:my-name -->",
		"<!-- wp:a -->\n<!--x> <b>": "<!-- wp:a -->\n<!--x&gt; <b> /wp:a -->",
	} {
		if got := Filter(in, Post(release.WP69)); got != want {
			t.Errorf("%q\n got %q\nwant %q", in, got, want)
		}
	}
}

func TestBlockAttributes(t *testing.T) {
	for in, want := range map[string]string{
		`{}`:                                  ``,
		`{"a":{}}`:                            `{"a":[]} `,
		`{"0":"a","1":"b"}`:                   `["a","b"] `,
		`{"1":"a","x":[[],{"y":-1}]}`:         `{"1":"a","x":[[],{"y":-1}]} `,
		` {"a" : 1 }`:                         `{"a":1} `,
		`{"a":"}"}`:                           `{"a":"}"} `,
		`{"a":"b" }`:                          `{"a":"b"} `,
		`{"a":1.0,"b":2.50,"c":1e25}`:         `{"a":1,"b":2.5,"c":1.0e+25} `,
		`{"a":1e-7,"b":99999999999999999999}`: `{"a":1.0e-7,"b":1.0e+20} `,
		`{"a":-0,"b":1E2}`:                    `{"a":-0,"b":100} `,
		`{"a":"\u00e9\ud83d\ude00\/\u2028"}`:  `{"a":"é😀/\u2028"} `,
		`{"a":"\n\t\r\b\u0001\\x\""}`:         `{"a":"\n\t\r\\x\u0022"} `,
		`{"a":"---","b":"- -","c":"\\"}`:      `{"a":"\u002d\u002d-","b":"- -","c":"\\"} `,
		`{"a":"\u003cscript\u003ex\u003cb onx=1\u003e"}`: `{"a":"x\u003cb\u003e"} `,
		`{"a":"x>y","b":"\u0026"}`:                       `{"a":"x\u0026gt;y","b":"\u0026amp;"} `,
		`{"\u003cx\u003ea":1,"b":2,"a":3}`:               `{"b":2,"a":3} `,
		`{"\u003cx\u003ea":1,"b":2}`:                     `{"b":2,"a":1} `,
		`{"a":1,"a":2}`:                                  `{"a":2} `,
		`{"":true,"b":FALSE,"c":null}`:                   `{"":true,"b":false,"c":null} `,
		// Invalid JSON is removed.
		`{"a":}`: ``, `{"a"}`: ``, `{a:1}`: ``, `{"a":1,}`: ``, `{"a":01}`: ``, `{"a":1.}`: ``, `{"a":.5}`: ``,
		`{"a":1e}`: ``, `{"a":+1}`: ``, `{"a":"\x"}`: ``, `{"a":"\ud800"}`: ``, `{"a":"\ud800\u0041"}`: ``,
		`{"a":"\udc00"}`: ``, `{"a":"\u00g0"}`: ``, `{"a":[1}`: ``, `{"a":1e999}`: ``, `{"a":nul}`: ``, "{\"a\":\"\n\"}": ``,
		`{"a":1}}`: ``, `{"a":"` + "\xff" + `"}`: ``, `{"a":-}`: ``,
	} {
		in, want = "<!-- wp:x "+in+" /-->", "<!-- wp:x "+want+"/-->"
		if got := Filter(in, Post(release.WP69)); got != want {
			t.Errorf("%q\n got %q\nwant %q", in, got, want)
		}
	}
}

func TestTemplatePart(t *testing.T) {
	for in, want := range map[string]string{
		`<!-- wp:template-part {"tagName":"script"} /-->`:            `<!-- wp:template-part {"tagName":""} /-->`,
		`<!-- wp:template-part {"tagName":"main","a":"script"} /-->`: `<!-- wp:template-part {"tagName":"main","a":"script"} /-->`,
		`<!-- wp:group {"tagName":"script"} /-->`:                    `<!-- wp:group {"tagName":"script"} /-->`,
	} {
		if got := Filter(in, Post(release.WP69)); got != want {
			t.Errorf("%q\n got %q\nwant %q", in, got, want)
		}
	}
}

func TestDeepBlocks(t *testing.T) {
	nest := func(n int) string {
		return `<!-- wp:x {"a":` + strings.Repeat("[", n) + strings.Repeat("]", n) + `} /-->`
	}
	if got := Filter(nest(maxNesting-1), Post(release.WP69)); got != nest(maxNesting-1) {
		t.Errorf("%d levels: %q", maxNesting, got)
	}
	if got := Filter(nest(maxNesting), Post(release.WP69)); got != "<!-- wp:x /-->" {
		t.Errorf("%d levels: %q", maxNesting+1, got)
	}
	const n = 5000
	got := Filter(strings.Repeat("<!-- wp:x -->\n", n), Post(release.WP69))
	if want := strings.Repeat("<!-- wp:x -->\n", n) + strings.Repeat("<!-- /wp:x -->", n); got != want {
		t.Errorf("%d open blocks: %d bytes, want %d", n, len(got), len(want))
	}
}
