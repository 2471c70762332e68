package schema

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/uptrace/bun"
)

// Changes describes how changes of tables can be detected on a MySQL server. The validity of cached answers depends on
// it.
type Changes struct {
	// Identified says that the server assigns global transaction identifiers to commits (log_bin, gtid_mode=ON).
	Identified bool

	// Timed says that the update times of its tables are known to be those of commits.
	Timed bool

	// Vitess says that the server is the primary of an unsharded keyspace, behind vtgate. It may be another one by the next statement,
	// and the keyspace may be sharded by then: AskVitess finds out.
	Vitess bool

	// Unknown is the reason why the server provides nothing reliable, "" if it does.
	Unknown string
}

// mysqlVersion matches the versions of MySQL and of servers built from its source.
var mysqlVersion = regexp.MustCompile(`^([89]|[1-9]\d)\.\d+\.\d+`)

// lookalikes matches products that speak MySQL's protocol but store tables in another way.
var lookalikes = regexp.MustCompile(`(?i)vitess|planetscale|tidb|oceanbase|polardb|starrocks|doris|singlestore|memsql`)

// MySQLChanges asks a MySQL server (not MariaDB) how changes can be detected. The account needs no privileges.
func MySQLChanges(ctx context.Context, db bun.IDB) (c Changes, err error) {
	var server struct{ Version, Comment string }
	if err := db.NewRaw("/* agenda server */ SELECT VERSION() AS version, @@version_comment AS comment").Scan(ctx, &server); err != nil {
		return c, err
	}
	var variables []struct {
		Name  string `bun:"Variable_name"`
		Value string `bun:"Value"`
	}
	err = db.NewRaw("/* agenda server */ SHOW GLOBAL VARIABLES WHERE Variable_name IN "+
		"('aurora_version', 'wsrep_on', 'server_uuid', 'gtid_mode', 'log_bin', 'innodb_read_only')").Scan(ctx, &variables)
	if err != nil {
		return c, err
	}
	known := map[string]string{}
	for _, v := range variables {
		known[strings.ToLower(v.Name)] = strings.ToUpper(v.Value)
	}
	vitess, err := AskVitess(ctx, db)
	if err != nil {
		return c, err
	}
	return changesOf(server.Version, server.Comment, known, vitess), nil
}

// changesOf evaluates a server's version, its variables, whose values are in upper case, and what Vitess reports.
func changesOf(version, comment string, variables map[string]string, vitess Vitess) (c Changes) {
	c.Identified = variables["log_bin"] == "ON" && variables["gtid_mode"] == "ON"
	_, aurora := variables["aurora_version"]
	_, galera := variables["wsrep_on"]
	c.Timed, c.Vitess = !aurora && !vitess.Answers, vitess.Answers
	for _, name := range []string{"server_uuid", "gtid_mode", "log_bin", "innodb_read_only"} {
		if variables[name] == "" {
			c.Unknown = fmt.Sprintf("the server does not tell its %s, as MySQL does: %s %s", name, version, comment)
		}
	}
	switch {
	case vitess.Unknown != "":
		c.Unknown = vitess.Unknown
	case !mysqlVersion.MatchString(version) || !vitess.Answers && lookalikes.MatchString(version+" "+comment):
		c.Unknown = fmt.Sprintf("the server is an unknown kind of MySQL: %s %s", version, comment)
	case galera:
		c.Unknown = "the server is a MySQL in a cluster of Galera"
	case c.Unknown != "":
	case variables["innodb_read_only"] == "ON":
		c.Unknown = "the server's InnoDB is read-only, as a managed reader's: it does not tell what the writer commits"
	case aurora && !c.Identified:
		c.Unknown = "the server is an Aurora without a log of global transaction identifiers (log_bin, gtid_mode=ON)"
	case vitess.Answers && !c.Identified:
		c.Unknown = "the servers of Vitess have no log of global transaction identifiers (log_bin, gtid_mode=ON)"
	}
	return c
}
