package linked

import (
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/store"
	"github.com/agendahq/agenda/internal/test/golden"
)

func TestD10FragmentsOf(t *testing.T) {
	golden.Each(t, "fragments.txt", func(text, want string) {
		if got := strings.Join(fragmentsOf(text), "|"); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	})
}

func TestNarrow(t *testing.T) {
	f := &store.LinkedFilter{}
	given := []int64{3, 1, 2}
	narrow(f, given)
	narrow(f, []int64{2, 3, 9})
	if !slices.Equal(*f.IDs, []int64{2, 3}) || !slices.Equal(given, []int64{3, 1, 2}) {
		t.Errorf("%v of %v", *f.IDs, given)
	}
	narrow(f, nil)
	if f.IDs == nil || len(*f.IDs) != 0 {
		t.Error("nothing left is not no filter")
	}
}
