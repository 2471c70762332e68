package wp

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
)

type slugCase struct{ In, Out string }

func TestSlug(t *testing.T) {
	for file, n := range map[string]int{"slug.json": 237, "slug-latin.json": 223} {
		for _, v := range golden.Load[slugCase](t, file, n) {
			if got := Slug(v.In); got != v.Out {
				t.Errorf("%s: Slug(%q) = %q, want %q", file, v.In, got, v.Out)
			}
		}
	}
}

func TestRemoveAccents(t *testing.T) {
	for _, v := range golden.Load[slugCase](t, "remove-accents.json", 311) {
		if got := RemoveAccents("x" + v.In + "y"); got != "x"+v.Out+"y" {
			t.Errorf("RemoveAccents(%q) = %q, want %q", v.In, got, v.Out)
		}
	}
	if len(accents) != 311 {
		t.Errorf("%d characters, want 311", len(accents))
	}
	for in, out := range map[string]string{
		"e\u0301te": "ete", "Привет": "Привет", "ẞ": "ẞ", "a\xffé": "a\xffe", "": "", "\ufffd": "\ufffd",
	} {
		golden.Equal(t, in, RemoveAccents(in), out)
	}
}

// TestSlugClasses checks single characters between letters, and the titles of recorded events.
func TestSlugClasses(t *testing.T) {
	raw := must.Get(os.ReadFile("testdata/slug-classes.json"))(t)
	var d struct {
		Classes struct {
			Dash          []string `json:"to_dash"`
			Removed       []string
			Transliterate map[string]string
		}
		Examples []slugCase
	}
	must.Succeed(t, json.Unmarshal(raw, &d))
	want := map[rune]string{}
	char := func(hex string) rune {
		n := must.Get(strconv.ParseUint(hex, 16, 32))(t)
		return rune(n)
	}
	for _, c := range d.Classes.Dash {
		want[char(c)] = "-"
	}
	for _, c := range d.Classes.Removed {
		want[char(c)] = ""
	}
	for c, plain := range d.Classes.Transliterate {
		want[char(c)] = plain
	}
	if len(want) < 400 || len(d.Examples) < 80 {
		t.Fatalf("%d characters, %d examples", len(want), len(d.Examples))
	}
	for r, w := range want {
		golden.Equal(t, r, Slug("x1"+string(r)+"y2"), "x1"+w+"y2")
	}
	for _, v := range d.Examples {
		if v.Out == "<ID>" || v.Out == "{ID}" {
			v.Out = ""
		}
		golden.Equal(t, v.In, Slug(v.In), v.Out)
	}
}

type created struct {
	In  struct{ Type, Title, Slug, Venue, Organizer, Status string }
	Out struct {
		Name string `json:"post_name"`
	}
}

// TestSlugOfPosts checks posts that were created one after the other, with the suffixes for slugs that are in use or
// reserved.
func TestSlugOfPosts(t *testing.T) {
	taken := map[string]bool{}
	for _, s := range []string{"feed", "rdf", "rss", "rss2", "atom", "embed"} {
		taken[s] = true
	}
	for _, v := range golden.Load[created](t, "slug-post.json", 41) {
		title, kind := v.In.Title+v.In.Venue+v.In.Organizer, v.In.Type
		slug := Slug(v.In.Slug)
		if slug == "" {
			slug = Slug(title)
		}
		if kind == "" && v.In.Slug == "" && (v.In.Status == "draft" || v.In.Status == "pending") {
			slug = "" // an event gets its slug when it is published
		} else if slug == "" {
			slug = "{ID}"
		}
		free := slug
		for n := 2; kind == "" && free != "" && free != "{ID}" && taken[free]; n++ {
			free = SuffixSlug(slug, n)
		}
		golden.Equal(t, v.In, free, v.Out.Name)
		taken[free] = true
	}
}

func TestSuffixSlug(t *testing.T) {
	long := strings.Repeat("a", 200)
	for _, c := range []struct {
		base string
		n    int
		want string
	}{
		{"fair", 2, "fair-2"},
		{long, 2, long[:198] + "-2"},
		{long, 10, long[:197] + "-10"},
		{long[:198], 2, long[:198] + "-2"},
		{long[:197] + "-b-c", 2, long[:197] + "-2"},
		// 22 characters of 9 bytes are 198; with a letter before them 21 fit.
		{strings.Repeat("%e4%bd%a0", 22), 2, strings.Repeat("%e4%bd%a0", 22) + "-2"},
		{"a" + strings.Repeat("%e4%bd%a0", 22), 2, "a" + strings.Repeat("%e4%bd%a0", 21) + "-2"},
		{strings.Repeat("%f0%9f%8e%89", 16) + "abcdefgh", 100, strings.Repeat("%f0%9f%8e%89", 16) + "abcd-100"},
		{"", 2, "-2"},
	} {
		if got := SuffixSlug(c.base, c.n); got != c.want {
			t.Errorf("SuffixSlug(%q, %d) = %q, want %q", c.base, c.n, got, c.want)
		}
	}
	for in, want := range map[string]string{"%d0%b6%d0%b6": "%d0%b6", "ab%": "ab%", "%d0%": "%d0%", "%ff%ff%ff": "%ff%ff",
		"%41%42%43": "%41%42"} {
		golden.Equal(t, in, CutSlug(in, 8), want)
	}
	if got := CutSlug("abc", -1); got != "" {
		t.Errorf("%q", got)
	}
}

