package render

import (
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/wp/phpval"
)

func TestEmbeds(t *testing.T) {
	const film = `https://youtube.com/watch?v=AAA`
	cached := map[string]string{
		embedKey(film, &phpval.Array{}, 500):           "FILM",
		embedKey("https://e.org/x", nil, 500):          "<b>\nX</b>",
		embedKey("https://e.org/none", nil, 500):       unknownEmbed,
		embedKey("https://e.org/x", attrsOf("h"), 500): "WITH",
	}
	e := embedder{find: func(key string) string { return cached[key] }}
	for _, c := range []pair{
		{"https://e.org/x", "<b>\nX</b>"},
		{"HTTPS://e.org/x", "HTTPS://e.org/x"},
		{"\t https://e.org/x\r\n\nhttps://e.org/x", "\t <b>\nX</b>\r\n\n<b>\nX</b>"},
		{"https://e.org/x y", "https://e.org/x y"},
		{"https://", "https://"},
		{"https://e.org/none", "https://e.org/none"},
		{"https://e.org/q?a=1&amp;b=2", "https://e.org/q?a=1&b=2"}, // a side effect
		{"<P>https://e.org/x</P>", "<P><b>\nX</b></P>"},
		{"<p id=a>\nhttps://e.org/x\n</p>", "<p id=a>\n<b>\nX</b>\n</p>"},
		{"<p\nid=a>https://e.org/x</p>", "<p\nid=a>https://e.org/x</p>"},
		{"<pre>https://e.org/x</pre>", "<pre>https://e.org/x</pre>"},
		{"<a title=\"\nhttps://e.org/x\n\">", "<a title=\"\nhttps://e.org/x\n\">"},
		{"<p \nhttps://e.org/x</p>", "<p \n<b>\nX</b></p>"}, // the tag is assumed to end with its line
		{"<!-- wp-line-break -->, https://e.org/x", "\n, https://e.org/x"},
		{"see https://e.org/x\n \fhttps://e.org/x", "see https://e.org/x\n \f<b>\nX</b>"},
		{"a https://e.org/x", "a https://e.org/x"},
		{"[embed h]https://e.org/x[/embed]", "WITH"},
		{"[embed]https://e.org/x", "<b>\nX</b>"}, // without an end tag it is not a shortcode
		{"<i title='[embed]https://e.org/x[/embed]'>", "<i title='[embed]https://e.org/x[/embed]'>"},
		{"[[embed]https://e.org/x[/embed]]", "[embed]https://e.org/x[/embed]"},
		{"[embed]https://e.org/?a&b[/embed]", `<a href="https://e.org/?a&#038;b">https://e.org/?a&amp;b</a>`},
		{"[embed]javascript:x[/embed]", `<a href="">javascript:x</a>`},
		{"https://www.youtube.com/embed/AAA", "FILM"},
		{"https://www.youtube.com/embed/BBB", "https://youtube.com/watch?v=BBB"},
		{"https://e.org/a.MP4", `[video  src="https://e.org/a.MP4" /]`},
		{"[embed width=3 height=2]https://e.org/a.webm[/embed]", `[video width="3" height="2"  src="https://e.org/a.webm" /]`},
		{"https://.mp3", "https://.mp3"},
		{"https://e.org/a.mp3#x", "https://e.org/a.mp3#x"},
	} {
		if got := e.embeds(c.In); got != c.Out {
			t.Errorf("%q\n got %q\nwant %q", c.In, got, c.Out)
		}
	}
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
	for _, s := range []string{"https://e.org/x", "<p>https://e.org/x</p>", "[embed a=b]https://e.org/x[/embed]",
		"a\nhttps://youtube.com/v/x\n<b\n>", "<p \nhttps://e.org/x</p>", "<a href=\"https://e.org/x\">x</a>"} {
		f.Add(s)
	}
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
