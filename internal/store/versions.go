package store

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
)

// clockComment begins the statements of the tracker, for those who read a server's list of
// statements.
const clockComment = "agenda clock"

const clockPrefix = "/* " + clockComment + " */ "

// Watched returns the names of the tables that a tracker asks for.
func Watched(prefix string) (names []string) {
	for _, name := range watched {
		names = append(names, prefix+name)
	}
	return names
}

// needed is how many of watched every site has and every account may read.
const needed = 5

// versions is what the sources of both databases share: the connection that they ask on, which a clock takes in turn with others.
type versions struct {
	db           *DB
	options      *Options
	transactions *Transactions
	names        []string // of options
	line         *line
	conn         *bun.Conn // the line's, nil while the clock uses none
	opened       int       // which of its connections that is
	waiting      bool      // it was not the clock's turn when it asked last
}

// Options reads the options that answers depend on.
func (v *versions) Options(ctx context.Context) (map[string]string, error) {
	give, err := v.take(ctx)
	if err != nil {
		return nil, err
	}
	defer give()
	query := func() *Query { return newQuery(v.db.pool.DB).Conn(*v.conn).Comment(clockComment) }
	return v.options.ValuesBy(uncounted(ctx), query, v.names)
}

// serverVersions reads the times of tables that MariaDB and MySQL keep, and which
// transactions a MySQL has executed.
type serverVersions struct {
	versions
	mysql     *mysqlServer    // nil for MariaDB
	statement *sql.Stmt       // parsing it would take a third of its time
	prepared  int             // on which of the connections it was
	row       lookRow         // what it gave last
	into      []any           // the fields of row, in the order of the statement's columns; nil before the first look
	text      string          // of the last look, about the tables
	read      change.Versions // what it says
	created   time.Time       // of its tables, the newest

	looked       time.Time // when the last look began that found tables of unknown time
	set          string    // of transactions, in that look
	openedTables string    // by the server, when that was asked for last
}

// Versions reads a row of a table of the site too: a node that was cut off from its
// cluster refuses that, but not what is asked of information_schema.
func (v *serverVersions) Versions(ctx context.Context) (found change.Versions, err error) {
	ctx = uncounted(ctx)
	give, err := v.take(ctx)
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
	if err := v.look(ctx); err != nil {
		return found, err
	}
	row := &v.row
	if set != "" {
		row.Set = set
	}
	if row.ReadOnly != "0" && row.ReadOnly != "OFF" && !v.db.config.ReadOnly && v.transactions.queue.mayLeave(leaveEvery) {
		go v.transactions.leaveServer(ctx)
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
		v.mysql.judge(ctx, v.db.pool.DB, &found, row.Set)
	}
	found.Tables, err = v.identifyUnknown(ctx, began, found.Set, found.Tables)
	return found, err
}

// lookRow is the row of a look.
type lookRow struct {
	Set      string         `bun:"transactions"`
	Server   string         `bun:"server"`
	Now      string         `bun:"now_time"`
	ReadOnly string         `bun:"read_only_server"`
	Option   sql.NullInt64  `bun:"option_id"` // of any option
	Tables   sql.NullString `bun:"table_times"`
}

// setBefore reads the set of transactions behind vtgate, which runs the parts of a statement in an order of its own. It is "" elsewhere.
func (v *serverVersions) setBefore(ctx context.Context) (set string, err error) {
	if v.mysql == nil || !v.mysql.separate() {
		return "", nil
	}
	err = v.conn.Conn.QueryRowContext(ctx, clockPrefix+"SELECT "+v.mysql.set()).Scan(&set)
	return set, err
}

