//go:build cluster

package cluster

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// Group is a set of MySQL servers with Group Replication. All members have the database and the account. They
// communicate through proxies, which can cut members off.
type Group struct {
	Members []*Server
	links   []*Proxy // to each member, from the others
}

// groupName is a UUID.
const groupName = "8f6b2a54-5f0c-4d5e-9a51-2c7d10f3a001"

// mysqlProgram returns the path of a MySQL program.
func mysqlProgram(t testing.TB, name string) string {
	t.Helper()
	dir := os.Getenv("AGENDA_TEST_MYSQL")
	if dir == "" {
		t.Fatal("AGENDA_TEST_MYSQL has to name the directory of mysqld and mysqlrouter: ./test.sh cluster unpacks them")
	}
	return filepath.Join(dir, name)
}

// emptyMySQL returns a data directory without databases, whose creation takes seconds.
var emptyMySQL = sync.OnceValues(func() (dir string, err error) {
	dir = buildDir + "/mysql"
	args := append([]string{"--no-defaults", "--initialize-insecure", "--datadir=" + dir}, asRoot()...)
	out, err := exec.Command(filepath.Join(os.Getenv("AGENDA_TEST_MYSQL"), "mysqld"), args...).CombinedOutput()
	if err != nil {
		return string(out), err
	}
	return dir, os.Remove(dir + "/auto.cnf") // contains the identity of the server
})

// asRoot returns the flag that MySQL requires to run as root.
func asRoot() []string {
	if os.Getuid() == 0 {
		return []string{"--user=root"}
	}
	return nil
}

// newMySQL returns a MySQL server that does not run yet.
func newMySQL(t testing.TB, name string, flags ...string) *Server {
	t.Helper()
	s := &Server{t: t, name: name, dir: inMemory(t), port: freePort(t), program: mysqlProgram(t, "mysqld")}
	empty, err := emptyMySQL()
	must(t, err, empty)
	must(t, os.Mkdir(s.dir+"/tmp", 0o700))
	must(t, os.CopyFS(s.dir+"/data", os.DirFS(empty)))
	s.flags = append([]string{
		"--no-defaults", "--datadir=" + s.dir + "/data", "--tmpdir=" + s.dir + "/tmp", "--socket=" + s.dir + "/s",
		"--pid-file=" + s.dir + "/pid", "--bind-address=127.0.0.1", "--port=" + strconv.Itoa(s.port), "--skip-name-resolve", "--mysqlx=0",
		"--character-set-server=utf8mb4", "--collation-server=utf8mb4_unicode_520_ci",
		"--innodb-redo-log-capacity=64M", "--innodb-buffer-pool-size=128M", "--max-connections=500",
		"--report-host=127.0.0.1", "--report-port=" + strconv.Itoa(s.port),
	}, append(asRoot(), flags...)...)
	s.admin = s.open("")
	t.Cleanup(s.end)
	return s
}

