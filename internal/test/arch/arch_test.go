package arch

import (
	"os"
	"os/exec"
	"strings"
	"testing"
)

const root = "../../.."

// rules are what holds for the whole tree, each with the name of its subtest.
var rules = map[string]func(*tree) []string{
	"imports run one way":         arrowsRunOneWay,
	"test support only in tests":  supportOnlyInTests,
	"pure parts, no SQL or HTTP":  barredUnreached,
	"gin at the edge":             ginAtTheEdge,
	"schema stands alone":         schemaStandsAlone,
	"files stay small":            filesStaySmall,
	"functions stay small":        functionsStaySmall,
	"SQL is written in the store": sqlInStore,
	"no test skips itself":        nothingSkipped,
}

func TestCode(t *testing.T) {
	code, err := readTree(os.DirFS(root))
	if err != nil {
		t.Fatal(err)
	}
	// A wrong root would keep every rule.
	if p := code.parts(); !p["internal/test"] || !p["calendar"] || !p["example"] {
		t.Fatalf("%s is not the root of the repository: found only %v", root, p)
	}
	for name, rule := range rules {
		t.Run(name, func(t *testing.T) { report(t, rule(code)) })
	}
	t.Run("the data directory is ignored", func(t *testing.T) { report(t, dataIgnored(os.DirFS(root))) })
}

// TestModules asks the go command what a host that imports the root module gets.
func TestModules(t *testing.T) {
	cmd := exec.Command("go", "list", "-m", "all")
	cmd.Dir = root
	cmd.Env = append(os.Environ(), "GOWORK=off")
	var problem strings.Builder
	cmd.Stderr = &problem
	list, err := cmd.Output()
	if err != nil {
		t.Fatalf("GOWORK=off go list -m all: %v\n%s", err, problem.String())
	}
	if !strings.HasPrefix(string(list), module+"\n") {
		t.Fatalf("another module: %.80s", list)
	}
	report(t, fewModules(string(list)))
}

func (t *tree) parts() map[string]bool {
	found := map[string]bool{}
	for _, s := range t.files {
		found[part(s.dir)] = true
	}
	return found
}

func report(t *testing.T, broken []string) {
	t.Helper()
	for _, b := range broken {
		t.Error(b)
	}
}
