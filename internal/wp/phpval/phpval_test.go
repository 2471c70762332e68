package phpval

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"reflect"
	"runtime"
	"strconv"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
)

type vector struct {
	Group string
	Typed []json.RawMessage
	Out   string
}

func vectors(t testing.TB) []vector {
	t.Helper()
	raw := must.Get(os.ReadFile("testdata/phpserialize.json"))(t)
	var list []vector
	must.Succeed(t, json.Unmarshal(raw, &list))
	if len(list) != 44 {
		t.Fatalf("%d vectors, want 44", len(list))
	}
	return list
}

// build returns the value of a typed description: ["int","7"], ["array",[[key type, key, value], …]].
func build(t testing.TB, d []json.RawMessage) Value {
	t.Helper()
	get := func(i int, into any) {
		must.Succeed(t, json.Unmarshal(d[i], into))
	}
	var kind string
	get(0, &kind)
	switch kind {
	case "null":
		return nil
	case "bool":
		var b bool
		get(1, &b)
		return b
	case "array":
		var list [][]json.RawMessage
		get(1, &list)
		a := &Array{}
		for _, e := range list {
			var v []json.RawMessage
			must.Succeed(t, json.Unmarshal(e[2], &v))
			a.Set(buildKey(t, e), build(t, v))
		}
		return a
	}
	var s string
	get(1, &s)
	switch kind {
	case "int":
		return must.Get(strconv.ParseInt(s, 10, 64))(t)
	case "float":
		return must.Get(strconv.ParseFloat(s, 64))(t)
	}
	return s
}

func buildKey(t testing.TB, e []json.RawMessage) Key {
	t.Helper()
	if string(e[0]) == `"int"` {
		n := must.Get(strconv.ParseInt(string(e[1]), 10, 64))(t)
		return IntKey(n)
	}
	var s string
	must.Succeed(t, json.Unmarshal(e[1], &s))
	return StrKey(s)
}

// equal compares values deeply, including order and types.
func equal(a, b Value) bool {
	x, ok := a.(*Array)
	if !ok {
		return reflect.DeepEqual(a, b)
	}
	y, ok := b.(*Array)
	if !ok || x.Len() != y.Len() {
		return false
	}
	var keys []Key
	var values []Value
	for k, v := range y.All() {
		keys, values = append(keys, k), append(values, v)
	}
	i := 0
	for k, v := range x.All() {
		if k != keys[i] || !equal(v, values[i]) {
			return false
		}
		i++
	}
	return true
}

func TestVectors(t *testing.T) {
	for _, v := range vectors(t) {
		want := build(t, v.Typed)
		golden.Equal(t, v.Group, Serialize(want), v.Out)
		got, err := Unserialize(v.Out)
		if err != nil {
			t.Errorf("%s: %v", v.Group, err)
		} else if !equal(got, want) {
			t.Errorf("%s: Unserialize(%s) = %#v", v.Group, v.Out, got)
		}
	}
}

func TestUnserializeRefuses(t *testing.T) {
	deep := strings.Repeat("a:1:{i:0;", 300) + "N;" + strings.Repeat("}", 300)
	for _, s := range []string{
		"", "N", "N;N;", "N; ", " N;", "n;", "b:2;", "b:;", "b:true;", "i:;", "i:1", "i:1.5;", "i:0x1;", "i: 1;",
		"i:9223372036854775808;", "d:;", "d:x;", "d: 1;", "d:1 ;", "d:0x1p1;", "d:1e;", "d:inf;",
		"s:1:\"a\"", "s:2:\"a\";", "s:0:\"a\";", "s:-1:\"a\";", "s:+1:\"a\";", "s:1:a;", "s:99999999999:\"a\";", "s:2147483647:\"a\";",
		"a:1:{}", "a:0:{i:0;N;}", "a:1:{i:0;N;", "a:1:{N;N;}", "a:1:{d:1;N;}", "a:1:{b:1;N;}", "a:0:{};", "a:-1:{}", "a:100000000:{}",
		`O:8:"stdClass":0:{}`, `a:1:{i:0;O:8:"stdClass":0:{}}`, `C:1:"A":0:{}`, `E:3:"A:B";`, `a:2:{i:0;N;i:1;R:2;}`,
		`a:2:{i:0;N;i:1;r:2;}`,
		`S:1:"a";`, deep,
	} {
		if v, err := Unserialize(s); err == nil {
			t.Errorf("Unserialize(%.60q) = %#v, want an error", s, v)
		}
	}
	fits := strings.Repeat("a:1:{i:0;", 250) + "N;" + strings.Repeat("}", 250)
	if v, err := Unserialize(fits); err != nil || Serialize(v) != fits {
		t.Errorf("250 levels: %v", err)
	}
}

