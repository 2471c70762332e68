package phpjson

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/agendahq/agenda/internal/test/golden"
)

func TestByteForm(t *testing.T) {
	var w Writer
	w.Object()
	w.KeyString("url", "http://x/é\u2028😀\x00\b\f\n\r\t\"\\<&>'\x7f")
	w.KeyInt("n", -7)
	w.Key("f")
	w.Float(51.05)
	w.KeyBool("b", false)
	w.Key("z")
	w.Null()
	w.KeyObject("meta")
	w.End()
	w.KeyArray("list")
	w.Int(1)
	w.Object()
	w.KeyString("a", "")
	w.End()
	w.String("x,:{[")
	w.End()
	w.KeyString("bad", "a\xffb")
	w.End()
	want := `{"url":"http:\/\/x\/\u00e9\u2028\ud83d\ude00\u0000\b\f\n\r\t\"\\<&>'` + "\x7f" +
		`","n":-7,"f":51.05,"b":false,"z":null,"meta":[],"list":[1,{"a":""},"x,:{["],"bad":"a\ufffdb"}`
	if got := string(w.Bytes()); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

const sample = `{"id":9,"title":"a\/b","venue":{"id":1,"city":"Gent"},"organizer":[{"id":1,"x":2},{"id":2,"x":3}],"tags":[],` +
	`"_links":{"self":[]}}`

func TestSelect(t *testing.T) {
	golden.Each(t, "selected.txt", func(fields, want string) {
		golden.Equal(t, fields, string(Select([]byte(sample), strings.Split(fields, ","), nil)), want)
	})
	golden.Equal(t, "always kept", string(Select([]byte(sample), []string{"id"}, []string{"_links"})), `{"id":9,"_links":{"self":[]}}`)
}

func TestIndent(t *testing.T) {
	want := "{\n    \"a\": [],\n    \"b\": [\n        1,\n        {\n            \"c\": \"x:,{\"\n        }\n    ]\n}"
	golden.Equal(t, "indented", string(Indent([]byte(`{"a":[],"b":[1,{"c":"x:,{"}]}`), nil)), want)
}

func FuzzString(f *testing.F) {
	f.Add("a/\"\\é😀\xff\x00")
	f.Fuzz(func(t *testing.T, s string) {
		var w Writer
		w.Object()
		w.KeyString(s, s)
		w.End()
		var back map[string]string
		if err := json.Unmarshal(w.Bytes(), &back); err != nil {
			t.Fatalf("%q: %v", w.Bytes(), err)
		}
		if utf8.ValidString(s) && back[s] != s {
			t.Fatalf("%q came back as %q", s, back)
		}
		for _, b := range w.Bytes() {
			if b >= 0x80 {
				t.Fatalf("not ASCII: %q", w.Bytes())
			}
		}
		Select(w.Bytes(), []string{s, "a.b"}, nil)
		Indent(w.Bytes(), nil)
	})
}

// atMost is a limit in bytes, which is granted in steps.
type atMost int

func (max atMost) Room(n int) int { return min(n+10, int(max)) }

// TestWithin checks that a writer fills the limit exactly, and writes nothing after a value that does not fit.
func TestWithin(t *testing.T) {
	for _, text := range []string{
		"", "abc", strings.Repeat("/", 5000), strings.Repeat("é\x01\"😀\xff&", 3000), strings.Repeat("x", 100000),
	} {
		write := func(w *Writer) {
			w.Object()
			w.KeyString("text", text)
			w.Key("raw")
			w.RawString("[1,2,3]")
			w.KeyString("more", text)
			w.End()
		}
		var free Writer
		write(&free)
		var quoted Writer
		if quoted.String(text); quotedLen(text) != quoted.Len() {
			t.Errorf("%.10q: %d bytes, counted %d", text, quoted.Len(), quotedLen(text))
		}
		var w Writer
		w.Within(atMost(free.Len()))
		if write(&w); w.Full() || string(w.Bytes()) != string(free.Bytes()) {
			t.Errorf("%.10q: %d of %d bytes fit", text, w.Len(), free.Len())
		}
		w.Reset()
		w.Within(atMost(free.Len() - 2))
		if write(&w); text != "" && (!w.Full() || w.Len() > free.Len()+20) {
			t.Errorf("%.10q: %d bytes within %d", text, w.Len(), free.Len()-2)
		}
		if w.Reset(); w.Full() {
			t.Error("an empty writer is full")
		}
		if got, whole := Indent(free.Bytes(), atMost(free.Len()+100)), Indent(free.Bytes(), nil); string(got) != string(whole) {
			t.Errorf("%.10q: indented %d of %d bytes", text, len(got), len(whole))
		}
	}
	lists := []byte("[" + strings.Repeat("[[[[1]]]],", 10000) + "1]")
	if got := Indent(lists, atMost(len(lists)+50)); len(got) > len(lists)+50 {
		t.Errorf("%d bytes indented within %d", len(got), len(lists)+50)
	}
}
