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

// measured returns the pages that Lighthouse checks.
func measured(t *testing.T) map[string]string {
	t.Helper()
	all := kinds(t, "")
	return map[string]string{"month": all["month"], "list": "/?view=list", "event": all["event"], "embed": "/embed/?view=list"}
}

// Lighthouse gives pages the full score for accessibility, best practices and SEO, on a phone and on a desktop. Its
// score for performance is only printed, because it depends on the machine.
func TestLighthouse(t *testing.T) {
	for kind, path := range measured(t) {
		for _, device := range []string{"phone", "desktop"} {
			t.Run(kind+" "+device, func(t *testing.T) {
				report := lighthouse(t, pages+path, device)
				line := fmt.Sprintf("Lighthouse, %s, %s:", kind, device)
				for _, name := range []string{"accessibility", "best-practices", "seo", "performance"} {
					category, ok := report.Categories[name]
					score := int(math.Round(category.Score * 100))
					if line += fmt.Sprintf(" %s %d", name, score); !ok || name != "performance" && score < 100 {
						t.Errorf("%s is %d, given: %t; less than whole: %s", name, score, ok, report.short(name))
					}
					if name == "performance" && score < 100 {
						line += fmt.Sprintf(" (%s)", strings.Join(report.short(name), ", "))
					}
				}
				fmt.Println(line)
			})
		}
	}
}

// report contains the parts of Lighthouse's report on a page that are used here.
type report struct {
	FinalURL   string `json:"finalDisplayedUrl"`
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

// short returns the audits that keep a category from the full score.
func (r report) short(category string) (titles []string) {
	for _, ref := range r.Categories[category].AuditRefs {
		if audit := r.Audits[ref.ID]; ref.Weight > 0 && audit.Score != nil && *audit.Score < 1 {
			titles = append(titles, audit.Title)
		}
	}
	return titles
}

func lighthouse(t *testing.T, address, device string, more ...string) (r report) {
	t.Helper()
	flags := []string{"--headless=new", "--disable-dev-shm-usage", "--host-resolver-rules='" + outside + "'"}
	if os.Getuid() == 0 {
		flags = append(flags, "--no-sandbox")
	}
	out := filepath.Join(t.TempDir(), "report.json")
	args := []string{address, "--output=json", "--output-path=" + out, "--quiet", "--chrome-flags=" + strings.Join(flags, " ")}
	args = append(args, more...)
	if device == "desktop" {
		args = append(args, "--preset=desktop")
	}
	said, err := exec.CommandContext(t.Context(), filepath.Join(tools, "node_modules/.bin/lighthouse"), args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, said)
	}
	text, err := os.ReadFile(out)
	succeed(t, err)
	succeed(t, json.Unmarshal(text, &r))
	return r
}
