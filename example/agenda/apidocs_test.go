package main

import (
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// indented finds what docs/api.md has to be typed.
var indented = regexp.MustCompile(`(?m)(?:^    .*\n)+`)

// What docs/api.md shows as commands of curl works as it is written there. $ID is that of the answer before, and $DATE that of
// its last date.
func TestExamplesOfTheAPI(t *testing.T) {
	t.Parallel()
	page, err := os.ReadFile("../../docs/api.md")
	if err != nil {
		t.Fatal(err)
	}
	address, printed, end := printing(t)
	defer end()
	env := append(os.Environ(), "PASSWORD="+credentials(printed)["editor"], "EVENTS="+address+events)
	var shown []int64
	for _, block := range indented.FindAllString(string(page), -1) {
		block = strings.ReplaceAll(block, "http://127.0.0.1:8080", address)
		if !strings.Contains(block, "curl ") {
			continue
		}
		cmd := exec.CommandContext(t.Context(), "sh", "-e", "-c", `curl() { command curl -sS --fail-with-body "$@"; }`+"\n"+block)
		cmd.Env = env
		out, err := cmd.CombinedOutput()
		var answer struct {
			ID    int64
			Total int64 `json:"dates_total"`
			Dates []struct{ ID int64 }
		}
		if err == nil {
			err = json.Unmarshal(out, &answer)
		}
		if err != nil {
			t.Fatalf("%s%v\n%s", block, err, out)
		}
		shown = append(shown, answer.Total)
		env = append(env, "ID="+strconv.FormatInt(answer.ID, 10))
		if n := len(answer.Dates); n > 0 {
			env = append(env, "DATE="+strconv.FormatInt(answer.Dates[n-1].ID, 10))
		}
	}
	if want := []int64{0, 2, 2, 8, 6}; !slices.Equal(shown, want) {
		t.Errorf("events with %d dates, want %d", shown, want)
	}
}
