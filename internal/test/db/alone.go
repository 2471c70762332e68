package db

import (
	"bytes"
	"context"
	"database/sql"
	"database/sql/driver"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync/atomic"
	"testing"

	"github.com/go-sql-driver/mysql"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/mysqldialect"

	"github.com/agendahq/agenda/internal/test/must"
)

// leash runs a server until its standard input ends, which happens at the latest when the process that holds the other
// end of the pipe ends, or until the server ends.
const leash = `trap '' INT TERM HUP PIPE
exec 3<&0
"$@" 3<&- </dev/null & server=$!
exec >/dev/null 2>&1
{ cat <&3; kill -9 $server; } & reader=$!
wait $server
kill -9 $reader`

// Alone is a server for a single test, which can end and restart it. It loses nothing that was committed.
type Alone struct {
	t       testing.TB
	admin   *mysql.Config
	command []string
	input   io.Closer     // keeps the server running
	ended   chan struct{} // closed when the server has ended
}

// NewAlone starts a server with an empty database and additional flags. It ends with the test.
func NewAlone(t testing.TB, more ...string) *Alone {
	t.Helper()
	return newAlone(t, false, more)
}

// NewReplicating is like NewAlone, for a server with replication. It has the system tables.
func NewReplicating(t testing.TB, more ...string) *Alone {
	t.Helper()
	return newAlone(t, true, more)
}

func newAlone(t testing.TB, system bool, more []string) *Alone {
	t.Helper()
	dir := must.Get(scratch())(t)
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	command := must.Get(plain(dir))(t)
	a := &Alone{t: t, admin: at(dir), command: append(append(command, "--innodb-flush-log-at-trx-commit=1",
		"--innodb-doublewrite=1"), more...)}
	if system {
		must.Succeed(t, bootstrap(command))
	}
	a.admin.Logger = &mysql.NopLogger{} // for lost connections
	a.Start()
	t.Cleanup(a.Kill)
	db := pool(t, a.admin, nil)
	defer db.Close()
	must.Get(db.Exec("CREATE DATABASE " + prefix + "alone CHARACTER SET utf8mb4 COLLATE utf8mb4_unicode_520_ci"))(t)
	a.Stop() // a new server that is killed before it has written its first pages cannot start again
	a.Start()
	return a
}

// Start starts the server again after Kill or Stop.
func (a *Alone) Start() {
	a.t.Helper()
	cmd := exec.Command("/bin/sh", append([]string{"-c", leash, "agenda-test-db"}, a.command...)...)
	output := new(bytes.Buffer)
	cmd.Stdout, cmd.Stderr = output, output
	input, err := cmd.StdinPipe()
	if err == nil {
		err = cmd.Start()
	}
	must.Succeed(a.t, err)
	ended := make(chan struct{})
	a.input, a.ended = input, ended
	go func() { _ = cmd.Wait(); close(ended) }()
	if err := ping(a.admin, a.ended); err != nil {
		a.t.Fatal(fmt.Errorf("%s does not start: %w\n%s", a.command[0], err, output))
	}
}

// Kill ends the server at once, like a crash.
func (a *Alone) Kill() {
	_ = a.input.Close()
	<-a.ended
}

// Stop shuts the server down.
func (a *Alone) Stop() {
	a.t.Helper()
	db := pool(a.t, a.admin, nil)
	defer db.Close()
	must.Get(db.Exec("SHUTDOWN"))(a.t)
	<-a.ended
}

// DSN returns the DSN of the database, whether the server runs or not.
func (a *Alone) DSN() string {
	cfg := a.admin.Clone()
	cfg.DBName = prefix + "alone"
	return cfg.FormatDSN()
}

// Open returns a pool on the database. If c is not nil, it records the statements.
func (a *Alone) Open(c *Counter) *bun.DB {
	a.t.Helper()
	cfg := a.admin.Clone()
	cfg.DBName = prefix + "alone"
	db := pool(a.t, cfg, c)
	a.t.Cleanup(func() { _ = db.Close() })
	must.Succeed(a.t, db.Ping())
	return bun.NewDB(db, mysqldialect.New())
}

// InTurns returns a pool whose connections lead to the servers in turn, like those to the address of a load balancer.
func InTurns(t testing.TB, servers ...*Alone) *bun.DB {
	t.Helper()
	turns := &inTurns{}
	for _, a := range servers {
		cfg := a.admin.Clone()
		cfg.DBName = prefix + "alone"
		connector := must.Get(mysql.NewConnector(cfg))(t)
		turns.to = append(turns.to, connector)
	}
	db := sql.OpenDB(turns)
	t.Cleanup(func() { _ = db.Close() })
	return bun.NewDB(db, mysqldialect.New())
}

type inTurns struct {
	to   []driver.Connector
	next atomic.Uint64
}

// Connect connects to the next server.
func (c *inTurns) Connect(ctx context.Context) (driver.Conn, error) {
	return c.to[c.next.Add(1)%uint64(len(c.to))].Connect(ctx)
}

// Driver returns the driver of the connections.
func (c *inTurns) Driver() driver.Driver { return c.to[0].Driver() }
