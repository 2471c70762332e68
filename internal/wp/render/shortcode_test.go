package render

import (
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/wp/phpval"
)

// shown formats the parts of a shortcode.
func shown(t shortcode) string {
	s := "{" + t.name + "|" + t.attrs
	if t.enclosing {
		s += "|" + t.content
	}
	return s + "}"
}

func TestDoShortcodes(t *testing.T) {
	golden.Each(t, "shortcodes.txt", func(in, out string) { golden.Equal(t, in, doShortcodes(in, contentShortcodes, false, shown), out) })
}

func TestUnwrapShortcodes(t *testing.T) {
	golden.Each(t, "shortcode-paragraphs.txt", func(in, out string) { golden.Equal(t, in, unwrapShortcodes(in), out) })
}

func TestParseShortcodeAttrs(t *testing.T) {
	golden.Each(t, "shortcode-attributes.txt", func(in, out string) { golden.Equal(t, in, phpval.Serialize(parseShortcodeAttrs(in)), out) })
}

func TestPlayersAndCaptions(t *testing.T) {
	env := testSite()
	env.ContentWidth = 320
	golden.Each(t, "players.txt", func(in, out string) { golden.Equal(t, in, env.Content(in, 0), out) })
	plain := testSite()
	plain.Theme = &Theme{plainCaptions: true}
	const want = `<div style="width: 20px" class="wp-caption alignnone"><img decoding="async" src="z">` +
		`<p class="wp-caption-text">t</p></div>`
	if got := plain.Content(`[caption width="10"]<img src="z">t[/caption]`, 0); got != want {
		t.Errorf("got %q\nwant %q", got, want)
	}
}

func TestGallery(t *testing.T) {
	env := testSite()
	env.Attachments = map[int64]*ContentAttachment{459: testImage(t), 7: {Attachment: Attachment{ID: 7, Mime: "text/plain"}}}
	const item = "<div id='gallery-1' class='gallery galleryid-0 gallery-columns-3 gallery-size-thumbnail'>" +
		"<figure class='gallery-item'>\n\t\t\t<div class='gallery-icon landscape'>\n\t\t\t\t"
	const img = `<img loading="lazy" decoding="async" width="150" height="150" ` +
		`src="http://127.0.0.1:8084/wp-content/uploads/2026/11/pic-150x150.jpg" ` +
		`class="attachment-thumbnail size-thumbnail" alt="An &amp; alt"`
	const end = "\n\t\t\t</div></figure>\n\t\t</div>"
	const late = ` />`
	for _, c := range []pair{
		{`[gallery ids="459"]`, item + "<a href='http://127.0.0.1:8084/?attachment_id=459'>" + img + late + "</a>" + end},
		{`[gallery ids="1,459 459, 7" link="file"]`, item + "<a href='http://127.0.0.1:8084/wp-content/uploads/2026/11/pic.jpg'>" + img +
			late + "</a>" + end},
		{`[gallery include="459" link="none"]`, item + img + late + end},
		{`[gallery ids="7"]`, ""},
	} {
		golden.Equal(t, c.In, env.Content(c.In, 0), c.Out)
	}
	env.Attachments[459].Caption = `It's "x"`
	got := env.Content(`[gallery ids="459" size="medium" columns="2" itemtag="li" icontag="odd"]`, 0)
	for _, want := range []string{
		"gallery-columns-2 gallery-size-medium'><li class='gallery-item'>\n\t\t\t<dt class='gallery-icon landscape'>",
		` aria-describedby="gallery-1-459" srcset="http://127.0.0.1:8084/wp-content/uploads/2026/11/pic-300x200.jpg 300w, `,
		` sizes="auto, (max-width: 300px) 100vw, 300px" />`,
		"<figcaption class='wp-caption-text gallery-caption' id='gallery-1-459'>\n\t\t\t\tIt&#8217;s " +
			"&#8220;x&#8221;\n\t\t\t\t</figcaption></li>",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("%q lacks %q", got, want)
		}
	}
}

func FuzzShortcodes(f *testing.F) {
	for _, c := range golden.Load[pair](f, "description.json", 362) {
		if strings.Contains(c.In, "[") {
			f.Add(c.In)
		}
	}
	f.Fuzz(func(t *testing.T, s string) {
		doShortcodes(s, contentShortcodes, false, shown)
		if got := unwrapShortcodes(s); len(got) > len(s) {
			t.Errorf("%q grew", s)
		}
		for range parseShortcodeAttrs(s).All() {
		}
	})
}

func TestEmbeds(t *testing.T) {
	const film = `https://youtube.com/watch?v=AAA`
	cached := map[string]string{
		embedKey(film, &phpval.Array{}, 500):           "FILM",
		embedKey("https://e.org/x", nil, 500):          "<b>\nX</b>",
		embedKey("https://e.org/none", nil, 500):       unknownEmbed,
		embedKey("https://e.org/x", attrsOf("h"), 500): "WITH",
	}
	e := embedder{find: func(key string) string { return cached[key] }}
	golden.Each(t, "embeds.txt", func(in, out string) { golden.Equal(t, in, e.embeds(in), out) })
}

func attrsOf(values ...string) *phpval.Array {
	list := &phpval.Array{}
	for i, v := range values {
		list.Set(phpval.IntKey(int64(i)), v)
	}
	return list
}

func TestNeededEmbeds(t *testing.T) {
	one, two := embedKey("https://e.org/1", nil, 0), embedKey("https://e.org/2", nil, 0)
	got := (&Env{}).neededEmbeds("https://e.org/1\n<p>https://e.org/2</p>\nx https://e.org/3\nhttps://e.org/a.mp3\nhttps://e.org/1\n")
	if want := []string{one, two}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	if got := (&Env{}).neededEmbeds("no address"); got != nil {
		t.Errorf("got %v", got)
	}
	wide := Env{ContentWidth: 800}
	if got := wide.neededEmbeds("https://e.org/1"); len(got) != 1 || got[0] != embedKey("https://e.org/1", nil, 800) || got[0] == one {
		t.Errorf("got %v", got)
	}
}

func FuzzEmbeds(f *testing.F) {
	golden.Seed(f, "https://e.org/x", "<p>https://e.org/x</p>", "[embed a=b]https://e.org/x[/embed]",
		"a\nhttps://youtube.com/v/x\n<b\n>", "<p \nhttps://e.org/x</p>", "<a href=\"https://e.org/x\">x</a>")
	f.Fuzz(func(t *testing.T, s string) {
		asked := []string{}
		e := embedder{find: func(key string) string { asked = append(asked, key); return "" }}
		e.embeds(s)
		if got := e.alone(s); got != s && !mayBeAlone(s) && !strings.Contains(s, tagLine) {
			t.Errorf("%q is taken for one without addresses, and is %q", s, got)
		}
		keys := (&Env{}).neededEmbeds(s)
		for _, key := range asked {
			if !slices.Contains(keys, key) {
				t.Errorf("%q needs more than Needed returns", s)
			}
		}
	})
}