func TestUnserializeLenient(t *testing.T) {
	golden.Each(t, "lenient.txt", func(in, out string) {
		v, err := Unserialize(in)
		if err != nil || Serialize(v) != out {
			t.Errorf("%s: %s, %v, want %s", in, Serialize(v), err, out)
		}
	})
}

func TestFloats(t *testing.T) {
	for f, want := range map[float64][2]string{
		0:                      {"0", "0"},
		math.Nextafter(0.3, 1): {"0.30000000000000004", "0.3"},
		1.0 / 3:                {"0.3333333333333333", "0.33333333333333"},
		0.0001:                 {"0.0001", "0.0001"},
		0.00001:                {"1.0E-5", "1.0E-5"},
		-1.25e-7:               {"-1.25E-7", "-1.25E-7"},
		100000:                 {"100000", "100000"},
		1e14:                   {"100000000000000", "1.0E+14"},
		123456789012345:        {"123456789012345", "1.2345678901234E+14"},
		1e25:                   {"1.0E+25", "1.0E+25"},
		1.7976931348623157e308: {"1.7976931348623157E+308", "1.7976931348623E+308"},
		math.Inf(1):            {"INF", "INF"},
		math.Inf(-1):           {"-INF", "-INF"},
	} {
		if got := Serialize(f); got != "d:"+want[0]+";" {
			t.Errorf("Serialize(%v) = %s, want %s", f, got, want[0])
		}
		golden.Equal(t, f, Text(f), want[1])
	}
	if got := Serialize(0.0) + Serialize(math.Copysign(0, -1)) + Serialize(math.NaN()); got != "d:0;d:-0;d:NAN;" {
		t.Error(got)
	}
	for _, s := range []string{"d:-0;", "d:NAN;", "d:-INF;", "d:INF;"} {
		if v, err := Unserialize(s); err != nil || Serialize(v) != s {
			t.Errorf("%s: %s, %v", s, Serialize(v), err)
		}
	}
}

func TestConversions(t *testing.T) {
	full := List("a")
	for _, c := range []struct {
		v     Value
		truth bool
		text  string
		n     int64
	}{
		{nil, false, "", 0}, {true, true, "1", 1}, {false, false, "", 0},
		{int64(0), false, "0", 0}, {int64(-7), true, "-7", -7}, {7, true, "7", 7},
		{0.0, false, "0", 0}, {1.9, true, "1.9", 1}, {-1.9, true, "-1.9", -1}, {1e30, true, "1.0E+30", math.MaxInt64},
		{"", false, "", 0}, {"0", false, "0", 0}, {"0.0", true, "0.0", 0}, {" ", true, " ", 0}, {"false", true, "false", 0},
		{"10abc", true, "10abc", 10}, {" 459 ", true, " 459 ", 459}, {"-1", true, "-1", -1}, {"abc", true, "abc", 0},
		{"1e3", true, "1e3", 1000}, {"1.9e1x", true, "1.9e1x", 19}, {"1e", true, "1e", 1}, {".5", true, ".5", 0}, {".", true, ".", 0},
		{"0x1A", true, "0x1A", 0}, {"+5", true, "+5", 5}, {"- 5", true, "- 5", 0}, {"1_000", true, "1_000", 1},
		{"99999999999999999999", true, "99999999999999999999", math.MaxInt64},
		{"-99999999999999999999", true, "-99999999999999999999", math.MinInt64},
		{"1e999", true, "1e999", math.MaxInt64}, {"-1e999", true, "-1e999", math.MinInt64}, {"INF", true, "INF", 0},
		{&Array{}, false, "Array", 0}, {full, true, "Array", 1}, {(*Array)(nil), false, "Array", 0}, {struct{}{}, false, "", 0},
	} {
		if Truthy(c.v) != c.truth || Text(c.v) != c.text || Int(c.v) != c.n {
			t.Errorf("%#v: %v %q %d, want %v %q %d", c.v, Truthy(c.v), Text(c.v), Int(c.v), c.truth, c.text, c.n)
		}
	}
	if Int(math.NaN()) != 0 {
		t.Error("NaN")
	}
}

