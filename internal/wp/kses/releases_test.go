package kses

import (
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/internal/wp/release"
)

// releaseVectors are texts with what each release stores for them.
type releaseVectors struct {
	Cases []struct {
		In, Kind, Field, Role, Since string
		Expected                     map[string]string
		SupersededBy                 string `json:"superseded_by"`
	}
}

// TestReleases checks what each release stores for a text, except for backslashes (D41) and the custom CSS of blocks,
// which is removed on all releases (D81).
func TestReleases(t *testing.T) {
	vectors := golden.Read[releaseVectors](t, "wp7-kses.json")
	checked := 0
	for _, v := range vectors.Cases {
		if v.SupersededBy != "" || v.Field == "term_name" {
			continue
		}
		for version, want := range v.Expected {
			r, ok := release.OfVersion(version)
			if !ok {
				t.Fatalf("unknown version %s", version)
			}
			checked++
			if isContent(v.Field) && v.Role != "editor" && v.Role != "admin" {
				want = withoutBlockCSS(want)
			}
			if v.In == quotedCSS {
				want = v.Expected["7.1"]
			}
			if got := stored(v.In, v.Field, v.Role, r); got != want {
				t.Errorf("%s %s %s %q\n got %q\nwant %q", version, v.Field, v.Role, v.In, got, want)
			}
		}
	}
	if checked < 1500 {
		t.Errorf("%d values checked", checked)
	}
}

// quotedCSS is not a block any more once its attributes are filtered, for releases that do not remove CSS before.
const quotedCSS = `<!-- wp:paragraph {"style":{"css":"x"},"on":"<b onclick=1>"} --><p>x</p><!-- /wp:paragraph -->`

func isContent(field string) bool {
	return field == "content" || field == "venue_description" || field == "organizer_description"
}

// stored returns what is stored for a text.
func stored(in, field, role string, r release.Release) string {
	const uploads = "http://127.0.0.1:8086/wp-content/uploads"
	all := role == "editor" || role == "admin"
	switch {
	case field == "term_description":
		return Filter(in, TermDescription(r))
	case field == "title", field == "venue_name":
		if !all {
			in = Filter(in, Title(r))
		}
		return phpval.Trim(in)
	case all:
		return Unfiltered(in, Post(r))
	case field == "excerpt":
		return Filter(in, Post(r).WithUploads(uploads))
	}
	return FilterContent(in, Post(r).WithUploads(uploads))
}

// TestNothingHostilePassesOnAnyRelease checks that what one release removes because it is unsafe is removed on all
// releases (D82).
func TestNothingHostilePassesOnAnyRelease(t *testing.T) {
	hostile := slices.Clone(seeds)
	for _, v := range golden.Load[pair](t, "kses.json", 235) {
		hostile = append(hostile, v.In)
	}
	for _, v := range golden.Read[releaseVectors](t, "wp7-kses.json").Cases {
		hostile = append(hostile, v.In)
	}
	for _, r := range release.All() {
		for _, list := range []*Allowed{Post(r), Title(r), TermDescription(r)} {
			for _, s := range hostile {
				checkTags(t, list, s, Filter(s, list))
			}
		}
		for _, in := range []string{
			"background:linear-gradient(expression(alert(1)))", "background:linear-gradient(a EXPRESSION(alert) b)",
			"--x:a linear-gradient(url(javascript:alert(1)))", "background-image:linear-gradient(red,blue),url(javascript:x)",
			"clip-path:url(javascript:x)", "fill:url('data:text/html,x')", "width:expression(alert(1))", "mask:expression(x)",
			"transform:rotate(1deg) expression(x)", `color:\65xpression(x)`, "color:/**/red", "behavior:url(x.htc)", "-moz-binding:url(x)",
		} {
			if got := Style(in, r); got != "" {
				t.Errorf("%v keeps %q of %q", r, got, in)
			}
			if got := Filter(`<p style="`+in+`">`, Post(r)); strings.Contains(got, "expression(") || strings.Contains(got, "javascript:") {
				t.Errorf("%v keeps %q of %q", r, got, in)
			}
		}
	}
}

// TestBlockCSSIsRemoved checks that the custom CSS of a block is removed, whatever hides the block from a step of the
// filter (D81).
func TestBlockCSSIsRemoved(t *testing.T) {
	golden.Each(t, "block-css.txt", func(in, want string) {
		for _, r := range release.All() {
			got := FilterContent(in, Post(r))
			if got != want {
				t.Errorf("%v %q\n got %q\nwant %q", r, in, got, want)
			}
		}
	})
}
