//go:build cluster

package cluster

import (
	"fmt"
	"testing"
)

// Replicated is a primary with read-only replicas, which use GTIDs.
type Replicated struct {
	Primary  *Server
	Replicas []*Server
}

// NewReplicated starts a primary and replicas with the same data.
func NewReplicated(t testing.TB, replicas int) *Replicated {
	t.Helper()
	r := new(Replicated)
	for i := range replicas + 1 {
		name := "primary"
		if i > 0 {
			name = fmt.Sprintf("replica %d", i)
		}
		s := newServer(t, name, fmt.Sprintf("--server-id=%d", i+1), "--log-bin={dir}/data/bin", "--log-slave-updates=1",
			"--gtid-strict-mode=1", "--sync-binlog=0", "--innodb-flush-log-at-trx-commit=2")
		s.start()
		if i == 0 {
			r.Primary = s
			s.createDatabase()
			s.Exec("CREATE USER repl@'%' IDENTIFIED BY 'secret'")
			s.Exec("GRANT REPLICATION SLAVE ON *.* TO repl@'%'")
			continue
		}
		r.Replicas = append(r.Replicas, s)
		r.Follow(s, r.Primary)
	}
	return r
}

// Follow makes a server a read-only replica of another one.
func (r *Replicated) Follow(s, primary *Server) {
	s.t.Helper()
	s.Exec("SET GLOBAL read_only = 1")
	if s != r.Primary {
		s.Exec("RESET MASTER") // the transactions of its setup are on no other server
	}
	s.Exec(fmt.Sprintf("CHANGE MASTER TO MASTER_HOST = '127.0.0.1', MASTER_PORT = %d, MASTER_USER = 'repl', MASTER_PASSWORD = 'secret', "+
		"MASTER_USE_GTID = slave_pos, MASTER_CONNECT_RETRY = 1", primary.port))
	s.Exec("START SLAVE")
}

// Promote makes a replica the primary after it has received everything that the previous primary committed, which must
// be read-only by then. It does not redirect the address that clients use.
func (r *Replicated) Promote(s *Server) {
	s.t.Helper()
	var position string
	must(s.t, r.Primary.admin.QueryRow("SELECT @@gtid_binlog_pos").Scan(&position))
	var reached int
	must(s.t, s.admin.QueryRow("SELECT MASTER_GTID_WAIT(?, 10)", position).Scan(&reached))
	if reached != 0 {
		s.t.Fatalf("%s does not reach %s", s.name, position)
	}
	s.Exec("STOP SLAVE")
	s.Exec("RESET SLAVE ALL")
	s.Exec("SET GLOBAL read_only = 0")
}
