package kses

import (
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/wp/release"
)

// TestPost checks the recorded cases of the list for content.
func TestPost(t *testing.T) {
	check(t, golden.Load[pair](t, "kses.json", 235), map[string]string{
		// A backslash is kept in a URL (D41).
		`<a href="https://example.org/\0x">x</a>`: `<a href="https://example.org/\0x">x</a>`,
	}, func(s string) string { return Filter(s, Post(release.WP69)) })
}

// TestTitle checks the recorded titles. Surrounding white space is removed in any case.
func TestTitle(t *testing.T) {
	type title struct {
		In  string
		Out struct {
			Without struct{ Stored string } `json:"without_unfiltered_html"`
		}
	}
	var cases []pair
	for _, c := range golden.Load[title](t, "kses-title.json", 35) {
		cases = append(cases, pair{c.In, c.Out.Without.Stored})
	}
	check(t, cases, map[string]string{
		// Nothing is left of these titles, so the event kept its previous one, "x".
		`<img src=x onerror=y>`: "",
		`<br>`:                  "",
		// A backslash is kept (D41).
		`tab\tx`: `tab\tx`,
	}, func(s string) string { return strings.TrimSpace(Filter(s, Title(release.WP69))) })
}

// TestBlocks checks the recorded content with block delimiters.
func TestBlocks(t *testing.T) {
	check(t, golden.Load[pair](t, "kses-blocks.json", 15), map[string]string{
		// The backslashes before the quotes are kept, so the JSON is valid (D41).
		`<!-- wp:x/y {"t":"é / \"q\""} /-->`: `<!-- wp:x/y {"t":"é / \u0022q\u0022"} /-->`,
	}, func(s string) string { return Filter(s, Post(release.WP69)) })
}

func TestMarkup(t *testing.T) {
	for in, want := range map[string]string{
		"a\x01b\x0b\x0c\x1f\tc\r\n":          "ab\tc\r\n",
		"&&amp;&#39;&#x0027;&apos;&#0;&lt":   "&amp;&amp;&#039;&#x27;&apos;&amp;#0;&amp;lt",
		"&#128;&#129;&#159;&#160;&#12;&#127": "&#8364;&#376;&#160;&amp;#12;&amp;#127",
		"a <b 'c' \"d\" &apos; &eacute;":     "a &lt;b &#039;c&#039; &quot;d&quot; &amp;apos; &eacute;",
		"a <\n":                              "a &lt;\n",
		"<b\n":                               "&lt;b\n",
		"<<<":                                "&lt;&lt;&lt;",
		">>>":                                "&gt;&gt;&gt;",
		"<b<i>x</i></b>":                     "&lt;b<i>x</i></b>",
		// Comments end on their line or at the end of the text.
		"<!-- a\nb -->c":                     "<!-- a\nb -->c",
		"<!-- a\nb > c -->d":                 "<!-- a\nb &gt;--> c --&gt;d",
		"<!-- a > b":                         "<!-- a &gt; b-->",
		"<!-- a > b\n":                       "<!-- a &gt; b-->\n",
		"<!--x> a\n b":                       "<!--x&gt;--> a\n b",
		"<!---->x":                           "x",
		"<!-- a --- b ---- -->":              "<!-- a - b - -->",
		"<!-- a --->":                        "<!-- a -->",
		"<!--a---->b":                        "<!--a-->b",
		"<!--a - --->":                       "<!--a - -->",
		"<!--><b>x</b>-->y":                  "<!--&gt;<b>x</b>-->y",
		"<!--><u>x</u><script>y</script>-->": "<!--&gt;<u>x</u>y-->",
		"<!-- a & b -->":                     "<!-- a &amp; b -->",
		// What browsers parse as comments.
		"</ a > b>": "</ a > b&gt;",
		"</>a>b":    "</&gt;a>b",
		"</>":       "",
		"<!a x>y":   "<!a x>y",
		"<!A x>y":   "y",
		"<! x>y":    "y",
		"</3 &>":    "</3 &amp;>",
		// Tags.
		"< /b>< / b ><\t\nb\t>": "</b></b><b>",
		"<B-X>x</B-X>":          "x",
		"<h1><H1 >":             "<h1><H1>",
		"<br clear=all / >":     "<br />",
		"</b/>":                 "</b>",
		"<é>x":                  "x",
	} {
		if got := Filter(in, Post(release.WP69)); got != want {
			t.Errorf("%q\n got %q\nwant %q", in, got, want)
		}
	}
}

