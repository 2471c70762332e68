//go:build cluster

package cluster

import (
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"
)

// Vitess is an unsharded keyspace: MySQL servers with a tablet each, and a vtgate that leads to the primary.
// Acknowledged writes are on two of the servers.
type Vitess struct {
	Servers []*Server
	t       testing.TB
	tablets []*process
	topo    []string // flags for the place where Vitess stores its topology
	port    int      // port of vtgate
	sql     string   // the statements with which Vitess initializes a server
}

// cell and shard are Vitess's names for the location of the servers, and for the only shard of the keyspace.
const (
	cell  = "zone1"
	shard = database + "/0"
)

// NewVitess starts a keyspace with the given number of servers. AGENDA_TEST_VITESS names the directory of the programs
// of Vitess.
func NewVitess(t testing.TB, size int) *Vitess {
	t.Helper()
	v := &Vitess{t: t, port: freePort(t)}
	text, err := os.ReadFile(v.program("init_db.sql"))
	must(t, err)
	v.sql = string(text)
	etcd := local(freePort(t))
	v.run("etcd", "etcd", "--data-dir", inMemory(t), "--listen-client-urls", "http://"+etcd, "--advertise-client-urls", "http://"+etcd,
		"--listen-peer-urls", "http://"+local(freePort(t)))
	v.topo = []string{"--topo-implementation", "etcd2", "--topo-global-server-address", etcd, "--topo-global-root", "/vitess/global"}
	v.control("AddCellInfo", "--root", "/vitess/"+cell, "--server-address", etcd, cell)
	v.control("CreateKeyspace", "--durability-policy", "semi_sync", database)
	for i := range size {
		v.newTablet(i + 1)
	}
	v.control("PlannedReparentShard", "--new-primary", v.alias(0), shard)
	v.newGate()
	return v
}

// program returns the path of a file of Vitess.
func (v *Vitess) program(name string) string {
	v.t.Helper()
	dir := os.Getenv("AGENDA_TEST_VITESS")
	if dir == "" {
		v.t.Fatal("AGENDA_TEST_VITESS has to name the directory of vtgate, vttablet and vtctldclient: ./test.sh vitess makes them")
	}
	return filepath.Join(dir, name)
}

// run starts a program that ends with the test.
func (v *Vitess) run(called, name string, args ...string) *process {
	v.t.Helper()
	p, err := run([]string{"VTDATAROOT=" + inMemory(v.t)}, name, args...)
	must(v.t, err, name)
	v.t.Cleanup(func() {
		p.kill()
		if v.t.Failed() {
			v.t.Logf("%s printed last:\n%s", called, last(p.output.String(), 30))
		}
	})
	return p
}

// control runs a command of Vitess until it succeeds, for up to a minute, because what it requires may still be
// starting.
func (v *Vitess) control(args ...string) {
	v.t.Helper()
	v.until(strings.Join(args, " "), func() error {
		out, err := v.try(args...)
		if err != nil {
			err = fmt.Errorf("%w: %s", err, last(out, 5))
		}
		return err
	})
}

// try runs a command of Vitess.
func (v *Vitess) try(args ...string) (out string, err error) {
	args = append(append([]string{"--server", "internal", "--action-timeout", "30s"}, v.topo...), args...)
	text, err := exec.Command(v.program("vtctldclient"), args...).CombinedOutput()
	return string(text), err
}

func (v *Vitess) until(what string, reached func() error) {
	v.t.Helper()
	var err error
	for end := time.Now().Add(time.Minute); time.Now().Before(end); time.Sleep(100 * time.Millisecond) {
		if err = reached(); err == nil {
			return
		}
	}
	v.t.Fatalf("not after a minute: %s: %v", what, err)
}

// alias returns Vitess's name for the tablet of a server.
func (v *Vitess) alias(i int) string { return fmt.Sprintf("%s-%010d", cell, i+1) }

