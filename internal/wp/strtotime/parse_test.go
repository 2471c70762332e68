package strtotime

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/internal/test/golden"
)

// testNow is a Saturday.
var testNow = time.Date(2026, 11, 21, 5, 24, 0, 0, time.UTC)

func TestTexts(t *testing.T) {
	check := func(in, want string) {
		got, ok := Parse(in, testNow, time.UTC)
		have := ""
		if ok {
			have = Wall(got.Time)
		}
		golden.Equal(t, in, have, want)
	}
	golden.Each(t, "texts.txt", check)
	check("now"+strings.Repeat(" ", 198), "") // longer than what is read
	check("now"+strings.Repeat(" ", 197), "2026-11-21 05:24:00")
}

// TestStoredFormsAreReadAsOthers checks that the prepared steps for stored dates are those that split finds.
func TestStoredFormsAreReadAsOthers(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		text := fmt.Sprintf("%04d-%02d-%02d %02d:%02d:%02d", random.IntN(10_000), random.IntN(14), random.IntN(33), random.IntN(26),
			random.IntN(62), random.IntN(62))
		if random.IntN(3) == 0 {
			text = text[:10]
		}
		known, whole := newComponents(), newComponents()
		ok := scan(text, known)
		steps, wholeOK := split(text)
		for _, s := range steps {
			wholeOK = wholeOK && s.apply(whole, &cursor{s: text[s.from:s.to]})
		}
		if ok != wholeOK || ok && !reflect.DeepEqual(known, whole) {
			t.Fatalf("%q: %v %+v, in whole %v %+v", text, ok, known, wholeOK, whole)
		}
	}
}
