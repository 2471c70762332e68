package db

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"strings"
	"testing"
	"time"
)

// envChild makes the test binary play the process whose server must not outlive it.
const envChild = "AGENDA_TESTDB_CHILD"

func TestMain(m *testing.M) {
	how := os.Getenv(envChild)
	if how == "" {
		os.Exit(m.Run())
	}
	_ = os.Unsetenv(EnvDSN)
	s, err := shared()
	if err != nil {
		panic(err)
	}
	_, _ = os.Stdout.WriteString(s.dir + "\n")
	switch how {
	case "panic":
		panic("as a test might")
	case "exit":
		os.Exit(0)
	}
	select {} // until killed
}

func TestServerEndsWithItsProcess(t *testing.T) {
	for _, how := range []string{"exit", "panic", "kill"} {
		t.Run(how, func(t *testing.T) {
			cmd := exec.Command(os.Args[0])
			cmd.Env = append(os.Environ(), envChild+"="+how)
			out, err := cmd.StdoutPipe()
			if err != nil {
				t.Fatal(err)
			}
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			line, err := bufio.NewReader(out).ReadString('\n')
			if err != nil {
				t.Fatal(err)
			}
			dir := strings.TrimSpace(line)
			if how == "kill" {
				_ = cmd.Process.Kill()
			}
			_, _ = io.Copy(io.Discard, out)
			_ = cmd.Wait()
			// The guard removes the directory only after the server has ended.
			waitFor(t, "removal of "+dir, func() bool {
				_, err := os.Stat(dir)
				return errors.Is(err, fs.ErrNotExist)
			})
		})
	}
}

func waitFor(t *testing.T, what string, done func() bool) {
	t.Helper()
	for range 3000 {
		if done() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("waited in vain for: %s", what)
}

func TestStopRemovesServer(t *testing.T) {
	s := startOwn(t)
	if err := ping(s.admin, nil); err != nil {
		t.Fatal(err)
	}
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(s.dir); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("%s: %v", s.dir, err)
	}
}

func startOwn(t *testing.T) *server {
	t.Helper()
	binary, err := findServer("mariadbd", "/usr/sbin/mariadbd", "/usr/local/sbin/mariadbd", "/usr/libexec/mariadbd")
	if err != nil {
		t.Fatal(err)
	}
	dir, err := scratch()
	if err != nil {
		t.Fatal(err)
	}
	s, err := start(binary, dir, flags(dir))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.stop() })
	return s
}

func TestServerThatDoesNotStart(t *testing.T) {
	dir, err := scratch()
	if err != nil {
		t.Fatal(err)
	}
	_, err = start("/nonexistent/mariadbd", dir, flags(dir))
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
	given, err := external(cfg.FormatDSN())
	if err != nil {
		t.Fatal(err)
	}
	if given.admin.DBName != "" || given.admin.Addr != s.admin.Addr {
		t.Errorf("connects to %q at %q", given.admin.DBName, given.admin.Addr)
	}
	if err := given.stop(); err != nil {
		t.Fatal(err)
	}
	if err := ping(s.admin, nil); err != nil {
		t.Errorf("a server that is not ours was stopped: %v", err)
	}
	if _, err := external("no dsn"); err == nil || !strings.Contains(err.Error(), EnvDSN) {
		t.Errorf("error of a bad DSN: %v", err)
	}
}
