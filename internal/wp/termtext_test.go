package wp

import (
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/wp/phpval"
	"github.com/agendahq/agenda/internal/wp/release"
)

// TestTermName checks the recorded names. If nothing is left for a slug, the recorded slug is the id of the term.
func TestTermName(t *testing.T) {
	type vector struct {
		In  string
		Out struct {
			Name  string `json:"stored_name"`
			Slug  string `json:"stored_slug"`
			Error string
		}
	}
	// Percent-encoded bytes are kept in names (D41).
	superseded := map[string]string{"%20x": "%20x"}
	used := 0
	for _, v := range golden.Load[vector](t, "term-name.json", 67) {
		got := TermName(v.In)
		if v.Out.Error != "" {
			if got != "0" && utf8.RuneCountInString(got) <= 200 {
				t.Errorf("%q: %q, but the site's own software refuses it", v.In, got)
			}
			continue
		}
		if want, ok := superseded[v.In]; ok {
			if used++; got != want || want == v.Out.Name {
				t.Errorf("TermName(%q) = %q, want %q", v.In, got, want)
			}
			continue
		}
		golden.Equal(t, v.In, got, v.Out.Name)
		slug := Slug(got)
		if _, err := strconv.Atoi(v.Out.Slug); slug == "" && err != nil || slug != "" && slug != v.Out.Slug {
			t.Errorf("%q: slug %q, want %q", got, slug, v.Out.Slug)
		}
	}
	if used != len(superseded) {
		t.Errorf("%d of %d superseded names found", used, len(superseded))
	}
}

func TestTermDescription(t *testing.T) {
	type vector struct {
		In  string
		Out struct{ Stored, Error string }
	}
	for _, v := range golden.Load[vector](t, "term-description.json", 33) {
		got := TermDescription(v.In, release.WP69)
		if v.Out.Error != "" && got != "" && got != "0" || v.Out.Error == "" && got != v.Out.Stored {
			t.Errorf("TermDescription(%q) = %q, want %q", v.In, got, v.Out.Stored)
		}
	}
	for in, want := range map[string]string{
		`C:\new %20`:             `C:\new %20`,
		`&#146;`:                 `&#146;`,
		"<!-- wp:a {} -->x":      "<!-- wp:a -->x<!-- /wp:a -->",
		`<a style="color:red">x`: `<a>x`,
	} {
		golden.Equal(t, in, TermDescription(in, release.WP69), want)
	}
}

func TestTextField(t *testing.T) {
	golden.Each(t, "text-field.txt", func(in, want string) { golden.Equal(t, in, TextField(in), want) })
}

func TestTermNameEdges(t *testing.T) {
	golden.Each(t, "term-names.txt", func(in, want string) { golden.Equal(t, in, TermName(in), want) })
}

func FuzzTermName(f *testing.F) {
	golden.Seed(f, "Rock & Roll", "< b>x</b>", "<script>a</script>", "a <\n b>", "&#39;%20\\")
	f.Fuzz(func(t *testing.T, s string) {
		got := TermName(s)
		if strings.ContainsAny(got, "<>\n\t\x00") || !utf8.ValidString(got) || len(got) > 6*len(s) {
			t.Fatalf("TermName(%q) = %q", s, got)
		}
		// White space next to what the filter removes is trimmed the next time only.
		if again := TermName(got); again != phpval.Trim(joinLines(got)) {
			t.Fatalf("TermName(%q) = %q, then %q", s, got, again)
		}
	})
}

func BenchmarkTermName(b *testing.B) {
	for name, unit := range map[string]string{
		"real": "Rock & Roll <b>x</b>\n", "less": "<", "quotes": `"`, "amps": "&", "brackets": "[", "newlines": "\n",
		"scripts": "<script>", "closings": "<script></", "comments": "<!-->",
	} {
		b.Run(name, func(b *testing.B) {
			golden.Bench(b, unit, func(s string) { TermName(s); TermDescription(s, release.WP69) })
		})
	}
}

// TestTermNamesOfReleases checks that all releases store the same names, since names contain no tags.
func TestTermNamesOfReleases(t *testing.T) {
	vectors := golden.Read[struct {
		Cases []struct {
			In, Field string
			Expected  map[string]string
		}
	}](t, "../kses/testdata/wp7-kses.json")
	checked := 0
	for _, v := range vectors.Cases {
		if v.Field != "term_name" {
			continue
		}
		for version, want := range v.Expected {
			checked++
			if got := TermName(v.In); got != want {
				t.Errorf("%s: TermName(%q) = %q, want %q", version, v.In, got, want)
			}
		}
	}
	if checked < 36 {
		t.Errorf("%d names checked", checked)
	}
}
