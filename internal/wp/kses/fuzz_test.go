package kses

import (
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/internal/wp/release"
)

var seeds = []string{
	`<p class="a>b" onclick=x>y</p>`, `<a href=" java&#115;cript:x" style='width:calc(1px)'>`, `<!-- wp:a {"b":"<c>\"--"} -->x`,
	`<!--><b>x</b>-->`, `</ x><!a><!A>`, `<<p>>&#39;&amp&#x0;`, "<!-- a\nb --->", `<object data="x.pdf" type="application/pdf">`,
	`<p style="background:url( 'x' )linear-gradient(rgb(1))">`, `<!-- /wp:a --><!-- wp:b {"a":1e9,"b":[{}]} /-->`,
}

// FuzzFilter checks that nothing hostile passes, that the output is limited, and that filtering again makes no
// difference that matters.
func FuzzFilter(f *testing.F) {
	golden.Seed(f, seeds...)
	f.Fuzz(func(t *testing.T, s string) {
		for _, list := range []*Allowed{Post(release.WP69), Title(release.WP69), TermDescription(release.WP69)} {
			got := Filter(s, list)
			if len(got) > 16*len(s)+16 {
				t.Fatalf("%q: %d bytes", s, len(got))
			}
			checkTags(t, list, s, got)
		}
	})
}

// checkTags parses tags as a browser does, except those in comments, where allowed tags may occur.
func checkTags(t *testing.T, list *Allowed, in, got string) {
	t.Helper()
	for rest := got; ; {
		i := strings.IndexByte(rest, '<')
		if i < 0 {
			return
		}
		rest = rest[i+1:]
		end := strings.IndexByte(rest, '>')
		if end < 0 {
			if strings.HasPrefix(rest, "!--") || !isLetter((rest + " ")[0]) {
				continue
			}
			t.Fatalf("%q: unclosed tag in %q", in, got)
		}
		tag := strings.TrimPrefix(rest[:end], "/")
		if tag == "" || !isLetter(tag[0]) {
			continue
		}
		n := 0
		for n < len(tag) && !isSpace(tag[n]) && tag[n] != '/' {
			n++
		}
		e, ok := list.tags[phpval.Lower(tag[:n])]
		if !ok {
			t.Fatalf("%q: element %q in %q", in, tag[:n], got)
		}
		for _, at := range parseAttributes(strings.TrimSuffix(tag[n:], "/")) {
			if _, ok := ruleOf(e.rules, phpval.Lower(at.name)); !ok {
				t.Fatalf("%q: attribute %q in %q", in, at.name, got)
			}
			if scheme, _, ok := strings.Cut(phpval.Lower(at.value), ":"); ok && data.addresses[phpval.Lower(at.name)] &&
				slices.Contains([]string{"javascript", "data", "vbscript"}, scheme) {
				t.Fatalf("%q: address %q in %q", in, at.value, got)
			}
		}
	}
}

func FuzzStyle(f *testing.F) {
	golden.Seed(f, "color:red; ;margin:0", "width:calc((1px)", "background:url('a')linear-gradient(rgb(1))", "--x:url(y)",
		"a\\0\\\\00b")
	f.Fuzz(func(t *testing.T, s string) {
		if got := Style(s, release.WP69); len(got) > len(s) || strings.Contains(got, "expression(") && !strings.Contains(s, "(") {
			t.Fatalf("style(%q) = %q", s, got)
		}
		if got := URL(s); len(got) > len(s) {
			t.Fatalf("URL(%q) = %q", s, got)
		}
	})
}

func FuzzJSON(f *testing.F) {
	golden.Seed(f, `{"a":[1,2.5,true,null,"\u00e9"]}`, `{"0":{},"1":-0}`, `[[["\ud83d\ude00--<>&"]]]`)
	f.Fuzz(func(t *testing.T, s string) {
		v, ok := decodeJSON(s)
		if !ok {
			return
		}
		once := string(appendJSON(nil, v))
		again, ok := decodeJSON(once)
		if !ok {
			t.Fatalf("%q was written as %q", s, once)
		}
		if twice := string(appendJSON(nil, again)); twice != once {
			t.Fatalf("%q: %q, then %q", s, once, twice)
		}
		if strings.ContainsAny(once, "<>&") || strings.Contains(once, "--") {
			t.Fatalf("%q was written as %q", s, once)
		}
	})
}

func BenchmarkFilter(b *testing.B) {
	golden.Each(b, "bench-texts.txt", func(name, unit string) {
		b.Run(name, func(b *testing.B) { golden.Bench(b, unit, func(s string) { Filter(s, Post(release.WP69)) }) })
	})
}

func BenchmarkOneTag(b *testing.B) {
	golden.Each(b, "bench-tags.txt", func(name, before, unit string) {
		b.Run(name, func(b *testing.B) {
			golden.Bench(b, unit, func(s string) { Filter(before+s+"\">-->\"} /-->", Post(release.WP69)) })
		})
	})
}
