package versions

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/change"
	"github.com/agendahq/agenda/internal/store/scan"
	"github.com/agendahq/agenda/internal/store/stmtcount"
)

// Comment begins the statements of a tracker, so that they can be recognized in a server's process list.
const Comment = "agenda clock"

const prefix = "/* " + Comment + " */ "

// needed is how many of Site.Tables every site has and every account must be able to read.
const needed = 5

// serverVersions reads the times of tables that MariaDB and MySQL record, and the set of transactions that a MySQL
// server has executed.
type serverVersions struct {
	poller
	mysql     *mysqlServer    // nil for MariaDB
	statement *sql.Stmt       // prepared, because parsing would take a third of its time
	prepared  int             // number of the connection on which it was prepared
	row       lookRow         // its last result
	into      []any           // pointers to the fields of row, in the order of the columns; nil before the first poll
	text      string          // about the tables, in the last poll
	read      change.Versions // the result of parsing text
	created   time.Time       // of the newest table

	looked       time.Time // when the last poll began that found tables of unknown time
	set          string    // of transactions, in that poll
	openedTables string    // number of tables opened by the server, when last read
}

// Versions also reads a row of a table of the site: a node that was cut off from its cluster rejects that, but answers
// queries of information_schema.
func (v *serverVersions) Versions(ctx context.Context) (found change.Versions, err error) {
	ctx = stmtcount.Without(ctx)
	give, err := v.takeTurn(ctx)
	if err != nil {
		return found, err
	}
	defer give()
	if v.statement == nil || v.prepared != v.opened {
		v.forget()
		if err := v.prepare(ctx); err != nil {
			return found, err
		}
	}
	began := time.Now()
	set, err := v.setBefore(ctx)
	if err != nil {
		return found, err
	}
	if err := v.pollVersions(ctx); err != nil {
		return found, err
	}
	row := &v.row
	if set != "" {
		row.Set = set
	}
	if row.ReadOnly != "0" && row.ReadOnly != "OFF" && v.site.ReadOnlyServer != nil {
		v.site.ReadOnlyServer(ctx)
	}
	if v.read.Tables == nil || row.Tables.String != v.text {
		read, err := v.parse(row.Tables.String)
		if err != nil {
			return found, err
		}
		v.text, v.read = row.Tables.String, read
	}
	found = v.read
	found.Server, found.Now = row.Server, unixTime(row.Now)
	if found.Now.Sub(v.created) < settledColumns {
		found.Columns = ""
	}
	if v.mysql != nil {
		v.mysql.judge(ctx, v.site.DB, &found, row.Set)
	}
	found.Tables, err = v.identifyUnknown(ctx, began, found.Set, found.Tables)
	return found, err
}

// lookRow is the row that a poll reads.
type lookRow struct {
	Set      string         `bun:"transactions"`
	Server   string         `bun:"server"`
	Now      string         `bun:"now_time"`
	ReadOnly string         `bun:"read_only_server"`
	Option   sql.NullInt64  `bun:"option_id"` // of any option
	Tables   sql.NullString `bun:"table_times"`
}

// setBefore reads the set of transactions behind vtgate, which evaluates the parts of a statement in an order of its
// own. Elsewhere it returns "".
func (v *serverVersions) setBefore(ctx context.Context) (set string, err error) {
	if v.mysql == nil || !v.mysql.separate() {
		return "", nil
	}
	err = v.conn.Conn.QueryRowContext(ctx, prefix+"SELECT "+v.mysql.set()).Scan(&set)
	return set, err
}

// pollVersions runs the statement.
func (v *serverVersions) pollVersions(ctx context.Context) error {
	rows, err := v.statement.QueryContext(ctx)
	if err != nil {
		return err
	}
	defer rows.Close()
	if v.into == nil {
		if v.into, err = scan.Fields(rows, &v.row); err != nil {
			return err
		}
	}
	if !rows.Next() {
		return cmp.Or(rows.Err(), sql.ErrNoRows)
	}
	if err := rows.Scan(v.into...); err != nil {
		return err
	}
	return rows.Close()
}

