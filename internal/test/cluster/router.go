//go:build cluster

package cluster

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"testing"

	"database/sql"
)

// Router is MySQL Router in front of a group. Connections to Addr lead to the writable member.
type Router struct {
	t       testing.TB
	running *process
	port    int
}

// metadata creates the part that a router reads of the schema which MySQL Shell creates for routers. %s stands for rows
// of instances.
var metadata = []string{
	"CREATE DATABASE mysql_innodb_cluster_metadata",
	"CREATE TABLE mysql_innodb_cluster_metadata.schema_version (major INT, minor INT, patch INT, PRIMARY KEY (major, minor, patch))",
	"INSERT INTO mysql_innodb_cluster_metadata.schema_version VALUES (2, 0, 0)",
	"CREATE TABLE mysql_innodb_cluster_metadata.v2_gr_clusters (cluster_id CHAR(36) PRIMARY KEY, cluster_name VARCHAR(63), " +
		"cluster_type CHAR(2), group_name CHAR(36))",
	"INSERT INTO mysql_innodb_cluster_metadata.v2_gr_clusters VALUES ('" + groupName + "', 'site', 'gr', '" + groupName + "')",
	"CREATE TABLE mysql_innodb_cluster_metadata.v2_instances (instance_id INT PRIMARY KEY, cluster_id CHAR(36), label VARCHAR(255), " +
		"mysql_server_uuid CHAR(36), address VARCHAR(255), endpoint VARCHAR(255), xendpoint VARCHAR(255), attributes JSON)",
	"CREATE VIEW mysql_innodb_cluster_metadata.v2_clusters AS SELECT * FROM mysql_innodb_cluster_metadata.v2_gr_clusters",
	"CREATE VIEW mysql_innodb_cluster_metadata.v2_this_instance AS SELECT * FROM mysql_innodb_cluster_metadata.v2_gr_clusters",
	"CREATE TABLE mysql_innodb_cluster_metadata.v2_routers (router_id INT PRIMARY KEY, router_name VARCHAR(255), address VARCHAR(255), " +
		"version VARCHAR(12), last_check_in TIMESTAMP NULL, attributes JSON, options JSON)",
	"INSERT INTO mysql_innodb_cluster_metadata.v2_routers VALUES (1, 'router', '127.0.0.1', NULL, NULL, '{}', '{}')",
	"CREATE USER router@'%' IDENTIFIED BY 'secret'",
	"GRANT SELECT, UPDATE ON mysql_innodb_cluster_metadata.* TO router@'%'",
	"GRANT SELECT ON performance_schema.* TO router@'%'",
}

// NewRouter starts a router for a group.
func NewRouter(t testing.TB, g *Group) *Router {
	t.Helper()
	primary := g.Primary(g.Members[0])
	for _, statement := range metadata {
		primary.Exec(statement)
	}
	var servers []string
	for i, s := range g.Members {
		primary.Exec(fmt.Sprintf("INSERT INTO mysql_innodb_cluster_metadata.v2_instances VALUES (%d, '%s', '%[3]s', '%[4]s', '%[3]s', "+
			"'%[3]s', '', '{}')", i+1, groupName, s.Addr(), s.uuid()))
		servers = append(servers, `"mysql://`+s.Addr()+`"`)
	}
	r := &Router{t: t, port: freePort(t)}
	dir := inMemory(t)
	write := func(name, text string) { must(t, os.WriteFile(dir+"/"+name, []byte(text), 0o600)) }
	for _, args := range [][]string{{"init"}, {"set", "router", "password", "secret"}} {
		args = append([]string{args[0], "--master-key-file", dir + "/key", dir + "/keyring"}, args[1:]...)
		out, err := exec.Command(mysqlProgram(t, "mysqlrouter_keyring"), args...).CombinedOutput()
		must(t, err, string(out))
	}
	write("state.json", `{"version": "1.0.0", "metadata-cache": {"group-replication-id": "`+groupName+
		`", "cluster-metadata-servers": [`+strings.Join(servers, ", ")+`]}}`)
	write("router.conf", fmt.Sprintf(`[DEFAULT]
logging_folder=
runtime_folder=%[1]s
data_folder=%[1]s
keyring_path=%[1]s/keyring
master_key_path=%[1]s/key
dynamic_state=%[1]s/state.json
connect_timeout=1
[logger]
level=INFO
[metadata_cache:group]
cluster_type=gr
router_id=1
user=router
metadata_cluster=site
ttl=0.5
connect_timeout=1
read_timeout=2
[routing:writable]
bind_address=127.0.0.1
bind_port=%[2]d
destinations=metadata-cache://group/?role=PRIMARY
routing_strategy=round-robin
protocol=classic
connect_timeout=1
`, dir, r.port))
	var err error
	r.running, err = run(nil, mysqlProgram(t, "mysqlrouter"), "-c", dir+"/router.conf")
	must(t, err)
	t.Cleanup(func() {
		r.running.kill()
		if t.Failed() {
			t.Logf("the router printed last:\n%s", last(r.running.output.String(), 30))
		}
	})
	r.wait()
	return r
}

// Addr returns the address at which connections lead to the writable member.
func (r *Router) Addr() string { return local(r.port) }

// wait waits until the router leads to a server.
func (r *Router) wait() {
	r.t.Helper()
	db, err := sql.Open("mysql", DSN(r.Addr(), "&timeout=1s"))
	must(r.t, err)
	defer db.Close()
	r.running.until(r.t, "the router", "it leads to a server", db.Ping)
}
