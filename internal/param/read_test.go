package param

import (
	"context"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/jsonschema"
	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
)

// declared returns parameters of every sort.
func declared() []*Param {
	refuse := func(word string) func(context.Context, any) (any, error) {
		return func(_ context.Context, v any) (any, error) {
			if s, _ := Scalar(v); s == word {
				return nil, Invalid("fault_word", "Word", s)
			}
			return v, nil
		}
	}
	stored := func(_ context.Context, ids []int64) (string, error) {
		switch ids[0] {
		case 404:
			return "", Invalid("fault_unknown")
		case 500:
			return "", errBroken
		}
		return "number " + itoa(ids[0]), nil
	}
	return []*Param{
		Key[int64]("id").Param(jsonschema.Int(), nil, Required()),
		Key[int64]("page").Param(jsonschema.Int(), Checked(Positive), Default(int64(1))),
		Key[string]("stored").Param(jsonschema.List(jsonschema.Int()), LookedUp(IDs, stored)),
		Key[any]("word").Param(jsonschema.Text(), Checked(refuse("bad"))),
		Key[bool]("flag").Param(jsonschema.Bool(), nil, Default("1")),
		Key[int64]("number").Param(jsonschema.Int(), nil),
		Key[any]("any").Param(jsonschema.Any(), nil),
		Key[[]int64]("ids").Param(jsonschema.List(jsonschema.Int()), Checked(IDs)),
		Key[any]("computed").Param(jsonschema.Any(), nil, DefaultFunc(func(ctx context.Context) any { return ctx.Value(key{}) })),
		Key[any]("broken").Param(jsonschema.Any(), Checked(func(context.Context, any) (any, error) { return nil, errBroken })),
	}
}

type key struct{}

var errBroken = errors.New("the database is away")

func object(t *testing.T, body string) *Map {
	t.Helper()
	m, _, err := ParseJSON([]byte(body))
	must.Succeed(t, err)
	return m
}

func form(t *testing.T, s string) *Map {
	t.Helper()
	return must.Get(ParseForm(s))(t)
}

// sources returns the sources of a request to a path with the id 7.
func sources(t *testing.T, body, formText, query string) Sources {
	path := NewMap()
	path.Set("id", "7")
	return Sources{JSON: object(t, body), Form: form(t, formText), Query: form(t, query), Path: path}
}

func TestReadValues(t *testing.T) {
	for _, c := range []struct {
		about, json, form, query string
		want                     map[string]any
		given                    string
	}{
		{"nothing but the path", "", "", "", map[string]any{
			"id": int64(7), "page": int64(1), "flag": true, "word": nil, "number": nil, "any": nil, "ids": nil, "computed": "later"}, "id"},
		{"JSON before form before query", `{"any":1}`, "any=2&number=3", "any=4&number=5&word=six",
			map[string]any{"any": int64(1), "number": int64(3), "word": "six"}, "any id number word"},
		{"D1 the path decides", `{"id":8}`, "id=9", "id=10", map[string]any{"id": int64(7)}, "id"},
		{"D1 and types in other places do not matter", `{"id":null}`, "id[]=9", "id=x", map[string]any{"id": int64(7)}, "id"},
		{"null of an untyped one is not sent", `{"any":null,"ids":null}`, "", "any=q", map[string]any{"any": "q", "ids": nil}, "any id"},
		{"an empty text is sent", "", "", "any=&computed=", map[string]any{"any": "", "computed": ""}, "any computed id"},
		{"types", `{"flag":false,"number":"1e1"}`, "", "", map[string]any{"flag": false, "number": int64(10)}, "flag id number"},
		{"lists", "", "", "ids[]=3&ids[]=4&any[x]=1", map[string]any{"ids": []int64{3, 4}}, "any id ids"},
		{"looked up", "", "", "stored=3", map[string]any{"stored": "number 3"}, "id stored"},
		{"unknown names are passed over", `{"nope":[[]]}`, "", "nope[]=1&x=2", map[string]any{"page": int64(1)}, "id"},
	} {
		ctx := context.WithValue(t.Context(), key{}, "later")
		v, err := Read(ctx, declared(), sources(t, c.json, c.form, c.query))
		if err != nil {
			t.Errorf("%s: %v", c.about, show(err))
			continue
		}
		for name, want := range c.want {
			if got := v.valueOf(name).parsed; !reflect.DeepEqual(got, want) {
				t.Errorf("%s: %s is %#v, want %#v", c.about, name, got, want)
			}
		}
		var given []string
		for _, name := range []string{"any", "computed", "flag", "id", "ids", "nope", "number", "page", "stored", "word"} {
			if v.Given(name) {
				given = append(given, name)
			}
		}
		golden.Equal(t, c.about, strings.Join(given, " "), c.given)
	}
}

