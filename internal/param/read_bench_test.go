package param

import (
	"context"
	"testing"

	"github.com/agendahq/agenda/internal/jsonschema"
)

// benchmarked are as many parameters as a list of events takes.
func benchmarked() []*Param {
	pass := func(_ context.Context, v any) (any, error) { return v, nil }
	page, ids := Checked(Positive), Checked(IDs)
	list := []*Param{
		Key[int64]("page").Param(jsonschema.Int(), page, Typed(), Default(int64(1))),
		Key[int64]("per_page").Param(jsonschema.Int(), page, Typed(), Default(int64(10))),
		Key[string]("search").Param(jsonschema.Text(), Checked(Search), Typed()),
		Key[bool]("featured").Param(jsonschema.Bool(), nil, Typed()), Key[bool]("geoloc").Param(jsonschema.Bool(), nil, Typed()),
		Key[any]("start_date").Param(jsonschema.Text(), Checked(pass),
			DefaultFunc(func(context.Context) any { return "2031-01-01 00:00:00" })),
	}
	for _, name := range []Key[[]int64]{"include", "venue", "organizer"} {
		list = append(list, name.Param(jsonschema.List(jsonschema.Int()), ids, Typed()))
	}
	for _, name := range []Key[any]{
		"end_date", "starts_before", "starts_after", "ends_before", "ends_after", "categories", "tags", "status", "geoloc_lat",
		"geoloc_lng",
		"post_parent", "ticketed", "orderby", "order", "password", "context", "i18n_language",
	} {
		list = append(list, name.Param(jsonschema.Text(), Checked(pass), Typed()))
	}
	return list
}

func BenchmarkRead(b *testing.B) {
	params := benchmarked()
	for _, c := range []struct{ name, query string }{
		{"bare", ""},
		{"month", "start_date=2031-03-01&end_date=2031-04-01&per_page=50&categories=jazz"},
		{"full", "page=2&per_page=20&search=blues+rock&featured=1&include=1,2,3,4,5&venue[]=7&venue[]=10&organizer=17" +
			"&start_date=2031-03-01&end_date=2031-04-01&orderby=title&order=desc&context=view"},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				m, err := ParseForm(c.query)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := Read(b.Context(), params, Sources{Query: m}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
