package db

import (
	"bytes"
	"context"
	"crypto/sha256"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"

	"github.com/agendahq/agenda/internal/test/must"
)

// EnvDSN names the environment variable with the DSN of a running server for the tests, in the format of
// go-sql-driver/mysql. Its account must be permitted to create and drop databases. The name of the database is ignored.
const EnvDSN = "AGENDA_TEST_DSN"

// EnvServer names the environment variable with the server program that the tests start instead of the installed
// MariaDB: mysqld of MySQL, or mariadbd of another version.
const EnvServer = "AGENDA_TEST_SERVER"

const howToInstall = "no MySQL or MariaDB server for the tests: install one (Debian: apt-get install -y " +
	"--no-install-recommends mariadb-server-core), set " + EnvServer +
	" to a program that is one, or " + EnvDSN + " to the DSN of a server on which databases may be created"

// guard runs a server for as long as it is used. Every test binary that uses the server holds the named pipe $dir/users
// open for writing. The guard reads it until end of file, which comes when the last of them is gone, whether by return,
// panic or kill -9. If they have written a byte, others may follow, so the guard waits $idle seconds and reads again.
// Otherwise it removes the pipe, waits for processes that have opened it in the meantime, stops the server and removes
// its directory. It ignores signals of the terminal, which are meant for the tests.
const guard = `trap '' INT TERM HUP PIPE
dir=$1 link=$2 idle=$3; shift 3
exec 3<&0
"$@" 3<&- </dev/null & server=$!
exec >/dev/null 2>&1
{
	until [ "$(wc -c <&3)" -eq 0 ]; do sleep "$idle"; done
	rm "$dir/users"; wc -c <&3
	kill -9 $server
} & reader=$!
wait $server
kill -9 $reader
[ "$(readlink "$link")" != "$dir" ] || rm "$link"
rm -rf "$dir"`

// server is a database server.
type server struct {
	admin *mysql.Config // without a database
	dir   string        // "" for the server of AGENDA_TEST_DSN
	users *os.File      // open for as long as this process needs the server
	gone  chan struct{} // closed when the server and its directory are gone, if this process started it
}

// shared returns the server of all tests: that of AGENDA_TEST_DSN, or one that the first test binary starts for all.
var shared = sync.OnceValues(func() (*server, error) {
	if dsn := os.Getenv(EnvDSN); dsn != "" {
		return external(dsn)
	}
	return join("10")
})

// running returns the server of all tests. If there is none, it fails the test with the reason.
func running(t testing.TB) *server {
	t.Helper()
	s := must.Get(shared())(t)
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
	return &server{admin: cfg}, nil
}

// join returns the server that other processes of this user share, or starts one. It finds the server's directory by a
// symbolic link. If two processes start a server at the same time, each may keep its own, because the link is only
// needed by further processes.
func join(idle string) (*server, error) {
	kind := fmt.Sprint(os.Getuid(), guard, idle, os.Getenv(EnvServer), flags("", false))
	link := filepath.Join(os.TempDir(), fmt.Sprintf("agenda-test-db-%x", sha256.Sum256([]byte(kind)))[:24])
	if s := find(link); s != nil {
		return s, nil
	}
	s, err := start(link, idle, plain)
	if err != nil {
		return nil, err
	}
	if os.Symlink(s.dir, link) != nil {
		if other := find(link); other != nil {
			s.stop()
			return other, nil
		}
		_ = os.Remove(link) // left behind by a server that has ended
		_ = os.Symlink(s.dir, link)
	}
	_, err = s.users.Write([]byte{1})
	return s, err
}

// find returns the server that a link leads to, or nil if it does not run.
func find(link string) *server {
	dir, err := os.Readlink(link)
	if err != nil {
		return nil
	}
	users, err := os.OpenFile(filepath.Join(dir, "users"), os.O_WRONLY|syscall.O_NONBLOCK, 0) // fails if no guard reads
	if err != nil {
		return nil
	}
	s := &server{admin: at(dir), dir: dir, users: users}
	if _, err := users.Write([]byte{1}); err != nil || ping(s.admin, nil) != nil {
		_ = users.Close()
		return nil
	}
	return s
}

// start starts a server without a network port, in a directory that is removed with it. This takes about a tenth of a
// second. The server ends with this process, unless others find it by the link.
func start(link, idle string, prepare func(dir string) (command []string, err error)) (s *server, err error) {
	dir, err := scratch()
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			_ = os.RemoveAll(dir)
		}
	}()
	command, err := prepare(dir)
	if err != nil {
		return nil, err
	}
	name := filepath.Join(dir, "users")
	if err := exec.Command("mkfifo", name).Run(); err != nil {
		return nil, fmt.Errorf("mkfifo: %w", err)
	}
	users, err := os.OpenFile(name, os.O_RDWR, 0) // O_WRONLY alone would wait for a reader
	if err != nil {
		return nil, err
	}
	read, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer read.Close()
	output := new(bytes.Buffer)
	cmd := exec.Command("/bin/sh", append([]string{"-c", guard, "agenda-test-db", dir, link, idle}, command...)...)
	cmd.Stdin, cmd.Stdout, cmd.Stderr = read, output, output
	if err := cmd.Start(); err != nil {
		return nil, err
	}
	s = &server{admin: at(dir), dir: dir, users: users, gone: make(chan struct{})}
	go func() { _ = cmd.Wait(); close(s.gone) }()
	if err := ping(s.admin, s.gone); err != nil {
		s.stop()
		return nil, fmt.Errorf("%s does not start: %w\n%s", command[0], err, output)
	}
	return s, nil
}

