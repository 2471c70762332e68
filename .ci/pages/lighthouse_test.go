package pagechecks_test

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// lowest is what Lighthouse must give at least, of 100, but for performance, which depends on the machine.
const lowest = 95

// Lighthouse finds a month and an event accessible, made well and easy to find, on a phone and on a desktop.
func TestLighthouse(t *testing.T) {
	all := kinds(t, "")
	for _, kind := range []string{"month", "event"} {
		for _, device := range []string{"phone", "desktop"} {
			t.Run(kind+" "+device, func(t *testing.T) {
				report := lighthouse(t, pages+all[kind], device)
				line := fmt.Sprintf("Lighthouse, %s, %s:", kind, device)
				for _, name := range []string{"accessibility", "best-practices", "seo", "performance"} {
					category, ok := report.Categories[name]
					score := int(math.Round(category.Score * 100))
					if line += fmt.Sprintf(" %s %d", name, score); !ok || name != "performance" && score < lowest {
						t.Errorf("%s is %d, given: %t; less than whole: %s", name, score, ok, report.short(name))
					}
				}
				fmt.Println(line)
			})
		}
	}
}

// report is what Lighthouse writes of a page, as far as it is read here.
type report struct {
	Categories map[string]struct {
		Score     float64
		AuditRefs []struct {
			ID     string
			Weight float64
		}
	}
	Audits map[string]struct {
		Title string
		Score *float64
	}
}

// short returns what keeps a category from being whole.
func (r report) short(category string) (titles []string) {
	for _, ref := range r.Categories[category].AuditRefs {
		if audit := r.Audits[ref.ID]; ref.Weight > 0 && audit.Score != nil && *audit.Score < 1 {
			titles = append(titles, audit.Title)
		}
	}
	return titles
}

func lighthouse(t *testing.T, address, device string) (r report) {
	t.Helper()
	flags := []string{"--headless=new", "--disable-dev-shm-usage", "--host-resolver-rules='" + outside + "'"}
	if os.Getuid() == 0 {
		flags = append(flags, "--no-sandbox")
	}
	out := filepath.Join(t.TempDir(), "report.json")
	args := []string{address, "--output=json", "--output-path=" + out, "--quiet", "--chrome-flags=" + strings.Join(flags, " ")}
	if device == "desktop" {
		args = append(args, "--preset=desktop")
	}
	said, err := exec.CommandContext(t.Context(), filepath.Join(tools, "node_modules/.bin/lighthouse"), args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &r); err != nil {
		t.Fatal(err)
	}
	return r
}
