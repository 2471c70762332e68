package store

import "testing"

func TestPosition(t *testing.T) {
	for text, want := range map[string]map[uint32]uint64{
		"0-1-7": {0: 7}, "0-1-7,0-2-9": {0: 9}, "0-1-7, 3-2-1": {0: 7, 3: 1},
	} {
		p, err := parsePosition(text)
		if err != nil || len(p) != len(want) {
			t.Errorf("%s: %v %v", text, p, err)
		}
		for domain, number := range want {
			if p[domain] != number {
				t.Errorf("%s: %v", text, p)
			}
		}
	}
	for _, text := range []string{"", "x", "0-1", "a-1-2", "0-1-b", "0-1-7,", "5000000000-1-1"} {
		if p, err := parsePosition(text); err == nil {
			t.Errorf("%q is %v", text, p)
		}
	}
	for _, c := range []struct {
		p, other Position
		want     bool
	}{
		{Position{0: 7}, Position{0: 7}, true}, {Position{0: 8}, Position{0: 7}, true}, {Position{0: 6}, Position{0: 7}, false},
		{Position{0: 7}, Position{0: 7, 1: 1}, false}, {Position{0: 7, 1: 2}, Position{0: 7}, true}, {nil, nil, true},
	} {
		if got := c.p.Reached(c.other); got != c.want {
			t.Errorf("%v has reached %v: %v", c.p, c.other, got)
		}
	}
}
