package pages

import (
	"fmt"
	"testing"
)

// TestKeptPagesAreBounded checks that the number of items in kept pages is limited.
func TestKeptPagesAreBounded(t *testing.T) {
	c := &client{}
	for i := range 200 {
		c.keep(fmt.Sprint(i%120), kept{i, 51})
	}
	sum := 0
	for _, k := range c.kept {
		sum += k.items
	}
	if sum != c.items || sum > keptItems || len(c.kept) < 40 || c.find("79") != 199 || c.find("x") != nil {
		t.Errorf("%d lists are kept, of %d items, counted as %d", len(c.kept), sum, c.items)
	}
}