func TestLower(t *testing.T) {
	for in, want := range map[string]string{"ABCxyzZ": "abcxyzz", "ÉTÉ Ärger": "ÉtÉ Ärger", "": "", "[@": "[@"} {
		golden.Equal(t, in, Lower(in), want)
	}
}

func TestArray(t *testing.T) {
	var none *Array
	if none.Len() != 0 || !IsList(none) {
		t.Error("nil array")
	}
	if _, ok := none.Get("a"); ok {
		t.Error("nil array has an element")
	}
	a := &Array{}
	for i := range 100 {
		a.Set(StrKey("k"+strconv.Itoa(i)), int64(i))
	}
	a.Set(StrKey("k50"), "new")
	for i := range 100 {
		if i%3 != 0 {
			a.Delete(StrKey("k" + strconv.Itoa(i)))
		}
	}
	a.Delete(StrKey("absent"))
	a.Set(StrKey("5"), "five")
	if v, ok := a.GetKey(IntKey(5)); !ok || v != "five" {
		t.Error("a canonical number is an integer key")
	}
	if _, ok := a.Get("05"); ok {
		t.Error("05 is not 5")
	}
	if _, ok := a.Get("k50"); ok || a.Len() != 35 {
		t.Errorf("%d elements left", a.Len())
	}
	want := int64(0)
	for k, v := range a.All() {
		if k.String() == "5" {
			continue
		}
		if v != want || k.String() != "k"+strconv.FormatInt(want, 10) {
			t.Fatalf("%s = %v, want %d", k, v, want)
		}
		if got, ok := a.GetKey(k); !ok || got != v {
			t.Fatalf("GetKey(%s) = %v", k, got)
		}
		want += 3
	}
	for k := range a.All() {
		if k.String() == "k3" {
			break
		}
	}
	seen := 0
	for k := range a.All() {
		if seen++; k.String() != "k30" {
			a.Delete(k)
		}
	}
	if _, ok := a.Get("k30"); !ok || seen != 35 || a.Len() != 1 {
		t.Errorf("%d of %d elements are left", a.Len(), seen)
	}
}

func TestKeys(t *testing.T) {
	for s, isInt := range map[string]bool{
		"0": true, "5": true, "-1": true, "9223372036854775807": true, "-9223372036854775808": true,
		"": false, "05": false, "-0": false, "+1": false, " 1": false, "1.0": false, "9223372036854775808": false, "-": false, "a": false,
	} {
		k := StrKey(s)
		if _, ok := k.Int(); ok != isInt || k.String() != s {
			t.Errorf("StrKey(%q) = %v, integer %v", s, k, ok)
		}
	}
}

func TestIsList(t *testing.T) {
	gap := List("a", "b", "c")
	gap.Delete(IntKey(1))
	named := List("a")
	named.Set(StrKey("x"), nil)
	if !IsList(List("a", "b")) || !IsList(&Array{}) || IsList(gap) || IsList(named) {
		t.Error("IsList")
	}
	gap.Delete(IntKey(2))
	if !IsList(gap) {
		t.Error("what is left after the gap is a list again")
	}
}

// announcing returns nested arrays, each with a count of as many elements as the rest of the text could contain.
func announcing(depth, padding int) string {
	var b strings.Builder
	for range depth {
		fmt.Fprintf(&b, "a:%d:{i:0;", padding/6)
	}
	return b.String() + strings.Repeat("x", padding)
}

