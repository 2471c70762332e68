//go:build cluster

package cluster

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
)

// provider is the path of Galera's library.
const provider = "/usr/lib/galera/libgalera_smm.so"

// Galera is a cluster. All its nodes have the database and the account.
type Galera struct{ Nodes []*Server }

// NewGalera starts a cluster. A node that does not respond is excluded after about a second, so that the others can
// continue.
func NewGalera(t testing.TB, size int) *Galera {
	t.Helper()
	if _, err := os.Stat(provider); err != nil {
		t.Fatalf("no Galera for the tests: %v: install it (Debian: apt-get install -y galera-4 mariadb-server rsync)", err)
	}
	var group []string
	ports := make([][3]int, size)
	for i := range ports {
		ports[i] = [3]int{freePort(t), freePort(t), freePort(t)}
		group = append(group, local(ports[i][0]))
	}
	g := new(Galera)
	for i, p := range ports {
		g.Nodes = append(g.Nodes, newServer(t, fmt.Sprintf("node %d", i+1),
			"--wsrep-on=ON", "--wsrep-provider="+provider, "--innodb-autoinc-lock-mode=2", "--innodb-flush-log-at-trx-commit=2",
			"--wsrep-cluster-address=gcomm://"+strings.Join(group, ","), "--wsrep-node-address="+local(p[0]),
			"--wsrep-sst-method=rsync", "--wsrep-sst-receive-address="+local(p[2]),
			"--wsrep-provider-options=gmcast.listen_addr=tcp://"+local(p[0])+";ist.recv_addr="+local(p[1])+
				";gcache.size=64M;evs.keepalive_period=PT0.3S;evs.inactive_check_period=PT0.3S"+
				";evs.suspect_timeout=PT1S;evs.inactive_timeout=PT3S"))
	}
	g.Nodes[0].start("--wsrep-new-cluster")
	g.Nodes[0].createDatabase()
	for _, n := range g.Nodes[1:] { // one after the other, because a node sends its data to one other node at a time
		n.launch()
		g.Synced(n)
	}
	return g
}

func local(port int) string { return "127.0.0.1:" + strconv.Itoa(port) }

// Synced waits until a node participates in the cluster.
func (g *Galera) Synced(n *Server) {
	n.t.Helper()
	n.untilStatus("wsrep_local_state_comment", "Synced")
	n.untilStatus("wsrep_ready", "ON")
}

// Rejoin restarts a node that was killed, and waits until it participates.
func (g *Galera) Rejoin(n *Server) {
	n.t.Helper()
	n.launch()
	g.Synced(n)
}

// Isolate cuts a node off from the others, or ends that.
func (g *Galera) Isolate(n *Server, yes bool) {
	n.t.Helper()
	value := "0"
	if yes {
		value = "1"
	}
	n.Exec("SET GLOBAL wsrep_provider_options = 'gmcast.isolate=" + value + "'")
}

// Bootstrap makes a node that lost the majority a cluster of its own.
func (g *Galera) Bootstrap(n *Server) {
	n.t.Helper()
	n.Exec("SET GLOBAL wsrep_provider_options = 'pc.bootstrap=YES'")
	g.Synced(n)
}
