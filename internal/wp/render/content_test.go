package render

import (
	"fmt"
	"testing"

	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/internal/wp/phpval"
)

// testSite returns the environment in which the expected texts were recorded.
func testSite() *Env {
	const home = "http://127.0.0.1:8084"
	return &Env{Home: home, SiteURL: home, Uploads: home + "/wp-content/uploads"}
}

func TestRenderContent(t *testing.T) {
	env := testSite()
	for _, c := range golden.Load[pair](t, "description.json", 362) {
		golden.Equal(t, c.In, env.Content(c.In, 0), c.Out)
	}
}

func TestRenderExcerpt(t *testing.T) {
	env := testSite()
	for _, c := range golden.Load[pair](t, "excerpt.json", 33) {
		golden.Equal(t, c.In, env.Excerpt(c.In), c.Out)
	}
}

func TestRenderContentAttachment(t *testing.T) {
	type row struct {
		In struct {
			Content string
			ID      int64  `json:"attachment_id"`
			File    string `json:"_wp_attached_file"`
			Meta    string `json:"_wp_attachment_metadata"`
		}
		Out string
	}
	for _, c := range golden.Load[row](t, "description-attachment.json", 27) {
		meta := must.Get(phpval.Unserialize(c.In.Meta))(t)
		env := testSite()
		a := &ContentAttachment{Attachment: Attachment{ID: c.In.ID, File: c.In.File, Mime: "image/jpeg", Meta: meta}}
		env.Attachments = map[int64]*ContentAttachment{a.ID: a}
		golden.Equal(t, c.In.Content, env.Content(c.In.Content, 0), c.Out)
	}
}

func TestRenderContentLayout(t *testing.T) {
	type row struct {
		In, Out string
		Same    bool              `json:"same_with_other_themes"`
		Others  map[string]string `json:"other_themes"`
	}
	for _, c := range golden.Load[row](t, "description-layout.json", 28) {
		env := testSite()
		golden.Equal(t, c.In, env.Content(c.In, 0), c.Out)
		for _, name := range []string{"twentytwentyfour", "twentytwentythree"} {
			want := c.Out
			if !c.Same {
				want = c.Others[name]
			}
			env.Theme = ThemeOf(name, "", "")
			if got := env.Content(c.In, 0); got != want {
				t.Errorf("%s: %q\n got %q\nwant %q", name, c.In, got, want)
			}
		}
	}
}

// renderedAlone contains the recorded texts, by row and position in the row, that WordPress renders differently after
// others. It numbers players and galleries throughout a request, and a text with blocks or a large image affects later
// ones. Here every text is rendered by itself.
var renderedAlone = map[[2]int]string{
	{1, 1}: "shortcode alone in its paragraph, after a text with blocks",
	{2, 2}: "shortcode alone in its paragraph, after a text with blocks",
	{3, 2}: "shortcode alone in its paragraph, after a text with blocks",
	{4, 1}: "second large image that is loaded at once",
	{5, 1}: "second film",
	{6, 1}: "second gallery",
}

func TestRenderContentSequence(t *testing.T) {
	type row struct{ In, Out []string }
	env := testSite()
	for i, c := range golden.Load[row](t, "description-sequence.json", 8) {
		for j := range c.In {
			same := env.Content(c.In[j], 0) == c.Out[j]
			why, alone := renderedAlone[[2]int{i, j}]
			if same == alone {
				t.Errorf("row %d, text %d: equal to the site's own software: %v (%s)", i, j, same, why)
			}
		}
	}
}

func TestRenderContentEmbed(t *testing.T) {
	type row struct {
		In   struct{ Content string }
		Out  string
		Rows []struct {
			Name    string `json:"post_name"`
			Content string `json:"post_content"`
		}
	}
	env := testSite()
	env.Embeds = map[string]string{}
	for i, c := range golden.Load[row](t, "oembed.json", 35) {
		if i == 0 {
			for _, r := range c.Rows {
				env.Embeds[r.Name] = r.Content
			}
			continue
		}
		golden.Equal(t, c.In.Content, env.Content(c.In.Content, 0), c.Out)
		only := *env
		only.Embeds = map[string]string{}
		for _, key := range only.neededEmbeds(c.In.Content) {
			only.Embeds[key] = env.Embeds[key]
		}
		if got := only.Content(c.In.Content, 0); got != c.Out {
			t.Errorf("%q, only with what it needs\n got %q\nwant %q", c.In.Content, got, c.Out)
		}
	}
}

func TestFixBrand(t *testing.T) {
	env := testSite()
	for _, c := range []pair{
		{"Wordpress", "Wordpress"},
		{" Wordpress >Wordpress (Wordpress &#8216;Wordpress &#8220;Wordpress",
			" WordPress >WordPress (WordPress &#8216;WordPress &#8220;WordPress"},
		{"xWordpress -Wordpress WordpressWordpress", "xWordpress -Wordpress WordPressWordpress"},
		{"wordpress", "wordpress"},
	} {
		golden.Equal(t, c.In, env.fixBrand(c.In), c.Out)
	}
	env.Marks = &Marks{OpenDouble: "&laquo;"}
	golden.Equal(t, "with marks", env.fixBrand("&laquo;Wordpress &#8220;Wordpress"), "&laquo;WordPress &#8220;Wordpress")
}

// TestContentEnvDefaults checks that a missing field of Env affects nothing else.
func TestContentEnvDefaults(t *testing.T) {
	env := &Env{NoSmilies: true}
	for _, c := range []pair{
		{":) \"x\" <img class=\"wp-image-1\" src=\"a\">",
			"<p>:) &#8220;x&#8221; <img decoding=\"async\" class=\"wp-image-1\" src=\"a\"></p>"},
		{" \n", ""},
	} {
		golden.Equal(t, c.In, env.Content(c.In, 0), c.Out)
		golden.Equal(t, c.In, env.Excerpt(c.In), c.Out)
	}
}

func FuzzContent(f *testing.F) {
	for _, c := range golden.Load[pair](f, "description.json", 362) {
		f.Add(c.In)
	}
	env := testSite()
	env.Attachments = map[int64]*ContentAttachment{459: testImage(f)}
	f.Fuzz(func(t *testing.T, s string) {
		content, excerpt := env.Content(s, 0), env.Excerpt(s)
		if env.Content(s, 0) != content || env.Excerpt(s) != excerpt {
			t.Errorf("%q is rendered in two ways", s)
		}
		env.Needed(s)
	})
}

const sampleContent = "Come to our \"open house\" on 12/06 - 10:00 to 16:00.\n\nMore at " +
	"<a href=\"https://e.org/?a=1&b=2\">our site</a> :)\n<img class=\"wp-image-459\" src=\"a.jpg\" width=\"300\" height=\"200\" />\n\n" +
	"https://e.org/film\n\n"

func BenchmarkRenderContent(b *testing.B) {
	for _, unit := range []string{sampleContent, "<", "\"", "&", "[", "\n"} {
		b.Run(fmt.Sprintf("%.4q", unit), func(b *testing.B) {
			env := testSite()
			golden.Bench(b, unit, func(s string) { env.Content(s, 0) })
		})
	}
}
