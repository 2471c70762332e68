package arch

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/must"
)

// first matches a row of the table at the beginning of docs/architecture.md that names functions or types in a file.
var first = regexp.MustCompile("^\\| .* \\|.*?((?:`\\w+(?:\\.\\w+)?`(?:, | and )?)+)" +
	" in \\[`[^`]+`\\](?:\\(\\.\\./([\\w/.-]+)\\)|\\[(\\w+)\\])")

// TestNamesOfTheTable checks that functions and types are declared where the table at the beginning of
// docs/architecture.md says.
func TestNamesOfTheTable(t *testing.T) {
	text := must.Get(os.ReadFile("../../../docs/architecture.md"))(t)
	links := map[string]string{}
	for _, m := range regexp.MustCompile(`(?m)^\[(\w+)\]: \.\./(\S+)`).FindAllStringSubmatch(string(text), -1) {
		links[m[1]] = m[2]
	}
	table, _, _ := strings.Cut(string(text), "\n## Rooms")
	found := 0
	for line := range strings.Lines(table) {
		m := first.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		path := m[2]
		if path == "" {
			path = links[m[3]]
		}
		source, err := os.ReadFile("../../../" + path)
		if err != nil {
			t.Errorf("%s: %v", line, err)
			continue
		}
		for _, name := range regexp.MustCompile("`(?:\\w+\\.)?(\\w+)`").FindAllStringSubmatch(m[1], -1) {
			found++
			declared := regexp.MustCompile(`(?m)^(?:func (?:\([^)]*\) )?|type |var |const |\t)` + name[1] + `\b`)
			if !declared.Match(source) {
				t.Errorf("%s does not declare %s", path, name[1])
			}
		}
	}
	if found < 15 {
		t.Errorf("%d names found", found)
	}
}
