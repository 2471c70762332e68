package celldate

import (
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/golden"
)

// TestRead checks what people and spreadsheets write, and what is rejected.
func TestRead(t *testing.T) {
	golden.Each(t, "read.txt", func(text, want string) {
		m, err := Read(text, Unknown)
		got := ""
		switch {
		case err != nil:
			got = err.Error()
		case m.Timed:
			got = m.Text()
		default:
			got = strings.TrimSuffix(m.Text(), " 00:00:00")
		}
		golden.Equal(t, text, got, want)
	})
}

func TestTime(t *testing.T) {
	golden.Each(t, "times.txt", func(text, want string) {
		m, ok := Time(text)
		got := ""
		if ok {
			if got = m.Clock + m.Offset; m.Late {
				got += " late"
			}
		}
		golden.Equal(t, text, got, want)
	})
}
