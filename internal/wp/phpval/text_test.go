package phpval

import "testing"

// TestTextsThatLookSerialized checks that PHP unserializes every stored text to that text and nothing else.
func TestTextsThatLookSerialized(t *testing.T) {
	for text, want := range map[string]string{
		"": "", "plain": "plain", "10:30": "10:30", "a:b": "a:b", "s: x;": "s: x;", "a:1": "a:1", "N": "N",
		"C:3:\"Foo\":0:{}": "C:3:\"Foo\":0:{}",
		"i:;":              "i:;", "O::{}": "O::{}", "é:1;": "é:1;",
		"N;":                      `s:2:"N;";`,
		" N;\n":                   "s:4:\" N;\n\";",
		"a:0:{}":                  `s:6:"a:0:{}";`,
		`O:8:"stdClass":0:{}`:     `s:19:"O:8:"stdClass":0:{}";`,
		"\tO:8:\"x\":0:{} ":       "s:14:\"\tO:8:\"x\":0:{} \";",
		`E:7:"Foo:Bar";`:          `s:14:"E:7:"Foo:Bar";";`,
		"b:1;":                    `s:4:"b:1;";`,
		"i:5; and more":           `s:13:"i:5; and more";`,
		"d:1.5E+3;":               `s:9:"d:1.5E+3;";`,
		`s:3:"abc";`:              `s:10:"s:3:"abc";";`,
		`s:19:"O:8:"x":0:{}";";`:  `s:22:"s:19:"O:8:"x":0:{}";";";`,
		"a:1:{s:1:\"é\";i:1;}":    "s:19:\"a:1:{s:1:\"é\";i:1;}\";",
		`a:9:anything }`:          `s:14:"a:9:anything }";`,
		`O:1:"a";`:                `s:8:"O:1:"a";";`,
		`s:1:"a" without an end}`: `s:23:"s:1:"a" without an end}";`,
	} {
		got := StoredText(text)
		if got != want {
			t.Errorf("StoredText(%q) = %q, want %q", text, got, want)
		}
		if back := TextOf(got); back != text {
			t.Errorf("%q comes back as %q", text, back)
		}
	}
	for _, stored := range []string{"a:0:{}", "i:1;", `O:8:"stdClass":0:{}`, `s:9:"short";`, "s:x", `s:1:"a";s:1:"b";`} {
		if got := TextOf(stored); got != stored {
			t.Errorf("TextOf(%q) = %q", stored, got)
		}
	}
}
