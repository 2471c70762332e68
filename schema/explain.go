package schema

import (
	"context"
	"database/sql/driver"
	"errors"
	"fmt"
	"net"
	"strings"

	"github.com/go-sql-driver/mysql"
	"github.com/uptrace/bun"
)

// explain adds advice to the error of a database that cannot be queried. The server's message, which follows, contains
// the account's name but no password.
func explain(err error) error {
	var answer *mysql.MySQLError
	var network *net.OpError
	if errors.As(err, &answer) {
		if say := adviceFor(answer.Number); say != "" {
			return fmt.Errorf("%s: %w", say, err)
		}
		return err
	}
	if errors.As(err, &network) || errors.Is(err, mysql.ErrInvalidConn) || errors.Is(err, driver.ErrBadConn) {
		return fmt.Errorf("no database answers: check the address in the DSN and that the server runs: %w", err)
	}
	return err
}

func adviceFor(number uint16) string {
	switch number {
	case 1045: // also if the account requires TLS
		return "the database rejects the account: check user and password in the DSN, and set its parameter tls=true if the account " +
			"requires TLS"
	case 1698:
		return "the database rejects the account: check user and password in the DSN"
	case 3159:
		return "the server requires TLS: set the parameter tls=true in the DSN (tls=skip-verify if the server made its certificate itself)"
	case 1251:
		return "the account uses a login method that this program does not support: change it to the server's default"
	case 2002, 2003, 2006, 2013:
		return "what the DSN leads to reaches no database: check that a server runs behind it"
	case 1044:
		return "the account has no right to this database, or it does not exist: check user and name in the DSN"
	case 1049:
		return "the server has no database of this name: check it in the DSN"
	case 1046:
		return "no database is selected: name one in the DSN"
	case 1129, 1130:
		return "the server rejects connections from this host"
	case 1040, 1203, 1226:
		return "the server has no connection left for this account"
	}
	return ""
}

// prefixes returns the table prefixes of the sites in a database, as far as the account can see them.
func prefixes(ctx context.Context, db bun.IDB) (found []string, err error) {
	const core = "postmeta" // each site has a table with this name, and plugins create none
	var names []string
	if isSQLite(db) {
		err = db.NewSelect().TableExpr("sqlite_master").Column("name").
			Where("type = 'table' AND name LIKE ?", `%`+core).Order("name").Scan(ctx, &names)
	} else {
		err = db.NewSelect().TableExpr("information_schema.TABLES").ColumnExpr("TABLE_NAME").
			Where("TABLE_SCHEMA = DATABASE() AND TABLE_NAME LIKE ?", `%`+core).OrderExpr("1").Scan(ctx, &names)
	}
	for _, name := range names {
		if prefix := strings.TrimSuffix(name, core); ValidPrefix(prefix) {
			found = append(found, prefix)
		}
	}
	return found, err
}
