package schema

import (
	"maps"
	"strings"
	"testing"
)

func TestChangesOfServers(t *testing.T) {
	plain := map[string]string{"server_uuid": "A", "gtid_mode": "OFF", "log_bin": "ON", "innodb_read_only": "OFF"}
	with := func(more ...string) map[string]string {
		variables := maps.Clone(plain)
		for i := 0; i < len(more); i += 2 {
			variables[more[i]] = more[i+1]
		}
		return variables
	}
	for _, c := range []struct {
		version, comment  string
		variables         map[string]string
		identified, timed bool
		unknown           string
	}{
		{"9.7.4-2", "(Debian)", with("gtid_mode", "ON"), true, true, ""},
		{"8.4.3", "MySQL Community Server - GPL", plain, false, true, ""},
		{"8.4.3", "MySQL Community Server - GPL", with("gtid_mode", "ON_PERMISSIVE"), false, true, ""},
		{"8.0.40", "Source distribution", with("gtid_mode", "ON", "log_bin", "OFF"), false, true, ""},
		{"8.0.36-28", "Percona Server (GPL), Release 28", plain, false, true, ""},
		{"8.0.36-28.1", "Percona XtraDB Cluster (GPL)", with("gtid_mode", "ON", "wsrep_on", "ON"), true, true, "Galera"},
		{"8.0.32", "Source distribution", with("aurora_version", "3.06.0", "innodb_read_only", "ON"), false, false, "read-only"},
		{"8.0.32", "Source distribution", with("aurora_version", "3.06.0"), false, false, "Aurora"},
		{"8.0.32", "Source distribution", with("aurora_version", "3.06.0", "gtid_mode", "ON"), true, false, ""},
		{"8.0.30-Vitess", "Version: 19.0", with("gtid_mode", "ON"), true, true, "Vitess"},
		{"8.0.11-TiDB-v8.1.0", "TiDB Server (Apache License 2.0)", plain, false, true, "TiDB"},
		{"5.7.44", "MySQL Community Server (GPL)", plain, false, true, "5.7.44"},
		{"8.0.0", "a proxy", map[string]string{"gtid_mode": "ON", "log_bin": "ON", "innodb_read_only": "OFF"}, true, true, "server_uuid"},
	} {
		got := changesOf(c.version, c.comment, c.variables)
		known := got.Unknown == "" && c.unknown == "" || c.unknown != "" && strings.Contains(got.Unknown, c.unknown)
		if got.Identified != c.identified || got.Timed != c.timed || !known {
			t.Errorf("%s %s %v: %+v", c.version, c.comment, c.variables, got)
		}
	}
}
