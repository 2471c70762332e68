package render

import (
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
	for _, c := range []pair{
		{"[gallery]", "{gallery|}"},
		{"[gallery/]x[/gallery]", "{gallery|}x[/gallery]"},
		{"[gallery a=/b]", "{gallery| a=/b}"},
		{"[audio]x[audio]y[/audio]", "{audio||x[audio]y}"},
		{"[audio]x[/video]", "{audio|}x[/video]"},
		{"[galleryx][gallery-x][gallery_x]", "[galleryx][gallery-x][gallery_x]"},
		{"[Gallery]", "[Gallery]"},
		{"[gallery", "[gallery"},
		{"[[gallery]]", "[gallery]"},
		{"[[audio]x[/audio]]", "[audio]x[/audio]"},
		{"[[gallery]", "[{gallery|}"},
		{"[gallery]]", "{gallery|}]"},
		{"[[[gallery]]]", "[[gallery]]"},
		{"[tribe:event-details a]", "{tribe:event-details| a}"},
		{"<b title='[gallery]' x=[gallery]>[gallery]</b>", "<b title='{gallery|}' x={gallery|}>{gallery|}</b>"},
		{"<b onclick='[gallery]'>", "<b onclick='[gallery]'>"}, // the element must not have this attribute
		{"<!-- [gallery] -->[gallery]", "<!-- [gallery] -->{gallery|}"},
		{"<b title='[x]'>[gallery]", "<b title='[x]'>{gallery|}"},
		{"<b title='['>[gallery]", "<b title='['>{gallery|}"},
		{"<[gallery]>", "<{gallery|}>"},
		{"<a <[gallery]>", "<a <[gallery]>"},
		{"&#91;gallery&#93;[gallery]", "&#091;gallery&#093;{gallery|}"},
		{"&#91;gallery&#93;", "&#91;gallery&#93;"},
		{"<[ a ] href=\"[gallery]\">[audio]", "<[ a ] href=\"{gallery|}\">{audio|}"},
		{`<a href="javascript:[gallery]">`, `<a href="{gallery|}">`},
		{`<x title="[gallery]">[audio]`, `<x title="[gallery]">{audio|}`},
	} {
		if got := doShortcodes(c.In, contentShortcodes, false, shown); got != c.Out {
			t.Errorf("%q\n got %q\nwant %q", c.In, got, c.Out)
		}
	}
}

func TestUnwrapShortcodes(t *testing.T) {
	for _, c := range []pair{
		{"<p>[gallery]</p>", "[gallery]"},
		{"<p> &nbsp;\u00a0[gallery]\t</p>\n", "[gallery]\n"},
		{"<p>[audio]a</p>\n<p>b[/audio]</p>", "[audio]a</p>\n<p>b[/audio]"},
		{"<p>[audio]</p>\n<p>b[/audio]c</p>", "[audio]\n<p>b[/audio]c</p>"},
		{"<p>[[gallery]]</p>", "<p>[[gallery]]</p>"},
		{"<p>[gallery]]</p>", "<p>[gallery]]</p>"},
		{"<p>[gallery] x</p>", "<p>[gallery] x</p>"},
		{"<p>[other]</p>", "<p>[other]</p>"},
		{"<p class=\"a\">[gallery]</p>", "<p class=\"a\">[gallery]</p>"},
		{"<p>[gallery /]</p>", "[gallery /]"},
	} {
		if got := unwrapShortcodes(c.In); got != c.Out {
			t.Errorf("%q\n got %q\nwant %q", c.In, got, c.Out)
		}
	}
}

func TestParseShortcodeAttrs(t *testing.T) {
	for _, c := range []pair{
		{``, `a:0:{}`},
		{` a="b" C = 'd'  e=f g`, `a:4:{s:1:"a";s:1:"b";s:1:"c";s:1:"d";s:1:"e";s:1:"f";i:0;s:1:"g";}`},
		{`"x y" 'z' ""`, `a:2:{i:0;s:3:"x y";i:1;s:1:"z";}`},
		{`a="b"c`, `a:1:{i:0;s:6:"a="b"c";}`},
		{`a='b`, `a:1:{i:0;s:4:"a='b";}`},
		{`a=b"c`, `a:1:{i:0;s:5:"a=b"c";}`},
		{`a=`, `a:1:{i:0;s:2:"a=";}`},
		{`a="1" a="2"`, `a:1:{s:1:"a";s:1:"2";}`},
		{"a\u00a0\u200bb", `a:2:{i:0;s:1:"a";i:1;s:1:"b";}`},
		{`a="\x41\102\n\q"`, "a:1:{s:1:\"a\";s:4:\"AB\nq\";}"},
		{`a="<b" b="<c>"`, `a:2:{s:1:"a";s:0:"";s:1:"b";s:3:"<c>";}`},
		{"a=\xff", `a:0:{}`},
		{`5=x`, `a:1:{i:5;s:1:"x";}`},
	} {
		if got := phpval.Serialize(parseShortcodeAttrs(c.In)); got != c.Out {
			t.Errorf("%q\n got %s\nwant %s", c.In, got, c.Out)
		}
	}
}

