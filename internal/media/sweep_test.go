package media

import (
	"os"
	"path/filepath"
	"testing"
	"time"
)

// TestSweep checks that only old temporary files are removed from the uploads directory, whatever other files are
// called.
func TestSweep(t *testing.T) {
	dir, now := t.TempDir(), time.Now()
	const name = ".ABCDEFGHIJKLMNOPQRSTUVWX23.tmp"
	put := func(file string, age time.Duration) string {
		t.Helper()
		file = filepath.Join(dir, file)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte("half"), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(file, now.Add(-age), now.Add(-age)); err != nil {
			t.Fatal(err)
		}
		return file
	}
	gone := []string{put("2026/11/"+name, 2*time.Hour), put("1999/01/"+name, 1000*time.Hour), put("2026/12/.other.tmp", 61*time.Minute),
		put("2026/12/.a b.JPG.tmp", 61*time.Minute)}
	kept := []string{
		put("2026/12/"+name, time.Minute), put("2026/12/.new.tmp", 59*time.Minute), put("2026/12/.tmp", 1000*time.Hour),
		put("2026/12/.other.tmp.jpg", 1000*time.Hour), put("2026/11/"+name[1:], 1000*time.Hour),
		put("2026/11/picture.jpg", 1000*time.Hour), put("cache/11/"+name, 1000*time.Hour), put(name, 1000*time.Hour),
		put("2026/11/x/"+name, 1000*time.Hour),
	}
	if err := os.Mkdir(filepath.Join(dir, "2026/10"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(gone[0], filepath.Join(dir, "2026/10", name)); err != nil {
		t.Fatal(err)
	}
	n, err := (&Store{Dir: dir}).Sweep(now)
	if n != len(gone) || err != nil {
		t.Errorf("%d removed, %v", n, err)
	}
	for _, file := range gone {
		if _, err := os.Stat(file); err == nil {
			t.Errorf("%s is left", file)
		}
	}
	for _, file := range append(kept, filepath.Join(dir, "2026/10", name)) {
		if _, err := os.Lstat(file); err != nil {
			t.Error(err)
		}
	}
	if _, err := (&Store{Dir: filepath.Join(dir, "absent")}).Sweep(now); err == nil {
		t.Error("no error of a directory that does not exist")
	}
}
