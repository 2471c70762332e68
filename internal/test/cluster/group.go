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

// Group is servers of MySQL that replicate each other (Group Replication). All hold the database and the account. What
// they send each other goes through proxies, which cut members off.
type Group struct {
	Members []*Server
	links   []*Proxy // to each member, from the others
}

// groupName is a UUID.
const groupName = "8f6b2a54-5f0c-4d5e-9a51-2c7d10f3a001"

// mysqlProgram returns the path of a program of MySQL.
func mysqlProgram(t testing.TB, name string) string {
	t.Helper()
	dir := os.Getenv("AGENDA_TEST_MYSQL")
	if dir == "" {
		t.Fatal("AGENDA_TEST_MYSQL has to name the directory of mysqld and mysqlrouter: ./test.sh cluster unpacks them")
	}
	return filepath.Join(dir, name)
}

// emptyMySQL is a directory of data without databases, which takes seconds to make.
var emptyMySQL = sync.OnceValues(func() (dir string, err error) {
	dir = buildDir + "/mysql"
	args := append([]string{"--no-defaults", "--initialize-insecure", "--datadir=" + dir}, asRoot()...)
	out, err := exec.Command(filepath.Join(os.Getenv("AGENDA_TEST_MYSQL"), "mysqld"), args...).CombinedOutput()
	if err != nil {
		return string(out), err
	}
	return dir, os.Remove(dir + "/auto.cnf") // which makes servers distinct
})

// asRoot returns the flag without which MySQL does not run as root.
func asRoot() []string {
	if os.Getuid() == 0 {
		return []string{"--user=root"}
	}
	return nil
}

// newMySQL makes a server of MySQL that does not run yet.
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

// NewGroup starts a group, in which one member takes writes, or all do. A member that is silent for five seconds is
// shut out; one that lost the majority gives up waiting for it after five more.
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
			"--group-replication-exit-state-action=READ_ONLY", // what it has can be read still
			"--group-replication-autorejoin-tries=0")          // Rejoin does that; STOP GROUP_REPLICATION can hang while the server tries
		s.start()
		s.Exec("CREATE USER member@'%' IDENTIFIED BY 'secret'")
		s.Exec("GRANT REPLICATION SLAVE, CONNECTION_ADMIN, BACKUP_ADMIN, GROUP_REPLICATION_STREAM ON *.* TO member@'%'")
		s.Exec("CHANGE REPLICATION SOURCE TO SOURCE_USER = 'member', SOURCE_PASSWORD = 'secret' FOR CHANNEL 'group_replication_recovery'")
		s.Exec("RESET BINARY LOGS AND GTIDS") // what its making wrote is on no other server
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

// state is what a member takes itself to be in its group, and whether it takes writes.
func (g *Group) state(s *Server) (state string, primary bool, err error) {
	var role string
	err = s.admin.QueryRow("SELECT MEMBER_STATE, MEMBER_ROLE FROM performance_schema.replication_group_members "+
		"WHERE MEMBER_ID = @@server_uuid").Scan(&state, &role)
	return state, role == "PRIMARY", err
}

// Online waits until a member takes part.
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

// Primary returns the member that takes writes in the eyes of a member, the first one if several do, nil for none.
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

// pair returns the primary or another member, and one that is not this one.
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

// untilLeft waits until the group goes on without a member.
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

// untilAlone waits until a member that was cut off gives up waiting for the majority, and takes
// no more writes: it says that there is an error before it does the latter.
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

// level waits until all members have what each of them has.
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

// uuid returns what the server calls itself.
func (s *Server) uuid() (id string) {
	s.t.Helper()
	must(s.t, s.admin.QueryRow("SELECT @@server_uuid").Scan(&id))
	return id
}

// Rejoin lets a member take part again that was killed or that left, and waits until it does. Until then it takes no
// connections of the program: it would show what it had, and take writes that no other member gets.
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
	s.until("it joins", func() error { // which fails for as long as the others do not know that it was away
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

// stopReplication takes a member that left out of its group for good. It reports whether the server did that: it can hang
// where sessions that waited for the group are being ended.
func (s *Server) stopReplication() bool {
	for _, statement := range []string{"SET GLOBAL offline_mode = ON", "STOP GROUP_REPLICATION"} {
		if _, err := s.admin.Exec(statement); err != nil {
			s.t.Logf("%s: %s: %v", s.name, statement, err)
			return false
		}
	}
	return true
}

// Isolate cuts a member off from the others. Nothing is refused: it is silent.
func (g *Group) Isolate(s *Server) { g.stall(s, Both, Both) }

// Deafen keeps what others send from a member, which they go on to hear.
func (g *Group) Deafen(s *Server) { g.stall(s, ToServer, ToClient) }

// Connect ends what Isolate and Deafen began. What was held back arrives.
func (g *Group) Connect(s *Server) { g.stall(s, 0, 0) }

// stall holds back one way or both of the connections to a member and of those that it made.
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

// untilPrimary waits until another member than one takes writes, and returns it.
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

// settle is for how long after a change of roles requests may still meet the former one.
const settle = time.Second
