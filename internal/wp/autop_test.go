package wp

import "testing"

func TestAutop(t *testing.T) {
	for _, c := range load[pair](t, "wpautop.json", 243) {
		if got := Autop(c.In); got != c.Out {
			t.Errorf("%q\n got %q\nwant %q", c.In, got, c.Out)
		}
	}
}
