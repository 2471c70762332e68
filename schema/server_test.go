package schema

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"maps"
	"strings"
	"testing"

	"github.com/go-sql-driver/mysql"
	"github.com/uptrace/bun"
	"github.com/uptrace/bun/dialect/mysqldialect"

	"github.com/agendahq/agenda/internal/test/golden"
)

func TestChangesOfServers(t *testing.T) {
	plain := map[string]string{"server_uuid": "A", "gtid_mode": "OFF", "log_bin": "ON", "innodb_read_only": "OFF"}
	golden.Each(t, "servers.txt", func(version, comment string, more map[string]string, identified, timed bool, unknown string) {
		variables := maps.Clone(plain)
		maps.Copy(variables, more)
		maps.DeleteFunc(variables, func(_, value string) bool { return value == "" })
		got := changesOf(version, comment, variables, Vitess{})
		known := got.Unknown == "" && unknown == "" || unknown != "" && strings.Contains(got.Unknown, unknown)
		if got.Identified != identified || got.Timed != timed || !known {
			t.Errorf("%s %s %v: %+v", version, comment, variables, got)
		}
	})
}

// vtgate answers statements like a vtgate, or, if it knows no shards, like any other server.
type vtgate struct {
	version, target string
	shards          []string // nil if the server does not understand the statement about shards
	tablets         []string // "keyspace shard type state"
	refuses         string   // the statement that it rejects with the error of a proxy
	variables       string   // "name value, ..."
}

func (v *vtgate) Driver() driver.Driver                        { return nil }
func (v *vtgate) Connect(context.Context) (driver.Conn, error) { return v, nil }
func (v *vtgate) Prepare(string) (driver.Stmt, error)          { return nil, errors.ErrUnsupported }
func (v *vtgate) Begin() (driver.Tx, error)                    { return nil, errors.ErrUnsupported }
func (v *vtgate) Close() error                                 { return nil }

func (v *vtgate) QueryContext(_ context.Context, query string, _ []driver.NamedValue) (driver.Rows, error) {
	_, query, _ = strings.Cut(query, "*/ ")
	r := &cannedRows{}
	switch {
	case v.refuses != "" && strings.HasPrefix(query, v.refuses):
		return nil, &mysql.MySQLError{Number: 1105, Message: "not allowed here"}
	case v.shards == nil && strings.HasPrefix(query, "SHOW VITESS"):
		return nil, &mysql.MySQLError{Number: syntaxError, Message: "You have an error in your SQL syntax"}
	case query == "SHOW VITESS_SHARDS":
		r.columns = []string{"Shards"}
		for _, s := range v.shards {
			r.rows = append(r.rows, []string{s})
		}
	case query == "SHOW VITESS_TABLETS":
		r.columns = []string{"Cell", "Keyspace", "Shard", "TabletType", "State", "Alias"}
		for _, tablet := range v.tablets {
			r.rows = append(r.rows, append(append([]string{"zone1"}, strings.Fields(tablet)...), "zone1-0000000100"))
		}
	case query == "SELECT DATABASE()":
		r.columns, r.rows = []string{"DATABASE()"}, [][]string{{v.target}}
	case strings.HasPrefix(query, "SELECT VERSION()"):
		r.columns, r.rows = []string{"version", "comment"}, [][]string{{v.version, "Version: 24.0.4"}}
	case strings.HasPrefix(query, "SHOW GLOBAL VARIABLES"):
		r.columns = []string{"Variable_name", "Value"}
		for variable := range strings.SplitSeq(v.variables, ", ") {
			r.rows = append(r.rows, strings.Fields(variable))
		}
	}
	return r, nil
}

type cannedRows struct {
	columns []string
	rows    [][]string
}

func (r *cannedRows) Columns() []string { return r.columns }
func (r *cannedRows) Close() error      { return nil }

func (r *cannedRows) Next(into []driver.Value) error {
	if len(r.rows) == 0 {
		return io.EOF
	}
	for i, text := range r.rows[0] {
		into[i] = []byte(text)
	}
	r.rows = r.rows[1:]
	return nil
}

// A vtgate is recognized by its answers, whatever version it reports. Changes can be detected through it for a keyspace
// with one shard whose primary answers.
func TestChangesThroughVitess(t *testing.T) {
	logged := "server_uuid a, gtid_mode ON, log_bin ON, innodb_read_only OFF"
	primary := []string{"site 0 REPLICA SERVING", "site 0 PRIMARY SERVING", "other 0 PRIMARY SERVING"}
	one := []string{"other/-80", "other/80-", "site/0", "site2/0"}
	for name, c := range map[string]struct {
		vtgate
		unknown string
	}{
		"a primary":             {vtgate{"8.4.6-Vitess", "site", one, primary, "", logged}, ""},
		"named as the target":   {vtgate{"8.4.6-Vitess", "site@primary", one, primary, "", logged}, ""},
		"without the word":      {vtgate{"8.4.6", "other", one, primary, "", logged}, "other of Vitess has 2 shards: other/-80, other/80-"},
		"no such keyspace":      {vtgate{"8.4.6", "gone", one, primary, "", logged}, "gone of Vitess has 0 shards"},
		"replicas":              {vtgate{"8.4.6-Vitess", "site@replica", one, primary, "", logged}, `"site@replica"`},
		"a shard":               {vtgate{"8.4.6-Vitess", "site/0", one, primary, "", logged}, `"site/0"`},
		"no keyspace":           {vtgate{"8.4.6-Vitess", "", one, primary, "", logged}, `""`},
		"no primary":            {vtgate{"8.4.6-Vitess", "site", one, primary[:1], "", logged}, "no primary of site/0"},
		"one that serves not":   {vtgate{"8.4.6", "site", one, []string{"site 0 PRIMARY NOT_SERVING"}, "", logged}, "no primary of site/0"},
		"no log":                {vtgate{"8.4.6", "site", one, primary, "", strings.Replace(logged, "mode ON", "mode OFF", 1)}, "no log"},
		"shards not told":       {vtgate{"8.4.6", "site", one, primary, "SHOW VITESS_SHARDS", logged}, "not allowed here"},
		"tablets not told":      {vtgate{"8.4.6", "site", one, primary, "SHOW VITESS_TABLETS", logged}, "not allowed here"},
		"the word alone":        {vtgate{"8.0.30-Vitess", "site", nil, nil, "", logged}, "Vitess"},
		"a MySQL":               {vtgate{"8.4.6", "site", nil, nil, "", logged}, ""},
		"variables are missing": {vtgate{"8.4.6", "site", one, primary, "", "log_bin ON, gtid_mode ON"}, "innodb_read_only"},
	} {
		db := bun.NewDB(sql.OpenDB(&c.vtgate), mysqldialect.New())
		got, err := MySQLChanges(t.Context(), db)
		known := got.Unknown == "" && c.unknown == "" || c.unknown != "" && strings.Contains(got.Unknown, c.unknown)
		vitess := c.shards != nil && c.refuses != "SHOW VITESS_SHARDS"
		if err != nil || !known || got.Vitess != vitess || got.Timed == vitess {
			t.Errorf("%s: %+v, %v", name, got, err)
		}
		_ = db.Close()
	}
}
