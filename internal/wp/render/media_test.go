package render

import (
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/wp/phpval"
)

// testImage returns an image of 1200x800 with the usual sizes.
func testImage(t testing.TB) *ContentAttachment {
	t.Helper()
	meta := orderedText(t, `{"width":1200,"height":800,"file":"2026/11/pic.jpg","sizes":{
		"medium":{"file":"pic-300x200.jpg","width":300,"height":200,"mime-type":"image/jpeg"},
		"large":{"file":"pic-1024x683.jpg","width":1024,"height":683,"mime-type":"image/jpeg"},
		"thumbnail":{"file":"pic-150x150.jpg","width":150,"height":150,"mime-type":"image/jpeg"},
		"odd":7}}`)
	return &ContentAttachment{
		Attachment: Attachment{ID: 459, File: "2026/11/pic.jpg", Mime: "image/jpeg", Meta: meta},
		Alt:        " An & <b>alt</b> ",
	}
}

func TestMediaTags(t *testing.T) {
	golden.Each(t, "media-tags.txt", func(in, out string) {
		r := contentRun{env: testSite()}
		golden.Equal(t, in, r.mediaTags(in), out)
	})
}

// TestMediaPriority checks that only one image gets a high priority, and none if another one already has it.
func TestMediaPriority(t *testing.T) {
	const eager = ` width="500" height="100" loading="eager">`
	r := contentRun{env: testSite()}
	got := r.mediaTags(`<img src="s" width="50" height="10" loading="eager"><img src="a"` + eager + `<img src="b"` + eager)
	if strings.Count(got, "fetchpriority") != 1 || !strings.Contains(got, `<img fetchpriority="high" decoding="async" src="a"`) {
		t.Error(got)
	}
	r = contentRun{env: testSite()}
	got = r.mediaTags(`<img src="x" fetchpriority="high" width="1" height="1"><img src="b"` + eager)
	if strings.Contains(got, `<img fetchpriority`) {
		t.Error(got)
	}
}

func TestMediaSources(t *testing.T) {
	const uploads = "http://127.0.0.1:8084/wp-content/uploads/"
	image := func(change func(meta *phpval.Array)) *ContentAttachment {
		a := testImage(t)
		change(a.Meta.(*phpval.Array))
		return a
	}
	changes := map[string]func(*phpval.Array){
		"none": func(*phpval.Array) {},
		"wide": func(m *phpval.Array) {
			m.Set(phpval.StrKey("width"), int64(3000))
			m.Set(phpval.StrKey("height"), int64(2000))
		},
		"edited": func(m *phpval.Array) { m.Set(phpval.StrKey("file"), "2026/11/pic-e1234567890123.jpg") },
		"moving": func(m *phpval.Array) {
			m.ArrayAt("sizes").ArrayAt("thumbnail").Set(phpval.StrKey("mime-type"), "image/gif")
		},
	}
	golden.Each(t, "media-sources.txt", func(name, change, tag, sources string) {
		env := testSite()
		env.Attachments = map[int64]*ContentAttachment{459: image(changes[change])}
		r := contentRun{env: env}
		got := r.mediaTags(`<img class="WP-Image-459" ` + tag + ` />`)
		_, list, _ := strings.Cut(got, `srcset="`)
		list, _, _ = strings.Cut(list, `"`)
		if list = strings.ReplaceAll(list, uploads+"2026/11/", ""); list != sources {
			t.Errorf("%s: %s\nwant %s", name, got, sources)
		}
	})
}

func TestConstrain(t *testing.T) {
	for _, c := range [][6]int64{
		{1200, 800, 300, 0, 300, 200}, {1200, 800, 0, 0, 1200, 800}, {1200, 800, 2000, 0, 1200, 800},
		{465, 700, 177, 177, 118, 177}, {1200, 1, 10, 0, 10, 1}, {800, 1200, 300, 300, 200, 300},
	} {
		if w, h := constrain(c[0], c[1], c[2], c[3]); w != c[4] || h != c[5] {
			t.Errorf("%v: %d x %d", c, w, h)
		}
	}
}

func TestDisplayURL(t *testing.T) {
	for _, c := range []pair{
		{"", ""}, {" https://e.org/a b", "https://e.org/a%20b"}, {"e.org", "http://e.org"}, {"/a", "/a"}, {"#a", "#a"},
		{"a.php?b", "a.php?b"}, {"javascript:x", ""}, {"https://e.org/?a&b'", "https://e.org/?a&#038;b&#039;"},
		{"https://e.org/%0%0dd<>\"", "https://e.org/"}, {"https://[::1]/[a]", "https://[::1]/%5Ba%5D"},
		{"mailto:a@e.org%0a", "mailto:a@e.org%0a"}, {"http;//e.org", "http://e.org"}, {"<>", ""}, {"https://é.org", "https://é.org"},
	} {
		golden.Equal(t, c.In, displayURL(c.In), c.Out)
	}
}

func FuzzMediaTags(f *testing.F) {
	for _, c := range golden.Load[pair](f, "description.json", 362) {
		if strings.Contains(c.In, "<i") {
			f.Add(c.In)
		}
	}
	env := testSite()
	env.Attachments = map[int64]*ContentAttachment{459: testImage(f)}
	f.Fuzz(func(t *testing.T, s string) {
		r := contentRun{env: env}
		once := r.mediaTags(s)
		r = contentRun{env: env}
		if again := r.mediaTags(s); again != once {
			t.Errorf("%q is rendered in two ways", s)
		}
		displayURL(s)
	})
}

// TestMediaShortcodesAreBounded checks that a text renders at most 100 media shortcodes, since one of 19 bytes becomes
// 300 bytes of HTML. Further ones render nothing; the rest of the text is rendered.
func TestMediaShortcodesAreBounded(t *testing.T) {
	one := `[video src="x.mp4"][audio src="x.mp3"]`
	html := (&Env{}).Content(strings.Repeat(one, 2000)+"end", 0)
	if n := strings.Count(html, "<video ") + strings.Count(html, "<audio "); n != maxMedia {
		t.Errorf("%d players", n)
	}
	if !strings.Contains(html, "end") || strings.Contains(html, "[video") {
		t.Errorf("%.200s", html)
	}
	if n := len(html); n > 100_000 {
		t.Errorf("%d bytes", n)
	}
}
