package db

import (
	"bytes"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
)

// EnvDSN names the environment variable that points the tests at a server which is already running: a DSN of
// go-sql-driver/mysql whose account may create and drop databases. Its database part is not used.
const EnvDSN = "AGENDA_TEST_DSN"

const howToInstall = "no MySQL or MariaDB server for the tests: install one (Debian: apt-get install -y " +
	"--no-install-recommends mariadb-server-core) or set " + EnvDSN + " to the DSN of a server on which databases may be created"

// guard runs the server as its child and outlives the test binary by a moment. Its standard input is a pipe whose other
// end only the test binary holds, so the read ends however that process ends (return, panic, kill -9); then the server
// goes and its directory with it. Terminal signals are for the test binary alone.
// The guard itself writes nothing: the pipe that carries the server's words may have no reader by then.
const guard = `trap '' INT TERM HUP PIPE
dir=$1; shift
exec 3<&0
"$@" 3<&- </dev/null & server=$!
exec >/dev/null 2>&1
{ read -r _ <&3; kill -9 $server; } & reader=$!
wait $server
code=$?
kill $reader 2>/dev/null
rm -rf "$dir"
exit $code`

// server is the one database server of a test binary.
type server struct {
	admin *mysql.Config // without a database
	dir   string        // "" when the server is not ours
	stop  func() error  // waits until server and directory are gone
}

// shared is started by the first test that asks. It is never stopped by hand: the guard does it when the process ends.
var shared = sync.OnceValues(func() (*server, error) {
	if dsn := os.Getenv(EnvDSN); dsn != "" {
		return external(dsn)
	}
	binary, err := findServer("mariadbd", "/usr/sbin/mariadbd", "/usr/local/sbin/mariadbd", "/usr/libexec/mariadbd")
	if err != nil {
		return nil, err
	}
	dir, err := scratch()
	if err != nil {
		return nil, err
	}
	return start(binary, dir, flags(dir))
})

// running returns the server, starting it on first use, or fails the test with what is missing.
func running(t testing.TB) *server {
	t.Helper()
	s, err := shared()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func external(dsn string) (*server, error) {
	cfg, err := mysql.ParseDSN(dsn)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", EnvDSN, err)
	}
	cfg.DBName = ""
	if err := ping(cfg, nil); err != nil {
		return nil, fmt.Errorf("%s: %w", EnvDSN, err)
	}
	return &server{admin: cfg, stop: func() error { return nil }}, nil
}

// findServer returns the first of the names that can be run: one in PATH, or one where distributions put servers, which
// is not in every user's PATH.
func findServer(names ...string) (string, error) {
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New(howToInstall)
}

// start runs a private server in dir, a directory of scratch that goes with it, without a network
// port. It is ready after about a tenth of a second.
func start(binary, dir string, args []string) (*server, error) {
	output := new(log)
	cmd := exec.Command("/bin/sh", append([]string{"-c", guard, "agenda-testdb", dir, binary}, args...)...)
	cmd.Stdout, cmd.Stderr = output, output
	leash, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(dir))
	}
	gone := make(chan struct{})
	go func() { _ = cmd.Wait(); close(gone) }()

	s := &server{admin: mysql.NewConfig(), dir: dir}
	s.admin.User, s.admin.Net, s.admin.Addr = "root", "unix", filepath.Join(dir, "s")
	s.stop = sync.OnceValue(func() error {
		err := leash.Close()
		<-gone
		return err
	})
	if err := ping(s.admin, gone); err != nil {
		_ = s.stop()
		return nil, fmt.Errorf("%s does not start: %w\n%s", binary, err, output)
	}
	return s, nil
}

// scratch makes the server's directory, in memory if possible. The path is short: a socket's may have 107 bytes.
func scratch() (string, error) {
	dir, err := os.MkdirTemp("/dev/shm", "agenda-testdb-")
	if err != nil {
		dir, err = os.MkdirTemp("", "agenda-testdb-")
	}
	if err != nil {
		return "", err
	}
	return dir, errors.Join(os.Mkdir(filepath.Join(dir, "d"), 0o700), os.Mkdir(filepath.Join(dir, "t"), 0o700))
}

func flags(dir string) []string {
	args := []string{
		"--no-defaults", "--datadir=" + dir + "/d", "--socket=" + dir + "/s", "--pid-file=" + dir + "/pid",
		"--tmpdir=" + dir + "/t", // a server that starts removes the temporary tables it finds, also another's
		"--skip-networking", "--skip-grant-tables", "--skip-log-bin", "--performance-schema=0",
		"--innodb-flush-log-at-trx-commit=0", "--innodb-doublewrite=0", "--innodb-stats-persistent=0",
		"--innodb-log-file-size=8M", "--innodb-buffer-pool-size=64M", "--character-set-server=utf8mb4",
	}
	if os.Getuid() == 0 {
		args = append(args, "--user=root")
	}
	return args
}

// ping waits until the server answers, at most 30 seconds, or until gone is closed.
func ping(cfg *mysql.Config, gone <-chan struct{}) error {
	quiet := cfg.Clone()
	quiet.Logger = &mysql.NopLogger{}
	connector, err := mysql.NewConnector(quiet)
	if err != nil {
		return err
	}
	db := sql.OpenDB(connector)
	defer db.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	for {
		err := db.PingContext(ctx)
		if err == nil {
			return nil
		}
		select {
		case <-gone:
			return errors.New("the server ended while starting")
		case <-ctx.Done():
			return err
		case <-time.After(5 * time.Millisecond):
		}
	}
}

// log holds what the server said. It is read while the server may still be writing.
type log struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (l *log) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *log) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}
