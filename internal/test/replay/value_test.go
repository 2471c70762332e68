package replay

import "testing"

func TestDecodeKeepsOrder(t *testing.T) {
	for _, s := range []string{
		`{"b":1,"a":{"d":[],"c":{}}}`,
		`[1,1.50,-0,1e3,"é<&>",null,true]`,
		`"x"`, `null`, `{"a":1,"b":2,"a":1}`,
	} {
		v, err := decode([]byte(s))
		if err != nil {
			t.Errorf("%s: %v", s, err)
			continue
		}
		if text := encode(v); text != s {
			t.Errorf("%s came back as %s", s, text)
		}
	}
}

func TestDecodeRefuses(t *testing.T) {
	for _, s := range []string{``, `{`, `{"a":1}}`, `{"a":1} {"b":2}`, `[1,]`, `01`, "\"\xff\"", `<html>`} {
		if v, err := decode([]byte(s)); err == nil {
			t.Errorf("%q was read as %s", s, show(v))
		}
	}
}

func TestParseAnswer(t *testing.T) {
	if v := parseAnswer(nil); v != nil {
		t.Errorf("an empty body is %s", show(v))
	}
	c := testComparer(t)
	if d := c.compare(mustDecode(t, `{"id":1}`), parseAnswer([]byte("<p>Oops</p>")), "json"); len(d) == 0 {
		t.Error("a page was taken for the recorded object")
	}
}

func TestPick(t *testing.T) {
	v := mustDecode(t, `{"venue":{"id":5},"organizer":[{"id":7}]}`)
	for where, want := range map[string]string{"venue.id": "5", "organizer.0.id": "7"} {
		if got, ok := pick(v, where); !ok || show(got) != want {
			t.Errorf("%s: %s, %t", where, show(got), ok)
		}
	}
	for _, where := range []string{"venue.x", "organizer.1.id", "organizer.x", "organizer.-1", "venue.id.x"} {
		if got, ok := pick(v, where); ok {
			t.Errorf("%s: found %s", where, show(got))
		}
	}
}
