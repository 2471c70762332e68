package kses

import (
	"testing"
)

type pair struct{ In, Out string }

// check runs the cases of a file. superseded contains those for which a decision gives another result: each must be in
// the file, with a different result.
func check(t *testing.T, cases []pair, superseded map[string]string, f func(string) string) {
	t.Helper()
	used := 0
	for _, c := range cases {
		want := c.Out
		if decided, ok := superseded[c.In]; ok {
			if used++; decided == want {
				t.Errorf("%q: the decision changes nothing", c.In)
			}
			want = decided
		}
		if got := f(c.In); got != want {
			t.Errorf("%q\n got %q\nwant %q", c.In, got, want)
		}
	}
	if used != len(superseded) {
		t.Errorf("%d of %d superseded cases found", used, len(superseded))
	}
}
