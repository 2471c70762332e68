package editing

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/must"
)

// TestTextsOfForms checks that each message has the same placeholders in all languages, and that each field has a label.
// A text that is missing is shown in English and is not an error: go run ./.ci/untranslated lists them.
func TestTextsOfForms(t *testing.T) {
	for tag, words := range dictionaries {
		for key, text := range dictionaries["en"] {
			if got, ok := words[key]; !ok || strings.Count(got, "%s") != strings.Count(text, "%s") {
				t.Errorf("%s: %s is %q", tag, key, got)
			}
		}
		for key := range words {
			if _, ok := dictionaries["en"][key]; !ok {
				t.Errorf("%s: %s is no key in English", tag, key)
			}
		}
		for _, name := range []string{dayNames, monthNames} {
			if got := len(strings.Split(words[name], ",")); got != map[string]int{dayNames: 7, monthNames: 12}[name] {
				t.Errorf("%s: %s has %d names", tag, name, got)
			}
		}
	}
	var keys []string
	for _, k := range editorsWith([]calendar.Field{{Kind: "events", Name: "seats", Type: calendar.FieldNumber}}) {
		keys = append(keys, "kind."+k.name, "new."+k.name, k.name+".new", k.name+".edit")
		for _, f := range k.fields {
			if f.own == nil {
				keys = append(keys, k.name+"."+f.name)
			}
		}
		for _, view := range k.views() {
			keys = append(keys, "view."+view)
		}
	}
	for _, way := range repeatWays {
		keys = append(keys, "repeats."+way)
	}
	for _, name := range []string{"form.html", "entry.html", "list.html", "date.html"} {
		text := must.Get(os.ReadFile("templates/" + name))(t)
		for _, m := range regexp.MustCompile(`\{(?:t|fill) "([^"]+)"`).FindAllStringSubmatch(string(text), -1) {
			keys = append(keys, m[1])
		}
	}
	slices.Sort(keys)
	for _, key := range slices.Compact(keys) {
		if _, ok := dictionaries["en"][key]; !ok {
			t.Errorf("%s has no text", key)
		}
	}
}

// TestMissingTextIsEnglish checks that a text that a language lacks is shown in English, and that no other text changes.
func TestMissingTextIsEnglish(t *testing.T) {
	words := map[string]string{"all": "Alle", "empty": ""}
	addMissing(words, map[string]string{"all": "All", "empty": "Empty", "new": "New"})
	l := language{texts: words}
	if l.word("all") != "Alle" || l.word("empty") != "Empty" || l.word("new") != "New" || l.word("unknown") != "unknown" {
		t.Errorf("%q", words)
	}
}