// parse parses the rows of tables, which the server sends as one string. Most polls get the same string as the previous
// one.
func (v *serverVersions) parse(text string) (found change.Versions, err error) {
	options := len(v.site.Tables) - 1
	found.Tables, found.Names, found.Options = make([]change.Version, len(v.site.Tables)), v.site.Tables, options
	networks, columns := map[string]change.Version{}, []string(nil)
	v.created = time.Time{}
	for line := range strings.SplitSeq(text, "\n") {
		column := strings.Split(line, "\t")
		if len(column) != 4 {
			continue
		}
		name, identity := column[0], column[1]
		version := change.Version{Identity: identity, Created: unixTime(column[2]), Updated: unixTime(column[3])}
		of := v.networkTable(name)
		if of != "" {
			networks[of] = version
		} else if table := v.watchedTable(name, found.Tables); table >= 0 && v.site.Tables[table] != v.site.Unread {
			found.Tables[table] = version
		} else {
			continue
		}
		columns = append(columns, name+"/"+column[2])
		if version.Created.After(v.created) {
			v.created = version.Created
		}
		if !strings.HasPrefix(identity, "BASE TABLE/InnoDB") {
			found.Unknown = fmt.Sprintf("%s is not a table of InnoDB: %s", name, identity)
		}
	}
	for i := range needed {
		if found.Tables[i].Identity == "" {
			return found, errors.New("store: no table " + v.site.Prefix + v.site.Tables[i])
		}
	}
	if v.mysql == nil { // MariaDB rewrites the definition file of a table whatever changes in it
		slices.Sort(columns)
		found.Columns = strings.Join(columns, " ")
	}
	for _, name := range v.networkTables() {
		found.Tables[options] = withNetwork(found.Tables[options], networks[name])
	}
	return found, nil
}

// networkTables returns the tables of the site's multisite network whose rows are read with the site's options; none
// without a network.
func (v *serverVersions) networkTables() []string {
	if v.site.Network.Table == "" {
		return nil
	}
	return []string{v.site.Network.Table, v.site.Network.Sites}
}

// networkTable returns the element of networkTables with a name that a server reports, "" for other tables.
func (v *serverVersions) networkTable(name string) string {
	for _, table := range v.networkTables() {
		if strings.EqualFold(table, name) {
			return table
		}
	}
	return ""
}

// watchedTable returns the index of the watched table with a name, -1 for other tables and for one that was found
// already: a server may store names in lower case, and the name of another table may be equal in its collation.
func (v *serverVersions) watchedTable(name string, found []change.Version) int {
	if table := slices.IndexFunc(v.site.Tables, func(w string) bool { return v.site.Prefix+w == name }); table >= 0 {
		return table
	}
	table := slices.IndexFunc(v.site.Tables, func(w string) bool { return strings.EqualFold(v.site.Prefix+w, name) })
	if table >= 0 && found[table].Identity != "" {
		return -1
	}
	return table
}

// withNetwork returns the version of the site's options combined with that of its network's: they are read together, so
// a change of either changes what is read.
func withNetwork(options, network change.Version) change.Version {
	both := options
	both.Identity = fmt.Sprint(options.Identity, " ", network)
	switch {
	case options.Updated.IsZero() || network.Updated.IsZero(): // unknown
		both.Updated = time.Time{}
	case network.Updated.After(options.Updated):
		both.Updated = network.Updated
	}
	return both
}

// identifyUnknown adds to the identity of tables whose times are unknown the number of tables that the server has
// opened. The server forgets a time only when it closes a table that nobody uses, and opens the table again for the
// poll. So a table that has no time in two polls, without any table opened in between, was not changed and forgotten.
// began is when this poll began. Reading the number takes longer than the poll. It is skipped soon after a previous
// poll, since the server forgets times at most every 47 s (SRV_MASTER_DICT_LRU_INTERVAL of InnoDB) and not during a
// commit, as the table has to be closed first. It is also skipped if no transaction was executed since.
func (v *serverVersions) identifyUnknown(ctx context.Context, began time.Time, set string,
	tables []change.Version) ([]change.Version, error) {
	unknown := func(t change.Version) bool { return t.Identity != "" && t.Updated.IsZero() }
	if !slices.ContainsFunc(tables, unknown) {
		return tables, nil
	}
	if v.openedTables == "" || time.Since(v.looked) > soon && (set == "" || set != v.set) {
		opened, err := scan.First[status](v.conn.Conn.QueryContext(ctx, prefix+"SHOW GLOBAL STATUS LIKE 'Opened_tables'"))
		if err != nil {
			return nil, err
		}
		v.openedTables = opened.Value
	}
	v.looked, v.set = began, set
	tables = slices.Clone(tables)
	for i, t := range tables {
		if unknown(t) {
			tables[i].Identity += "/" + v.openedTables
		}
	}
	return tables, nil
}

