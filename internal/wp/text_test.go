package wp

import (
	"math"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/wp/phpval"
)

func TestEscapeHTML(t *testing.T) {
	golden.Each(t, "escape-html.txt", func(in, want string) {
		got := EscapeHTML(in)
		golden.Equal(t, in, got, want)
		golden.Equal(t, got, EscapeHTML(got), got)
	})
}

func TestSwitches(t *testing.T) {
	for s, want := range map[string]bool{
		"1": true, "enable": true, "ENABLED": true, "On": true, "y": true, "Yes": true, "true": true,
		"": false, "0": false, "2": false, " 1": false, "yes ": false, "no": false, "false": false, "yeſ": false, "enableds": false,
		"t": false,
	} {
		if Truthy(s) != want {
			t.Errorf("Truthy(%q) = %v", s, !want)
		}
	}
	for s, want := range map[string]bool{"": false, "0": false, "00": true, "0.0": true, " ": true, "false": true, "no": true} {
		if phpval.Truthy(s) != want {
			t.Errorf("phpval.Truthy(%q) = %v", s, !want)
		}
	}
	for s, want := range map[string]int64{"": 0, " 459 ": 459, "-1": -1, "abc": 0, "10abc": 10, "99999999999999999999": math.MaxInt64} {
		golden.Equal(t, s, phpval.Int(s), want)
	}
}

func TestNumeric(t *testing.T) {
	inf := math.Inf(1)
	check := func(in string, wantFloat float64, wantIntegral bool, wantInt int64) {
		f, integral, ok := Numeric(in)
		n, whole := Integer(in)
		if !ok || f != wantFloat || integral != wantIntegral || whole != wantIntegral || n != wantInt {
			t.Errorf("%q: %v %v %v, %d %v", in, f, integral, ok, n, whole)
		}
	}
	golden.Each(t, "numeric.txt", check)
	check("9223372036854775807", 9223372036854775807, true, math.MaxInt64)
	check("-9223372036854775808", math.MinInt64, true, math.MinInt64)
	check("-9223372036854775808.0", math.MinInt64, true, math.MinInt64)
	check("1e999", inf, false, 0)
	check("-1e999", -inf, false, 0)
	for _, s := range []string{"", " ", ".", "-", "+", "e", "e5", "1e", "1e+", "1,5", "1 5", "0x2", "0b1", "1_0", "5a", "- 5", "--5",
		"INF", "NAN", "Infinity", "\x005", "5\x00", "5\u00a0", "٣", "1.2.3", "0x1p3"} {
		if f, _, ok := Numeric(s); ok {
			t.Errorf("Numeric(%q) = %v", s, f)
		}
		if n, ok := Integer(s); ok {
			t.Errorf("Integer(%q) = %v", s, n)
		}
	}
}

func TestEncode(t *testing.T) {
	for in, want := range map[string][2]string{
		"":             {"", ""},
		"aZ09-_.":      {"aZ09-_.", "aZ09-_."},
		"a b~c":        {"a+b%7Ec", "a%20b~c"},
		"é&=+/?#%":     {"%C3%A9%26%3D%2B%2F%3F%23%25", "%C3%A9%26%3D%2B%2F%3F%23%25"},
		"\x00\xff'\"<": {"%00%FF%27%22%3C", "%00%FF%27%22%3C"},
	} {
		golden.Equal(t, in, FormEncode(in), want[0])
		golden.Equal(t, in, rawURLEncode(in), want[1])
	}
	for in, want := range map[string]string{"a+b": "a b", "%e9%E9%2b": "\xe9\xe9+", "%": "%", "%4": "%4", "%zz%41": "%zzA", "%%41": "%A"} {
		golden.Equal(t, in, FormDecode(in), want)
	}
}

func TestIsEmail(t *testing.T) {
	for name, want := range map[string]bool{
		"a@b.cd": true, "o'hara+x@sub.example.org": true, "A@EXAMPLE.ORG": true, "x@xn--e1afmkfd.org": true, "a@1.23": true,
		"": false, "admin": false, "@b.cd": false, "a@b": false, "a@b.c": false, "a@b..cd": false, "a@.b.cd": false, "a@b.cd.": false,
		"a@-b.cd": false, "a@b-.cd": false,
		"a b@c.de": false, "a@b c.de": false, " a@b.cd": false, "a@b.cd ": false, "a@b.cd\n": false, "é@b.cd": false, "a@b@c.de": false,
		"a@b_c.de": false, "<a@b.cd>": false,
	} {
		golden.Equal(t, name, IsEmail(name), want)
	}
}

func FuzzEscapeHTML(f *testing.F) {
	golden.Seed(f, "a&b<c>'\"", "&#39;&#x27;&amp;&bogus;", "&#", "&#x", "&\xff;")
	f.Fuzz(func(t *testing.T, s string) {
		got := EscapeHTML(s)
		if strings.ContainsAny(got, `<>"'`) || EscapeHTML(got) != got {
			t.Fatalf("EscapeHTML(%q) = %q", s, got)
		}
	})
}

func FuzzNumeric(f *testing.F) {
	golden.Seed(f, "1", " -1.5e3 ", ".5.", "1e+", "9223372036854775807.0", "1e999")
	f.Fuzz(func(t *testing.T, s string) {
		v, integral, ok := Numeric(s)
		n, whole := Integer(s)
		if whole != integral || integral && !ok {
			t.Fatalf("%q: %v %v %v", s, ok, integral, whole)
		}
		if whole && (n != phpval.Int(s) || float64(n) != v) {
			t.Fatalf("%q: %d, leading %d, float %v", s, n, phpval.Int(s), v)
		}
		if Truthy(s) && !phpval.Truthy(s) {
			t.Fatalf("%q", s)
		}
	})
}

func BenchmarkEscapeHTML(b *testing.B) {
	for name, unit := range map[string]string{"mixed": `a & b <c d="e"> `, "ampersands": "&", "numeric": "&#0", "names": "&aaaaaaaa"} {
		b.Run(name, func(b *testing.B) { golden.Bench(b, unit, func(s string) { EscapeHTML(s) }) })
	}
}

func BenchmarkNumeric(b *testing.B) {
	golden.Bench(b, "9", func(s string) { Numeric(s); phpval.Int(s) })
}

func BenchmarkEncode(b *testing.B) {
	golden.Bench(b, "é a+", func(s string) { FormEncode(s); rawURLEncode(s); FormDecode(s) })
}

// TestD93EncodeEmoji checks what WordPress stores for emoji in columns with the character set utf8mb3 (D93).
func TestD93EncodeEmoji(t *testing.T) {
	v := golden.Read[struct{ Cases [][2]string }](t, "emoji-three-byte.json")
	for _, c := range v.Cases {
		if c[1] == "" { // WordPress stores nothing there
			if !FourBytes(EncodeEmoji(c[0])) {
				t.Errorf("%q fits", c[0])
			}
			continue
		}
		golden.Equal(t, c[0], EncodeEmoji(c[0]), c[1])
		golden.Equal(t, c[1], DecodeEmoji(c[1]), c[0])
	}
	if len(emoji()) != 1438 {
		t.Errorf("%d characters", len(emoji()))
	}
	if FourBytes("é€™") || !FourBytes("\U00020BB7") {
		t.Error("wrong lengths")
	}
}