func TestAttributes(t *testing.T) {
	for in, want := range map[string]string{
		`a="b"`:                              ``,
		`id=a id=b ID=c`:                     ` id="a" ID="c"`,
		`id="a"class="b" lang=c`:             ` lang="c"`,
		`id="a'b' class=c`:                   ``,
		`id = 'a' class`:                     ` id='a' class`,
		`id= class`:                          ` id="class"`,
		`id=`:                                ``,
		`id="" class=''`:                     ` id="" class=''`,
		`= id=a`:                             ` id="a"`,
		`1id=a id=b`:                         ` id="b"`,
		`"x" 'y z' id=a`:                     ` id="a"`,
		`id=a"b" class=c`:                    ` class="c"`,
		`id=a/`:                              ` id="a/" /`,
		`id="a"/`:                            ` id="a" /`,
		`id="a"/ `:                           ` /`,
		`id/`:                                ` /`,
		`data-a=1 data-A_b-2=2 data-=3 data`: ` data-a="1" data-A_b-2="2"`,
		`data-a.b=1 data-a:b=2 data-*=3`:     ``,
		`aria-label=a aria-foo=b`:            ` aria-label="a"`,
		`xml:lang=a xml:base=b`:              ` xml:lang="a"`,
		`title="a&b&lt;"`:                    ` title="a&amp;b&lt;"`,
		`style`:                              ``,
		`style=0`:                            ``,
		`STYLE="color:red;x:y"`:              ` STYLE="color:red"`,
		"id=a\v\f class=b":                   ` id="a" class="b"`,
		"id\n=\ta\r\nclass=b":                ` id="a" class="b"`,
		`title="C:\new \0 \"`:                ` title="C:\new \0 \"`,
	} {
		if got := Filter("<b "+in+">", Post(release.WP69)); got != "<b"+want+">" {
			t.Errorf("%q: got %q, want %q", in, got, want)
		}
	}
}

func TestURL(t *testing.T) {
	for in, want := range map[string]string{
		"":                            "",
		"HTTPS://e.org":               "https://e.org",
		" mailto : a@b.be ":           "mailto:a@b.be",
		"MAILTO:a":                    "mailto:a",
		"a:b:c:d:e:x":                 "x",
		"a:b:c:d:e:f:x":               "",
		"feed:feed:x":                 "feed:feed:x",
		"feed:feed:feed:x":            "",
		"feed:":                       "",
		"java&#115;cript:x":           "x",
		"htt&#x70;:x":                 "http:x",
		"javascript&#058;x":           "x",
		"javascript&#x3A;x":           "x",
		`java\0script:x`:              "x",
		`ht\0tp:x`:                    "http:x",
		"/?a:b":                       "/?a:b",
		"?a:b":                        "b",
		"#a:b":                        "b",
		"//e.org:80/x":                "80/x",
		"é:b":                         "b",
		"http:\\x":                    "http:\\x",
		"https://e.org/javascript:x ": "https://e.org/javascript:x ",
	} {
		if got := URL(in); got != want {
			t.Errorf("URL(%q) = %q, want %q", in, got, want)
		}
	}
}

// TestData compares the embedded lists with the recorded ones.
func TestData(t *testing.T) {
	checkRecordedLists(t)
	oldest := data.lists[release.WP69]()
	if &oldest.post.tags == &oldest.title.tags || !oldest.post.repair || oldest.title.repair || oldest.description.repair {
		t.Error("lists are mixed up")
	}
}
