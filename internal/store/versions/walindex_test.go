package versions

import (
	"bytes"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/agendahq/agenda/internal/test/must"
)

func TestWALIndex(t *testing.T) {
	if runtime.GOOS != "linux" {
		if openWALIndex("any") != nil {
			t.Error("an index is read where that may show what is old")
		}
		return
	}
	database := filepath.Join(t.TempDir(), "calendar.db")
	if x := openWALIndex(database); x != nil {
		t.Fatal("an index without a file")
	}
	header := func(commit, initialized byte) []byte {
		h := bytes.Repeat([]byte{commit}, walHeader)
		h[walInitialized] = initialized
		return h
	}
	write := func(parts ...[]byte) {
		t.Helper()
		must.Succeed(t, os.WriteFile(database+"-shm", bytes.Join(parts, nil), 0o600))
	}
	write(header(1, 1), header(1, 1), []byte("the rest"))
	x := openWALIndex(database)
	first, known := x.version()
	if !known {
		t.Fatal("a whole header is not read")
	}
	for _, bad := range []struct {
		name  string
		parts [][]byte
	}{
		{"being written", [][]byte{header(1, 1), header(2, 1)}},
		{"not complete", [][]byte{header(2, 0), header(2, 0)}},
		{"short", [][]byte{header(2, 1)}},
	} {
		if write(bad.parts...); x != openWALIndex(database) {
			t.Errorf("%s: the file is opened twice", bad.name)
		}
		if _, known := x.version(); known {
			t.Errorf("%s: a header is read", bad.name)
		}
	}
	write(header(2, 1), header(2, 1))
	if second, known := x.version(); !known || second == first {
		t.Errorf("after a commit: %x", second)
	}
	must.Succeed(t, os.Remove(database+"-shm"))
	write(header(3, 1), header(3, 1))
	if y := openWALIndex(database); y == x || y == nil {
		t.Error("another file is the same index")
	}
	if _, err := x.file.Stat(); err == nil {
		t.Error("a file that was removed stays open")
	}
}
