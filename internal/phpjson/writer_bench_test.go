package phpjson

import (
	"strings"
	"testing"
)

// page writes a page of ten items with a text each.
func page(w *Writer, text string) {
	w.Object()
	w.KeyArray("events")
	for id := range int64(10) {
		w.Object()
		w.KeyInt("id", id)
		w.KeyString("rest_url", "http://site.test/wp-json/tribe/events/v1/events/4711")
		w.KeyString("title", "Blues &amp; rock – «zomer» één")
		w.KeyString("description", text)
		w.KeyObject("start_date_details")
		for _, part := range [...]string{"year", "month", "day", "hour", "minutes", "seconds"} {
			w.KeyString(part, "31")
		}
		w.End()
		w.KeyBool("all_day", false)
		w.Key("image")
		w.Null()
		w.KeyArray("tags")
		w.End()
		w.End()
	}
	w.End()
	w.KeyInt("total", 10)
	w.End()
}

func BenchmarkWriter(b *testing.B) {
	for name, text := range map[string]string{
		"ascii": strings.Repeat("Blues, rock and roll in the hall. ", 110), "html": strings.Repeat("<p class=\"a\">Blues</p>\n", 160),
		"greek": strings.Repeat("συναυλία ", 220),
	} {
		b.Run(name, func(b *testing.B) {
			var w Writer
			page(&w, text)
			b.SetBytes(int64(w.Len()))
			b.ReportAllocs()
			for b.Loop() {
				w.Reset()
				page(&w, text)
			}
		})
	}
}

func BenchmarkSelect(b *testing.B) {
	var w Writer
	page(&w, "Text")
	fields := []string{"events.0.title", "events.1.start_date_details.year", "total"}
	b.SetBytes(int64(w.Len()))
	b.ReportAllocs()
	for b.Loop() {
		Select(w.Bytes(), fields, nil)
	}
}
