package editing

import (
	"bytes"
	"crypto/rand"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/agendahq/agenda/calendar"
	"github.com/agendahq/agenda/internal/test/atonce"
	"github.com/agendahq/agenda/internal/test/must"
)

// sender is a user who sends pictures, with the clock of a test.
type sender struct {
	testing.TB

	kept *kept
	now  time.Time
}

func newSender(t testing.TB, dir string) *sender {
	s := &sender{TB: t, now: time.Date(2031, 5, 1, 10, 0, 0, 0, time.UTC)}
	s.kept = s.process(dir)
	return s
}

// process returns the kept pictures as another process on the directory has them.
func (s *sender) process(dir string) *kept {
	return newKept(dir, func() time.Time { return s.now }, slog.New(slog.NewTextHandler(s.Output(), nil)))
}

// send sends a picture with the given number of bytes, a second after the previous one.
func (s *sender) send(user int64, size int) string {
	s.Helper()
	s.now = s.now.Add(time.Second)
	return s.sendTo(s.kept, user, size)
}

// sendTo sends a picture to a process, at the time of the last one.
func (s *sender) sendTo(k *kept, user int64, size int) string {
	s.Helper()
	return must.Get(k.addImage(user, calendar.File{Name: "a\nb.png", Data: bytes.Repeat([]byte{'x'}, size)}))(s)
}

// has reports which pictures of a user are kept: "x" for one that is, "-" for one that is not.
func (s *sender) has(k *kept, user int64, keys ...string) (there string) {
	s.Helper()
	for _, key := range keys {
		file, err := k.get(user, key)
		switch {
		case err != nil:
			s.Fatal(err)
		case file == nil:
			there += "-"
		default:
			there += "x"
		}
	}
	return there
}

// Pictures are kept for an hour: at most three and 20 MB per user, and 100 MB in total, both in a directory and in
// memory.
func TestKeptPictures(t *testing.T) {
	for name, dir := range map[string]string{"memory": "", "a directory": filepath.Join(t.TempDir(), "unsent")} {
		t.Run(name, func(t *testing.T) {
			s := newSender(t, dir)
			want := func(got, want string) {
				t.Helper()
				if got != want {
					t.Errorf("%s, want %s", got, want)
				}
			}
			a, b, c := s.send(7, 10), s.send(7, 10), s.send(7, 10)
			want(s.has(s.kept, 7, a, b, c, "", "../"+a, a+"\x00"), "xxx---")
			want(s.has(s.kept, 8, a, b, c), "---")
			d := s.send(7, 10)
			want(s.has(s.kept, 7, a, b, c, d), "-xxx")
			e := s.send(7, keptBytes) // as much as a user may have
			want(s.has(s.kept, 7, b, c, d, e), "---x")
			s.kept.drop(8, e)
			want(s.has(s.kept, 7, e), "x")
			s.kept.drop(7, e)
			want(s.has(s.kept, 7, e), "-")

			var all []string
			for user := range int64(6) {
				all = append(all, s.send(10+user, keptBytes-1000))
			}
			there := ""
			for user := range int64(6) {
				there += s.has(s.kept, 10+user, all[user])
			}
			want(there, "-xxxxx")

			last := s.send(7, 10)
			s.now = s.now.Add(keptFor - time.Second)
			want(s.has(s.kept, 7, last), "x")
			s.now = s.now.Add(time.Second)
			want(s.has(s.kept, 7, last), "-")
			s.kept.expire()
			if left, err := s.kept.shelf.list(); err != nil || len(left) > 0 {
				t.Error(left, err)
			}
		})
	}
}

// Processes share the directory. A restart loses nothing and removes what has expired, and only the owner can read the
// directory.
func TestKeptPicturesOfProcesses(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "unsent")
	s := newSender(t, dir)
	if _, err := os.Stat(dir); err == nil {
		t.Error("it is made before it is needed")
	}
	key := s.send(7, 10)
	other := s.process(dir)
	file, err := other.get(7, key)
	if err != nil || file == nil || file.Name != "a b.png" || string(file.Data) != "xxxxxxxxxx" {
		t.Fatal(file, err)
	}
	for path, want := range map[string]os.FileMode{dir: 0o700, filepath.Join(dir, "7-"+key): 0o600} {
		if at, err := os.Stat(path); err != nil || at.Mode().Perm() != want {
			t.Error(path, at.Mode(), err)
		}
	}
	// A picture that was not written completely, and a file of another program.
	for _, name := range []string{"7-" + key + unfinished, "note"} {
		must.Succeed(t, os.WriteFile(filepath.Join(dir, name), nil, 0o600))
	}
	s.now = s.now.Add(2 * keptFor)
	s.process(dir)
	left, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || !slices.Equal(left, []string{filepath.Join(dir, "note")}) {
		t.Error(left, err)
	}
}

