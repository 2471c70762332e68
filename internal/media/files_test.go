package media

import (
	"context"
	"errors"
	"image/color"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/agendahq/agenda/internal/test/golden"
	"github.com/agendahq/agenda/internal/test/must"
)

func TestSaveUnique(t *testing.T) {
	small := pngFile(t, quarters(200, 100))
	thumb := []Size{{"thumbnail", 150, 150, true}}
	golden.Each(t, "unique-names.txt", func(present, name, want string) {
		s := newStore(t)
		dir := filepath.Join(s.Dir, "2026/11")
		must.Succeed(t, os.MkdirAll(dir, 0o755))
		for _, f := range strings.Fields(present) {
			must.Succeed(t, os.WriteFile(filepath.Join(dir, f), []byte("kept"), 0o644))
		}
		saved := s.mustSave(t, name, small, thumb)
		if saved.File != "2026/11/"+want {
			t.Errorf("%s beside %q: %s, want %s", name, present, saved.File, want)
		}
		for _, f := range strings.Fields(present) {
			if b, err := os.ReadFile(filepath.Join(dir, f)); err != nil || string(b) != "kept" {
				t.Errorf("%s: %s was touched", name, f)
			}
		}
	})
}

// TestClaim checks that files that are created between the check and the write are not overwritten.
func TestClaim(t *testing.T) {
	s := newStore(t)
	b := newBatch(t, s)
	must.Succeed(t, b.makeDir())
	taken := filepath.Join(s.Dir, "2026/11/pic-150x150.png")
	must.Succeed(t, os.WriteFile(taken, []byte("kept"), 0o644))
	ok, err := b.claim([]string{"pic.png", "pic-300x300.png", "pic-150x150.png"})
	if ok || err != nil {
		t.Errorf("%v %v", ok, err)
	}
	if got := contents(t, s.Dir); len(got) != 3 || got["2026/11/pic-150x150.png"] != 4 {
		t.Errorf("%v", got)
	}
}

func newBatch(t testing.TB, s *Store) *batch {
	t.Helper()
	root := must.Get(os.OpenRoot(s.Dir))(t)
	t.Cleanup(func() { _ = root.Close() })
	return &batch{root: root, dir: "2026/11"}
}

