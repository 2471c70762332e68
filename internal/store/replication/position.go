// Package replication reads which transactions a server of a replication has executed, so that a read that follows a
// write is sent to a replica only if the replica has it.
package replication

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-sql-driver/mysql"
	"github.com/uptrace/bun"

	"github.com/agendahq/agenda/internal/store/scan"
)

// Position is the set of replicated transactions that a server has executed, by their sources. The sources are the
// domains of MariaDB's global transaction identifiers, and in MySQL's the servers, with a tag if there is one.
type Position map[string][]Interval

// Interval is a range of transaction numbers, including both ends.
type Interval struct{ First, Last uint64 }

// Written returns the position of a server that others follow. It returns an error if the server has no position,
// because it does not log its transactions.
func Written(ctx context.Context, db *bun.DB) (Position, error) {
	p, _, err := positionOf(ctx, db, "@@GLOBAL.gtid_binlog_pos")
	return p, err
}

// Replayed returns the position of a server that follows another one, and its identifier, which may be known even if
// the position is not.
func Replayed(ctx context.Context, db bun.IDB) (p Position, server string, err error) {
	return positionOf(ctx, db, "@@GLOBAL.gtid_slave_pos")
}

// ServersBehind returns the identifiers of the servers to which connections of a pool lead, without servers that cannot
// be queried. It opens up to n connections at once, since an idle pool would use the same one each time, and leaves one
// for others.
func ServersBehind(ctx context.Context, db *bun.DB, n int) (servers []string) {
	if most := db.Stats().MaxOpenConnections; most > 0 {
		n = min(n, max(most-1, 1))
	}
	var all []bun.Conn
	for range n {
		if c, err := db.Conn(ctx); err == nil {
			all = append(all, c)
		}
	}
	for _, c := range all {
		if _, server, err := Replayed(ctx, c); err == nil || server != "" {
			servers = append(servers, server)
		}
		_ = c.Close() // returned to the pool
	}
	return servers
}

// identities are expressions that identify a MariaDB server. Early releases have no identifier; that of later ones is
// derived from the machine and the port, which servers in containers, and servers without a port, may share.
var identities = []string{
	"CONCAT_WS(' ', @@GLOBAL.server_uid, @@GLOBAL.hostname, @@GLOBAL.server_id)", "CONCAT_WS(' ', @@GLOBAL.hostname, @@GLOBAL.server_id)",
}

// positionOf reads the position of a server: a variable of MariaDB or, on MySQL, where the transactions of a server and
// of its source form one set, that set. One statement reads the position and the server, so that a proxy cannot query
// two servers.
func positionOf(ctx context.Context, db bun.IDB, variable string) (p Position, server string, err error) {
	type row struct {
		Text   string `bun:"text"`
		Server string `bun:"server"`
	}
	for _, identity := range identities {
		found, err := scan.First[row](db.NewSelect().ColumnExpr(variable + " AS text").ColumnExpr(identity + " AS server").Rows(ctx))
		var answer *mysql.MySQLError
		unknown := errors.As(err, &answer) && answer.Number == unknownVariable
		switch {
		case unknown && strings.Contains(answer.Message, "server_uid"):
			continue
		case unknown:
			return mysqlPosition(ctx, db)
		case err != nil:
			return nil, "", err
		case found.Text == "":
			return nil, found.Server, fmt.Errorf("store: %s is empty: %w", variable, errNoPart)
		}
		p, err = parseDomains(found.Text)
		return p, found.Server, err
	}
	return nil, "", errNoPart
}

// mysqlPosition is positionOf on MySQL.
func mysqlPosition(ctx context.Context, db bun.IDB) (p Position, server string, err error) {
	type row struct {
		Mode   string `bun:"mode"`
		Text   string `bun:"text"`
		Server string `bun:"server"`
	}
	found, err := scan.First[row](db.NewSelect().
		ColumnExpr("@@GLOBAL.gtid_mode AS mode, @@GLOBAL.gtid_executed AS text, @@GLOBAL.server_uuid AS server").Rows(ctx))
	if err != nil {
		return nil, "", err
	}
	if found.Mode != "ON" || found.Text == "" {
		return nil, found.Server, fmt.Errorf("store: gtid_mode is %s, gtid_executed %q: %w", found.Mode, found.Text, errNoPart)
	}
	p, err = parseSet(found.Text)
	return p, found.Server, err
}

// unknownVariable is the error number for a system variable that the server does not have.
const unknownVariable = 1193

var errNoPart = errors.New("the server takes no part in a replication by global transaction identifiers")

// parseDomains parses a list of MariaDB's identifiers, each "domain-server-number".
func parseDomains(text string) (Position, error) {
	p := Position{}
	for id := range strings.SplitSeq(text, ",") {
		parts := strings.Split(strings.TrimSpace(id), "-")
		if len(parts) != 3 {
			return nil, fmt.Errorf("store: %q is not a global transaction identifier", id)
		}
		if _, err := strconv.ParseUint(parts[0], 10, 32); err != nil {
			return nil, err
		}
		number, err := strconv.ParseUint(parts[2], 10, 64)
		if err != nil {
			return nil, err
		}
		p[parts[0]] = []Interval{{0, max(number, p.last(parts[0]))}}
	}
	return p, nil
}

// parseSet parses a set of MySQL's identifiers, such as "server:1-7:9, server:1-3:tag:1-4".
func parseSet(text string) (Position, error) {
	p := Position{}
	for of := range strings.SplitSeq(text, ",") {
		parts := strings.Split(strings.TrimSpace(of), ":")
		if len(parts) < 2 {
			return nil, fmt.Errorf("store: %q is not a set of global transaction identifiers", of)
		}
		server := strings.ToLower(parts[0])
		source := server
		for _, part := range parts[1:] {
			first, last, isRange := strings.Cut(strings.TrimSpace(part), "-")
			from, err := strconv.ParseUint(first, 10, 64)
			if err != nil && !isRange { // a tag, which applies to the intervals after it
				source = server + ":" + strings.ToLower(first)
				continue
			}
			to := from
			if err == nil && isRange {
				to, err = strconv.ParseUint(last, 10, 64)
			}
			if err != nil || to < from {
				return nil, fmt.Errorf("store: %q is not a range of numbers of transactions", part)
			}
			p[source] = append(p[source], Interval{from, to})
		}
	}
	return p, nil
}

// last returns the highest number of a source, 0 if there is none.
func (p Position) last(source string) (number uint64) {
	for _, i := range p[source] {
		number = max(number, i.Last)
	}
	return number
}

// Last returns the highest number of each source.
func (p Position) Last() map[string]uint64 {
	if p == nil {
		return nil
	}
	numbers := make(map[string]uint64, len(p))
	for source := range p {
		numbers[source] = p.last(source)
	}
	return numbers
}

// Reached reports whether p contains every transaction of another position. It assumes that adjacent intervals are
// merged, as servers do.
func (p Position) Reached(other Position) bool {
	for source, wanted := range other {
		for _, w := range wanted {
			if !covers(p[source], w) {
				return false
			}
		}
	}
	return true
}

func covers(have []Interval, wanted Interval) bool {
	return slices.ContainsFunc(have, func(h Interval) bool { return h.First <= wanted.First && wanted.Last <= h.Last })
}
