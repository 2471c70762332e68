package zonedata

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
)

// TestUsed checks that the release is read from the first line of tzdata.zi, and that directories are searched in the
// order of package time.
func TestUsed(t *testing.T) {
	place := func(line string) string {
		dir := t.TempDir()
		for name, text := range map[string]string{aZone: "TZif2", "tzdata.zi": line} {
			path := filepath.Join(dir, name)
			must.Succeed(t, os.MkdirAll(filepath.Dir(path), 0o755))
			if text == "" {
				continue
			}
			must.Succeed(t, os.WriteFile(path, []byte(text), 0o644))
		}
		return dir
	}
	old, silent, odd := place("# version 2019c\nR A 1916\n"), place(""), place("R A 1916\n")
	archive := filepath.Join(t.TempDir(), "zoneinfo.zip")
	must.Succeed(t, os.WriteFile(archive, []byte("PK"), 0o644))
	for _, c := range []struct {
		named   string
		systems []string
		want    Data
	}{
		{"", []string{t.TempDir(), old, silent}, Data{"2019c", old}}, {silent, []string{old}, Data{Unknown, silent}},
		{"/nowhere", []string{odd + "/"}, Data{Unknown, odd}}, {archive, []string{old}, Data{Unknown, archive}},
		{"", []string{t.TempDir()}, Data{Built(), BuiltIn}}, {t.TempDir(), nil, Data{Built(), BuiltIn}},
	} {
		if got := used(c.named, c.systems); got != c.want {
			t.Errorf("%q %q: %v, want %v", c.named, c.systems, got, c.want)
		}
	}
}

// TestBuilt compares the table with the sources of the Go release that runs the tests.
func TestBuilt(t *testing.T) {
	root := must.Get(exec.CommandContext(t.Context(), "go", "env", "GOROOT").Output())(t)
	script := must.Get(os.ReadFile(filepath.Join(strings.TrimSpace(string(root)), "lib", "time", "update.bash")))(t)
	said := regexp.MustCompile(`(?m)^DATA=(\S+)$`).FindSubmatch(script)
	if said == nil || Built() != string(said[1]) {
		t.Errorf("%s, want %s", Built(), said)
	}
	for version, want := range map[string]string{
		"go1.25": "2025b", "go1.25.4 X:nodwarf5": "2025b", "devel go1.99-abc": Unknown, "go1": Unknown,
	} {
		golden.Equal(t, version, builtBy(version), want)
	}
}

func TestOlder(t *testing.T) {
	for pair, want := range map[[2]string]bool{
		{"2025b", "2025c"}: true, {"2025c", "2025c"}: false, {"2026a", "2025c"}: false, {Unknown, "2025c"}: false,
		{"2025b", Unknown}: false,
	} {
		golden.Equal(t, pair, Older(pair[0], pair[1]), want)
	}
}
