package doctor

import (
	"strings"
	"testing"

	"github.com/uptrace/bun"

	testdb "github.com/agendahq/agenda/internal/test/db"
	"github.com/agendahq/agenda/internal/test/must"
	"github.com/agendahq/agenda/schema"
)

// TestReplica checks the findings about an address that leads to several servers, about a server that replicates from
// none, and about one that is unreachable.
func TestReplica(t *testing.T) {
	t.Parallel()
	var servers []*testdb.Alone
	for _, id := range []string{"--server-id=1", "--server-id=2"} {
		flags := []string{id}
		if testdb.StartsMySQL() {
			flags = append(flags, "--log-bin=bin", "--gtid-mode=ON", "--enforce-gtid-consistency=ON")
		}
		servers = append(servers, testdb.NewReplicating(t, flags...))
	}
	one, several := servers[0].Open(nil), testdb.InTurns(t, servers...)
	if !testdb.StartsMySQL() { // MySQL servers always have a position
		expect(t, one, schema.Warning, "takes no part in a replication")
		for _, s := range servers {
			must.Get(s.Open(nil).ExecContext(t.Context(), "SET GLOBAL gtid_slave_pos = '0-9-1'"))(t)
		}
	}
	expect(t, one, schema.OK, "lead to one server")
	expect(t, several, schema.Warning, "leads to 2 servers")
	servers[0].Kill()
	expect(t, one, schema.Warning, "does not answer")
}

func expect(t *testing.T, db *bun.DB, level schema.Level, text string) {
	t.Helper()
	if f := Replica(t.Context(), db); f.Level != level || !strings.Contains(f.Text, text) {
		t.Errorf("%+v", f)
	}
}