// show formats a Failure: the missing names, or the invalid parameters with their message ids. A star marks those of
// the wrong type.
func show(err error) string {
	var f *Failure
	if !errors.As(err, &f) {
		return err.Error()
	}
	parts := []string{}
	for _, name := range f.Missing {
		parts = append(parts, "missing "+name)
	}
	for _, fault := range f.Faults {
		text := fault.Param + " " + fault.Message.ID
		if fault.Code == TypeFault {
			text += "*"
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, ", ")
}

func TestReadRefuses(t *testing.T) {
	golden.Each(t, "refused.txt", func(about, json, form, query, want string) {
		_, err := Read(t.Context(), declared(), sources(t, json, form, query))
		if err == nil || show(err) != want {
			t.Errorf("%s: %v, want %s", about, err, want)
		}
	})
}

func TestReadMissing(t *testing.T) {
	params := []*Param{
		Key[string]("title").Param(jsonschema.Text(), nil, Required()), Key[any]("start").Param(jsonschema.Any(), nil, Required()),
		Key[any]("preset").Param(jsonschema.Any(), nil, Required(), Default("x")),
		Key[int64]("page").Param(jsonschema.Int(), Checked(Positive)),
	}
	for _, c := range []struct{ json, query, want string }{
		{`{}`, "page=0", "missing title, missing start"},
		{`{"title":null}`, "start=1&page=x", "missing title"},
		{`{"title":null}`, "start=1&title=t", "title fault_type*"},
		{`{"title":""}`, "start=", ""},
	} {
		_, err := Read(t.Context(), params, Sources{JSON: object(t, c.json), Query: form(t, c.query)})
		if err == nil && c.want != "" || err != nil && show(err) != c.want {
			t.Errorf("%s ?%s: %v, want %q", c.json, c.query, err, c.want)
		}
	}
}

func TestReadNamesTheFault(t *testing.T) {
	_, err := Read(t.Context(), declared(), sources(t, "", "", "number=x"))
	var f *Failure
	if !errors.As(err, &f) || len(f.Faults) != 1 {
		t.Fatal(err)
	}
	if data := f.Faults[0].Message.Data; data["Name"] != "number" || data["Type"] != jsonschema.TypeInt {
		t.Errorf("%v", data)
	}
	shared := &Fault{Message: Message{ID: "shared"}}
	same := func(context.Context, any) (any, error) { return nil, shared }
	params := []*Param{Key[any]("a").Param(jsonschema.Any(), Checked(same)), Key[any]("b").Param(jsonschema.Any(), Checked(same))}
	_, err = Read(t.Context(), params, Sources{Query: form(t, "a=1&b=1")})
	if got := show(err); got != "a shared, b shared" || shared.Param != "" {
		t.Errorf("%s, %q", got, shared.Param)
	}
}

func TestValues(t *testing.T) {
	v := must.Get(Read(t.Context(), declared(), sources(t, "", "", "any=+007+&ids=1")))(t)
	word, ids := Key[string]("word"), Key[string]("ids")
	if Key[int64]("any").Raw(v) != " 007 " || ids.Raw(v) != "1" || word.Raw(v) != "" || Key[any]("nope").Raw(v) != "" {
		t.Error("the raw texts are not those of the request")
	}
	if Key[int64]("id").Value(v) != 7 || Key[string]("id").Value(v) != "" || Key[bool]("nope").Value(v) {
		t.Error("values of another type are not zero")
	}
	if given := Key[[]int64]("ids").Given(v); given == nil || (*given)[0] != 1 || word.Given(v) != nil || word.IsGiven(v) ||
		!ids.IsGiven(v) {
		t.Errorf("given: %v", given)
	}
	if p := Key[int64]("page"); p.Given(v) != nil || p.Value(v) != 1 { // a default does not count as given
		t.Errorf("page: %v", p.Given(v))
	}
}

// FuzzRead checks that the strings of all accepted values are clean, and that reading a request twice has the same
// result.
func FuzzRead(f *testing.F) {
	f.Add(`{"any":["x"],"flag":true}`, "number=1", "ids[]=1&word=w")
	f.Add(`{"a":{"b":"\u0000"}}`, "a[%ff]=1", "page=%00&flag=2")
	f.Add(``, "id=1&any[][][x]=1", "page=1e400&number=-0.0&computed=%zz")
	f.Fuzz(func(t *testing.T, body, formText, query string) {
		m, _, errJSON := ParseJSON([]byte(body))
		formed, errForm := ParseForm(formText)
		asked, errQuery := ParseForm(query)
		if errJSON != nil || errForm != nil || errQuery != nil {
			return
		}
		s := Sources{JSON: m, Form: formed, Query: asked}
		params := declared()[1:9]
		v, err := Read(t.Context(), params, s)
		if err != nil {
			var failure *Failure
			if !errors.As(err, &failure) || len(failure.Missing)+len(failure.Faults) == 0 {
				t.Fatalf("%q %q %q: %v", body, formText, query, err)
			}
			for _, fault := range failure.Faults {
				if !CleanText(fault.Param) {
					t.Errorf("fault of %q", fault.Param)
				}
			}
			if _, again := Read(t.Context(), params, s); show(again) != show(err) {
				t.Errorf("%s, then %s", show(err), show(again))
			}
			return
		}
		for _, p := range params {
			if !cleanValue(v.valueOf(p.Name).parsed, CleanText) || !CleanText(Key[any](p.Name).Raw(v)) {
				t.Errorf("%s holds %q", p.Name, Key[any](p.Name).Raw(v))
			}
		}
		if page := Key[int64]("page").Value(v); page < 1 {
			t.Errorf("page %d of %q", page, query)
		}
	})
}
