package kses

import (
	"testing"

	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/wp/release"
)

func TestStyle(t *testing.T) {
	golden.Each(t, "styles.txt", func(in, want string) {
		got := Style(in, release.WP69)
		if got != want {
			t.Errorf("style(%q) = %q, want %q", in, got, want)
		}
	})
}
