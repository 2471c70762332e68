package phpval

import (
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/golden"
)

func TestStored(t *testing.T) {
	for in, want := range map[string]string{
		"": "", "text": "text", " i:5; ": "5", "b:1;": "1", "N;": "", "i:1.5;": "", "i: 5;": "i: 5;", "d:INF;": "d:INF;",
		`a:0:{}`: "Array", `a:1:{i:0;i:1;}x`: `a:1:{i:0;i:1;}x`, `s:1:"a"`: `s:1:"a"`, `s:2:"a";`: "", `s:1:"a";`: "a",
		`a:1:{i:0;R:1;}`: "", `a:1:{i:0;R:9;}`: "", `E:3:"X:Y";`: "", "O:": "O:", `O:1:"`: `O:1:"`, `O:9:"x":0:{}`: "",
	} {
		golden.Equal(t, in, Text(Stored(in)), want)
	}
}

// TestStoredIsBounded checks that references to references are limited, since they could make a value larger than any
// memory when it is written.
func TestStoredIsBounded(t *testing.T) {
	var b strings.Builder
	b.WriteString(`a:40:{i:0;a:2:{i:0;i:1;i:1;i:1;}`)
	slot := 2
	for i := 1; i < 40; i++ {
		b.WriteString("i:" + Text(i) + ";a:2:{i:0;R:" + Text(slot) + ";i:1;R:" + Text(slot) + ";}")
		slot++
		if i == 1 {
			slot += 2
		}
	}
	b.WriteString("}")
	if v := Stored(b.String()); v != false {
		t.Errorf("%T", v)
	}
}

func FuzzStored(f *testing.F) {
	golden.Seed(f, `a:2:{i:0;a:1:{i:0;i:1;}i:1;R:2;}`, `O:8:"stdClass":1:{s:1:"a";i:1;}`, `s:3:"x";`, "i:5;")
	f.Fuzz(func(_ *testing.T, s string) { Text(Stored(s)) })
}

func TestWithoutID(t *testing.T) {
	golden.Each(t, "without-id.txt", func(value, wantRest string, wantFound bool) {
		if rest, found := WithoutID(value, 7); found != wantFound || found && rest != wantRest {
			t.Errorf("%s: %q %v", value, rest, found)
		}
	})
}

// TestTextsThatLookSerialized checks that PHP unserializes every stored text to that text and nothing else.
func TestTextsThatLookSerialized(t *testing.T) {
	golden.Each(t, "texts.txt", func(text, want string) {
		got := StoredText(text)
		golden.Equal(t, text, got, want)
		golden.Equal(t, text, TextOf(got), text)
	})
	for _, stored := range []string{"a:0:{}", "i:1;", `O:8:"stdClass":0:{}`, `s:9:"short";`, "s:x", `s:1:"a";s:1:"b";`} {
		golden.Equal(t, stored, TextOf(stored), stored)
	}
}