// newTablet starts a MySQL server and its tablet.
func (v *Vitess) newTablet(id int) {
	v.t.Helper()
	number := strconv.Itoa(id)
	s := newMySQL(v.t, "server "+number, "--server-id="+number, "--gtid-mode=ON", "--enforce-gtid-consistency=ON",
		"--plugin-load-add=semisync_source.so", "--plugin-load-add=semisync_replica.so", "--skip-replica-start",
		"--loose-rpl-semi-sync-source-timeout=1000000000", "--loose-rpl-semi-sync-source-wait-no-replica=1", "--replica-net-timeout=8")
	s.flags = append(s.flags, "--log-bin="+s.dir+"/data/bin", "--relay-log="+s.dir+"/data/relay")
	s.start()
	setUp := s.openWith("", true)
	_, err := setUp.Exec(v.sql)
	must(v.t, err, "init_db.sql")
	must(v.t, setUp.Close())
	s.Exec("RESET BINARY LOGS AND GTIDS") // the transactions of its setup are on no other server
	s.Exec("SET GLOBAL super_read_only = ON")
	config := s.dir + "/my.cnf"
	must(v.t, os.WriteFile(config, []byte(strings.ReplaceAll("server-id="+number+"\nport="+strconv.Itoa(s.port)+
		"\nsocket={dir}/s\ndatadir={dir}/data\ninnodb_data_home_dir={dir}/data\ninnodb_log_group_home_dir={dir}/data\ntmpdir={dir}/tmp\n"+
		"general_log_file={dir}/general\nlog-error={dir}/error\nslow-query-log-file={dir}/slow\nrelay-log={dir}/data/relay\n"+
		"relay-log-index={dir}/data/relay.index\nrelay-log-info-file={dir}/data/relay.info\nlog-bin={dir}/data/bin\n"+
		"master-info-file={dir}/data/source.info\npid-file={dir}/pid\nsecure-file-priv=\n", "{dir}", s.dir)), 0o600))
	v.Servers = append(v.Servers, s)
	v.tablets = append(v.tablets, v.run("the tablet of "+s.name, v.program("vttablet"), append([]string{
		"--tablet-path", v.alias(id - 1), "--tablet-hostname", "127.0.0.1", "--bind-address", "127.0.0.1",
		"--grpc-bind-address", "127.0.0.1",
		"--port", strconv.Itoa(freePort(v.t)), "--grpc-port", strconv.Itoa(freePort(v.t)), "--mycnf-file", config,
		"--init-keyspace", database, "--init-shard", "0", "--init-tablet-type", "replica", "--init-db-name-override", database,
		"--service-map", "grpc-queryservice,grpc-tabletmanager,grpc-updatestream", "--health-check-interval", "1s",
		"--queryserver-config-transaction-timeout", "10s", "--log-format", "text",
	}, v.topo...)...))
}

// newGate starts vtgate, and waits until it leads to the primary.
func (v *Vitess) newGate() {
	v.t.Helper()
	accounts := inMemory(v.t) + "/accounts.json"
	must(v.t, os.WriteFile(accounts, []byte(`{"`+account+`": [{"UserData": "`+account+`", "Password": "`+password+`"}]}`), 0o600))
	v.run("vtgate", v.program("vtgate"), append([]string{
		"--port", strconv.Itoa(freePort(v.t)), "--grpc-port", strconv.Itoa(freePort(v.t)), "--bind-address", "127.0.0.1",
		"--mysql-server-port", strconv.Itoa(v.port), "--mysql-server-bind-address", "127.0.0.1",
		"--mysql-auth-server-impl", "static", "--mysql-auth-server-static-file", accounts,
		"--cell", cell, "--cells-to-watch", cell, "--tablet-types-to-wait", "PRIMARY", "--service-map", "grpc-vtgateservice",
		"--tablet-refresh-interval", "1s", "--log-format", "text",
	}, v.topo...)...)
	db, err := sql.Open("mysql", DSN(v.Addr(), "&timeout=1s"))
	must(v.t, err)
	defer db.Close()
	v.until("vtgate leads to the primary", func() error {
		return db.QueryRow("SELECT 1 FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE() UNION SELECT 1").Scan(new(int))
	})
}

// Addr returns the address at which connections lead to the primary.
func (v *Vitess) Addr() string { return local(v.port) }

// primary returns the index of the writable server.
func (v *Vitess) primary() (is int) {
	v.t.Helper()
	v.until("one server takes writes", func() error {
		is = -1
		for i, s := range v.Servers {
			var readOnly bool
			if s.admin.QueryRow("SELECT @@GLOBAL.read_only").Scan(&readOnly) == nil && !readOnly {
				is = i
			}
		}
		if is < 0 {
			return errors.New("none does")
		}
		return nil
	})
	return is
}

// Change makes another server the primary by a planned change.
func (v *Vitess) Change() {
	v.t.Helper()
	v.control("PlannedReparentShard", "--new-primary", v.alias((v.primary()+1)%len(v.Servers)), shard)
}

// Fail kills the primary with its tablet and makes another server the primary. It returns the remaining servers.
func (v *Vitess) Fail() (left []*Server) {
	v.t.Helper()
	gone := v.primary()
	v.Servers[gone].Kill()
	v.tablets[gone].kill()
	time.Sleep(time.Second) // until the failure is noticed
	v.control("EmergencyReparentShard", shard)
	for i, s := range v.Servers {
		if i != gone {
			left = append(left, s)
		}
	}
	return left
}

// level reports whether servers have all transactions of the primary.
func (v *Vitess) level(servers []*Server) error {
	var set string
	if err := v.Servers[v.primary()].admin.QueryRow("SELECT @@GLOBAL.gtid_executed").Scan(&set); err != nil {
		return err
	}
	for _, s := range servers {
		var late int
		if err := s.admin.QueryRow("SELECT WAIT_FOR_EXECUTED_GTID_SET(?, 5)", set).Scan(&late); err != nil || late != 0 {
			return fmt.Errorf("%s is behind: %v", s.name, err)
		}
	}
	return nil
}
