package main

import (
	"bytes"
	"encoding/json"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/must"
)

// indented matches the indented blocks of a guide, which show what to type.
var indented = regexp.MustCompile(`(?m)(?:^    .*\n)+`)

// TestExamplesOfTheAPI runs the curl commands of the guides for clients as they are written there. $ID stands for the
// id of the last item in a response, and $DATE for its last date. The number of dates in each response is compared.
func TestExamplesOfTheAPI(t *testing.T) {
	t.Parallel()
	for guide, want := range map[string][]int64{
		"README.md":   {0, 0, 0},
		"docs/api.md": {0, 0, 0, 0, 0, 0, 0, 2, 2, 8, 6},
	} {
		t.Run(guide, func(t *testing.T) {
			t.Parallel()
			address, printed, end := printing(t)
			defer end()
			if shown := tryExamples(t, guide, address, credentials(printed)["editor"]); !slices.Equal(shown, want) {
				t.Errorf("events with %d dates, want %d", shown, want)
			}
		})
	}
}

// tryExamples runs each block of a guide that calls curl, and returns the number of dates in each response.
func tryExamples(t *testing.T, guide, address, password string) (shown []int64) {
	t.Helper()
	page := must.Get(os.ReadFile("../../" + guide))(t)
	env := append(os.Environ(), "PASSWORD="+password, "EVENTS="+address+events)
	for _, block := range indented.FindAllString(string(page), -1) {
		block = strings.ReplaceAll(block, "http://127.0.0.1:8080", address)
		if !strings.Contains(block, "curl ") {
			continue
		}
		cmd := exec.CommandContext(t.Context(), "sh", "-e", "-c", `curl() { command curl -sS --fail-with-body "$@"; }`+"\n"+block)
		cmd.Env = env
		out, err := cmd.CombinedOutput()
		if err != nil {
			t.Fatalf("%s%v\n%s", block, err, out)
		}
		for answers := json.NewDecoder(bytes.NewReader(out)); answers.More(); {
			var answer struct {
				ID    int64
				Total int64 `json:"dates_total"`
				Dates []struct{ ID int64 }
			}
			if err := answers.Decode(&answer); err != nil {
				t.Fatalf("%s%v\n%s", block, err, out)
			}
			shown = append(shown, answer.Total)
			if answer.ID != 0 {
				env = append(env, "ID="+strconv.FormatInt(answer.ID, 10))
			}
			if n := len(answer.Dates); n > 0 {
				env = append(env, "DATE="+strconv.FormatInt(answer.Dates[n-1].ID, 10))
			}
		}
	}
	return shown
}
