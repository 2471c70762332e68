package api_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/apitest"
)

// TestD27 checks that context=edit shows an editor the stored values next to the rendered ones.
func TestD27(t *testing.T) {
	c := open(t)
	id := c.create("author", "R & D", `,"description":"a\n\nb & c","excerpt":"x & y"`)
	path := fmt.Sprint("/events/", id)
	edit := c.Must(200, "author", "GET", path+"?context=edit", "")
	for name, want := range map[string]string{"title_raw": "R &amp; D", "description_raw": "a\n\nb &amp; c", "excerpt_raw": "x &amp; y"} {
		if edit.Body[name] != want {
			t.Errorf("%s %q, want %q", name, edit.Body[name], want)
		}
	}
	for _, pair := range [][2]string{{`"title":`, `"title_raw":`}, {`"description":`, `"description_raw":`},
		{`"excerpt":`, `"excerpt_raw":`}} {
		_, after, _ := strings.Cut(edit.Text, pair[0])
		if next := strings.Index(after, pair[1]); next < 0 || strings.Contains(after[:next], `":`) {
			t.Errorf("%s does not follow %s", pair[1], pair[0])
		}
	}
	for _, answer := range []apitest.Answer{c.Must(200, "author", "GET", path, ""),
		c.Must(200, "author", "GET", "/events?context=edit&include="+path[8:], "")} {
		if strings.Contains(answer.Text, "_raw") {
			t.Errorf("raw texts: %s", answer.Text)
		}
	}
	c.Must(403, "contributor", "GET", path+"?context=edit", "")
}
