package strtotime

import (
	"testing"
	"time"
)

func BenchmarkParse(b *testing.B) {
	brussels, err := time.LoadLocation("Europe/Brussels")
	if err != nil {
		b.Fatal(err)
	}
	for _, c := range []struct{ name, text string }{
		{"day", "2031-05-01"},
		{"moment", "2031-05-01 17:30:00"},
		{"offset", "2031-05-01T17:30:00+02:00"},
		{"words", "first monday of next month noon"},
		{"relative", "+1 week 2 days"},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, ok := Parse(c.text, testNow, brussels); !ok {
					b.Fatal("not a date")
				}
			}
		})
	}
	b.Run("none", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, ok := Parse("next concert", testNow, brussels); ok {
				b.Fatal("a date")
			}
		}
	})
}

// Stored dates have one form, which ParseWall reads without the grammar.
func BenchmarkParseWall(b *testing.B) {
	b.ReportAllocs()
	for b.Loop() {
		if _, ok := ParseWall("2031-05-01 17:30:00", time.UTC); !ok {
			b.Fatal("not a date")
		}
	}
}