// stop ends the use of a server that this process started. If no other process uses it, stop waits until it has ended.
func (s *server) stop() {
	_ = s.users.Close()
	<-s.gone
}

// at returns the configuration for connecting to the server in a directory.
func at(dir string) *mysql.Config {
	cfg := mysql.NewConfig()
	cfg.User, cfg.Net, cfg.Addr = "root", "unix", filepath.Join(dir, "s")
	return cfg
}

// scratch creates the server's directory, in memory if possible. Its path must be short, because that of a socket may
// have at most 107 bytes.
func scratch() (string, error) {
	dir, err := os.MkdirTemp("/dev/shm", "agenda-test-db-")
	if err != nil {
		dir, err = os.MkdirTemp("", "agenda-test-db-")
	}
	if err != nil {
		return "", err
	}
	return dir, errors.Join(os.Mkdir(filepath.Join(dir, "d"), 0o700), os.Mkdir(filepath.Join(dir, "t"), 0o700))
}

// plain returns the command of a server that does not check accounts. MySQL only starts with its system tables and
// checks accounts, but root has no password.
func plain(dir string) ([]string, error) {
	names := []string{"mariadbd", "/usr/sbin/mariadbd", "/usr/local/sbin/mariadbd", "/usr/libexec/mariadbd"}
	if given := os.Getenv(EnvServer); given != "" {
		names = []string{given}
	}
	binary, err := findServer(names...)
	if err != nil {
		return nil, err
	}
	if !isMySQL(binary) {
		return append([]string{binary}, flags(dir, false)...), nil
	}
	return append([]string{binary}, flags(dir, true)...), initialize(binary, dir)
}

// initialize fills a directory with MySQL's system tables. Creating them takes seconds, so they are kept in the user's
// cache and copied, which takes a tenth of a second.
func initialize(binary, dir string) error {
	data, made := filepath.Join(dir, "d"), ""
	version, err := exec.Command(binary, "--no-defaults", "--version").Output()
	if err != nil {
		return err
	}
	if cache, err := os.UserCacheDir(); err == nil {
		of := sha256.Sum256([]byte(fmt.Sprint(string(version), flags("", true))))
		made = filepath.Join(cache, "agenda-servers", fmt.Sprintf("data-%x", of[:8]))
		if err := os.CopyFS(data, os.DirFS(made)); !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if out, err := exec.Command(binary, append(flags(dir, true), "--initialize-insecure")...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s makes no data directory: %w\n%s", binary, err, out)
	}
	if err := os.Remove(filepath.Join(data, "auto.cnf")); err != nil { // contains the identity of the server, which must be created anew
		return err
	}
	if made == "" || os.MkdirAll(filepath.Dir(made), 0o755) != nil {
		return nil
	}
	if partly, err := os.MkdirTemp(filepath.Dir(made), "data-"); err == nil {
		if os.CopyFS(partly, os.DirFS(data)) != nil || os.Rename(partly, made) != nil { // another process has created it
			_ = os.RemoveAll(partly)
		}
	}
	return nil
}

// isMySQL reports whether a program is the server of MySQL rather than MariaDB.
func isMySQL(binary string) bool {
	if strings.HasPrefix(filepath.Base(binary), "mariadb") {
		return false
	}
	version, err := exec.Command(binary, "--no-defaults", "--version").Output()
	return err == nil && !strings.Contains(string(version), "MariaDB")
}

// findServer returns the first of the names that can be executed. It searches PATH and the directories in which
// distributions install servers, which are not in every user's PATH.
func findServer(names ...string) (string, error) {
	for _, name := range names {
		if path, err := exec.LookPath(name); err == nil {
			return path, nil
		}
	}
	return "", errors.New(howToInstall)
}

func flags(dir string, isMySQL bool) []string {
	args := []string{
		"--no-defaults", "--datadir=" + dir + "/d", "--socket=" + dir + "/s", "--pid-file=" + dir + "/pid",
		"--tmpdir=" + dir + "/t", // a server that starts removes all temporary tables that it finds, including those of other servers
		"--skip-networking", "--skip-log-bin", "--performance-schema=0", "--max-connections=2000",
		"--innodb-flush-log-at-trx-commit=0", "--innodb-doublewrite=0", "--innodb-stats-persistent=0",
		"--innodb-buffer-pool-size=128M", "--character-set-server=utf8mb4",
	}
	if isMySQL {
		args = append(args, "--innodb-redo-log-capacity=64M", "--mysqlx=0")
	} else {
		args = append(args, "--innodb-log-file-size=16M", "--skip-grant-tables",
			"--use-stat-tables=never") // the server would look for its tables whenever it opens a table
	}
	if os.Getuid() == 0 {
		args = append(args, "--user=root")
	}
	return args
}

// ping waits until the server answers, for at most a minute, or until gone is closed.
func ping(cfg *mysql.Config, gone <-chan struct{}) error {
	quiet := cfg.Clone()
	quiet.Logger = &mysql.NopLogger{}
	connector, err := mysql.NewConnector(quiet)
	if err != nil {
		return err
	}
	db := sql.OpenDB(connector)
	defer db.Close()
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
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

// StartsMySQL reports whether tests start servers of MySQL rather than MariaDB.
func StartsMySQL() bool { return os.Getenv(EnvServer) != "" && isMySQL(os.Getenv(EnvServer)) }