// look runs the statement.
func (v *serverVersions) look(ctx context.Context) error {
	rows, err := v.statement.QueryContext(ctx)
	if err != nil {
		return err
	}
	defer rows.Close()
	if v.into == nil {
		if v.into, err = fieldsOf(rows, &v.row); err != nil {
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

// parse reads the rows of tables, which the server sends as one text: most looks find the
// text of the one before.
func (v *serverVersions) parse(text string) (found change.Versions, err error) {
	found.Tables, found.Names, found.Options = make([]change.Version, len(watched)), watched, len(watched)-1
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
		} else if table := v.watchedTable(name, found.Tables); table >= 0 &&
			(table != int(TableTermMeta) || v.db.config.TermMeta) { // else nothing depends on it
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
			return found, errors.New("store: no table " + v.db.prefix + watched[i])
		}
	}
	if v.mysql == nil { // MariaDB writes the definition of a table anew whatever changes in it
		slices.Sort(columns)
		found.Columns = strings.Join(columns, " ")
	}
	for _, name := range v.networkTables() {
		found.Tables[TableOptions] = withNetwork(found.Tables[TableOptions], networks[name])
	}
	return found, nil
}

// networkTables returns the tables of the site's network, whose rows are read with the site's options; none without one.
func (v *serverVersions) networkTables() []string {
	if v.db.network.Table == "" {
		return nil
	}
	return []string{v.db.network.Table, v.db.network.Sites}
}

// networkTable returns the one of networkTables that a server calls by a name, "" for others.
func (v *serverVersions) networkTable(name string) string {
	for _, table := range v.networkTables() {
		if strings.EqualFold(table, name) {
			return table
		}
	}
	return ""
}

// watchedTable returns the index of the watched table with a name, -1 for none and for one that was found already: a
// server may store names in lower case, and a table's name may be one that its collation takes for the same.
func (v *serverVersions) watchedTable(name string, found []change.Version) int {
	if table := slices.IndexFunc(watched, func(w string) bool { return v.db.prefix+w == name }); table >= 0 {
		return table
	}
	table := slices.IndexFunc(watched, func(w string) bool { return strings.EqualFold(v.db.prefix+w, name) })
	if table >= 0 && found[table].Identity != "" {
		return -1
	}
	return table
}

// withNetwork returns the version of the site's options with that of its network's: they are
// read together, so what changes one changes what is read.
func withNetwork(options, network change.Version) change.Version {
	both := options
	both.Identity = fmt.Sprint(options.Identity, " ", network)
	switch {
	case options.Updated.IsZero() || network.Updated.IsZero(): // not known
		both.Updated = time.Time{}
	case network.Updated.After(options.Updated):
		both.Updated = network.Updated
	}
	return both
}

// identifyUnknown adds to the identity of tables whose times are unknown how many tables the
// server has opened. It forgets a time only with a table that nobody has open, and opens it
// again for the look: a table that has no time twice, with no table opened in between, was
// not changed and forgotten. began is when this look began. The number takes longer than the
// look; soon after another one it need not be asked for, since the server forgets times at
// most every 47 s (SRV_MASTER_DICT_LRU_INTERVAL of InnoDB), and not in the moment of a
// commit: the table has to be closed first. Nor if no transaction was executed since.
func (v *serverVersions) identifyUnknown(ctx context.Context, began time.Time, set string,
	tables []change.Version) ([]change.Version, error) {
	unknown := func(t change.Version) bool { return t.Identity != "" && t.Updated.IsZero() }
	if !slices.ContainsFunc(tables, unknown) {
		return tables, nil
	}
	if v.openedTables == "" || time.Since(v.looked) > soon && (set == "" || set != v.set) {
		opened, err := firstRow[status](v.conn.Conn.QueryContext(ctx, clockPrefix+"SHOW GLOBAL STATUS LIKE 'Opened_tables'"))
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

// leaveEvery is how often a process that only reads leaves a server that became read-only.
const leaveEvery = 5 * time.Second

// settledColumns is how old the newest table must be for the times of tables to tell changes of their columns: these are in
// whole seconds, so another change may be within that of the last one.
const settledColumns = 2 * time.Second

// soon is how long after a look InnoDB is taken not to have closed a table that was just
// committed to, and forgotten its time.
const soon = 20 * time.Millisecond

// fewTables is up to how many tables of a database the server finds some by a list of
// their names faster than by a SELECT for each: for a list it goes through all.
const fewTables = 100

// prepare sets the session and makes the statement.
func (v *serverVersions) prepare(ctx context.Context) (err error) {
	session := clockPrefix + "SET SESSION time_zone = '+00:00', SESSION group_concat_max_len = 10000"
	set, server := "''", "CONCAT_WS('/', @@hostname, @@server_id, CONNECTION_ID())"
	if v.mysql != nil {
		session += ", SESSION information_schema_stats_expiry = 0" // MySQL keeps the times for a day
		if err := v.mysql.recognize(ctx, *v.conn); err != nil {
			return err
		}
		if v.mysql.changes.Unknown == "" { // others may lack the variables
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
		clockPrefix+"SELECT COUNT(*) FROM information_schema.TABLES WHERE TABLE_SCHEMA = DATABASE()").Scan(&tables)
	if err != nil {
		return err
	}
	names := append(Watched(v.db.prefix), v.networkTables()...)
	find := func(text string) *bun.SelectQuery {
		return v.db.pool.DB.NewSelect().TableExpr("information_schema.TABLES").Where("TABLE_SCHEMA = DATABASE()").ColumnExpr(text)
	}
	const row = `CONCAT_WS('\t', TABLE_NAME, CONCAT_WS('/', TABLE_TYPE, ENGINE),
		IFNULL(UNIX_TIMESTAMP(CREATE_TIME), ''), IFNULL(UNIX_TIMESTAMP(UPDATE_TIME), ''))`
	// The columns are computed in their order: the set comes first.
	q := v.db.pool.DB.NewSelect().
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
	v.statement, err = v.conn.Conn.PrepareContext(ctx, clockPrefix+q.String())
	v.prepared = v.opened
	return err
}

// Pause lets others use the connection alone, without the statement.
func (v *serverVersions) Pause() {
	v.leave(false, func() error {
		if v.statement == nil {
			return nil
		}
		return v.statement.Close()
	})
	v.forget()
}

// Release also forgets the statement, which the next connection prepares again.
func (v *serverVersions) Release() {
	v.versions.Release()
	v.forget()
}

// forget forgets what was read of one connection.
func (v *serverVersions) forget() {
	v.statement, v.into, v.text, v.read, v.openedTables = nil, nil, "", change.Versions{}, ""
}

// unixTime reads seconds since 1970 with a fraction, the zero time for "".
func unixTime(s string) time.Time {
	seconds, err := strconv.ParseFloat(s, 64)
	if err != nil {
		return time.Time{}
	}
	whole, fraction := math.Modf(seconds)
	return time.Unix(int64(whole), int64(fraction*1e9)).UTC()
}
