package param

import (
	"context"
	"testing"
)

// benchmarked are as many parameters as a list of events takes.
func benchmarked() []*Param {
	pass := func(_ context.Context, v any) (any, error) { return v, nil }
	list := []*Param{
		New("page", Type(Integer), Default(int64(1)), Checked(Positive)), New("per_page", Type(Integer), Default(int64(10)), Checked(Positive)),
		New("search", Type(String), Checked(Search)), New("featured", Type(Boolean)), New("geoloc", Type(Boolean)),
		New("include", Items(Integer), Checked(IDs)), New("venue", Items(Integer), Checked(IDs)), New("organizer", Items(Integer), Checked(IDs)),
		New("start_date", DefaultFunc(func(context.Context) any { return "2031-01-01 00:00:00" }), Checked(pass)),
	}
	for _, name := range []string{
		"end_date", "starts_before", "starts_after", "ends_before", "ends_after", "categories", "tags", "status", "geoloc_lat", "geoloc_lng",
		"post_parent", "ticketed", "orderby", "order", "password", "context", "i18n_language",
	} {
		list = append(list, New(name, Type(String), Checked(pass)))
	}
	return list
}

func BenchmarkRead(b *testing.B) {
	params := benchmarked()
	for _, c := range []struct{ name, query string }{
		{"bare", ""},
		{"month", "start_date=2031-03-01&end_date=2031-04-01&per_page=50&categories=jazz"},
		{"full", "page=2&per_page=20&search=blues+rock&featured=1&include=1,2,3,4,5&venue[]=7&venue[]=10&organizer=17&start_date=2031-03-01&end_date=2031-04-01&orderby=title&order=desc&context=view"},
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
