package main

import (
	"context"
	"encoding/json"
	"encoding/xml"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/agendahq/agenda/example/bench/internal/fill"
	"github.com/agendahq/agenda/example/bench/internal/measure"
	"github.com/agendahq/agenda/example/internal/cli"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema/embedded"
)

// childVariable makes the test binary run as one of the servers that are measured.
const childVariable = "AGENDA_TEST_BENCH_CHILD"

// TestServeMeasured also runs in the servers' processes.
func TestServeMeasured(t *testing.T) {
	if os.Getenv(childVariable) != "" {
		must.Succeed(t, serveMeasured(context.Background(), os.Stdin, os.Stdout))
		os.Exit(0) // nothing else may be printed
	}
	for _, input := range []string{"", "{}", "nonsense\n", `{"Target":"floor","DSN":"nonsense","Prefix":"wp_"}` + "\n",
		`{"Target":"service","Prefix":"wp_","Data":"` + t.TempDir() + `"}` + "\n"} {
		if err := serveMeasured(t.Context(), strings.NewReader(input), io.Discard); err == nil {
			t.Errorf("%q: no error", input)
		}
	}
}

// filledSite returns a directory with a database of a few dozen events.
func filledSite(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	db := must.Get(embedded.Open(t.Context(), filepath.Join(dir, cli.FileName)))(t)
	defer db.Close()
	must.Get(fill.Run(t.Context(), db, fill.Options{Prefix: "wp_", Events: 40, Seed: 1}))(t)
	return dir
}

func TestRun(t *testing.T) {
	t.Setenv(childVariable, "1")
	usual := childCommand
	t.Cleanup(func() { childCommand = usual })
	childCommand = func() (*exec.Cmd, error) { return exec.Command(os.Args[0], "-test.run=^TestServeMeasured$"), nil }
	dir := t.TempDir()
	figures, chart, both := filepath.Join(dir, "run.json"), filepath.Join(dir, "run.svg"), filepath.Join(dir, "both.svg")
	args := []string{"run", "-data", filledSite(t), "-clients", "2", "-duration", "40ms", "-cases", "list,single,create", "-json", figures,
		"-svg", chart}
	code, out, errOut := runProgram(t.Context(), args...)
	if code != 0 {
		t.Fatalf("%s\n%s", errOut, out)
	}
	for _, want := range []string{"40 events", "\nlist ", "\nsingle ", "\ncreate ", "first answer after a change"} {
		if !strings.Contains(out, want) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}
	text, err := os.ReadFile(figures)
	must.Succeed(t, err)
	var r measure.Report
	if err := json.Unmarshal(text, &r); err != nil || len(r.Results) != 3 || r.Results[0].Floor == nil || r.Results[0].Cached == nil ||
		!strings.HasPrefix(r.Version, "agenda ") {
		t.Errorf("%v %s", err, text)
	}
	if code, _, errOut := runProgram(t.Context(), "chart", "-svg", both, "-clients", "2", figures, figures); code != 0 {
		t.Error(errOut)
	}
	for _, file := range []string{chart, both} {
		text, err := os.ReadFile(file)
		if err != nil || xml.Unmarshal(text, new(struct{ XMLName xml.Name })) != nil || strings.Count(string(text), "data-case") != 4 {
			t.Errorf("%s: %v %s", file, err, text)
		}
	}
}

func TestBare(t *testing.T) {
	t.Setenv(childVariable, "1")
	usual := childCommand
	t.Cleanup(func() { childCommand = usual })
	childCommand = func() (*exec.Cmd, error) { return exec.Command(os.Args[0], "-test.run=^TestServeMeasured$"), nil }
	site := filledSite(t)
	code, out, errOut := runProgram(t.Context(), "bare", "--data", site, "--clients", "2", "--duration", "40ms", "--rounds", "2")
	if code != 0 {
		t.Fatalf("%s\n%s", errOut, out)
	}
	var rows []string
	for line := range strings.Lines(out) {
		if fields := strings.Fields(line); len(fields) == 8 {
			rows = append(rows, strings.Join(fields[:3], " "))
		}
	}
	var want []string
	for _, name := range []string{"list", "single", "month-page", "list-page", "event-page"} {
		want = append(want, name+" bare 2", name+" exact 2", name+" stale 2")
	}
	if !slices.Equal(rows, want) {
		t.Errorf("%q in\n%s", rows, out)
	}
	for _, args := range [][]string{{"--rounds", "0"}, {"--clients", "0"}, {"file"}} {
		if code, _, errOut := runProgram(t.Context(), append([]string{"bare", "--data", site}, args...)...); code != cli.Misuse {
			t.Errorf("%q: %d %s", args, code, errOut)
		}
	}
}

func TestRunRefuses(t *testing.T) {
	site := filledSite(t)
	for _, args := range [][]string{
		{"-data", site, "-clients", "0"}, {"-data", site, "-clients", "1,x"}, {"-data", site, "-clients", ""},
		{"-data", site, "-duration", "1ms"},
		{"-data", site, "-cases", "list,nothing"}, {"-data", site, "-prefix", "a-b"}, {"-data", site, "file"}, {"-data", embedded.Memory},
		{"-data", t.TempDir()}, {"-dsn", "nonsense"},
	} {
		if code, _, errOut := runProgram(t.Context(), append([]string{"run"}, args...)...); code != cli.Misuse {
			t.Errorf("%q: %d %s", args, code, errOut)
		}
	}
}

func TestChartRefuses(t *testing.T) {
	dir := t.TempDir()
	broken, empty, svg := filepath.Join(dir, "broken.json"), filepath.Join(dir, "empty.json"), filepath.Join(dir, "out.svg")
	for file, text := range map[string]string{broken: "nonsense", empty: "{}"} {
		must.Succeed(t, os.WriteFile(file, []byte(text), 0o600))
	}
	for _, args := range [][]string{{}, {"-svg", svg}, {empty}, {"-svg", svg, "-x", empty}, {"-svg", svg, broken},
		{"-svg", svg, filepath.Join(dir, "nothing")}, {"-svg", svg, empty}} {
		if code, _, _ := runProgram(t.Context(), append([]string{"chart"}, args...)...); code == 0 {
			t.Errorf("%q: no error", args)
		}
	}
	if _, err := os.Stat(svg); err == nil {
		t.Error("a chart was written")
	}
}