// reserved returns how many bytes parsing a text allocates.
func reserved(s string) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	_, _ = Unserialize(s)
	runtime.ReadMemStats(&after)
	return after.TotalAlloc - before.TotalAlloc
}

// TestB7ReservesNoMoreThanTheTextHolds checks that memory is allocated for no more elements than the text can contain,
// in all arrays together, whatever their counts are.
func TestB7ReservesNoMoreThanTheTextHolds(t *testing.T) {
	const perElement = 128 // an entry, and an array in it
	for name, s := range map[string]string{
		"one array": "a:99999999:{", "one that the length allows": announcing(1, 6000), "nested": announcing(200, 600_000),
		"deep":            announcing(300, 60_000),
		"nested and true": "a:1:{i:0;a:100000:{" + strings.Repeat("i:0;a:1:{i:0;N;}", 50_000),
	} {
		if got, most := reserved(s), uint64(len(s)/minElement*perElement+64<<10); got > most {
			t.Errorf("%s: %d bytes for a text of %d", name, got, len(s))
		}
	}
	var many strings.Builder
	for i := range 100_000 {
		fmt.Fprintf(&many, "i:%d;N;", i)
	}
	if v, err := Unserialize("a:100000:{" + many.String() + "}"); err != nil || v.(*Array).Len() != 100_000 {
		t.Errorf("a large array: %v", err)
	}
}

func FuzzUnserialize(f *testing.F) {
	f.Add(announcing(3, 90))
	for _, v := range vectors(f) {
		f.Add(v.Out)
	}
	f.Add(`a:2:{s:1:"5";d:-0;i:-1;a:0:{}}`)
	f.Add(`a:1:{i:0;O:8:"stdClass":0:{}}`)
	f.Fuzz(func(t *testing.T, s string) {
		if got := reserved(s); got > uint64(200*len(s)+1<<20) {
			t.Errorf("%d bytes for a text of %d", got, len(s))
		}
		v, err := Unserialize(s)
		if err != nil {
			return
		}
		Truthy(v)
		Text(v)
		Int(v)
		once := Serialize(v)
		again, err := Unserialize(once)
		if err != nil {
			t.Fatalf("%q was written as %q, which cannot be read", s, once)
		}
		if twice := Serialize(again); twice != once {
			t.Fatalf("%q\n%q", once, twice)
		}
	})
}

func FuzzNumber(f *testing.F) {
	golden.Seed(f, "1", " -1.5e3x", ".5.", "1e+", "..", "-", "+.e1")
	f.Fuzz(func(t *testing.T, s string) {
		num, rest := Number(s)
		if num != "" && !strings.HasSuffix(s, num+rest) {
			t.Fatalf("%q: %q + %q", s, num, rest)
		}
		if _, err := strconv.ParseFloat(num, 64); num != "" && err != nil && !strings.Contains(err.Error(), "range") {
			t.Fatal(err)
		}
		if got, ok := Unserialize(Serialize(s)); ok != nil || got != s {
			t.Fatalf("%q: %v", s, got)
		}
	})
}

func options(size int) string {
	a := &Array{}
	for i := 0; len(a.entries)*40 < size; i++ {
		a.Set(StrKey("option_"+strconv.Itoa(i)), List(int64(i), "value", true))
	}
	return Serialize(a)
}

func BenchmarkUnserialize(b *testing.B) {
	for name, size := range map[string]int{"100kB": 100_000, "1MB": 1_000_000} {
		s := options(size)
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(s)))
			b.ReportAllocs()
			for b.Loop() {
				must.Get(Unserialize(s))(b)
			}
		})
	}
}

func BenchmarkSerialize(b *testing.B) {
	for name, size := range map[string]int{"100kB": 100_000, "1MB": 1_000_000} {
		v := must.Get(Unserialize(options(size)))(b)
		b.Run(name, func(b *testing.B) {
			for b.Loop() {
				Serialize(v)
			}
		})
	}
}