func TestPlayersAndCaptions(t *testing.T) {
	const link = `<a href="https://e.org/a.mp4">https://e.org/a.mp4</a>`
	env := testSite()
	env.ContentWidth = 320
	for _, c := range []pair{
		{`[video src="https://e.org/a.mp4" loop=true autoplay="false" muted="1" preload="odd" poster="/p.jpg"]`,
			`<div style="width: 320px;" class="wp-video"><video class="wp-video-shortcode" id="video-0-1" width="320" height="180" ` +
				`poster="/p.jpg" loop muted controls="controls"><source type="video/mp4" src="https://e.org/a.mp4?_=1" />` + link +
				`</video></div>`},
		{`[video webm="/b.webm" mp4="https://e.org/a.mp4" width="100" height="0"]<b>x</b>` + "\n\ty[/video]",
			`<div style="width: 100px;" class="wp-video"><video class="wp-video-shortcode" id="video-0-1" width="100" height="0" ` +
				`preload="metadata" controls="controls"><source type="video/mp4" src="https://e.org/a.mp4?_=1" />` +
				`<source type="video/webm" src="/b.webm?_=1" /><b>x</b><br />y` + link + `</video></div>`},
		{`[video src="https://youtu.be/x?feature=a&t=1"]`,
			`<div style="width: 320px;" class="wp-video"><video class="wp-video-shortcode" id="video-0-1" width="320" height="180" ` +
				`preload="metadata" controls="controls"><source type="video/youtube" src="https://youtu.be/x?t=1&#038;_=1" />` +
				`<a href="https://youtu.be/x?t=1">https://youtu.be/x?t=1</a></video></div>`},
		{`[audio src="javascript:a.mp3"][audio src="/a.txt"][audio ogg="/a.mp3"]`,
			`<p><audio class="wp-audio-shortcode" id="audio-0-1" preload="none" style="width: 100%;" controls="controls">` +
				`<source type="audio/mpeg" src="" /><a href=""></a></audio><a class="wp-embedded-audio" href="/a.txt">/a.txt</a></p>`},
		{`[caption width="10px" id="a_b"]x <A HREF="y"> <IMG SRC="z"> </A> t [gallery][/caption]`,
			`<figure id="a_b" aria-describedby="caption-a-b" style="width: 10px" class="wp-caption alignnone">` +
				`<A HREF="y"> <IMG SRC="z"> </A><figcaption id="caption-a-b" class="wp-caption-text">t [gallery]</figcaption></figure>`},
		{`[caption width="9" caption_id="c%20d e" align="" class="k"]<img src="z">t[/caption]`,
			`<figure aria-describedby="cde" style="width: 9px" class="wp-caption  k"><img decoding="async" src="z">` +
				`<figcaption id="cde" class="wp-caption-text">t</figcaption></figure>`},
		{`[caption width="0"]<img src="z"> t[/caption]`, `<img decoding="async" src="z">`},
		{`[caption width="9"]<img src="z">0[/caption]`, `<img decoding="async" src="z">`},
		{`[caption width="9" caption="<script>x</script>"]y[/caption]`,
			`<figure style="width: 9px" class="wp-caption alignnone">y<figcaption class="wp-caption-text">x</figcaption></figure>`},
	} {
		if got := env.Content(c.In, 0); got != c.Out {
			t.Errorf("%q\n got %q\nwant %q", c.In, got, c.Out)
		}
	}
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
		if got := env.Content(c.In, 0); got != c.Out {
			t.Errorf("%q\n got %q\nwant %q", c.In, got, c.Out)
		}
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
