//go:build cluster

package cluster

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/go-sql-driver/mysql"
)

// The database on all servers, and the account of the program. The account cannot write if a server is read-only.
const (
	database = "site"
	account  = "agenda"
	password = "secret"
)

// Server is a MariaDB or MySQL server on a loopback port, with accounts and a directory of its own.
type Server struct {
	t       testing.TB
	name    string
	dir     string
	port    int
	program string
	flags   []string
	user    *syscall.Credential // the user that it runs as, nil for that of the tests
	running *process
	admin   *sql.DB
}

// newServer returns a server that does not run yet. {dir} in flags stands for its directory.
func newServer(t testing.TB, name string, flags ...string) *Server {
	t.Helper()
	return newServerIn(t, inMemory(t), name, flags...)
}

// inMemory creates a directory in memory.
func inMemory(t testing.TB) (dir string) {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "agenda-cluster-") //nolint:usetesting // in memory, and its path is short enough for a socket
	must(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}

// newServerIn is newServer in an empty directory.
func newServerIn(t testing.TB, dir, name string, flags ...string) *Server {
	t.Helper()
	s := &Server{t: t, name: name, dir: dir, port: freePort(t), program: "/usr/sbin/mariadbd"}
	must(t, os.Mkdir(dir+"/tmp", 0o700))
	must(t, os.Mkdir(dir+"/data", 0o700))
	s.flags = []string{
		"--no-defaults", "--datadir=" + dir + "/data", "--tmpdir=" + dir + "/tmp", "--socket=" + dir + "/s", "--pid-file=" + dir + "/pid",
		"--bind-address=127.0.0.1", "--port=" + strconv.Itoa(s.port), "--skip-name-resolve", "--binlog-format=ROW",
		"--character-set-server=utf8mb4", "--collation-server=utf8mb4_unicode_520_ci", "--performance-schema=0",
		"--innodb-log-file-size=16M", "--innodb-buffer-pool-size=64M", "--max-connections=500",
	}
	for _, f := range flags {
		s.flags = append(s.flags, strings.ReplaceAll(f, "{dir}", dir))
	}
	install := []string{"--no-defaults", "--datadir=" + dir + "/data", "--tmpdir=" + dir + "/tmp",
		"--auth-root-authentication-method=normal", "--skip-test-db"}
	if os.Getuid() == 0 { // rsync does not copy the data of a server that runs as root
		install = append(install, "--user=mysql")
		owner, err := user.Lookup("mysql")
		must(t, err, "install mariadb-server")
		uid, _ := strconv.Atoi(owner.Uid)
		gid, _ := strconv.Atoi(owner.Gid)
		s.user = &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}
		for _, d := range []string{dir, dir + "/tmp", dir + "/data"} {
			must(t, os.Chown(d, uid, gid))
		}
	}
	out, err := exec.Command("mariadb-install-db", install...).CombinedOutput()
	must(t, err, string(out), "\ninstall mariadb-server")
	s.admin = s.open("")
	t.Cleanup(s.end)
	return s
}

// end kills the server at the end of its test.
func (s *Server) end() {
	_ = s.admin.Close()
	if s.running == nil {
		return
	}
	s.Resume()
	s.running.kill()
	if s.t.Failed() {
		s.t.Logf("%s printed last:\n%s", s.name, last(s.running.output.String(), 30))
	}
}

// NewServer starts a server with the database and the account.
func NewServer(t testing.TB, flags ...string) *Server {
	t.Helper()
	s := newServer(t, "server", append(flags, "--skip-log-bin")...)
	s.start()
	s.createDatabase()
	return s
}

// freePort returns an unused loopback port.
func freePort(t testing.TB) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	must(t, err)
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}

func last(text string, lines int) string {
	all := strings.Split(text, "\n")
	return strings.Join(all[max(0, len(all)-lines):], "\n")
}

// open returns a pool of root's connections to a database, or to none if name is "", through the socket.
func (s *Server) open(name string) *sql.DB {
	s.t.Helper()
	return s.openWith(name, false)
}