// NewGroup starts a group in which one member is writable, or all are. A member that is silent for five seconds is
// excluded; one that has lost the majority stops waiting for it after five more seconds.
func NewGroup(t testing.TB, size int, onePrimary bool) *Group {
	t.Helper()
	g := new(Group)
	var seeds []string
	for i := range size {
		s := newMySQL(t, fmt.Sprintf("member %d", i+1))
		g.Members = append(g.Members, s)
		g.links = append(g.links, NewProxy(t, s.Addr()))
		seeds = append(seeds, g.links[i].Addr())
	}
	mode := "ON"
	if !onePrimary {
		mode = "OFF"
	}
	for i, s := range g.Members {
		s.flags = append(s.flags, "--server-id="+strconv.Itoa(i+1), "--log-bin="+s.dir+"/data/bin",
			"--gtid-mode=ON", "--enforce-gtid-consistency=ON", "--plugin-load-add=group_replication.so",
			"--group-replication-start-on-boot=OFF", "--group-replication-group-name="+groupName,
			"--group-replication-communication-stack=MYSQL", "--group-replication-local-address="+seeds[i],
			"--group-replication-group-seeds="+strings.Join(seeds, ","), "--group-replication-single-primary-mode="+mode,
			"--group-replication-recovery-get-public-key=ON", "--group-replication-member-expel-timeout=0",
			"--group-replication-unreachable-majority-timeout=5",
			"--group-replication-exit-state-action=READ_ONLY", // its data remains readable
			"--group-replication-autorejoin-tries=0")          // Rejoin does that; STOP GROUP_REPLICATION may hang while the server tries
		s.start()
		s.Exec("CREATE USER member@'%' IDENTIFIED BY 'secret'")
		s.Exec("GRANT REPLICATION SLAVE, CONNECTION_ADMIN, BACKUP_ADMIN, GROUP_REPLICATION_STREAM ON *.* TO member@'%'")
		s.Exec("CHANGE REPLICATION SOURCE TO SOURCE_USER = 'member', SOURCE_PASSWORD = 'secret' FOR CHANNEL 'group_replication_recovery'")
		s.Exec("RESET BINARY LOGS AND GTIDS") // the transactions of its setup are on no other server
		if i == 0 {
			s.Exec("SET GLOBAL group_replication_bootstrap_group = ON")
			s.Exec("START GROUP_REPLICATION")
			s.Exec("SET GLOBAL group_replication_bootstrap_group = OFF")
			g.Online(s)
			s.createDatabase()
			continue
		}
		s.Exec("START GROUP_REPLICATION")
		g.Online(s)
	}
	return g
}

// state returns the state of a member in its own view, and whether it is writable.
func (g *Group) state(s *Server) (state string, primary bool, err error) {
	var role string
	err = s.admin.QueryRow("SELECT MEMBER_STATE, MEMBER_ROLE FROM performance_schema.replication_group_members "+
		"WHERE MEMBER_ID = @@server_uuid").Scan(&state, &role)
	return state, role == "PRIMARY", err
}

// Online waits until a member participates in the group.
func (g *Group) Online(s *Server) {
	s.t.Helper()
	s.until("it takes part", func() error {
		state, _, err := g.state(s)
		if err == nil && state != "ONLINE" {
			err = errors.New("it is " + state)
		}
		return err
	})
}

// Primary returns the writable member in the view of another member, the first one if there are several, or nil.
func (g *Group) Primary(seen *Server) *Server {
	var port int
	if seen.admin.QueryRow("SELECT MEMBER_PORT FROM performance_schema.replication_group_members "+
		"WHERE MEMBER_ROLE = 'PRIMARY' AND MEMBER_STATE = 'ONLINE' ORDER BY MEMBER_PORT").Scan(&port) != nil {
		return nil
	}
	for _, s := range g.Members {
		if s.port == port {
			return s
		}
	}
	return nil
}

// pair returns the primary or another member as hit, and a member that differs from hit.
func (g *Group) pair(ofPrimary bool) (hit, other *Server) {
	primary := g.untilPrimary(g.Members[0], nil)
	for _, s := range g.Members {
		if s != primary {
			other = s
		}
	}
	if ofPrimary {
		return primary, other
	}
	return other, primary
}

// untilLeft waits until the group continues without a member.
func (g *Group) untilLeft(seen, other *Server) {
	seen.t.Helper()
	seen.until(other.name+" is shut out", func() error {
		var left int
		err := seen.admin.QueryRow("SELECT COUNT(*) FROM performance_schema.replication_group_members WHERE MEMBER_PORT = ?",
			other.port).Scan(&left)
		if err == nil && left > 0 {
			err = errors.New("it is still listed")
		}
		return err
	})
}

