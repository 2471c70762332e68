package release

import (
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/must"
)

// TestReleasesHaveWhatCameBefore checks that a release has the behaviours introduced with it or before, and no later
// ones.
func TestReleasesHaveWhatCameBefore(t *testing.T) {
	for _, r := range All() {
		named, err := Parse(r.String())
		if err != nil || named != r {
			t.Errorf("%v: %v %v", r, named, err)
		}
	}
	if Newest != All()[len(releases)-1] {
		t.Error("Newest is not the last release")
	}
	if _, err := Parse("7.1.2"); err == nil {
		t.Error("a version counts as the name of a release")
	}
	for b, c := range Changes() {
		if c.Words == "" {
			t.Errorf("behaviour %d has no line", b)
		}
	}
	if WP69.Has(ParagraphClass) || !WP70.Has(ParagraphClass) || !WP71.Has(ParagraphClass) || WP70.Has(ButtonWidth) {
		t.Error("releases have other behaviours than the table says")
	}
}

// TestTableOfTheDocumentation checks that docs/wordpress.md has a line for each behaviour, in the order of the table.
func TestTableOfTheDocumentation(t *testing.T) {
	page := must.Get(os.ReadFile("../../../docs/wordpress.md"))(t)
	want := "| since | what | not done |\n|---|---|---|\n"
	for _, c := range Changes() {
		want += fmt.Sprintf("| %s | %s | %s |\n", c.Since, c.Words, c.Lacks)
	}
	if !strings.Contains(string(page), "\n\n"+want+"\n") {
		t.Errorf("docs/wordpress.md lacks the table\n%s", want)
	}
}