// openWith is like open. With several, the connections accept several statements at once.
func (s *Server) openWith(name string, several bool) *sql.DB {
	s.t.Helper()
	cfg := mysql.NewConfig()
	cfg.MultiStatements = several
	cfg.User, cfg.DBName, cfg.Net, cfg.Addr = "root", name, "unix", filepath.Join(s.dir, "s")
	cfg.Logger, cfg.Timeout, cfg.ReadTimeout = &mysql.NopLogger{}, time.Second, 20*time.Second
	connector, err := mysql.NewConnector(cfg)
	must(s.t, err)
	db := sql.OpenDB(connector)
	db.SetMaxIdleConns(0) // no connection may outlive the outages that tests cause
	return db
}

// Addr returns the address at which the server listens.
func (s *Server) Addr() string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(s.port)) }

// DSN returns the DSN of the database for the program, at an address that leads to a server. params is "" or begins
// with &.
func DSN(addr, params string) string {
	return fmt.Sprintf("%s:%s@tcp(%s)/%s?collation=utf8mb4_unicode_520_ci%s", account, password, addr, database, params)
}

// start starts the server and waits until it answers.
func (s *Server) start(more ...string) {
	s.t.Helper()
	s.launch(more...)
	s.wait()
}

// launch starts the server without waiting.
func (s *Server) launch(more ...string) {
	s.t.Helper()
	var err error
	s.running, err = runAs(s.user, nil, s.program, append(s.flags[:len(s.flags):len(s.flags)], more...)...)
	must(s.t, err, s.program, ": is it installed?")
}

// wait waits until the server answers.
func (s *Server) wait() {
	s.t.Helper()
	s.until("it answers", func() error { return s.admin.Ping() })
}

// until waits for a state of the server.
func (s *Server) until(what string, reached func() error) {
	s.t.Helper()
	s.running.until(s.t, s.name, what, reached)
}

// until waits for a state that a program reaches within a minute.
func (p *process) until(t testing.TB, name, what string, reached func() error) {
	t.Helper()
	for end := time.Now().Add(time.Minute); ; time.Sleep(20 * time.Millisecond) {
		err := reached()
		if err == nil {
			return
		}
		select {
		case <-p.ended:
			t.Fatalf("%s ended:\n%s", name, last(p.output.String(), 40))
		default:
		}
		if time.Now().After(end) {
			t.Fatalf("%s: not after a minute: %s: %v\n%s", name, what, err, last(p.output.String(), 40))
		}
	}
}

// Exec executes a statement as root.
func (s *Server) Exec(statement string) {
	s.t.Helper()
	_, err := s.admin.Exec(statement)
	must(s.t, err, s.name, ": ", statement)
}

// status returns a status variable of the server.
func (s *Server) status(name string) (value string, err error) {
	ctx, cancel := context.WithTimeout(context.Background(), 2*time.Second)
	defer cancel()
	err = s.admin.QueryRowContext(ctx, "SHOW GLOBAL STATUS LIKE '"+name+"'").Scan(new(string), &value)
	return value, err
}

// untilStatus waits until a status variable has a value.
func (s *Server) untilStatus(name, want string) {
	s.t.Helper()
	s.until(name+" is "+want, func() error {
		value, err := s.status(name)
		if err == nil && value != want {
			err = errors.New("it is " + value)
		}
		return err
	})
}

// Kill ends the server at once, like a crash.
func (s *Server) Kill() { s.running.kill() }

// Stop shuts the server down.
func (s *Server) Stop() {
	s.running.signal(syscall.SIGTERM)
	<-s.running.ended
}

// Pause suspends the server: its connections stay open, but nothing is answered.
func (s *Server) Pause() { s.running.signal(syscall.SIGSTOP) }

// Resume continues a paused server.
func (s *Server) Resume() { s.running.signal(syscall.SIGCONT) }

// createDatabase creates the database and the account of the program.
func (s *Server) createDatabase() {
	s.t.Helper()
	s.Exec("CREATE DATABASE " + database + " CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci")
	s.Exec("CREATE USER " + account + "@'%' IDENTIFIED BY '" + password + "'")
	s.Exec("GRANT ALL ON " + database + ".* TO " + account + "@'%'")
}
