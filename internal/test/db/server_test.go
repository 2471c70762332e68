package db

import (
	"bufio"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/agendahq/agenda/internal/test/atonce"
	"github.com/agendahq/agenda/internal/test/must"
)

// envChild makes the test binary run as another process that uses the server. Its value says how that process ends.
const envChild = "AGENDA_TEST_DB_CHILD"

func TestMain(m *testing.M) {
	how := os.Getenv(envChild)
	if how == "" {
		os.Exit(m.Run())
	}
	s, err := join("0")
	if err != nil {
		panic(err)
	}
	_, _ = os.Stdout.WriteString(s.dir + "\n")
	_, _ = os.Stdin.Read(make([]byte, 1)) // until the test closes stdin
	if how == "panic" {
		panic("as a test might")
	}
}

// child runs a process that uses the server. It returns the server's directory, and a function that ends the process.
func child(t *testing.T, how string) (dir string, end func()) {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(os.Environ(), envChild+"="+how)
	in := must.Get(cmd.StdinPipe())(t)
	out := must.Get(cmd.StdoutPipe())(t)
	must.Succeed(t, cmd.Start())
	dir = must.Get(bufio.NewReader(out).ReadString('\n'))(t)
	return strings.TrimSpace(dir), func() {
		if how == "kill" {
			_ = cmd.Process.Kill()
		}
		_ = in.Close()
		_ = cmd.Wait()
	}
}

// joined returns the server that processes share in the test's directory of temporary files.
func joined(t *testing.T) *server {
	t.Helper()
	return must.Get(join("0"))(t)
}

// ends stops the use of a server and waits until its directory is gone, which the guard removes last.
func ends(t *testing.T, s *server) {
	t.Helper()
	_ = s.users.Close()
	for range 3000 {
		if _, err := os.Stat(s.dir); errors.Is(err, fs.ErrNotExist) {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("%s is not removed", s.dir)
}

func links(t *testing.T) []string {
	t.Helper()
	return must.Get(filepath.Glob(filepath.Join(os.TempDir(), "agenda-test-db-*")))(t)
}

func TestProcessesShareAServer(t *testing.T) {
	for _, how := range []string{"return", "panic", "kill"} {
		t.Run(how, func(t *testing.T) {
			t.Setenv("TMPDIR", t.TempDir())
			first, end := child(t, how) // starts the server
			s := joined(t)
			end()
			second, end := child(t, how)
			end()
			if first != s.dir || second != s.dir {
				t.Errorf("servers in %s, %s and %s", first, s.dir, second)
			}
			must.Succeed(t, ping(s.admin, nil))
			ends(t, s)
			if l := links(t); len(l) > 0 {
				t.Errorf("left: %v", l)
			}
		})
	}
}

func TestProcessesThatStartAtOnce(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	servers := make([]*server, 4)
	atonce.Run(len(servers), func(i int) { servers[i], _ = join("0") })
	for _, s := range servers {
		if s == nil || ping(s.admin, nil) != nil {
			t.Fatalf("no server: %+v", s)
		}
	}
	for _, s := range servers {
		_ = s.users.Close()
	}
	for _, s := range servers {
		ends(t, s)
	}
}

func TestServersThatAreGone(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	s := joined(t)
	link := links(t)[0]
	ends(t, s)
	unread := t.TempDir()
	must.Succeed(t, exec.Command("mkfifo", filepath.Join(unread, "users")).Run())
	for _, gone := range []string{s.dir, unread, t.TempDir()} {
		must.Succeed(t, os.Symlink(gone, link))
		s := joined(t)
		if to, err := os.Readlink(link); err != nil || to != s.dir {
			t.Errorf("the link to %s leads to %s, not to %s: %v", gone, to, s.dir, err)
		}
		ends(t, s)
	}
}

func TestStopRemovesServer(t *testing.T) {
	s := startOwn(t)
	s.stop()
	if _, err := os.Stat(s.dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s: %v", s.dir, err)
	}
}

func startOwn(t *testing.T) *server {
	t.Helper()
	s := must.Get(start("", "0", plain))(t)
	t.Cleanup(s.stop)
	return s
}

func TestServerThatDoesNotStart(t *testing.T) {
	var dir string
	_, err := start("", "0", func(d string) ([]string, error) { dir = d; return []string{"/nonexistent/mariadbd"}, nil })
	if err == nil || !strings.Contains(err.Error(), "/nonexistent/mariadbd does not start") {
		t.Errorf("error: %v", err)
	}
	if _, err := os.Stat(dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s is left behind: %v", dir, err)
	}
}

func TestMissingServerSaysWhatToInstall(t *testing.T) {
	_, err := findServer("no-such-database-server")
	if err == nil || !strings.Contains(err.Error(), "mariadb-server-core") || !strings.Contains(err.Error(), EnvDSN) {
		t.Errorf("error: %v", err)
	}
}

func TestServerGivenByDSN(t *testing.T) {
	s := startOwn(t)
	cfg := s.admin.Clone()
	cfg.DBName = "ignored"
	given := must.Get(external(cfg.FormatDSN()))(t)
	if given.admin.DBName != "" || given.admin.Addr != s.admin.Addr {
		t.Errorf("connects to %q at %q", given.admin.DBName, given.admin.Addr)
	}
	if _, err := external("no dsn"); err == nil || !strings.Contains(err.Error(), EnvDSN) {
		t.Errorf("error of a bad DSN: %v", err)
	}
}
