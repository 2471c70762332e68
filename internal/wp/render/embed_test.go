package render

import (
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/golden"
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
	golden.Each(t, "embeds.txt", func(in, out string) {
		if got := e.embeds(in); got != out {
			t.Errorf("%q\n got %q\nwant %q", in, got, out)
		}
	})
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