// TestSlugLookup also checks that an encoded slash is part of a slug (D12).
func TestSlugLookup(t *testing.T) {
	unicode := "%e6%97%a5%e6%9c%ac"
	check := func(in, want string) {
		golden.Equal(t, in, SlugLookup(in), want)
	}
	golden.Each(t, "slug-lookup.txt", check)
	check(unicode, unicode)
	check("日本", unicode)
	check("%E6%97%A5%E6%9C%AC", unicode)
	check(strings.Repeat("a", 300), strings.Repeat("a", 200))
	// Every result of Slug is found again, encoded as a path segment or not.
	for _, v := range golden.Load[slugCase](t, "slug.json", 237) {
		if slug := Slug(v.In); plain(slug) && SlugLookup(slug) != slug {
			t.Errorf("SlugLookup(%q) = %q", slug, SlugLookup(slug))
		}
	}
}

// plain reports whether the percent-encoded bytes of a slug encode no ASCII characters. Only a title that contains such
// bytes itself has a slug that does.
func plain(slug string) bool {
	text := FormDecode(slug)
	return utf8.ValidString(text) && encodeSlug(text) == slug
}

func TestStripTags(t *testing.T) {
	golden.Each(t, "strip-tags.txt", func(in, want string) { golden.Equal(t, in, StripTags(in), want) })
}

func TestDropEntities(t *testing.T) {
	for in, want := range map[string]string{
		"a&amp;b": "ab", "a&;b": "a&;b", "a&;;b": "ab", "a&b": "a&b", "a&b\n;c": "a&b\n;c", "a&\nb;c": "a&\nb;c",
		"a&b\n&c;d": "a&b\nd", "&": "&", "x&y": "x&y", "&a;&b;": "", "&;&a;": "",
	} {
		golden.Equal(t, in, dropEntities(in), want)
	}
}

func FuzzSlug(f *testing.F) {
	for _, v := range golden.Load[slugCase](f, "slug.json", 237) {
		f.Add(v.In)
	}
	golden.Seed(f, "---41---", "<a <b> c", "<!-- x", "<?xml -> l", "%e2%80%c2%ad%93", "\xff%", "&\n;")
	f.Fuzz(func(t *testing.T, s string) {
		slug := Slug(s)
		checkSlug(t, slug)
		if !strings.Contains(s, "%") && !strings.Contains(s, "-") {
			if again := Slug(slug); again != slug {
				t.Fatalf("%q: Slug = %q, again %q", s, slug, again)
			}
			if got := SlugLookup(slug); got != slug {
				t.Fatalf("%q: Slug = %q, looked up as %q", s, slug, got)
			}
		}
		for _, n := range []int{2, 10, 1234} {
			next := SuffixSlug(slug, n)
			if len(next) > slugLimit || !strings.HasSuffix(next, fmt.Sprint("-", n)) {
				t.Fatalf("SuffixSlug(%q, %d) = %q", slug, n, next)
			}
		}
		for part := range strings.SplitSeq(SlugLookup(s), "/") {
			checkSlug(t, part)
		}
		if got := FormDecode(FormEncode(s)); got != s {
			t.Fatalf("%q encoded and decoded is %q", s, got)
		}
	})
}

func checkSlug(t *testing.T, slug string) {
	t.Helper()
	if len(slug) > slugLimit || strings.Trim(slug, "%abcdefghijklmnopqrstuvwxyz0123456789_-") != "" ||
		strings.Contains(slug, "--") || strings.HasPrefix(slug, "-") || strings.HasSuffix(slug, "-") {
		t.Fatalf("no slug: %q", slug)
	}
}

func BenchmarkSlug(b *testing.B) {
	for name, unit := range map[string]string{"words": "Été à Liège & co ", "tags": "<a <b> c>", "open": "<", "octets": "%41%",
		"marks": "---41---", "combining": "e\u0301", "marks only": "\u0301\u0316"} {
		b.Run(name, func(b *testing.B) { golden.Bench(b, unit, func(s string) { Slug(s) }) })
	}
}

func BenchmarkSlugLookup(b *testing.B) {
	for name, unit := range map[string]string{"words": "ete+a%20", "slashes": "a%2F"} {
		b.Run(name, func(b *testing.B) { golden.Bench(b, unit, func(s string) { SlugLookup(s) }) })
	}
}