// If pictures are sent at the same time, the last ones are kept, and the limits of a user hold.
func TestKeptPicturesAtTheSameTime(t *testing.T) {
	for name, dir := range map[string]string{"memory": "", "a directory": filepath.Join(t.TempDir(), "unsent")} {
		t.Run(name, func(t *testing.T) {
			s := newSender(t, dir)
			a, b := s.sendTo(s.kept, 7, keptBytes-1000), s.sendTo(s.kept, 7, keptBytes-1000)
			if got := s.has(s.kept, 7, a, b); got != "-x" {
				t.Fatalf("of two large ones %s, want -x", got)
			}
			for range 8 { // keys are random, so a single attempt might succeed by chance
				c, d, e, f := s.sendTo(s.kept, 7, 10), s.sendTo(s.kept, 7, 10), s.sendTo(s.kept, 7, 10), s.sendTo(s.kept, 7, 10)
				if got := s.has(s.kept, 7, c, d, e, f); got != "-xxx" {
					t.Fatalf("of four small ones %s, want -xxx", got)
				}
			}
		})
	}
}

// The limits of a user also hold for pictures that several processes receive at the same time. A picture that is still
// being received is not removed.
func TestKeptPicturesOfProcessesAtTheSameTime(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "unsent")
	s := newSender(t, dir)
	s.now = time.Now() // the modification times of files that are being written are those of the system clock
	processes := []*kept{s.kept, s.process(dir), s.process(dir)}
	atonce.Run(len(processes), func(n int) {
		k := processes[n]
		for i := range 3 {
			if _, err := k.addImage(7, calendar.File{Name: "a.png", Data: make([]byte, keptBytes/3+i<<16)}); err != nil {
				t.Error(err)
			}
		}
	})
	left, err := s.kept.shelf.list()
	bytes := int64(0)
	for _, p := range left {
		bytes += p.bytes
	}
	if err != nil || len(left) == 0 || len(left) > keptOfUser || bytes > keptBytes {
		t.Errorf("%d pictures with %d bytes: %v", len(left), bytes, err)
	}

	a, b := s.sendTo(processes[1], 8, keptBytes-1000), s.sendTo(processes[2], 8, keptBytes-1000)
	if got := s.has(s.kept, 8, a, b); got != "-x" && got != "x-" {
		t.Errorf("of two large ones %s, want one", got)
	}

	part := filepath.Join(dir, "9-"+rand.Text()+unfinished)
	must.Succeed(t, os.WriteFile(part, make([]byte, keptBytes), 0o600))
	must.Succeed(t, os.Chtimes(part, s.now, s.now))
	s.send(9, 10)
	if _, err := os.Stat(part); err != nil {
		t.Errorf("what another process is writing was removed: %v", err)
	}
}

// If there is no directory that only its owner can read, pictures are kept in memory.
func TestKeptPicturesWithoutADirectory(t *testing.T) {
	open, file := filepath.Join(t.TempDir(), "open"), filepath.Join(t.TempDir(), "file")
	must.Succeed(t, os.Mkdir(open, 0o755))
	must.Succeed(t, os.WriteFile(file, nil, 0o600))
	for _, dir := range []string{open, file, filepath.Join(file, "below")} {
		s := newSender(t, dir)
		if key := s.send(7, 10); s.has(s.kept, 7, key) != "x" || s.has(s.process(""), 7, key) != "-" {
			t.Error(dir)
		}
	}
	if left, err := os.ReadDir(open); err != nil || len(left) > 0 {
		t.Error(left, err)
	}
	for uploads, want := range map[string]string{
		"": "", "/": "", "/srv/site/uploads": "/srv/site/.uploads-unsent", "/srv/up/": "/srv/.up-unsent",
	} {
		if got := keptBeside(uploads); got != want {
			t.Errorf("beside %q: %q, want %q", uploads, got, want)
		}
	}
}
