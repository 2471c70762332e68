package replay

import (
	"testing"

	"github.com/agendahq/agenda/internal/test/golden"
)

func TestMatchText(t *testing.T) {
	golden.Each(t, "texts.txt", func(want, got string, fits bool) {
		if ok := testComparer(t).matchText(want, mustDecode(t, got)); ok != fits {
			t.Errorf("want %q, got %s: fits = %t", want, got, ok)
		}
	})
}

func TestMatchAddress(t *testing.T) {
	golden.Each(t, "addresses.txt", func(name, want, got string, fits bool) {
		t.Run(name, func(t *testing.T) {
			if ok := testComparer(t).matchAddress(want, got); ok != fits {
				t.Errorf("want %s, got %s: fits = %t", want, got, ok)
			}
		})
	})
}

// TestCompareTextByPlace checks that URLs and obfuscated e-mail addresses are recognized by their key.
func TestCompareTextByPlace(t *testing.T) {
	c := testComparer(t)
	for _, x := range []struct {
		want, got, at string
		ok            bool
	}{
		{"{root}/events?page=2", c.root + "/events/?page=2&x=1", "json.next_rest_url", true},
		{"{root}/events?page=2", c.root + "/events/?page=2&x=1", "json.url", false},
		{"{root}/events/{{e1}}", c.root + "/events/12", "json.rest_url", true},
		{"{root}/events/{{e1}}", c.root + "/events/12?x=1", "json.rest_url", false},
		{"&#97;@b.c", "a&#64;b.c", "json.json_ld.organizer.email", true},
		{"&#97;@b.c", "x&#64;b.c", "json.json_ld.organizer.email", false},
		{"&#97;@b.c", "a@b.c", "json.organizer.email", false},
	} {
		if ok := c.compareText(x.want, x.got, x.at); ok != x.ok {
			t.Errorf("%s: want %q, got %q: fits = %t", x.at, x.want, x.got, ok)
		}
	}
}