// untilAlone waits until a member that was cut off stops waiting for the majority and is no longer writable. It reports
// an error before it stops being writable.
func (g *Group) untilAlone(s *Server) {
	s.t.Helper()
	s.until("it gives up", func() error {
		state, _, err := g.state(s)
		var readOnly bool
		if err == nil {
			err = s.admin.QueryRow("SELECT @@GLOBAL.super_read_only").Scan(&readOnly)
		}
		if err == nil && (state != "ERROR" || !readOnly) {
			err = fmt.Errorf("it is %s, read-only: %t", state, readOnly)
		}
		return err
	})
}

// level waits until all members have all transactions.
func (g *Group) level() {
	for _, from := range g.Members {
		var set string
		must(from.t, from.admin.QueryRow("SELECT @@GLOBAL.gtid_executed").Scan(&set))
		for _, s := range g.Members {
			var late int
			must(s.t, s.admin.QueryRow("SELECT WAIT_FOR_EXECUTED_GTID_SET(?, 15)", set).Scan(&late))
			if late != 0 {
				s.t.Errorf("%s does not have what %s has: %s", s.name, from.name, set)
			}
		}
	}
}

// uuid returns the server's UUID.
func (s *Server) uuid() (id string) {
	s.t.Helper()
	must(s.t, s.admin.QueryRow("SELECT @@server_uuid").Scan(&id))
	return id
}

// Rejoin lets a member participate again that was killed or has left, and waits until it does. Until then it must not
// accept connections of the program, because it would show old data and accept writes that no other member receives.
func (g *Group) Rejoin(s *Server) {
	s.t.Helper()
	select {
	case <-s.running.ended:
		s.start("--offline-mode=ON")
	default:
		if !s.stopReplication() {
			s.Kill()
			s.start("--offline-mode=ON")
		}
	}
	s.until("it joins", func() error { // fails as long as the other members have not noticed that it was away
		state, _, err := g.state(s)
		if err == nil && state == "OFFLINE" || state == "ERROR" {
			_, err = s.admin.Exec("START GROUP_REPLICATION")
		}
		if err == nil && state != "ONLINE" {
			err = errors.New("it is " + state)
		}
		return err
	})
	s.Exec("SET GLOBAL offline_mode = OFF")
}

// stopReplication makes a member that has left its group stop replication. It reports whether the server did so: it may
// hang while it ends sessions that waited for the group.
func (s *Server) stopReplication() bool {
	for _, statement := range []string{"SET GLOBAL offline_mode = ON", "STOP GROUP_REPLICATION"} {
		if _, err := s.admin.Exec(statement); err != nil {
			s.t.Logf("%s: %s: %v", s.name, statement, err)
			return false
		}
	}
	return true
}

// Isolate cuts a member off from the others. Connections are not refused but silent.
func (g *Group) Isolate(s *Server) { g.stall(s, Both, Both) }

// Deafen withholds from a member what the others send, while they still receive what it sends.
func (g *Group) Deafen(s *Server) { g.stall(s, ToServer, ToClient) }

// Connect undoes Isolate and Deafen. Withheld data arrives.
func (g *Group) Connect(s *Server) { g.stall(s, 0, 0) }

// stall withholds data in one or both directions on the connections to a member and on those that it opened.
func (g *Group) stall(s *Server, to, from Way) {
	for i, link := range g.links {
		for n, other := range g.Members {
			pid := other.running.command.Process.Pid
			switch {
			case n == i:
			case s == g.Members[i]:
				link.StallOf(pid, to)
			case s == other:
				link.StallOf(pid, from)
			}
		}
	}
}

// untilPrimary waits until a member other than not is writable, and returns it.
func (g *Group) untilPrimary(seen, not *Server) (is *Server) {
	seen.t.Helper()
	seen.until("another one takes writes", func() error {
		if is = g.Primary(seen); is == nil || is == not {
			return errors.New("none does")
		}
		return nil
	})
	return is
}

// settle is how long after a change of roles requests may still reach the previous primary.
const settle = time.Second
