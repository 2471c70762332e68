package kses

import (
	"testing"

	"github.com/agendahq/agenda/internal/wp/release"
)

var styles = map[string]string{
	"":                            "",
	" color : red ; ":             "color : red",
	"color:red; ;margin:0":        "color:red;;margin:0",
	"color:\nred;\tmargin:\r0":    "color:red;margin:0",
	"color:red\\0;co\\0lor:blue":  "color:red;color:blue",
	"Color:red;color :blue":       "color :blue",
	"color;a(b)":                  "color",
	"--x:1;--X_1-y:2;--:3;--é:4":  "--x:1;--X_1-y:2",
	"--x:url(javascript:y)":       "",
	"--x:url(/y);--y: url(/z)":    "--x:url(/y);--y: url(/z)",
	"--x:a url(/y)":               "",
	"--x:linear-gradient(red,b)":  "--x:linear-gradient(red,b)",
	"color:url(/x)":               "",
	"cursor:url(/x),auto":         "cursor:url(/x),auto",
	"filter:url( '/x' )":          "filter:url( '/x' )",
	"filter:url('')":              "",
	"filter:url()":                "",
	"filter:url(0)":               "",
	"filter:url(' ')":             "",
	"filter:url(/x":               "",
	"filter:URL(/x)":              "",
	"filter:url('javascript:x')":  "",
	"filter:url( \"a:b\" )":       "",
	"background:url(/a) url(/b)":  "background:url(/a) url(/b)",
	"background:url(/a) url(c:b)": "",
	"background:url(/a) var(--b)": "background:url(/a) var(--b)",
	"background:url(/a)expr(b)":   "",
	"background: radial-gradient(a, rgba(1,2,3,.5), rgb(1,2,3)) ": "background: radial-gradient(a, rgba(1,2,3,.5), rgb(1,2,3))",
	"background:repeating-conic-gradient(a)":                      "background:repeating-conic-gradient(a)",
	"background:linear-gradient(a) b":                             "",
	"background:linear-gradient(hsl(1))":                          "",
	"background:linear-gradient(rgb(rgb(1)))":                     "",
	"background:linear-gradient(rgb(1)":                           "",
	"background:linear-gradient(a":                                "",
	"color:linear-gradient(a)":                                    "",
	"width:min(1px,max(2px,(3px)))":                               "width:min(1px,max(2px,(3px)))",
	"width:minmax(1px,2px) clamp(1,2,3) repeat(2)":                "width:minmax(1px,2px) clamp(1,2,3) repeat(2)",
	"width:calc(1px":                                              "",
	"width:calc((1px)":                                            "",
	"width:calc(1px))":                                            "width:calc(1px))",
	"width:-calc(1px)":                                            "width:-calc(1px)",
	"width:xcalc(1px)":                                            "",
	"width:2calc(1px)":                                            "",
	"width:_calc(1px)":                                            "",
	"width:CALC(1px)":                                             "",
	"width:calc (1px)":                                            "",
	"width:calc(expression(1))":                                   "width:calc(expression(1))",
	"width:foo(calc(1))":                                          "",
	"width:calc(a\\b&=})":                                         "width:calc(a\\b&=})",
	"width:1\\":                                                   "",
	"width:1&amp":                                                 "",
	"width:1=1":                                                   "",
	"width:1}":                                                    "",
	"width:/**/1":                                                 "",
	"width:1/*":                                                   "",
	"width:{1":                                                    "width:{1",
}

func TestStyle(t *testing.T) {
	for in, want := range styles {
		got := Style(in, release.WP69)
		if got != want {
			t.Errorf("style(%q) = %q, want %q", in, got, want)
		}
	}
}
