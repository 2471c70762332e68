package wholefile

import (
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/agendahq/agenda/internal/test/must"
)

func writeText(s string) func(io.Writer) error {
	return func(w io.Writer) error { _, err := io.WriteString(w, s); return err }
}

// want checks a file, and that its directory contains nothing else but others.
func want(t *testing.T, name, text string, mode os.FileMode, others ...string) {
	t.Helper()
	got, err := os.ReadFile(name)
	if err != nil || string(got) != text {
		t.Errorf("%q, %v; want %q", got, err, text)
	}
	if info, err := os.Stat(name); err != nil || info.Mode().Perm() != mode {
		t.Errorf("mode %v, %v; want %v", info.Mode(), err, mode)
	}
	if all, err := os.ReadDir(filepath.Dir(name)); err != nil || len(all) != 1+len(others) {
		t.Errorf("%v, %v; want it and %v", all, err, others)
	}
}

func TestWrite(t *testing.T) {
	name := filepath.Join(t.TempDir(), "a.csv")
	failed := errors.New("half of it")
	half := func(w io.Writer) error { return errors.Join(writeText("ha")(w), failed) }
	if err := Write(name, half); !errors.Is(err, failed) {
		t.Error(err)
	}
	if _, err := os.Stat(name); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
	must.Succeed(t, Write(name, writeText("one")))
	want(t, name, "one", 0o600)
	for _, mode := range []os.FileMode{0o644, 0o640, 0o666} {
		must.Succeed(t, os.Chmod(name, mode))
		must.Succeed(t, Write(name, writeText(mode.String())))
		want(t, name, mode.String(), mode)
	}
	if err := Write(name, half); !errors.Is(err, failed) {
		t.Error(err)
	}
	want(t, name, "-rw-rw-rw-", 0o666)
	link := filepath.Join(filepath.Dir(name), "link")
	must.Succeed(t, os.Symlink("a.csv", link))
	must.Succeed(t, Write(link, writeText("two")))
	if to, err := os.Readlink(link); err != nil || to != "a.csv" {
		t.Error(to, err)
	}
	want(t, name, "two", 0o666, "link")
	if err := Write(filepath.Dir(name), writeText("")); err == nil {
		t.Error("a directory is replaced")
	}
	want(t, name, "two", 0o666, "link")
}