// status is a row of SHOW STATUS.
type status struct {
	Name  string `bun:"Variable_name"`
	Value string `bun:"Value"`
}

// settledColumns is how old the newest table must be for the times of tables to show changes of their columns: the
// times are in whole seconds, so the second of the last change may contain another one.
const settledColumns = 2 * time.Second

// soon is how long after a poll InnoDB is assumed not to have closed a table that was just written, and so forgotten
// its time.
const soon = 20 * time.Millisecond

// fewTables is the number of tables of a database up to which the server finds some tables faster with one list of
// names than with a SELECT for each: for a list it reads all tables.
const fewTables = 100

// prepare sets the session variables and prepares the statement.
func (v *serverVersions) prepare(ctx context.Context) (err error) {
	session := prefix + "SET SESSION time_zone = '+00:00', SESSION group_concat_max_len = 10000"
	set, server := "''", "CONCAT_WS('/', @@hostname, @@server_id, CONNECTION_ID())"
	if v.mysql != nil {
		session += ", SESSION information_schema_stats_expiry = 0" // MySQL caches the times for a day
		if err := v.mysql.recognize(ctx, *v.conn); err != nil {
			return err
		}
		if v.mysql.changes.Unknown == "" { // otherwise the variables may not exist
			set, server = v.mysql.set(), "CONCAT_WS('/', @@server_uuid, CONNECTION_ID())"
		}
		if v.mysql.separate() {
			set = "''"
		}
	}
	if _, err := v.conn.Conn.ExecContext(ctx, session); err != nil {
		return err
	}
	var tables int
	err = v.conn.Conn.QueryRowContext(ctx,
		prefix+"SELECT COUNT(*) FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()").Scan(&tables)
	if err != nil {
		return err
	}
	names := append(v.site.names(), v.networkTables()...)
	find := func(text string) *bun.SelectQuery {
		return v.site.DB.NewSelect().TableExpr("information_schema.TABLES").Where("TABLE_SCHEMA = DATABASE()").ColumnExpr(text)
	}
	const row = `CONCAT_WS('\t', TABLE_NAME, CONCAT_WS('/', TABLE_TYPE, ENGINE),
		IFNULL(UNIX_TIMESTAMP(CREATE_TIME), ''), IFNULL(UNIX_TIMESTAMP(UPDATE_TIME), ''))`
	// The columns are evaluated in order: the set must come first.
	q := v.site.DB.NewSelect().
		ColumnExpr(set + " AS transactions").ColumnExpr(server + " AS server").
		ColumnExpr("UNIX_TIMESTAMP(NOW(6)) AS now_time, @@read_only AS read_only_server").
		ColumnExpr("(SELECT option_id FROM ?(prefix)options LIMIT 1) AS option_id")
	if tables <= fewTables {
		q = q.ColumnExpr("(?) AS table_times", find("GROUP_CONCAT("+row+" SEPARATOR '\n')").Where("TABLE_NAME IN (?)", bun.List(names)))
	} else {
		each := make([]any, len(names))
		for i, name := range names {
			each[i] = find(row).Where("TABLE_NAME = ?", name)
		}
		q = q.ColumnExpr("CONCAT_WS('\n'"+strings.Repeat(", (?)", len(each))+") AS table_times", each...)
	}
	v.statement, err = v.conn.Conn.PrepareContext(ctx, prefix+q.String())
	v.prepared = v.opened
	return err
}

// Pause leaves the connection to other clocks, and closes the statement.
func (v *serverVersions) Pause() {
	v.leave(false, func() error {
		if v.statement == nil {
			return nil
		}
		return v.statement.Close()
	})
	v.forget()
}

// Release also forgets the statement, which is prepared again on the next connection.
func (v *serverVersions) Release() {
	v.poller.Release()
	v.forget()
}

// forget forgets what was read on one connection.
func (v *serverVersions) forget() {
	v.statement, v.into, v.text, v.read, v.openedTables = nil, nil, "", change.Versions{}, ""
}

// unixTime parses seconds since 1970 with a fraction; "" is the zero time.
func unixTime(s string) time.Time {
	seconds, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return time.Time{}
	}
	whole, fraction := math.Modf(seconds)
	return time.Unix(int64(whole), int64(fraction*1e9)).UTC()
}