// TestSaveConcurrently saves files with the same name concurrently, and removes half of them again.
func TestSaveConcurrently(t *testing.T) {
	const writers = 32
	s := newStore(t)
	files := [][]byte{pngFile(t, quarters(200, 100)), webpFile(200, 100, color.NRGBA{0, 0, 0, 0})}
	results := make([]*Saved, writers)
	var wg sync.WaitGroup
	for i := range writers {
		img := imageOf(t, files[i%2])
		wg.Go(func() {
			saved, err := s.Save(t.Context(), november, "pic", img, []Size{{"thumbnail", 150, 150, true}})
			if err != nil {
				t.Error(err)
				return
			}
			if i%4 < 2 {
				results[i] = saved
			} else if err := saved.Remove(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	found := contents(t, s.Dir)
	names := map[string]bool{}
	for _, saved := range results {
		if saved == nil {
			continue
		}
		names[saved.File] = true
		names["2026/11/"+saved.Sizes[0].File] = true
		if found[saved.File] != saved.Size || found["2026/11/"+saved.Sizes[0].File] != saved.Sizes[0].Size {
			t.Errorf("%s has %d bytes of %d", saved.File, found[saved.File], saved.Size)
		}
	}
	if len(names) != writers || len(found) != writers+2 {
		t.Errorf("%d names, found %v", len(names), slices.Sorted(maps.Keys(found)))
	}
}

// failsAfter is a context that ends after Err was called a number of times.
type failsAfter struct {
	context.Context
	left int
}

func (c *failsAfter) Err() error {
	if c.left--; c.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestSaveGivenUp checks that Save leaves no files, wherever it is interrupted.
func TestSaveGivenUp(t *testing.T) {
	img := imageOf(t, pngFile(t, quarters(400, 200)))
	sizes := []Size{{"a", 300, 300, false}, {"b", 150, 150, true}}
	for n := range 1000 {
		s := newStore(t)
		must.Succeed(t, os.WriteFile(filepath.Join(s.Dir, "other"), nil, 0o644))
		_, err := s.Save(&failsAfter{t.Context(), n}, november, "pic", img, sizes)
		if err == nil {
			if n < 5 {
				t.Errorf("only %d places", n)
			}
			return
		}
		if !errors.Is(err, context.Canceled) {
			t.Errorf("at %d: %v", n, err)
		}
		if got := contents(t, s.Dir); len(got) != 1 {
			t.Errorf("at %d: %v", n, got)
		}
	}
	t.Error("it never succeeds")
}

func TestSaveDone(t *testing.T) {
	s := newStore(t)
	release := must.Get(slots.acquire(t.Context(), s.holderIn(t.Context())))(t)
	defer release()
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := s.Save(ctx, november, "pic", imageOf(t, pngFile(t, quarters(4, 4))), nil); !errors.Is(err, context.Canceled) {
		t.Errorf("waiting for its turn: %v", err)
	}
}

// TestWriteFails checks that an incomplete file is not kept.
func TestWriteFails(t *testing.T) {
	s := newStore(t)
	b := newBatch(t, s)
	if ok, err := b.claim([]string{"pic.png"}); !ok || err != nil {
		t.Fatal(err)
	}
	full := errors.New("full")
	_, err := b.writeFile("pic.png", func(w io.Writer) error {
		_, _ = w.Write(make([]byte, 1<<20))
		return full
	})
	if !errors.Is(err, full) || len(b.files) != 2 {
		t.Errorf("%v, %v", err, b.files)
	}
	must.Succeed(t, b.remove())
	if got := contents(t, s.Dir); len(got) != 0 {
		t.Errorf("%v", got)
	}
}

// TestSaveNowhere saves into directories in which not even root can create files.
func TestSaveNowhere(t *testing.T) {
	img := imageOf(t, pngFile(t, quarters(4, 4)))
	outside := t.TempDir()
	for name, prepare := range map[string]func(dir string) string{
		"missing":   func(dir string) string { return filepath.Join(dir, "none") },
		"read-only": func(string) string { return "/proc" },
		"a file":    func(dir string) string { return mustWrite(t, filepath.Join(dir, "f")) },
		"year is a file": func(dir string) string {
			mustWrite(t, filepath.Join(dir, "2026"))
			return dir
		},
		"year leads out": func(dir string) string {
			must.Succeed(t, os.Symlink(outside, filepath.Join(dir, "2026")))
			return dir
		},
	} {
		s := &Store{Dir: prepare(t.TempDir())}
		_, err := s.Save(t.Context(), november, "pic", img, usual)
		if _, refused := errors.AsType[*Error](err); refused || err == nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if got := contents(t, outside); len(got) != 0 {
		t.Errorf("outside: %v", got)
	}
}

func mustWrite(t *testing.T, name string) string {
	t.Helper()
	must.Succeed(t, os.WriteFile(name, nil, 0o644))
	return name
}

func TestRemove(t *testing.T) {
	file := pngFile(t, quarters(400, 200))
	s := newStore(t)
	first := s.mustSave(t, "pic", file, usual)
	second := s.mustSave(t, "pic", file, usual)
	before := contents(t, s.Dir)
	must.Succeed(t, first.Remove())
	if got := contents(t, s.Dir); len(got) != 2+1+len(second.Sizes) || got[second.File] != second.Size {
		t.Errorf("from %v is left %v", before, got)
	}
	third := s.mustSave(t, "pic", file, usual)
	if third.File != first.File {
		t.Errorf("%s", third.File)
	}
	must.Succeed(t, first.Remove())
	if contents(t, s.Dir)[third.File] != third.Size {
		t.Error("removing again removed another image")
	}
	for _, saved := range []*Saved{second, third} {
		must.Succeed(t, saved.Remove())
	}
	// The first one created the directories, which were in use afterwards.
	if got := contents(t, s.Dir); len(got) != 2 {
		t.Errorf("%v", got)
	}
	alone := newStore(t)
	saved := alone.mustSave(t, "pic", file, usual)
	if err := saved.Remove(); err != nil || len(contents(t, alone.Dir)) != 0 {
		t.Errorf("%v %v", err, contents(t, alone.Dir))
	}
	must.Succeed(t, os.Remove(alone.Dir))
	if err := saved.Remove(); err != nil {
		t.Errorf("nothing is left to remove: %v", err)
	}
}

// TestRemoveFails checks that a file that cannot be removed is reported, and that removing it is tried again.
func TestRemoveFails(t *testing.T) {
	s := newStore(t)
	saved := s.mustSave(t, "pic", pngFile(t, quarters(4, 4)), nil)
	name := filepath.Join(s.Dir, saved.File)
	must.Succeed(t, os.Remove(name))
	must.Succeed(t, os.MkdirAll(filepath.Join(name, "full"), 0o755))
	if err := saved.Remove(); err == nil {
		t.Error("no error")
	}
	must.Succeed(t, os.Remove(filepath.Join(name, "full")))
	must.Succeed(t, saved.Remove())
	if got := contents(t, s.Dir); len(got) != 0 {
		t.Errorf("%v", got)
	}
}

// TestModes checks that users with access to the uploads directory have the same access to new files.
func TestModes(t *testing.T) {
	for _, c := range []struct{ root, dir, file fs.FileMode }{{0o775, 0o775, 0o664}, {0o750, 0o750, 0o640}, {0o700, 0o700, 0o600}} {
		s := newStore(t)
		must.Succeed(t, os.Chmod(s.Dir, c.root))
		saved := s.mustSave(t, "pic", pngFile(t, quarters(400, 200)), usual)
		for name, want := range map[string]fs.FileMode{"2026": c.dir, "2026/11": c.dir, saved.File: c.file,
			path.Join("2026/11", saved.Sizes[0].File): c.file} {
			info := must.Get(os.Stat(filepath.Join(s.Dir, name)))(t)
			if info.Mode().Perm() != want {
				t.Errorf("in %v: %s has %v, want %v", c.root, name, info.Mode().Perm(), want)
			}
		}
	}
}
